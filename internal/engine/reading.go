package engine

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
	"github.com/forgemind/forgemind/validate"
)

// readable returns an error if the disk fails to read name, such as for want of a
// descriptor. A missing or malformed document is no error: it has no values.
func readable(r fs.Reader, name string) error {
	_, err := r.Read(name)
	if isMissing(err) || isAboutContent(err) {
		return nil
	}
	return err
}

// A stateRead is the result of the last decoding of the State.
type stateRead struct {
	src   []byte
	state schema.State
	ok    bool // it could be decoded
	asked bool // it has the members that conditions need
}

// readState decodes the State; false if there is none or it cannot be decoded. The
// result must not be changed.
func (r *WorkingSet) readState() (schema.State, bool) {
	src, err := r.tx.Read(fs.State)
	if err != nil {
		return schema.State{}, false
	}
	if r.state.src == nil || !bytes.Equal(r.state.src, src) {
		r.state = stateRead{src: src}
		if !validate.Unreadable(fs.State, src) {
			r.state.ok = jsonedit.Decode(src, &r.state.state) == nil
		}
		doc, err := jsonedit.Parse(src)
		r.state.asked = err == nil && doc.Find("/project/current_layer") >= 0 && doc.Find("/project/clarity") >= 0
	}
	return r.state.state, r.state.ok
}

// values returns the values of the State for conditions. It returns nil if no State passes its
// schema or one lacks the members that conditions need.
func (r *WorkingSet) values() *triggers.Values {
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

// isMissing reports whether err means that a file does not exist.
func isMissing(err error) bool { return errors.Is(err, iofs.ErrNotExist) }

// isAboutContent reports whether err is nil or about the content of a file, and not about
// reading the disk.
func isAboutContent(err error) bool {
	return err == nil || errors.Is(err, fs.ErrIrregular) || errors.Is(err, fs.ErrTooLarge) || errors.Is(err, fs.ErrUnsettled)
}
