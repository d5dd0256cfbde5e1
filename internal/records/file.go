package records

import (
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A File tells which record or change a file name stands for.
type File struct {
	Folder Folder
	Record string // id of the record as the name has it; it may be invalid
	Change string // name of a change, such as "answered-7F3K2Q"; "" for the record itself
}

// kinds maps the documents that hold records to their kinds.
var kinds = map[fs.Doc]Kind{
	fs.DocQuestion: Question, fs.DocAction: Action, fs.DocGoal: Goal, fs.DocConstraint: Constraint, fs.DocNote: Note,
	fs.DocThreadRecord: Thread, fs.DocPin: Pin, fs.DocHandoff: Handoff, fs.DocMessage: Message, fs.DocClarification: Clarification,
}

// changing maps the folders in which records and their changes are side by side to their kinds. The
// folder of threads has subfolders, and that of channels has one with pins.
var changing = map[string]Kind{
	fs.QuestionsDir: Question, fs.ActionsDir: Action, fs.GoalsDir: Goal, fs.ConstraintsDir: Constraint, fs.NotesDir: Note,
	fs.ThreadsDir: Thread, fs.ChannelsDir: Pin, fs.HandoffsDir: Handoff,
}

// FileOf returns the File for a name. It reports false if the file holds neither a record nor a
// change. It does not know decisions; see package ledger.
func FileOf(name string) (File, bool) {
	stem, isJSON := strings.CutSuffix(path.Base(name), ".json")
	if !isJSON {
		return File{}, false
	}
	dir := path.Dir(name)
	kind, ok := Kind{}, false
	switch doc := fs.Place(name); {
	case name == fs.ProjectFile:
		return File{Folder{dir, Project}, projectID, ""}, true
	case doc == fs.DocChange && dir == fs.Progress:
		return File{Folder{dir, Project}, projectID, stem}, true
	case doc == fs.DocChange:
		_, rest, _ := strings.Cut(name, "/")
		first, _, _ := strings.Cut(rest, "/")
		kind, ok = changing[first]
	default:
		if kind, ok = kinds[doc]; ok && kind.Once {
			return File{Folder{dir, kind}, unescape(stem), ""}, true
		}
	}
	id, change, _ := strings.Cut(stem, ".")
	return File{Folder{dir, kind}, unescape(id), change}, ok
}

// Base returns the name of the record's file.
func (f File) Base() string {
	if f.Folder.Kind.Name == Project.Name {
		return fs.ProjectFile
	}
	return f.Folder.name(f.Record)
}

// changeName matches the name of a change: a word for its purpose, and its id.
var changeName = lazyregexp.New(`^[a-z]+-[A-Za-z0-9_-]+$`)

// ChangeID returns the id of a change. It reports false if the file is not named like a change. The
// names of the project's changes have a time in place of the word.
func (f File) ChangeID() (string, bool) {
	what, id, _ := strings.Cut(f.Change, "-")
	named := changeName.MatchString(f.Change)
	if f.Folder.Kind.Name == Project.Name {
		named = what != "" && id != ""
	}
	return id, named
}
