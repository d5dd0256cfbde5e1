package validate

import (
	"slices"
	"strconv"

	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A merge that is larger is no work of two people, and is not mended.
const (
	mostJoined    = 500     // items and members of theirs that ours lacks
	mostJoinedOut = 1 << 20 // bytes
)

// joinHotContext ends a merge in a hot context where the two sides differ in
// nothing but what can be joined: items with ids, names of files and entities, the
// version, what was edited last. Anything else is for people to decide.
func (m *mender) joinHotContext() {
	j := m.joiner(itemLists)
	if j == nil {
		return
	}
	for n := range j.b.Children(0) {
		j.member(n)
	}
	version, ok := j.version()
	if j.failed || !ok {
		return
	}
	what := "joined both sides of the conflict: the items of both"
	if version != "" {
		what += ", version " + version
	}
	m.src = j.out
	m.did(conflictMarker, "", 0, what)
}

// A joiner puts into one side of a conflict what the other has.
type joiner struct {
	a, b   *jsonedit.Doc // ours and theirs
	out    []byte        // ours, changed
	lists  []string      // whose items have ids
	added  int
	failed bool // they can't be joined
}

// joiner has the two sides of a document that a merge left; nil where they are
// no two objects, or an id stands twice on a side.
func (m *mender) joiner(lists []string) *joiner {
	if len(m.src) > mostJoinedOut || !hasMarker(m.src) {
		return nil
	}
	ours, theirs, ok := git.Sides(m.src)
	a, err := jsonedit.Parse(ours)
	b, err2 := jsonedit.Parse(theirs)
	if !ok || err != nil || err2 != nil || len(a.Duplicates)+len(b.Duplicates) > 0 ||
		a.Nodes[0].Kind != jsonedit.Object || b.Nodes[0].Kind != jsonedit.Object {
		return nil
	}
	j := &joiner{a: a, b: b, out: ours, lists: lists}
	if !j.distinct() {
		return nil
	}
	return j
}

// itemLists are the lists of a hot context whose items have ids.
var itemLists = []string{"active_goals", "pending_actions", "key_decisions", "important_constraints", "open_questions", "notes"}

// distinct says whether every id stands once on its side, and in one list on both.
func (j *joiner) distinct() bool {
	lists := map[string]string{}
	for _, doc := range []*jsonedit.Doc{j.a, j.b} {
		seen := map[string]bool{}
		for _, list := range j.lists {
			array := doc.Member(0, list)
			if array < 0 || doc.Nodes[array].Kind != jsonedit.Array {
				continue
			}
			for e := range doc.Children(array) {
				id := itemID(doc, e)
				if id == "" {
					continue
				}
				if seen[id] || lists[id] != "" && lists[id] != list {
					return false
				}
				seen[id], lists[id] = true, list
			}
		}
	}
	return true
}

// itemID is the id of an item, in either spelling; "" for none.
func itemID(doc *jsonedit.Doc, node int) string {
	for _, name := range []string{"id", "goal_id", "decision_id"} {
		if id, _ := doc.Str(doc.Member(node, name)); id != "" {
			return id
		}
	}
	return ""
}

// member joins one member of theirs.
func (j *joiner) member(their int) {
	key := j.b.Key(their)
	our := j.a.Member(0, key)
	if our < 0 {
		j.set(j.b.Pointer(their), j.b.Raw(their))
		return
	}
	if key == "version" || alike(j.a, our, j.b, their) {
		return
	}
	kind := j.a.Nodes[our].Kind
	if kind != j.b.Nodes[their].Kind {
		j.failed = true
		return
	}
	switch {
	case kind == jsonedit.Array && slices.Contains(j.lists, key):
		j.items(our, their)
	case kind == jsonedit.Object && key == "key_entities":
		j.entities(our, their)
	case kind == jsonedit.Object && key == "current_file_context":
		j.files(our, their)
	default:
		j.failed = true
	}
}

// items adds the items that ours lacks. One that has no id is known by what it
// says.
func (j *joiner) items(our, their int) {
	byID, byText := map[string]int{}, map[string]bool{}
	for e := range j.a.Children(our) {
		byText[string(j.a.Raw(e))] = true
		if id := itemID(j.a, e); id != "" {
			byID[id] = e
		}
	}
	for e := range j.b.Children(their) {
		id := itemID(j.b, e)
		had, ok := byID[id]
		switch {
		case ok && !alike(j.a, had, j.b, e):
			j.failed = true
			return
		case !ok && !byText[string(j.b.Raw(e))]:
			j.append(j.a.Pointer(our), j.b.Raw(e))
		}
	}
}

// entities adds the kinds and names that ours lacks.
func (j *joiner) entities(our, their int) {
	for kind := range j.b.Children(their) {
		had := j.a.Member(our, j.b.Key(kind))
		switch {
		case had < 0:
			j.set(j.b.Pointer(kind), j.b.Raw(kind))
		case !alike(j.a, had, j.b, kind):
			j.names(had, kind)
		}
	}
}

// names adds the texts that ours lacks to a list of texts.
func (j *joiner) names(our, their int) {
	if j.a.Nodes[our].Kind != jsonedit.Array || j.b.Nodes[their].Kind != jsonedit.Array {
		j.failed = true
		return
	}
	known := map[string]bool{}
	for e := range j.a.Children(our) {
		name, _ := j.a.Str(e)
		known[name] = j.a.Nodes[e].Kind == jsonedit.String
	}
	for e := range j.b.Children(their) {
		name, ok := j.b.Str(e)
		if !ok {
			j.failed = true
			return
		}
		if !known[name] {
			known[name] = true
			j.append(j.a.Pointer(our), j.b.Raw(e))
		}
	}
}

// touched is what goes together: what was edited last, by whom and when.
var touched = []string{"last_edited", "current_function", "agent", "updated"}

// files joins what is worked on: the files of both, and what was edited last by
// the time of either.
func (j *joiner) files(our, their int) {
	later, known := j.later(our, their)
	for n := range j.b.Children(their) {
		key := j.b.Key(n)
		had := j.a.Member(our, key)
		last := false
		for _, name := range touched {
			last = last || name == key
		}
		switch {
		case had >= 0 && alike(j.a, had, j.b, n):
		case key == "files" && had >= 0:
			j.names(had, n)
		case last && !known: // which of the two was last does not show
			j.failed = true
		case last && !later && had < 0: // it is of what was edited before
			j.failed = true
		case last && later || had < 0:
			j.set(j.b.Pointer(n), j.b.Raw(n))
		case !last:
			j.failed = true
		}
	}
	for _, key := range touched {
		if j.a.Member(our, key) >= 0 && j.b.Member(their, key) < 0 && (later || !known) {
			j.failed = true // likewise
		}
	}
}

// later says whether theirs was edited after ours; false where that does not
// show.
func (j *joiner) later(our, their int) (later, known bool) {
	x, _ := j.a.Str(j.a.Member(our, "updated"))
	y, _ := j.b.Str(j.b.Member(their, "updated"))
	from, err := schema.ParseTime(x)
	to, err2 := schema.ParseTime(y)
	return from.Before(to), err == nil && err2 == nil && !from.Equal(to)
}

// version counts the merge as a change, where versions are counted.
func (j *joiner) version() (string, bool) {
	const most = 1 << 53
	our, their := j.a.Member(0, "version"), j.b.Member(0, "version")
	if our < 0 && their < 0 {
		return "", true
	}
	n, ok := j.a.Int(our)
	m, ok2 := j.b.Int(their)
	if our >= 0 && !ok || their >= 0 && !ok2 || max(n, m) >= most {
		return "", false
	}
	version := strconv.FormatInt(max(n, m)+1, 10)
	j.set("/version", []byte(version))
	return version, true
}

func (j *joiner) set(pointer string, value []byte) { j.edit(jsonedit.Set, pointer, value) }

func (j *joiner) append(pointer string, value []byte) { j.edit(jsonedit.Append, pointer, value) }

func (j *joiner) edit(edit func(src []byte, pointer string, value []byte) ([]byte, error), pointer string, value []byte) {
	if j.added++; j.failed || j.added > mostJoined {
		j.failed = true
		return
	}
	out, err := edit(j.out, pointer, value)
	if err != nil {
		j.failed = true
		return
	}
	j.out = out
}

// alike says whether two values are the same, however they are laid out. The
// order of members counts.
func alike(a *jsonedit.Doc, x int, b *jsonedit.Doc, y int) bool {
	m, n := a.Nodes[x], b.Nodes[y]
	if m.Kind != n.Kind || m.Len != n.Len {
		return false
	}
	switch m.Kind {
	case jsonedit.String:
		s, _ := a.Str(x)
		t, _ := b.Str(y)
		return s == t
	case jsonedit.Array, jsonedit.Object:
		for x, y = x+1, y+1; x < int(m.Next); x, y = int(a.Nodes[x].Next), int(b.Nodes[y].Next) {
			if a.Key(x) != b.Key(y) || !alike(a, x, b, y) {
				return false
			}
		}
		return true
	}
	return string(a.Raw(x)) == string(b.Raw(y))
}
