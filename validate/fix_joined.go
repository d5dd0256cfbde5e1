package validate

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// maxPins is how many condensations a channel has pinned at most.
const maxPins = 50

// joinPins ends a merge of a channel's pins: what either side pinned is pinned, in
// order of time. Of more than there may be the oldest leave, as they do where one
// is pinned.
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

// A pinned is what tells one pin from another.
type pinned struct{ name, at string }

func pinAt(doc *jsonedit.Doc, node int) pinned {
	name, _ := doc.Str(doc.Member(node, "condensation"))
	at, _ := doc.Str(doc.Member(node, "pinned_at"))
	if name != "" {
		name = pinStem(name)
	}
	return pinned{name, at}
}

// before says whether p was pinned before q; false where a time is missing.
func (p pinned) before(q pinned) bool { return timeBefore(p.at, q.at) }

// timeBefore says whether one time is before another; what is no time is not.
func timeBefore(at, other string) bool {
	a, err := schema.ParseTime(at)
	b, err2 := schema.ParseTime(other)
	return err == nil && err2 == nil && a.Before(b)
}

func names(pins []pinned) (all []string) {
	for _, p := range pins {
		all = append(all, p.name)
	}
	return all
}

// pin puts a pin of theirs where it belongs by its time. Of one condensation that
// both sides pinned the earlier pin stays.
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

// joinThread ends a merge of a thread's record: it is as far as either side
// brought it, since the earlier of the two. Two condensations are for people.
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

// rest takes over members that only theirs has. Where both have one, but for those
// named, it must be the same.
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

// further makes a thread's status the one that comes last.
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

// earlier makes a time the earlier one, where both sides have it.
func (j *joiner) earlier(member string) {
	our, their := j.a.Member(0, member), j.b.Member(0, member)
	if their < 0 {
		return
	}
	theirs, _ := j.b.Str(their)
	at, err := schema.ParseTime(theirs)
	if our < 0 {
		j.set("/"+member, j.b.Raw(their))
		return
	}
	ours, _ := j.a.Str(our)
	had, err2 := schema.ParseTime(ours)
	switch {
	case alike(j.a, our, j.b, their):
	case err != nil || err2 != nil:
		j.failed = true
	case at.Before(had):
		j.set("/"+member, j.b.Raw(their))
	}
}
