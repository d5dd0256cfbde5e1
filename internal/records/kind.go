package records

import (
	"slices"

	"github.com/forgemind/forgemind/fs"
)

// A Kind is a row of the table of kinds.
type Kind struct {
	Name   string   // name of a record in messages, such as "question"
	Dir    string   // folder of its records below the home
	Prefix string   // prefix of the ids that forgemind gives
	Text   string   // name of the member that names what the record is about
	Status []string // values of the member status; between concurrent values the later one in this list wins
	Closed []string // values of status for records that are no longer in force
	Sets   []string // names of members that are sets of strings; concurrent values are united
	Once   bool     // records have no changes, and file names may differ from ids
}

// The kinds of records.
var (
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
	// The records of threads and pins are in subfolders of threads and channels.
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
	// Messages and answers are never changed.
	Message       = Kind{Name: "message", Once: true}
	Clarification = Kind{Name: "clarification", Once: true}
)

// Values of the member status for records that are no longer in force.
const (
	Answered = "answered"
	Done     = "done"
	Complete = "complete"
	Canceled = "canceled"
	Removed  = "removed"
	Archived = "archived"
)

// rank returns the index of a status in the table, or -1. Between concurrent values the highest
// rank wins.
func (k Kind) rank(status string) int { return slices.Index(k.Status, status) }

// In returns the folder of the records of k in home, which is fs.Forgemind or fs.Quaid.
func (k Kind) In(home string) Folder { return Folder{Dir: home + "/" + k.Dir, Kind: k} }

// homes lists the folders with records. New records go to the first.
var homes = [...]string{fs.Forgemind, fs.Quaid}

// All returns the records of kind k in both homes, sorted by id, and a fault for each file that
// could not be read. If both homes have an id, the record of the first home is returned.
func All(r fs.Reader, k Kind) ([]Record, []Fault) { return all(r, k, false) }

// Current is like All, but of records that are not in force it returns only the id. [Record.Whole]
// decodes the rest.
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
