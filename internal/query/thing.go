package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// A Thing is something of a tree that has an id: a record, a discussion, a session, a
// message, a chunk of cold storage.
type Thing struct {
	Kind string // one of Kinds
	ID   string
	// Alias is another id of it, which [Governs] or an older file uses; "" for none.
	Alias        string
	Title        string // one line
	Text         string // the full text
	Status       string // "" if it has none
	Closed       bool   // no longer in force: done, answered, removed, archived, superseded
	SupersededBy string // the id of a decision
	Time         string // RFC 3339, or a day; "" if unknown
	ClosedAt     string // when it was closed; only Things sets it, "" if unknown
	By           string // who wrote, made or requested it
	Session      string
	File         string // the Name of its document

	repeats bool           // it shows a decision, as an entry of a note may; it can be found only by its id
	value   any            // for programs; nil if Text is everything
	record  records.Record // its ID is "" if there is none
}

// The kinds of things.
const (
	kindDecision      = "decision"
	kindThread        = "thread"
	kindPin           = "pin"
	kindClarification = "clarification"
	kindCondensation  = "condensation"
	kindProject       = "project"
	kindArtifact      = "artifact"
	kindSession       = "session"
	kindFragment      = "fragment"
	kindMessage       = "message"
	kindChunk         = "chunk"
)

// recordKinds are the kinds of things that have uniform records.
var recordKinds = []records.Kind{records.Question, records.Action, records.Goal, records.Constraint, records.Note, records.Handoff}

// Kinds returns the kinds of things in the order in which they are listed.
func Kinds() []string {
	all := []string{kindDecision}
	for _, k := range recordKinds {
		all = append(all, k.Name)
	}
	return append(all, kindArtifact, kindThread, kindPin, kindClarification, kindCondensation, kindProject, kindSession, kindFragment, kindMessage, kindChunk)
}

// A gathering reads the things of a tree, except messages and chunks, which may be many.
// Documents that cannot be read are left out; validate reports them.
type gathering struct {
	tree     *fs.Tree
	standing schema.Standing
	kinds    []string // none is all
	all      []Thing
	known    map[string]bool // kinds with ids, except decisions
}

// gather returns the things of the given kinds; of all kinds if there are none. It includes
// fragments only if fragments is set: a search has an index of them.
func gather(tree *fs.Tree, kinds []string, fragments bool) gathering {
	g := gathering{tree: tree, standing: engine.StandingOf(tree), kinds: kinds, known: map[string]bool{}}
	g.decisions()
	g.records()
	g.unrecorded()
	g.notes()
	g.artifacts()
	g.threads()
	g.pins()
	g.clarifications()
	g.condensations()
	g.projects()
	g.sessions()
	if fragments {
		g.fragments()
	}
	return g
}

// wants reports whether one of kinds is wanted.
func (g *gathering) wants(kinds ...string) bool {
	return len(g.kinds) == 0 || slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(g.kinds, k) })
}

// add adds a thing if its kind is wanted.
func (g *gathering) add(t Thing) {
	if g.wants(t.Kind) {
		g.all = append(g.all, t)
		g.known[t.Kind+" "+t.ID], g.known[t.Kind+" "+t.Alias] = true, true
	}
}

// has reports whether there is a thing of that kind, other than a decision, and id.
func (g *gathering) has(kind, id string) bool { return g.known[kind+" "+id] }

// is reports whether id names the thing.
func (t *Thing) is(id string) bool { return id != "" && (t.ID == id || t.Alias == id) }

// decisions adds the decisions of the Ledger, and those that only a view has.
func (g *gathering) decisions() {
	if !g.wants(kindDecision) {
		return
	}
	all := g.standing.All()
	g.all = slices.Grow(g.all, len(all))
	for i := range all {
		d := &all[i]
		by, superseded := g.standing.SupersededBy(d.ID)
		t := Thing{
			Kind: kindDecision, ID: d.ID, Title: d.Decision, Text: SaysOf(d), Time: d.Timestamp, By: cmp.Or(d.DecisionMaker, d.RecordedBy),
			Closed: superseded, SupersededBy: by, value: d,
		}
		if superseded {
			t.Status = "superseded"
		}
		g.all = append(g.all, t)
	}
}

// SaysOf returns the content of a decision as one text.
func SaysOf(d *schema.Decision) string {
	parts := []string{d.Decision}
	for _, part := range []struct{ word, text string }{
		{"because ", d.Rationale},
		{"rejected: ", strings.Join(d.AlternativesRejected, "; ")},
		{"impact: ", strings.Join(d.Impact, "; ")},
		{"files: ", strings.Join(d.Files, ", ")},
	} {
		if part.text != "" {
			parts = append(parts, part.word+part.text)
		}
	}
	return strings.Join(parts, "\n")
}
