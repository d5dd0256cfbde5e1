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

// homes lists the folders with a Ledger. New decisions go to the first.
var homes = [...]string{fs.Forgemind, fs.Quaid}

// name returns the name of a decision's file.
func name(home, id string) string { return home + "/" + fs.DecisionsDir + "/" + id + ".json" }

// Find returns the name of a decision's file. It reports false if the Ledger has none. A file that
// cannot be read counts as found; a folder that cannot be read is an error.
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

// Record stages d as a new file of the Ledger in the folder home. It returns an error if a decision
// with that id exists: nothing is overwritten.
func Record(tx *fs.Tx, home string, d schema.Decision) error {
	text, err := jsonedit.Marshal(d)
	if err != nil {
		return fmt.Errorf("decision %s: %w", d.ID, err)
	}
	return RecordText(tx, home, d, text)
}

// RecordText is like Record for a decision whose file is to have the given text.
func RecordText(tx *fs.Tx, home string, d schema.Decision, text []byte) error {
	if !schema.ValidID(d.ID) {
		return fmt.Errorf("decision %q: the id holds other characters than letters, digits, '-', '_' and '.'", d.ID)
	}
	if strings.TrimSpace(d.Decision) == "" {
		return fmt.Errorf("decision %s: it is empty", d.ID)
	}
	switch at, taken, err := Find(tx, d.ID); {
	case err != nil:
		return err
	case taken:
		return fmt.Errorf("decision %s: %s holds it already", d.ID, at)
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

// Count returns the number of decisions in the Ledger without reading them.
func Count(r fs.Reader) int {
	n := 0
	for _, home := range homes {
		for name, err := range r.Names(home + "/" + fs.DecisionsDir) {
			if err == nil && fs.Place(name) == fs.DocDecision {
				n++
			}
		}
	}
	return n
}
