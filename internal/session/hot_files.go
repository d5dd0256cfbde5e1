package session

import (
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

// How many files, and how many names of one kind, a hot context holds.
const (
	maxFiles    = 20
	maxEntities = 10
)

// Touch makes path the file edited last, and function (unless it is "") the one
// that is being worked on; a function of another file is so no longer. files is
// in order of first touch, each once, the newest maxFiles of them. Where path,
// function and agent are what they were, at is left as it was, too.
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

// AddEntities adds names by kind, each once, and keeps the newest maxEntities of
// a kind. A name that comes again with a new one is as new as that.
func (h *Hot) AddEntities(found map[string][]string) error {
	return h.whole(func() error {
		for _, kind := range slices.Sorted(maps.Keys(found)) {
			if len(found[kind]) == 0 {
				continue
			}
			if err := h.object(entities); err != nil {
				return err
			}
			if err := h.hold(entities+"/"+pointerToken.Replace(kind), found[kind], maxEntities); err != nil {
				return err
			}
		}
		return nil
	})
}

var pointerToken = strings.NewReplacer("~", "~0", "/", "~1")

// hold lets the list at pointer hold texts, and the newest most of all. Where it
// holds them already it stays as it is; else they stand at its end.
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
				stay = slices.Delete(stay, i, i+1) // a second one may go
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

// newest is the last most of list, each where it stands last, without blanks.
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

// object holds that there is an object at pointer, or nothing, or null, which
// becomes one.
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

// say puts a text at pointer; without a text what is there goes.
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

// without takes out of the list at pointer the texts that gone says of; it is
// asked about each in order.
func without(src []byte, pointer string, gone func(text string) bool) ([]byte, error) {
	return jsonedit.Filter(src, pointer, func(doc *jsonedit.Doc, i int) bool {
		text, ok := doc.Str(i)
		return !ok || !gone(text)
	})
}

// texts are what a value says that may be one text or a list of them.
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
