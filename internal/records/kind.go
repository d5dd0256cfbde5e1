package records

import (
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// A Kind is a row of the table of kinds.
type Kind struct {
	Name   string   // a record in words, "question"
	Dir    string   // the folder of its records below the home
	Prefix string   // of the ids that forgemind gives
	Text   string   // the member that says what the record is about
	Status []string // values of the member status; the last one wins over concurrent others
	Closed []string // the values of status with which a record is no longer in force
	Sets   []string // members that are sets of texts: concurrent values are united
	Needed []string // members besides Text that no change removes

	Immutable bool // a record has no changes
	// Editable says that people edit the file of a record: what they write into a member there holds over changes of it
	// that did not see that.
	Editable bool
	Lists    []string // members of an editable record that are lists of texts, of which changes set single elements; see Element
}

// The kinds of records.
var (
	// A decision holds until another one supersedes it.
	Decision = Kind{Name: "decision", Dir: fs.DecisionsDir, Prefix: "DEC-", Text: "decision", Immutable: true}
	Question = Kind{
		Name: "question", Dir: fs.QuestionsDir, Prefix: "Q-", Text: "question",
		Status: []string{"open", "awaiting_answer", "in-progress", "blocked", Answered, Canceled, Removed},
		Closed: []string{Answered, Canceled, Removed}, Sets: []string{"blocking"},
	}
	Action = Kind{
		Name: "action", Dir: fs.ActionsDir, Prefix: "ACT-", Text: "action",
		Status: []string{"open", "pending", "in-progress", "blocked", Done, Canceled, Removed},
		Closed: []string{Done, Canceled, Removed}, Sets: []string{"blocked_by"},
	}
	Goal = Kind{
		Name: "goal", Dir: fs.GoalsDir, Prefix: "goal-", Text: "goal",
		Status: []string{"open", "pending", "in-progress", "blocked", Done, Complete, Canceled, Removed},
		Closed: []string{Done, Complete, Canceled, Removed},
	}
	Constraint = Kind{
		Name: "constraint", Dir: fs.ConstraintsDir, Prefix: "con-", Text: "constraint",
		Status: []string{Removed}, Closed: []string{Removed},
	}
	Note = Kind{
		Name: "note", Dir: fs.NotesDir, Prefix: "note-", Text: "note",
		Status: []string{Removed}, Closed: []string{Removed},
	}
	// A thread and a pin stand in folders of their own, below threads and channels.
	Thread = Kind{
		Name: "thread", Dir: fs.ThreadsDir, Prefix: "thread-", Text: "title",
		Status: []string{"active", "resolved", "archived"}, Closed: []string{"archived"}, Sets: []string{"participants"},
	}
	Pin = Kind{
		Name: "pin", Dir: fs.ChannelsDir, Prefix: "pin-", Text: "condensation",
		Status: []string{Removed}, Closed: []string{Removed},
	}
	Handoff = Kind{
		Name: "handoff", Dir: fs.HandoffsDir, Prefix: "handoff-", Text: "task",
		Status: []string{"open", "in-progress", "blocked", Done, Archived}, Closed: []string{Archived},
	}
	// The settings of a project stand in the folder of its name.
	Settings = Kind{Name: "settings", Dir: fs.ProjectsDir, Text: "name", Editable: true, Lists: []string{"channels", "constraints"}}
	// A clarification answers a question.
	Clarification = Kind{Name: "clarification", Dir: fs.ClarificationsDir, Text: "question", Immutable: true}
)

// Values of the member status that take a record out of force.
const (
	Answered = "answered"
	Done     = "done"
	Complete = "complete"
	Canceled = "canceled"
	Removed  = "removed"
	Archived = "archived"
)

// rank returns the place of a status in the table; of concurrent ones the highest
// wins. One that the table does not have is -1.
func (k Kind) rank(status string) int { return slices.Index(k.Status, status) }

// In returns the folder of the records of k in home, which is fs.Forgemind or fs.Quaid.
func (k Kind) In(home string) Folder { return Folder{Dir: home + "/" + k.Dir, Kind: k} }

// Find returns the name of the file of a record, in whichever home; false if there is none.
// A file that cannot be read is there all the same; a folder that cannot be looked into is an
// error.
func (k Kind) Find(r fs.Reader, id string) (name string, ok bool, err error) {
	if !schema.ValidID(id) {
		return "", false, nil
	}
	return k.In(homes[0]).find(r, id)
}

// homes are the folders whose records are read, the one that new records go to first.
var homes = [...]string{fs.Forgemind, fs.Quaid}

// All returns the records of kind k in both homes, sorted by id, and the files that
// could not be read. Of an id that both homes have the first home's counts.
func All(r fs.Reader, k Kind) ([]Record, []Fault) { return all(r, k, false) }

// Current is All for those who ask what is in force: of other records it gives the id, and
// [Record.Whole] the rest.
func Current(r fs.Reader, k Kind) ([]Record, []Fault) { return all(r, k, true) }

func all(r fs.Reader, k Kind, brief bool) ([]Record, []Fault) {
	all, faults := k.In(homes[0]).scan(r, brief)
	more, wrong := k.In(homes[1]).scan(r, brief)
	if len(more) == 0 {
		return all, append(faults, wrong...)
	}
	known := map[string]bool{}
	for _, record := range all {
		known[record.ID] = true
	}
	all = append(all, slices.DeleteFunc(more, func(record Record) bool { return known[record.ID] })...)
	slices.SortFunc(all, byID)
	return all, append(faults, wrong...)
}
