package records

import (
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// stampMember is the pointer of the member of a view that holds the hash of its other members.
const stampMember = "/rendered"

// Stamp returns a view, which is a JSON object, with the hash of its contents. The hash shows
// whether a view was edited or is an older rendering.
func Stamp(view []byte) ([]byte, error) { return StampAt(view, stampMember) }

// StampAt is like Stamp with the hash in the member at a JSON pointer.
func StampAt(view []byte, pointer string) ([]byte, error) {
	_, hash, err := StampOf(view, pointer)
	if err != nil {
		return nil, err
	}
	value, err := jsonedit.Value(hash)
	if err != nil {
		return nil, err
	}
	return jsonedit.Set(view, pointer, value)
}

// IsRendering reports whether a view has the contents that forgemind rendered, without regard to
// its layout.
func IsRendering(view []byte) bool {
	stamp, hash, err := StampOf(view, stampMember)
	return err == nil && stamp == hash
}

// StampOf returns the hash in the member of a view at a JSON pointer, "" if there is none, and the
// hash of its contents.
func StampOf(view []byte, pointer string) (stamp, hash string, err error) {
	doc, err := jsonedit.Parse(view)
	if err != nil {
		return "", "", err
	}
	if at := doc.Find(pointer); at >= 0 {
		stamp, _ = doc.Str(at)
		rest, err := jsonedit.Delete(view, pointer)
		if err != nil {
			return "", "", err
		}
		if doc, err = jsonedit.Parse(rest); err != nil {
			return "", "", err
		}
	}
	return stamp, schema.DerivedID("", doc.Canonical(nil, 0)), nil
}
