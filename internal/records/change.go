package records

import (
	"encoding/json"
	"errors"
	"fmt"
	iofs "io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Change is a later file of a record.
type Change struct {
	ID    string // derived from its content, where forgemind wrote it
	Name  string // of its file
	What  string // in a word, "answered"
	Of    string // the id of the record
	After []string
	At    string // UTC
	By    string
	// Command is the command that moved the project, where that is more than a plain change;
	// see schema.Change.
	Command string
	Set     Members // null removes a member
	Saw     Members // of a kind that is Editable: what the record's file said of these members
}

// Change stages a change of the record, which becomes the one that saw all the others, and
// returns the record with it. set holds the members that change. What, At and By are the
// caller's; the rest is filled in. A change that sets nothing is not written.
func (r Record) Change(tx *fs.Tx, c Change, set map[string]any) (Record, error) {
	name, err := stageChange(tx, r, c, set)
	if err != nil || name == "" {
		return r, err
	}
	_, called, _ := Folder{path.Dir(name), r.Kind}.split(name)
	staged, err := readChange(tx, name, called)
	if err != nil {
		return r, err
	}
	return r.with(append(slices.Clip(r.Changes), staged)), nil
}

// Then returns the record with one more change, which is not written, and what follows from it.
// c and set are those of [Record.Change].
func (r Record) Then(c Change, set map[string]any) (Record, error) {
	file, err := newChange(r, c, set)
	if err != nil {
		return r, err
	}
	before := r.Members
	c.Set = maps.Clone(file.Set)
	maps.DeleteFunc(c.Set, func(name string, value json.RawMessage) bool { return !r.Kind.Admits(name, value) })
	if r.Members = maps.Clone(before); before == nil {
		r.Members = Members{}
	}
	for name, value := range c.Set {
		if r.Members[name] = value; string(value) == "null" {
			delete(r.Members, name)
		}
	}
	if !r.derives {
		return r, nil
	}
	r.Members = journeyOf(before).follow([]Change{c}, r.Members)
	if status, given := c.Set["status"]; !given || string(status) == "null" {
		if _, given = r.SetBy("status"); !given {
			r.Members = r.Members.begun()
		}
	}
	return r, nil
}

// stageChange returns the name of the change that it staged; "" where it sets nothing, or
// is there already.
func stageChange(tx *fs.Tx, record Record, c Change, set map[string]any) (string, error) {
	name, text, err := NewChange(record, c, set)
	if err != nil || name == "" {
		return "", err
	}
	if _, err := tx.Read(name); !errors.Is(err, iofs.ErrNotExist) {
		return "", err
	}
	tx.Write(name, text)
	return name, nil
}

// NewChange returns the name and the text of the file of a change, for those who do
// not write it by [Record.Change]. The name is "" where the change sets nothing.
func NewChange(record Record, c Change, set map[string]any) (name string, text []byte, err error) {
	file, err := newChange(record, c, set)
	if err != nil || len(file.Set) == 0 {
		return "", nil, err
	}
	if text, err = jsonedit.Marshal(file); err != nil {
		return "", nil, fmt.Errorf("%s %s: %w", record.Kind.Name, record.ID, err)
	}
	id := schema.DerivedID("", text)
	if record.Kind.Name == Project.Name {
		at, err := schema.ParseTime(c.At)
		if err != nil {
			return "", nil, fmt.Errorf("project: %w", err)
		}
		stamp := strings.Replace(at.UTC().Format("20060102T150405.000Z"), ".", "", 1)
		return fs.Progress + "/" + stamp + "-" + id + ".json", text, nil
	}
	return path.Dir(record.Name) + "/" + escape(record.ID) + "." + c.What + "-" + id + ".json", text, nil
}

// newChange returns the file of a change, which sets what differs from the record.
func newChange(record Record, c Change, set map[string]any) (schema.Change, error) {
	file := schema.Change{Of: record.ID, After: record.Heads, At: c.At, By: c.By, Command: c.Command, Set: map[string]json.RawMessage{}, Saw: map[string]json.RawMessage{}}
	for name, v := range set {
		value, err := jsonedit.Value(v)
		if err != nil {
			return file, fmt.Errorf("%s %s: %w", record.Kind.Name, record.ID, err)
		}
		if old, ok := record.Members[name]; ok && Same(old, value) || !ok && string(value) == "null" {
			continue
		}
		file.Set[name] = value
		if record.Kind.Editable {
			file.Saw[name] = record.Base.said(name)
		}
	}
	if record.Kind.Name == Project.Name {
		delete(file.Set, LayerName)
		file.Set = Members(file.Set).NameLayer()
	}
	return file, nil
}

// readChange reads the change in the file name, which is called called.
func readChange(r fs.Reader, name, called string) (Change, error) {
	src, err := r.Read(name)
	if err != nil {
		return Change{}, err
	}
	return decodeChange(src, name, called)
}

func decodeChange(src []byte, name, called string) (Change, error) {
	var file schema.Change
	if err := jsonedit.Decode(src, &file); err != nil {
		return Change{}, fmt.Errorf("%s: %w", name, err)
	}
	what, id, found := strings.Cut(called, "-")
	if !found || id == "" {
		return Change{}, fmt.Errorf("%s: the name of a change is <id>.<what>-<change id>.json", name)
	}
	at := file.At
	if t, err := schema.ParseTime(at); err == nil {
		at = schema.FormatTime(t)
	}
	return Change{ID: id, Name: name, What: what, Of: file.Of, After: file.After, At: at, By: file.By, Command: file.Command, Set: file.Set, Saw: file.Saw}, nil
}
