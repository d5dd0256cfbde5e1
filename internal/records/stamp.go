package records

import (
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// stampMember is the member of a view that holds the hash of its other members.
const stampMember = "rendered"

// Stamp returns a view, a JSON object, with the hash of what it says, so that an edit of
// it can be told from a rendering that is behind its records.
func Stamp(view []byte) ([]byte, error) {
	hash, err := stampOf(view)
	if err != nil {
		return nil, err
	}
	value, err := jsonedit.Value(hash)
	if err != nil {
		return nil, err
	}
	return jsonedit.Set(view, "/"+stampMember, value)
}

// IsRendering reports whether a view is as forgemind rendered it, whatever its layout.
func IsRendering(view []byte) bool {
	doc, err := jsonedit.Parse(view)
	if err != nil {
		return false
	}
	has, ok := doc.Str(doc.Member(0, stampMember))
	hash, err := stampOf(view)
	return ok && err == nil && has == hash
}

func stampOf(view []byte) (string, error) {
	doc, err := jsonedit.Parse(view)
	if err != nil {
		return "", err
	}
	if doc.Member(0, stampMember) >= 0 {
		rest, err := jsonedit.Delete(view, "/"+stampMember)
		if err != nil {
			return "", err
		}
		if doc, err = jsonedit.Parse(rest); err != nil {
			return "", err
		}
	}
	return schema.DerivedID("", doc.Canonical(nil, 0)), nil
}
