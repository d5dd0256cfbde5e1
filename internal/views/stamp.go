package views

import (
	"bytes"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// stampPointer is the place of the hash in a view that belongs to the working copy. It identifies
// the rendering that somebody edited. Without it, an edit that restores a former value would look
// like an older rendering.
const stampPointer = "/metadata/rendered"

// stamp returns a view with the hash of its contents, or without a hash if git tracks views. A
// document without metadata gets none.
func (f *Facts) stamp(name string, src []byte) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil || name != fs.State {
		return src, err
	}
	if at := doc.Find("/metadata"); at < 0 || doc.Nodes[at].Kind != jsonedit.Object {
		return src, nil // an invalid document is a finding
	}
	if f.local {
		return records.StampAt(src, stampPointer)
	}
	return WithoutStamp(src)
}

// WithoutStamp returns a view without its hash.
func WithoutStamp(src []byte) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil || doc.Find(stampPointer) < 0 {
		return src, err
	}
	return jsonedit.Delete(src, stampPointer)
}

// OnlyStamped reports whether a rendering differs from src only by the hash.
func OnlyStamped(src, rendering []byte) bool {
	if bytes.Equal(src, rendering) {
		return false
	}
	text, err := WithoutStamp(rendering)
	return err == nil && bytes.Equal(src, text)
}

// stampIn returns the hash in a view, or "", and reports whether the view has the contents with
// that hash.
func stampIn(src []byte) (stamp string, rendering bool) {
	stamp, hash, err := records.StampOf(src, stampPointer)
	return stamp, err == nil && stamp == hash
}

// settings reports whether the configuration says that facts are in records only, and whether git
// ignores the views.
func settings(r fs.Reader) (only, local bool) {
	for _, name := range []string{fs.Config, fs.QuaidConfig} {
		var config schema.Config
		src, err := r.Read(name)
		if err == nil && jsonedit.Decode(src, &config) == nil && config.Records() {
			return true, config.Views != schema.TrackedViews
		}
	}
	return false, false
}
