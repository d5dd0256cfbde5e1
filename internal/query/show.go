package query

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/recall"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// A Detail is a thing with everything known about it.
type Detail struct {
	ID           string          `json:"id"`
	Title        string          `json:"title"`
	Status       string          `json:"status,omitempty"`
	SupersededBy string          `json:"superseded_by,omitempty"` // the id of a decision
	Time         string          `json:"time,omitempty"`
	By           string          `json:"by,omitempty"`
	Session      string          `json:"session,omitempty"`
	File         string          `json:"file"`
	Line         int             `json:"line"` // from 1
	Text         string          `json:"text"` // the full text
	Record       json.RawMessage `json:"record,omitempty"`
	// Changes are the changes of a record in causal order. Record includes them.
	Changes []DetailChange `json:"changes,omitempty"`
	// Concurrent are the members that concurrent changes set to different values, with these
	// values. The last one is in force.
	Concurrent map[string][]DetailValue `json:"concurrent,omitempty"`
	NamedBy    []Reference              `json:"named_by,omitempty"`

	Kind string `json:"-"` // one of Kinds, change or snapshot
}

// A DetailChange is a change of a record.
type DetailChange struct {
	ID   string          `json:"id"`
	What string          `json:"what"` // one word, such as "answered"
	Time string          `json:"time"`
	By   string          `json:"by"`
	Set  records.Members `json:"set"`
	File string          `json:"file"`
}

// A DetailValue is one of several values that a member has.
type DetailValue struct {
	Change string          `json:"change"` // the id of the change
	Time   string          `json:"time"`
	By     string          `json:"by"`
	Value  json.RawMessage `json:"value"`
}

// A Reference is a thing that names another one.
type Reference struct {
	ID           string `json:"id"`
	Kind         string `json:"kind"`
	Title        string `json:"title"`
	File         string `json:"file"`
	SupersededBy string `json:"superseded_by,omitempty"`
}

// Show returns the thing with the id or the title which, or with a unique prefix of its id or
// a unique part of its title. Secrets are masked, and lines that name a superseded decision
// say so. The error is a *session.UnknownError or a *session.AmbiguousError.
func Show(tree *fs.Tree, which string) (Detail, error) {
	f := newFinder(tree)
	t, err := f.find(which)
	if err != nil {
		return Detail{}, err
	}
	where, cut := newSources(tree), excerpter{standing: f.standing}
	d := Detail{
		Kind: t.Kind, ID: word(t.ID), Title: cut.title(&t), Status: word(t.Status), SupersededBy: word(t.SupersededBy), Time: word(t.Time),
		By: word(t.By), Session: word(t.Session), Text: f.standing.Mark(sanitize.Text(masked(t.Text))),
	}
	d.File, d.Line = where.place(&t, "")
	value, err := t.object()
	if err != nil {
		return Detail{}, err
	}
	d.Record = f.marked(value)
	f.changes(&d, t.record)
	for _, other := range f.naming(&t) {
		file, _ := where.place(&other, "")
		if c, ok := other.value.(schema.Clarification); ok {
			other.Title = c.Answer
		}
		d.NamedBy = append(d.NamedBy, Reference{word(other.ID), other.Kind, cut.title(&other), file, word(other.SupersededBy)})
	}
	return d, nil
}

// changes adds the changes of a record, and the values that concurrent ones disagree on.
func (f *finder) changes(d *Detail, rec records.Record) {
	if rec.ID == "" {
		return
	}
	for _, c := range rec.Whole().InOrder() {
		set := records.Members{}
		for name, value := range c.Set {
			set[name] = f.marked(value)
		}
		d.Changes = append(d.Changes, DetailChange{c.ID, whatOf(rec.Kind, c), word(c.At), word(c.By), set, c.Name})
	}
	for _, name := range slices.Sorted(maps.Keys(rec.Concurrent)) {
		if d.Concurrent == nil {
			d.Concurrent = map[string][]DetailValue{}
		}
		for _, v := range rec.Concurrent[name] {
			d.Concurrent[name] = append(d.Concurrent[name], DetailValue{v.Change, word(v.At), word(v.By), f.marked(v.Value)})
		}
	}
}

// whatOf returns one word for a change. Changes of the project have a time in its place, for
// which it returns "updated".
func whatOf(k records.Kind, c records.Change) string {
	if k.Name == records.Project.Name {
		return "updated"
	}
	return c.What
}

// marked returns a JSON value with masked secrets and with notes on the superseded decisions
// that its texts name.
func (f *finder) marked(value json.RawMessage) json.RawMessage {
	src, _ := secret.MaskJSON(value)
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil
	}
	var out []byte
	at := 0
	for i, node := range doc.Nodes {
		text, ok := doc.Str(i)
		if !ok || schema.ValidID(text) {
			continue
		}
		safe := f.standing.Mark(sanitize.Text(text))
		if text, err := jsonedit.Value(safe); err == nil {
			out = append(append(out, src[at:node.Start]...), text...)
			at = int(node.End)
		}
	}
	return append(out, src[at:]...)
}

// mostNaming limits the listed messages that name a thing.
const mostNaming = 10

// naming returns the things that name t.
func (f *finder) naming(t *Thing) (all []Thing) {
	ids := []string{t.ID}
	if t.Alias != "" {
		ids = append(ids, t.Alias)
	}
	for i := range f.all {
		other := &f.all[i]
		same := other.Kind == kindChange || other.Kind == t.Kind && other.ID == t.ID
		if !same && slices.ContainsFunc(ids, other.names) {
			all = append(all, *other)
		}
	}
	said, err := recall.Search(f.tree, recall.Query{Words: t.ID, Limit: 5 * mostNaming, Of: recall.Messages})
	if err != nil {
		return all
	}
	count := 0
	for _, m := range said {
		if hasWord(m.Message.Content, t.ID) && m.Message.ID != t.ID && count < mostNaming {
			count++
			all = append(all, ofMessage(m.Message, m.Session, m.Name))
		}
	}
	return all
}

// names reports whether the thing names the given id.
func (t *Thing) names(id string) bool {
	switch v := t.value.(type) {
	case *schema.Decision:
		return slices.Contains(v.Supersedes, id) || v.Project == id || hasWord(t.Text, id)
	case nil:
		return hasWord(t.Text, id)
	}
	value, err := t.object()
	return hasWord(t.Text, id) || err == nil && hasWord(string(value), id)
}

// hasWord reports whether a text has an id that is not part of another one.
func hasWord(text, id string) bool {
	for at := 0; id != ""; at++ {
		i := strings.Index(text[at:], id)
		if i < 0 {
			break
		}
		at += i
		before, after := text[:at], strings.TrimLeft(text[at+len(id):], ".")
		if !endsInID(before) && (after == "" || !schema.ValidID("_"+after[:1])) {
			return true
		}
	}
	return false
}

// endsInID reports whether the last byte of a text may be that of an id.
func endsInID(text string) bool { return text != "" && schema.ValidID("_"+text[len(text)-1:]) }
