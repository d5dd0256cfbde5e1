package session

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

const (
	fileContext = "/current_file_context"
	entities    = "/key_entities"
)

// The largest numbers of files, and of names of a kind without a number of its own, in a hot
// context.
const (
	maxFiles    = 20
	maxEntities = 10
)

// maxOfKind has the largest numbers of names by kind: a project has few technologies and people, and
// they matter for long.
var maxOfKind = map[string]int{"technologies": 30, "people": 30, "files": 20, "functions": 15}

// Touch records path as the file that was edited last, and function as the function that is being
// worked on. If function is "", a function of another file is removed. Files are listed in the
// order of their first edit, and only the newest maxFiles are kept. If path, function and agent are
// unchanged, the time is not updated.
func (h *Hot) Touch(path, function, agent, at string) error {
	if path == "" {
		return errors.New("the file has no name")
	}
	return h.whole(func() error {
		if err := h.object(fileContext); err != nil {
			return err
		}
		before := h.doc.Src
		now := h.doc.Find(fileContext)
		if function == "" && word(&h.doc, now, "last_edited") == path {
			function = word(&h.doc, now, "current_function")
		}
		if err := h.hold(fileContext+"/files", []string{path}, maxFiles); err != nil {
			return err
		}
		for _, m := range []struct{ name, value string }{
			{"last_edited", path}, {"current_function", function}, {"agent", agent},
		} {
			if err := h.say(fileContext+"/"+m.name, m.value); err != nil {
				return err
			}
		}
		if string(h.doc.Src) == string(before) {
			return nil
		}
		return h.say(fileContext+"/updated", at)
	})
}

// AddEntities adds names by kind without duplicates, and keeps the newest of each kind, as many as maxOfKind says.
// A known name that comes together with a new one counts as new.
func (h *Hot) AddEntities(found map[string][]string) error {
	return h.whole(func() error {
		for _, kind := range slices.Sorted(maps.Keys(found)) {
			if len(found[kind]) == 0 {
				continue
			}
			if err := h.object(entities); err != nil {
				return err
			}
			if err := h.hold(entities+"/"+jsonedit.EscapePointer(kind), found[kind], cmp.Or(maxOfKind[kind], maxEntities)); err != nil {
				return err
			}
		}
		return nil
	})
}

// hold appends texts to the list at pointer, and keeps the newest most. If the list has all of
// them, it is not changed.
func (h *Hot) hold(pointer string, add []string, most int) error {
	add = newest(add, most)
	list := h.doc.Find(pointer)
	if list >= 0 {
		if is := h.doc.Nodes[list].Kind; is != jsonedit.Array && is != jsonedit.Null {
			return misplaced(pointer, is, "a list")
		}
	}
	there := texts(&h.doc, list)
	if !slices.ContainsFunc(add, func(s string) bool { return !slices.Contains(there, s) }) {
		return nil
	}
	stay := newest(slices.DeleteFunc(slices.Clone(there), func(s string) bool { return slices.Contains(add, s) }), most-len(add))
	if list >= 0 {
		text, err := without(h.doc.Src, pointer, func(s string) bool {
			i := slices.Index(stay, s)
			if i >= 0 {
				stay = slices.Delete(stay, i, i+1) // a duplicate is removed
			}
			return i < 0
		})
		if err := h.become(text, err); err != nil {
			return err
		}
	}
	for _, s := range add {
		if err := h.append(pointer, s); err != nil {
			return err
		}
	}
	return nil
}

// newest returns the last most elements of list, without blanks and with only the last of
// duplicates.
func newest(list []string, most int) []string {
	var out []string
	for _, s := range slices.Backward(list) {
		if len(out) == most {
			break
		}
		if strings.TrimSpace(s) != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	slices.Reverse(out)
	return out
}

// object makes an object of a null at pointer. It returns an error unless there is an object,
// nothing, or null.
func (h *Hot) object(pointer string) error {
	i := h.doc.Find(pointer)
	if i < 0 || h.doc.Nodes[i].Kind == jsonedit.Object {
		return nil
	}
	if is := h.doc.Nodes[i].Kind; is != jsonedit.Null {
		return misplaced(pointer, is, "an object")
	}
	return h.set(pointer, struct{}{})
}

// say sets the string at pointer. If text is empty, it removes the member.
func (h *Hot) say(pointer, text string) error {
	is := jsonedit.Null
	if i := h.doc.Find(pointer); i >= 0 {
		is = h.doc.Nodes[i].Kind
	}
	switch {
	case is != jsonedit.Null && is != jsonedit.String:
		return misplaced(pointer, is, "a text")
	case text != "":
		return h.set(pointer, text)
	case is == jsonedit.Null:
		return nil
	}
	return h.delete(pointer)
}

// without removes from the list at pointer the strings for which gone returns true. It calls gone
// in order.
func without(src []byte, pointer string, gone func(text string) bool) ([]byte, error) {
	return jsonedit.Filter(src, pointer, func(doc *jsonedit.Doc, i int) bool {
		text, ok := doc.Str(i)
		return !ok || !gone(text)
	})
}

// texts returns the strings in a value that is a string or a list.
func texts(doc *jsonedit.Doc, i int) []string {
	if s, ok := doc.Str(i); ok && s != "" {
		return []string{s}
	}
	if i < 0 || doc.Nodes[i].Kind != jsonedit.Array {
		return nil
	}
	all := []string{}
	for c := range doc.Children(i) {
		if s, ok := doc.Str(c); ok {
			all = append(all, s)
		}
	}
	return all
}
