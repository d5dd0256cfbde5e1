package ledger

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// homes are the folders whose Ledger is read, the one that new decisions go
// to first.
var homes = [...]string{fs.Forgemind, fs.Quaid}

// name is where a decision stands.
func name(home, id string) string { return home + "/" + fs.DecisionsDir + "/" + id + ".json" }

// Find returns the name of a decision's file; ok is false where the Ledger
// has none. A file that cannot be read is there all the same; a folder that
// cannot be looked into is an error.
func Find(r fs.Reader, id string) (at string, ok bool, err error) {
	if !schema.ValidID(id) {
		return "", false, nil
	}
	for _, home := range homes {
		at := name(home, id)
		switch _, err := r.Read(at); {
		case err == nil, errors.Is(err, fs.ErrIrregular), errors.Is(err, fs.ErrTooLarge), errors.Is(err, fs.ErrUnsettled):
			return at, true, nil
		case !errors.Is(err, iofs.ErrNotExist):
			return "", false, err
		}
	}
	return "", false, nil
}

// Record stages d as a new file of the Ledger in the folder home. A decision
// of that id must not exist: nothing is ever overwritten.
func Record(tx *fs.Tx, home string, d schema.Decision) error {
	if !schema.ValidID(d.ID) {
		return fmt.Errorf("decision %q: the id holds other characters than letters, digits, '-', '_' and '.'", d.ID)
	}
	if strings.TrimSpace(d.Decision) == "" {
		return fmt.Errorf("decision %s: it says nothing", d.ID)
	}
	switch at, taken, err := Find(tx, d.ID); {
	case err != nil:
		return err
	case taken:
		return fmt.Errorf("decision %s: %s holds it already", d.ID, at)
	}
	text, err := jsonedit.Marshal(d)
	if err != nil {
		return fmt.Errorf("decision %s: %w", d.ID, err)
	}
	tx.Write(name(home, d.ID), text)
	return nil
}

// Get returns one decision.
func Get(r fs.Reader, id string) (schema.Decision, error) {
	at, ok, err := Find(r, id)
	if err != nil {
		return schema.Decision{}, err
	}
	if !ok {
		return schema.Decision{}, fmt.Errorf("decision %q: %w", id, iofs.ErrNotExist)
	}
	return read(r, at)
}
