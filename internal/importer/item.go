package importer

import (
	"cmp"
	"strings"

	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// The kinds of items. They are the names of the kinds of records.
const (
	Decision   = "decision"
	Question   = "question"
	Action     = "action"
	Goal       = "goal"
	Constraint = "constraint"
	Note       = "note"
)

// The statuses of items.
const (
	Accepted   = "accepted" // a decision in force
	Proposed   = "proposed" // not decided yet
	Rejected   = "rejected" // decided against
	Deprecated = "deprecated"
	Superseded = "superseded"
	Done       = "done" // an action or a goal that is finished
)

// A Source says where a record came from. Records keep it in the member source.
type Source struct {
	Format string `json:"format"`          // one of Formats
	File   string `json:"file,omitzero"`   // relative to the project directory, with slashes
	From   string `json:"from,omitzero"`   // the directory that holds File, for a source outside of the project
	Line   int    `json:"line,omitzero"`   // 1-based
	Commit string `json:"commit,omitzero"` // the commit that last changed the file
	ID     string `json:"id,omitzero"`     // of the item in its source, such as ADR-0003
	Status string `json:"status,omitzero"` // of the item in its source
	Digest string `json:"digest"`          // of what the source said
}

// An Item is one fact of a source.
type Item struct {
	Kind       string
	Text       string
	Status     string         // "" for open items
	At         string         // RFC 3339; "" if the source does not say
	By         string         // who decided or wrote it; "" if the source does not say
	Rationale  string         // of a decision
	Context    string         // of a decision or a question
	Impact     []string       // of a decision
	Rejected   []string       // alternatives of a decision
	Files      []string       // that a decision or a constraint is about, also as patterns
	Priority   string         // of an action or a goal
	Assigned   string         // of an action
	Section    string         // of a note: the heading in the agents' notes
	BlockedBy  []string       // keys of the actions for which an action waits
	Supersedes []string       // keys of the decisions that a decision replaces
	Confidence float64        // of a detected decision, ratio
	Aliases    []string       // names that it has in its source
	Members    map[string]any // further members of the record
	Source     Source
	Key        string // identifies the item among all items of all sources
}

// A Problem is a place in a source that was not understood.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"` // 1-based; 0 for the whole file
	Column  int    `json:"column,omitzero"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitzero"`
}

// A Result is the content of a source.
type Result struct {
	Format   string
	From     string   // the directory that holds the files; "" for files of the project
	Files    []string // that were read, sorted
	Items    []Item
	Problems []Problem
	Masked   int // secrets that were masked
}

// Limits of what is taken from one item, in characters.
const (
	maxTitle   = 300
	maxProse   = 2000
	maxEntry   = 500
	maxEntries = 30
)

// id returns the part of a record's id that derives from the item.
func (it Item) id(prefix string) string { return schema.DerivedID(prefix, []byte(it.Key)) }

// RecordID returns the id of the record of an item. It depends on the key only, so that two clones
// that import the same source write the same file.
func (it Item) RecordID() string {
	switch it.Kind {
	case Decision:
		return it.id("DEC-")
	case Question:
		return it.id("Q-")
	case Action:
		return it.id("ACT-")
	case Goal:
		return it.id("goal-")
	case Constraint:
		return it.id("con-")
	}
	return it.id("note-")
}

// seal completes the source of an item: its key and the digest of what it says.
func (it *Item) seal(key string) {
	it.Key = keyIn(it.Source.Format, key)
	said := []string{it.Kind, it.Text, it.Status, it.Rationale, it.Context, it.Priority, it.Assigned}
	for _, list := range [][]string{it.Impact, it.Rejected, it.Files, it.BlockedBy} {
		said = append(said, strings.Join(list, "\x01"))
	}
	it.Source.Digest = schema.DerivedID("", []byte(strings.Join(said, "\x00")))
}

// keyIn returns the key of an item of a format.
func keyIn(format, key string) string { return format + "\n" + key }

// prose returns a text of several lines as one paragraph, cut.
func prose(s string) string { return text.Limit(text.Line(s), maxProse) }

// entry returns a text as an entry of a list, cut.
func entry(s string) string { return text.Limit(text.Line(s), maxEntry) }

// SetOrigin notes the directory that holds the file of an item, if that is outside of the project, and
// the last commit of the file. It gives the item another key.
func (it *Item) SetOrigin(from, commit string) {
	it.Source.Commit = cmp.Or(it.Source.Commit, commit)
	if from == "" {
		return
	}
	it.Source.From = from
	outside := func(key string) string { return from + "\n" + key }
	it.Key = outside(it.Key)
	for i := range it.Supersedes {
		it.Supersedes[i] = outside(it.Supersedes[i])
	}
	for i := range it.BlockedBy {
		it.BlockedBy[i] = outside(it.BlockedBy[i])
	}
}
