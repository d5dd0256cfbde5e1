package records

import (
	"encoding/json"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
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
	Set   Members // null removes a member
}

// Change stages a change of a record, which becomes the one that saw all the others.
// set holds the members that change. What, At and By are the caller's; the rest is
// filled in. A change that sets nothing is not written.
func (f Folder) Change(tx *fs.Tx, record Record, c Change, set map[string]any) error {
	file, err := newChange(record, c, set)
	if err != nil || len(file.Set) == 0 {
		return err
	}
	text, err := jsonedit.Marshal(file)
	if err != nil {
		return fmt.Errorf("%s %s: %w", f.Kind.Name, record.ID, err)
	}
	name := path.Dir(record.Name) + "/" + escape(record.ID) + "." + c.What + "-" + schema.DerivedID("", text) + ".json"
	if _, err := tx.Read(name); !errors.Is(err, iofs.ErrNotExist) {
		return err // the same change is there
	}
	tx.Write(name, text)
	return nil
}

// newChange returns the file of a change, which sets what differs from the record.
func newChange(record Record, c Change, set map[string]any) (schema.Change, error) {
	file := schema.Change{Of: record.ID, After: record.Heads, At: c.At, By: c.By, Set: map[string]json.RawMessage{}}
	for name, v := range set {
		value, err := jsonedit.Value(v)
		if err != nil {
			return file, fmt.Errorf("%s %s: %w", record.Kind.Name, record.ID, err)
		}
		if old, ok := record.Members[name]; ok && Same(old, value) || !ok && string(value) == "null" {
			continue
		}
		file.Set[name] = value
	}
	return file, nil
}

// readChange reads the change in the file name, which is called called.
func readChange(r fs.Reader, name, called string) (Change, error) {
	src, err := r.Read(name)
	if err != nil {
		return Change{}, err
	}
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
	return Change{ID: id, Name: name, What: what, Of: file.Of, After: file.After, At: at, By: file.By, Set: file.Set}, nil
}
