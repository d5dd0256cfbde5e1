package validate

import (
	"slices"

	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// joinMetadata ends a merge in a session's metadata where the two sides differ in
// nothing but what can be joined: the later activity, the greater count, the
// lists of both. Anything else is for people to decide.
func (m *mender) joinMetadata() {
	if !hasMarker(m.src) {
		return
	}
	ours, theirs, ok := git.Sides(m.src)
	a, err := jsonedit.Parse(ours)
	b, err2 := jsonedit.Parse(theirs)
	if !ok || err != nil || err2 != nil || len(a.Duplicates)+len(b.Duplicates) > 0 ||
		a.Nodes[0].Kind != jsonedit.Object || b.Nodes[0].Kind != jsonedit.Object {
		return
	}
	out := ours
	for theirs := range b.Children(0) {
		key := b.Key(theirs)
		pointer := b.Pointer(theirs)
		our := a.Member(0, key)
		switch {
		case our < 0:
			out, err = jsonedit.Set(out, pointer, b.Raw(theirs))
		case string(a.Raw(our)) == string(b.Raw(theirs)):
		case slices.Contains(joined, key) && a.Nodes[our].Kind == jsonedit.Array && b.Nodes[theirs].Kind == jsonedit.Array:
			out, err = joinLists(out, pointer, a, our, b, theirs)
		case !comparable(key, a, our, b, theirs):
			return
		case less(a, our, b, theirs):
			out, err = jsonedit.Set(out, pointer, b.Raw(theirs))
		}
		if err != nil {
			return
		}
	}
	m.src = out
	m.did(conflictMarker, "", 0, "joined both sides of the conflict: the later activity, the greater count, the lists of both")
}

// joined are the lists of a session's metadata that take in what another says.
var joined = []string{"agents", "primary_files", "tags", "completed"}

// joinLists adds to the list at pointer the elements of theirs that ours lacks.
func joinLists(src []byte, pointer string, a *jsonedit.Doc, our int, b *jsonedit.Doc, theirs int) ([]byte, error) {
	known := map[string]bool{}
	for e := range a.Children(our) {
		known[string(a.Raw(e))] = true
	}
	for e := range b.Children(theirs) {
		if raw := b.Raw(e); !known[string(raw)] {
			var err error
			if src, err = jsonedit.Append(src, pointer, raw); err != nil {
				return nil, err
			}
		}
	}
	return src, nil
}

// comparable says whether of two values the greater one is right.
func comparable(key string, a *jsonedit.Doc, our int, b *jsonedit.Doc, theirs int) bool {
	switch key {
	case "message_count":
		_, ok := a.Int(our)
		_, ok2 := b.Int(theirs)
		return ok && ok2
	case "last_activity":
		x, _ := a.Str(our)
		y, _ := b.Str(theirs)
		_, err := schema.ParseTime(x)
		_, err2 := schema.ParseTime(y)
		return err == nil && err2 == nil
	}
	return false
}

// less compares two counts or two times.
func less(a *jsonedit.Doc, our int, b *jsonedit.Doc, theirs int) bool {
	if n, ok := a.Int(our); ok {
		m, _ := b.Int(theirs)
		return n < m
	}
	x, _ := a.Str(our)
	y, _ := b.Str(theirs)
	from, _ := schema.ParseTime(x)
	to, _ := schema.ParseTime(y)
	return from.Before(to)
}
