package acted

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A Due is an effect of decisions or discussions that would write files which git tracks, and waits until
// it is asked for: git brought them, so that somebody may write the same where they come from, or there
// were very many at once.
type Due struct {
	Trigger   string   `json:"trigger,omitempty"` // "" for what no trigger fires
	Action    string   `json:"action"`
	Decisions []string `json:"decisions"` // ids

	// Discussions are the Names of the conversations that it is for.
	Discussions []string `json:"discussions,omitempty"`
}

// ShowOnceMended is the action that shows decisions in a view which people have to mend before. It waits for that alone.
const ShowOnceMended = "show_once_mended"

// Causes returns the decisions and the discussions that d is for.
func (d Due) Causes() []string { return slices.Concat(d.Decisions, d.Discussions) }

// String says for people what is due, and what does it.
func (d Due) String() string {
	what := d.Action
	if d.Trigger != "" {
		what += " of trigger " + d.Trigger
	}
	causes := d.Causes()
	if len(causes) > 0 {
		what += " for " + strings.Join(causes[:min(len(causes), 3)], ", ")
	}
	if more := len(causes) - 3; more > 0 {
		what += fmt.Sprintf(" and %d more", more)
	}
	if d.Action == ShowOnceMended {
		return what + "; 'forgemind validate' says what is wrong with the view"
	}
	return what + "; 'forgemind trigger fire --due' does it"
}

// A List holds what is due in a working copy.
type List struct {
	Version int    `json:"version"`
	Head    string `json:"head,omitempty"` // the commit at which what is due was looked at last
	Due     []Due  `json:"due"`
}

// dueName returns the Name of the file of the List in a home.
func dueName(home string) string { return fs.LocalName(home, "acted", "due.json") }

// ReadDue returns the List of a working copy.
func ReadDue(r fs.Reader) List {
	for _, home := range homes {
		var l List
		if src, err := r.Read(dueName(home)); err == nil && jsonedit.Decode(src, &l) == nil && l.Version == 1 {
			return l
		}
	}
	return List{}
}

// Write stages the List, where it is other than before.
func (l List) Write(tx *fs.Tx, home string) error {
	l.Version = 1
	text, err := jsonedit.Marshal(l)
	if err != nil {
		return err
	}
	before, err := tx.Read(dueName(home))
	if len(l.Due) == 0 && err != nil || bytes.Equal(before, text) {
		return nil
	}
	tx.Write(dueName(home), text)
	return nil
}

// With returns due with d added. The causes of one trigger and action stand in one Due.
func With(due []Due, d Due) []Due {
	i := slices.IndexFunc(due, func(e Due) bool { return e.Trigger == d.Trigger && e.Action == d.Action })
	if i < 0 {
		return append(slices.Clip(due), d)
	}
	due = slices.Clone(due)
	due[i].Decisions = union(due[i].Decisions, d.Decisions)
	due[i].Discussions = union(due[i].Discussions, d.Discussions)
	return due
}

// union returns a with what only b has behind it.
func union(a, b []string) []string {
	a = slices.Clip(a)
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}
