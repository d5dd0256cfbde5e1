package validate

import (
	"bytes"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// hotNames maps member names of a session's decisions to those of the ledger.
var hotNames = map[string]string{"decision_id": "id", "description": "decision", "agent": "recorded_by"}

// memberOf returns the member of a decision with the ledger's name, -1 if it is
// missing.
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

// Differing returns the members, by their names in the ledger, in which an entry of a
// view differs from record, which is a file of the ledger or an earlier entry. The id
// is not compared. A view may lack members of the record, and may have other members
// than decisions have, and superseded_by, which views get when a decision is
// superseded. A text that is not JSON has no differences.
func Differing(entry, record []byte) (names []string) {
	shown, err := jsonedit.Parse(entry)
	kept, err2 := jsonedit.Parse(record)
	if err != nil || err2 != nil {
		return nil
	}
	fields := checkers[fs.DocDecision.Schema()]().byName
	for m := range shown.Children(0) {
		name := shown.Key(m)
		r := kept.Member(0, name)
		if ledger, ok := hotNames[name]; ok && r < 0 && shown.Member(0, ledger) < 0 {
			name = ledger
		}
		if r < 0 {
			r = memberOf(kept, name)
		}
		_, known := fields[name]
		switch {
		case name == "id", name == "decision_id", name == "superseded_by":
		case r < 0 && known && !isEmpty(shown.Raw(m)), r >= 0 && !sameMember(shown, m, kept, r, name):
			names = append(names, name)
		}
	}
	return names
}

// isEmpty reports whether a JSON value is empty.
func isEmpty(value []byte) bool {
	switch string(value) {
	case `""`, "[]", "{}", "null", "false", "0":
		return true
	}
	return false
}

// sameMember reports whether two members of decisions have the same meaning. Times are
// compared as times, because --fix changes the notation of some.
func sameMember(a *jsonedit.Doc, i int, b *jsonedit.Doc, k int, name string) bool {
	if bytes.Equal(a.Canonical(nil, i), b.Canonical(nil, k)) {
		return true
	}
	switch name {
	case "timestamp":
		s, ok := a.Str(i)
		t, ok2 := b.Str(k)
		at, ok3 := timeOf(s)
		at2, ok4 := timeOf(t)
		return ok && ok2 && ok3 && ok4 && at.Equal(at2)
	case "supersedes":
		return listText(a, i) == listText(b, k)
	}
	return false
}

// listText returns the canonical text of a list; a single value counts as a list.
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

// says reports whether an entry of a view has the same content as an earlier one.
func (h shownDecision) says(earlier shownDecision) bool {
	return bytes.Equal(h.raw, earlier.raw) || len(h.changes(earlier)) == 0
}

// changes returns the members in which an entry of a view differs from an earlier one.
func (h shownDecision) changes(earlier shownDecision) []string {
	names := Differing(earlier.raw, h.raw)
	for _, name := range Differing(h.raw, earlier.raw) { // members that only h has
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
