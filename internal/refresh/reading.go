package refresh

import (
	"errors"
	"fmt"
	iofs "io/fs"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
	"github.com/forgemind/forgemind/validate"
)

// readable fails where the disk does: a document that is missing, or that is
// no document by what stands there, has no values, but one that could not be
// read for want of a descriptor must not pass for one.
func (r *round) readable(name string) error {
	_, err := r.tx.Read(name)
	if missing(err) || unfit(err) {
		return nil
	}
	return err
}

// readState decodes the State; false where there is none that can be read.
func (r *round) readState() (schema.State, bool) {
	var s schema.State
	src, err := r.tx.Read(fs.State)
	if err != nil || validate.Unreadable(fs.State, src) {
		return s, false
	}
	return s, jsonedit.Decode(src, &s) == nil
}

// values is what conditions see of the State; nil where there is none that
// passes its schema, or where it does not say what conditions ask for.
func (r *round) values() *triggers.Values {
	s, ok := r.readState()
	if !ok || s.Project == nil || !r.states("/project/current_layer") || !r.states("/project/clarity") {
		return nil
	}
	v := triggers.ValuesOf(&s)
	if s.ContextWindow != nil {
		_, v.Usage = r.usage(s)
	}
	return &v
}

// states says whether the State has a value at pointer.
func (r *round) states(pointer string) bool {
	src, err := r.tx.Read(fs.State)
	if err != nil {
		return false
	}
	doc, err := jsonedit.Parse(src)
	return err == nil && doc.Find(pointer) >= 0
}

// edit changes one document of a transaction.
func edit(tx *fs.Tx, name string, change func(src []byte) ([]byte, error)) error {
	src, err := tx.Read(name)
	if err != nil {
		return err
	}
	out, err := change(src)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	tx.Write(name, out)
	return nil
}

// wrapName adds the name of a document to an error.
func wrapName(name string, err error) error { return fmt.Errorf("%s: %w", name, err) }

// missing says whether err is that of a name that is not there.
func missing(err error) bool { return errors.Is(err, iofs.ErrNotExist) }

// unfit says whether err, or its absence, means that the disk gave what stands
// there, whatever that is worth.
func unfit(err error) bool {
	return err == nil || errors.Is(err, fs.ErrIrregular) || errors.Is(err, fs.ErrTooLarge) || errors.Is(err, fs.ErrUnsettled)
}
