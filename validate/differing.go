package validate

import (
	"bytes"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/jsonschema"
	"github.com/forgemind/forgemind/schema"
)

// hotNames are the members of a session's decisions that the Ledger calls
// otherwise.
var hotNames = map[string]string{"decision_id": "id", "description": "decision", "agent": "recorded_by"}

// memberOf returns the member of a decision that the Ledger calls name, -1 where
// it is missing.
func memberOf(doc *jsonedit.Doc, name string) int {
	if m := doc.Member(0, name); m >= 0 {
		return m
	}
	for hot, ledger := range hotNames {
		if ledger == name {
			return doc.Member(0, hot)
		}
	}
	return -1
}

// differing returns the members, by their names in the Ledger, in which an entry of
// a view says otherwise than record, which is a file of the Ledger or an earlier
// entry. The id is not compared. A view may show less than the record, other
// members than decisions have, and superseded_by, which is the one mark that views
// get when a decision is superseded. What is no JSON differs in nothing.
func differing(entry, record []byte) (names []string) {
	shown, err := jsonedit.Parse(entry)
	kept, err2 := jsonedit.Parse(record)
	if err != nil || err2 != nil {
		return nil
	}
	decision := jsonschema.Of(fs.DocDecision.Schema())
	for m := range shown.Children(0) {
		name := shown.Key(m)
		r := kept.Member(0, name)
		if ledger, ok := hotNames[name]; ok && r < 0 && shown.Member(0, ledger) < 0 {
			name = ledger
		}
		if r < 0 {
			r = memberOf(kept, name)
		}
		known := decision.Names(name)
		switch {
		case name == "id", name == "decision_id", name == "superseded_by":
		case r < 0 && known && !isEmpty(shown.Raw(m)), r >= 0 && !sameMember(shown, m, kept, r, name):
			names = append(names, name)
		}
	}
	return names
}

// isEmpty reports whether a JSON value says nothing.
func isEmpty(value []byte) bool {
	switch string(value) {
	case `""`, "[]", "{}", "null", "false", "0":
		return true
	}
	return false
}

// sameMember reports whether two members of decisions mean the same. Times are
// compared as times, for --fix writes some of them in another form.
func sameMember(a *jsonedit.Doc, i int, b *jsonedit.Doc, k int, name string) bool {
	if bytes.Equal(a.Canonical(nil, i), b.Canonical(nil, k)) {
		return true
	}
	switch name {
	case "timestamp":
		s, ok := a.Str(i)
		t, ok2 := b.Str(k)
		at, err := schema.ParseTime(s)
		at2, err2 := schema.ParseTime(t)
		return ok && ok2 && err == nil && err2 == nil && at.Equal(at2)
	case "supersedes":
		return listText(a, i) == listText(b, k)
	}
	return false
}

// listText returns the canonical text of a list, or of a list with that one value.
func listText(doc *jsonedit.Doc, i int) string {
	if doc.Nodes[i].Kind == jsonedit.Array {
		return string(doc.Canonical(nil, i))
	}
	one, err := jsonedit.Parse([]byte("[" + string(doc.Raw(i)) + "]"))
	if err != nil {
		return ""
	}
	return string(one.Canonical(nil, 0))
}

// says reports whether an entry of a view says the same as an earlier one.
func (h held) says(earlier held) bool {
	return bytes.Equal(h.raw, earlier.raw) || len(h.changes(earlier)) == 0
}

// changes returns the members in which an entry of a view says otherwise than an
// earlier one.
func (h held) changes(earlier held) []string {
	names := differing(earlier.raw, h.raw)
	for _, name := range differing(h.raw, earlier.raw) { // what it has more
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
