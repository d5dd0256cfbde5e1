package validate

import (
	"slices"
	"strconv"

	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Limits of a merge that is resolved automatically.
const (
	mostJoined    = 500     // items and members of their side that our side lacks
	mostJoinedOut = 1 << 20 // bytes
)

// joinHotContext resolves a merge of a hot context if the two sides differ only in
// parts that can be joined: items with ids, names of files and entities, the version,
// the last edit. Other differences are left to people.
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

// A joiner adds the content of one side of a conflict to the other side.
type joiner struct {
	a, b   *jsonedit.Doc // ours and theirs
	out    []byte        // ours, changed
	lists  []string      // the lists whose items have ids
	added  int
	failed bool // the sides cannot be joined
}

// joiner returns a joiner for the two sides of a merged document. It returns nil if
// they are not two objects, or if an id is twice on one side.
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

// distinct reports whether every id is once on its side, and in the same list on both
// sides.
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

// itemID returns the id of an item, in either spelling, "" if there is none.
func itemID(doc *jsonedit.Doc, node int) string {
	for _, name := range []string{"id", "goal_id", "decision_id"} {
		if id, _ := doc.Str(doc.Member(node, name)); id != "" {
			return id
		}
	}
	return ""
}

// member joins one member of their side.
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

// items adds the items that our side lacks. An item without id is identified by its
// content.
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

// entities adds the kinds and names that our side lacks.
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

// names adds the texts that our side lacks to a list of texts.
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

// touched are the members that belong together: the last edit with its author and time.
var touched = []string{"last_edited", "current_function", "agent", "updated"}

// files joins the file contexts: the files of both sides, and the later edit.
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
		case last && !known: // it is unknown which edit was later
			j.failed = true
		case last && !later && had < 0: // it belongs to the earlier edit
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

// later reports whether their edit was later than ours; known is false if that cannot
// be decided.
func (j *joiner) later(our, their int) (later, known bool) {
	x, _ := j.a.Str(j.a.Member(our, "updated"))
	y, _ := j.b.Str(j.b.Member(their, "updated"))
	from, ok := timeOf(x)
	to, ok2 := timeOf(y)
	return from.Before(to), ok && ok2 && !from.Equal(to)
}

// version returns the version after the merge, which counts as a change.
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

// alike reports whether two values are equal, whatever their layout. The order of
// members counts.
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
