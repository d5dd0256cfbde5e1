package validate

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// maxPins is the maximum number of pinned condensations in a channel.
const maxPins = 50

// joinPins resolves a merge of a channel's pins: the pins of both sides stay, sorted by
// time. If there are too many, the oldest are removed, as when a condensation is
// pinned.
func (m *mender) joinPins() {
	j := m.joiner(nil)
	if j == nil {
		return
	}
	pins := j.a.Member(0, "pins")
	theirs := j.b.Member(0, "pins")
	if pins < 0 || theirs < 0 || j.a.Nodes[pins].Kind != jsonedit.Array || j.b.Nodes[theirs].Kind != jsonedit.Array {
		return
	}
	j.rest("pins")
	var there []pinned
	for p := range j.a.Children(pins) {
		there = append(there, pinAt(j.a, p))
	}
	for p := range j.b.Children(theirs) {
		there = j.pin(there, pinAt(j.b, p), j.b.Raw(p))
	}
	what := "joined both sides of the conflict: the pins of both"
	if over := len(there) - maxPins; over > 0 {
		j.edit(func(src []byte, pointer string, _ []byte) ([]byte, error) {
			n := 0
			return jsonedit.Filter(src, pointer, func(*jsonedit.Doc, int) bool { n++; return n > over })
		}, "/pins", nil)
		what += fmt.Sprintf("; of more than %d the oldest left: %s", maxPins, plainList(names(there[:over])))
	}
	if !j.failed {
		m.src = j.out
		m.did(conflictMarker, "", 0, what)
	}
}

// A pinned identifies a pin.
type pinned struct{ name, at string }

func pinAt(doc *jsonedit.Doc, node int) pinned {
	name, _ := doc.Str(doc.Member(node, "condensation"))
	at, _ := doc.Str(doc.Member(node, "pinned_at"))
	if name != "" {
		name = pinStem(name)
	}
	return pinned{name, at}
}

// before reports whether p was pinned before q; false if a time is missing.
func (p pinned) before(q pinned) bool { return timeBefore(p.at, q.at) }

// timeBefore reports whether at is before other; false if one of them is not a time.
func timeBefore(at, other string) bool {
	a, ok := timeOf(at)
	b, ok2 := timeOf(other)
	return ok && ok2 && a.Before(b)
}

func names(pins []pinned) (all []string) {
	for _, p := range pins {
		all = append(all, p.name)
	}
	return all
}

// pin inserts a pin of their side by its time. If both sides pinned a condensation, the
// earlier pin stays.
func (j *joiner) pin(there []pinned, p pinned, raw []byte) []pinned {
	if i := slices.IndexFunc(there, func(q pinned) bool { return q.name == p.name }); i >= 0 && p.name != "" {
		if p.before(there[i]) {
			j.set("/pins/"+strconv.Itoa(i), raw)
			there[i] = p
		}
		return there
	}
	i := slices.IndexFunc(there, p.before)
	if i < 0 {
		j.append("/pins", raw)
		return append(there, p)
	}
	j.edit(jsonedit.Insert, "/pins/"+strconv.Itoa(i), raw)
	return slices.Insert(there, i, p)
}

// joinThread resolves a merge of a thread's record: the more advanced status and the
// earlier time count. Two condensations are left to people.
func (m *mender) joinThread() {
	j := m.joiner(nil)
	if j == nil {
		return
	}
	j.rest("status", "resolved", "archived", "participants")
	j.further()
	j.earlier("resolved")
	j.earlier("archived")
	our, their := j.a.Member(0, "participants"), j.b.Member(0, "participants")
	switch {
	case their < 0:
	case our < 0:
		j.set("/participants", j.b.Raw(their))
	default:
		j.names(our, their)
	}
	if !j.failed {
		m.src = j.out
		m.did(conflictMarker, "", 0, "joined both sides of the conflict: how far either brought the thread, the participants of both")
	}
}

// rest adds members that only their side has. A member of both sides must be equal,
// except for those in but.
func (j *joiner) rest(but ...string) {
	for n := range j.b.Children(0) {
		key := j.b.Key(n)
		our := j.a.Member(0, key)
		switch {
		case slices.Contains(but, key):
		case our < 0:
			j.set(j.b.Pointer(n), j.b.Raw(n))
		case !alike(j.a, our, j.b, n):
			j.failed = true
		}
	}
}

// further sets the thread's status to the more advanced one.
func (j *joiner) further() {
	steps := []string{"active", "resolved", "archived"}
	our, _ := j.a.Str(j.a.Member(0, "status"))
	their, _ := j.b.Str(j.b.Member(0, "status"))
	from, to := slices.Index(steps, our), slices.Index(steps, their)
	switch {
	case from < 0 || to < 0:
		j.failed = true
	case from < to:
		j.set("/status", []byte(strconv.Quote(their)))
	}
}

// earlier sets a time to the earlier one, if both sides have it.
func (j *joiner) earlier(member string) {
	our, their := j.a.Member(0, member), j.b.Member(0, member)
	if their < 0 {
		return
	}
	theirs, _ := j.b.Str(their)
	at, ok := timeOf(theirs)
	if our < 0 {
		j.set("/"+member, j.b.Raw(their))
		return
	}
	ours, _ := j.a.Str(our)
	had, ok2 := timeOf(ours)
	switch {
	case alike(j.a, our, j.b, their):
	case !ok || !ok2:
		j.failed = true
	case at.Before(had):
		j.set("/"+member, j.b.Raw(their))
	}
}
