package views

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/jsonschema"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// People edit views, and a view may hold what is against its schema. A member of an item that is so is left as it
// stands, and is not read; nor does it keep the rest from being read and shown.

// Object returns an error if src, a view, is no JSON object, or one in which a member stands twice.
func Object(src []byte) error {
	_, err := object(src)
	return err
}

// object is Object that returns the view parsed. Of two members of one name nobody knows which is meant.
func object(src []byte) (*jsonedit.Doc, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	if is := doc.Nodes[0].Kind; is != jsonedit.Object {
		return nil, fmt.Errorf("it is %s where an object should be", is)
	}
	for _, m := range doc.Duplicates {
		if doc.Nodes[m].Parent == 0 {
			return nil, fmt.Errorf("%q stands in it twice", doc.Key(m))
		}
	}
	return doc, nil
}

// Readable reports whether records can be read from the view called name, which holds src, and shown in it. Of the
// State only the lists of records and of decisions may be against the schema.
func Readable(name string, src []byte) bool {
	doc, err := object(src)
	if err != nil || name != fs.State {
		return err == nil
	}
	of := jsonschema.Of(fs.Place(name).Schema())
	lists := listsOf(name)
	for m := range doc.Children(0) {
		pointer := doc.Pointer(m)
		if pointer == decisionsAt(name) || slices.ContainsFunc(lists, func(l list) bool { return l.pointer == pointer }) {
			continue
		}
		if !of.Below(doc.Key(m)).Valid(doc, m) || slices.ContainsFunc(doc.Duplicates, func(i int) bool { return m <= i && i < int(doc.Nodes[m].Next) }) {
			return false
		}
	}
	return true
}

// token returns a member's name as it stands in a JSON pointer.
func token(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

// isMisplaced reports whether something else stands in doc where the list at pointer should be.
func isMisplaced(doc *jsonedit.Doc, pointer string) bool {
	at := doc.Find(pointer)
	return at >= 0 && doc.Nodes[at].Kind != jsonedit.Array && doc.Nodes[at].Kind != jsonedit.Null
}

// A fault is a list of a view, an item of one, or a member of an item, that is against the schema.
type fault struct {
	pointer string
	what    string // is wrong with it
	item    bool   // all of the item counts for nothing
}

// faultsIn returns what is against the schema in the lists of records and of decisions of the view called name.
func faultsIn(name string, doc *jsonedit.Doc) (all []fault) {
	for _, l := range listsOf(name) {
		all = append(all, faultsOf(doc, l.pointer, l.faults)...)
	}
	decision := jsonschema.Of(fs.Place(name).Schema()).Below(decisionsAt(name)[1:]).Items()
	return append(all, faultsOf(doc, decisionsAt(name), func(doc *jsonedit.Doc, i int, pointer string) []fault {
		if decision.Valid(doc, i) && records.Sound(doc, i) {
			return nil
		}
		return []fault{{pointer, "is against the schema", true}}
	})...)
}

// faultsOf returns what is wrong with the list at pointer; of says it of an item.
func faultsOf(doc *jsonedit.Doc, pointer string, of func(doc *jsonedit.Doc, i int, pointer string) []fault) (all []fault) {
	at := doc.Find(pointer)
	if isMisplaced(doc, pointer) {
		return []fault{{pointer, fmt.Sprintf("is %s where a list should be", doc.Nodes[at].Kind), false}}
	}
	if at >= 0 {
		n := 0
		for i := range doc.Children(at) {
			all = append(all, of(doc, i, fmt.Sprintf("%s/%d", pointer, n))...)
			n++
		}
	}
	return all
}

// faults returns what is wrong with an item of the list, at pointer.
func (l list) faults(doc *jsonedit.Doc, i int, pointer string) (all []fault) {
	switch it, ok := l.item(doc, i); {
	case !ok:
		return []fault{{pointer, "is no " + l.kind.Name, true}}
	case it.wrong:
		return []fault{{pointer, "has an id that is none", true}}
	case it.doubled != "":
		return []fault{{pointer, fmt.Sprintf("says %.40q twice", it.doubled), true}}
	case it.text == "":
		return []fault{{pointer, "has no text that is one", true}}
	default:
		for _, name := range it.unfit {
			all = append(all, fault{pointer + "/" + token(l.written(doc, i, name)), "is against the schema", false})
		}
		return all
	}
}

// fewFaults is the number of values that are taken out of a view one by one, to read the rest.
const fewFaults = 64

// Sound returns the view called name, which holds src, without what is not read of it: items and members of lists that are
// against the schema, and what else cannot be decoded. why names the first of them. It returns nil if nothing can be read.
func Sound(name string, src []byte) (sound []byte, why error) {
	doc, err := object(src)
	if err != nil {
		return nil, err
	}
	if isWhole(name, doc) {
		return src, nil
	}
	faults := faultsIn(name, doc)
	if len(faults) > 0 {
		why = fmt.Errorf("%s %s%s", faults[0].pointer[1:], faults[0].what, more(len(faults)-1))
	}
	if sound, err = without(src, faults); err != nil {
		return nil, why
	}
	for range fewFaults {
		err := decode(name, sound)
		if err == nil {
			return sound, why
		}
		var at *jsonedit.PointerError
		if !errors.As(err, &at) || at.Pointer == "" {
			return nil, cmp.Or(why, err)
		}
		why = cmp.Or(why, fmt.Errorf("%s is against the schema", at.Pointer[1:]))
		if sound, err = jsonedit.Delete(sound, at.Pointer); err != nil {
			break
		}
	}
	return nil, why
}

// isWhole reports whether nothing in the view called name is against its schema.
func isWhole(name string, doc *jsonedit.Doc) bool {
	return len(doc.Duplicates) == 0 && jsonschema.Of(fs.Place(name).Schema()).Valid(doc, 0)
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", and %d more", n)
}

// without returns src without what is wrong in its lists. If very many members are, their items go.
func without(src []byte, faults []fault) (_ []byte, err error) {
	drop := map[string]bool{} // items
	for _, f := range faults {
		if f.item {
			drop[f.pointer] = true
		} else if len(faults) > fewFaults && strings.Count(f.pointer, "/") > 1 {
			drop[path.Dir(f.pointer)] = true
		}
	}
	for _, f := range slices.Backward(faults) { // items go last, which moves the others
		if !f.item && !drop[path.Dir(f.pointer)] {
			if src, err = jsonedit.Delete(src, f.pointer); err != nil {
				return nil, err
			}
		}
	}
	lists := map[string]bool{}
	for pointer := range drop {
		lists[path.Dir(pointer)] = true
	}
	for _, pointer := range slices.Sorted(maps.Keys(lists)) {
		n := -1
		src, err = jsonedit.Filter(src, pointer, func(*jsonedit.Doc, int) bool { n++; return !drop[fmt.Sprintf("%s/%d", pointer, n)] })
		if err != nil {
			return nil, err
		}
	}
	return src, nil
}

// decode returns why a view cannot be decoded, if it cannot.
func decode(name string, src []byte) error {
	if name == fs.State {
		var s schema.State
		return jsonedit.Decode(src, &s)
	}
	var hot schema.HotContext
	return jsonedit.Decode(src, &hot)
}

// An Unread tells of what is not read of a view.
type Unread struct {
	Line int   // where it cannot be parsed; 0 where it can
	All  bool  // nothing of it can be read
	Why  error // or why the first value that is not read is none
}

// About says of the view, by the name that is given, what is not read of it.
func (u *Unread) About(name string) string {
	switch {
	case u.Line > 0:
		return fmt.Sprintf("%s:%d cannot be read: %v", name, u.Line, u.Why)
	case u.All:
		return fmt.Sprintf("%s cannot be read: %v", name, u.Why)
	}
	return fmt.Sprintf("%s is not read in whole: %v", name, u.Why)
}

// FindUnread returns what is not read of the view called name as it stands on the disk; nil if all is, or if the next
// command makes it anew.
func FindUnread(r fs.Reader, name string) *Unread {
	src, err := Stored(r, name)
	if err != nil || Torn(r, name, src) {
		return nil
	}
	sound, why := Sound(name, src)
	if why == nil {
		return nil
	}
	u := &Unread{All: sound == nil, Why: why}
	var at *jsonedit.SyntaxError
	if errors.As(why, &at) {
		u.Line, _, _ = jsonedit.Position(src, min(at.Offset, len(src)))
		u.Why = errors.New(at.Msg)
	}
	return u
}

// Decode decodes into v what can be read of the view called name, as readers see it, and returns what is not read of it as
// it stands on the disk. It is an error if nothing can be decoded.
func Decode(r fs.Reader, name string, v any) (*Unread, error) {
	src, err := r.Read(name)
	if err != nil {
		return nil, err
	}
	unread := FindUnread(r, name)
	sound, why := Sound(name, src)
	if sound == nil {
		return unread, why
	}
	return unread, jsonedit.Decode(sound, v)
}

// Stored returns what stands at name on the disk, whatever r shows there.
func Stored(r fs.Reader, name string) ([]byte, error) {
	if disk, ok := r.(interface{ ReadStored(string) ([]byte, error) }); ok {
		return disk.ReadStored(name)
	}
	return r.Read(name)
}
