package records

import (
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// byDocument has the kinds whose records stand in files of their own, by what fs says of
// the place.
var byDocument = map[fs.Doc]Kind{
	fs.DocDecision: Decision, fs.DocQuestion: Question, fs.DocAction: Action, fs.DocGoal: Goal, fs.DocConstraint: Constraint, fs.DocNote: Note,
	fs.DocThreadRecord: Thread, fs.DocPin: Pin, fs.DocHandoff: Handoff, fs.DocClarification: Clarification,
	fs.DocProject: Settings,
}

// NamedByID reports whether the file of a record is always named by its id. Threads and
// handoffs of former trees are named by what they are about, clarifications by when they
// were made, and projects by none.
func (k Kind) NamedByID() bool {
	switch k.Name {
	case Thread.Name, Pin.Name, Handoff.Name, Clarification.Name, Project.Name, Settings.Name:
		return false
	}
	return true
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
	switch dir, file := path.Split(name); {
	case name == fs.ProjectFile:
		return File{Folder{path.Clean(dir), Project}, projectID, ""}, true
	case dir == fs.Progress+"/" && fs.Place(name) == fs.DocChange:
		return File{Folder{path.Clean(dir), Project}, projectID, strings.TrimSuffix(file, ".json")}, true
	}
	stem, isJSON := strings.CutSuffix(name, ".json")
	dir, stem := path.Split(stem)
	doc := fs.Place(name)
	if doc == fs.DocDecision {
		return File{Folder{path.Clean(dir), Decision}, stem, ""}, true
	}
	id, change, _ := strings.Cut(stem, ".")
	if doc == fs.DocChange {
		doc = fs.Place(dir + id + ".json")
	}
	kind, ok := byDocument[doc]
	if !ok || !isJSON {
		return File{}, false
	}
	return File{Folder{path.Clean(dir), kind}, unescape(id), change}, true
}

// IsEditable reports whether the file holds a record that people edit, and remove.
func (f File) IsEditable() bool { return f.Folder.Kind.Editable && f.Change == "" }

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
