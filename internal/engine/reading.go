package engine

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
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

// A stateRead is the State as it was decoded last.
type stateRead struct {
	src   []byte
	state schema.State
	ok    bool // it could be read
	asked bool // it says what conditions ask for
}

// readState decodes the State; false where there is none that can be read. Nothing that
// it returns may be changed.
func (r *round) readState() (schema.State, bool) {
	src, err := r.tx.Read(fs.State)
	if err != nil {
		return schema.State{}, false
	}
	if r.state.src == nil || !bytes.Equal(r.state.src, src) {
		r.state = stateRead{src: src}
		if sound, _ := views.Sound(fs.State, src); views.Readable(fs.State, src) {
			r.state.ok = jsonedit.Decode(sound, &r.state.state) == nil
		}
		doc, err := jsonedit.Parse(src)
		r.state.asked = err == nil && doc.Find("/project/current_layer") >= 0 && doc.Find("/project/clarity") >= 0
	}
	return r.state.state, r.state.ok
}

// values is what conditions see of the State; nil where there is none that
// passes its schema, or where it does not say what conditions ask for.
func (r *round) values() *triggers.Values {
	s, ok := r.readState()
	if !ok || s.Project == nil || !r.state.asked {
		return nil
	}
	v := triggers.ValuesOf(&s)
	if s.ContextWindow != nil {
		_, v.Usage = r.usage(s)
	}
	return &v
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
