package records

import (
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// kinds is the table of kinds.
var kinds = []Kind{Question, Action, Goal, Constraint, Note}

// namedByID reports whether the file of a record is always named by its id. Threads and
// handoffs of former trees are named by what they are about, and the project by none.
func (k Kind) namedByID() bool {
	return slices.ContainsFunc(kinds, func(one Kind) bool { return one.Name == k.Name })
}

// A File says what a file is that holds a record, or a change of one.
type File struct {
	Folder Folder
	Record string // the id of the record, as the name has it: it may be none
	Change string // what a change is called, "answered-7F3K2Q"; "" for the record itself
}

// FileOf returns what the file called name is; false for one that holds neither a
// record nor a change.
func FileOf(name string) (File, bool) {
	switch dir, stem := path.Split(strings.TrimSuffix(name, ".json")); {
	case name == fs.ProjectFile:
		return File{Folder{path.Clean(dir), Project}, projectID, ""}, true
	case dir == fs.Progress+"/" && fs.Place(name) == fs.DocChange:
		return File{Folder{path.Clean(dir), Project}, projectID, stem}, true
	default:
		_, rest, _ := strings.Cut(name, "/")
		first, _, _ := strings.Cut(rest, "/")
		for _, k := range kinds {
			if first != k.Dir {
				continue
			}
			if doc := fs.Place(name); doc != fs.DocChange && string(doc) != k.Name {
				break
			}
			id, change, _ := strings.Cut(stem, ".")
			return File{Folder{path.Clean(dir), k}, unescape(id), change}, true
		}
	}
	return File{}, false
}

// Base returns the name of the file of the record.
func (f File) Base() string {
	if f.Folder.Kind.Name == Project.Name {
		return fs.ProjectFile
	}
	return f.Folder.name(f.Record)
}

// changeName is what a change is called: what it does in a word, and its id.
var changeName = lazyregexp.New(`^[a-z]+-[A-Za-z0-9_-]+$`)

// ChangeID returns the id of a change; false where its file is not named as that of a
// change is. Changes of the project have a time where others have a word.
func (f File) ChangeID() (string, bool) {
	what, id, _ := strings.Cut(f.Change, "-")
	named := changeName.MatchString(f.Change)
	if f.Folder.Kind.Name == Project.Name {
		named = what != "" && id != ""
	}
	return id, named
}
