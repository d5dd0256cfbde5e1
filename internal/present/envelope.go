package present

import (
	"bytes"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Version is the version of the JSON outputs. Adding a member does not change it.
const Version = 1

// A Hidden field hides the member of an embedded struct that has the same name.
// Its tag is `json:"NAME,omitzero"`.
type Hidden struct{}

// An envelope has the members that every output begins with.
type envelope struct {
	Version int    `json:"version"`
	Kind    string `json:"kind"`
}

// JSON returns v, which must be encoded as an object, as an indented document. Its first
// members are the version and kind.
func JSON(kind string, v any) ([]byte, error) {
	return enclose(kind, v, jsonedit.Marshal)
}

// Line is like JSON but returns the document on one line, without a line feed.
func Line(kind string, v any) ([]byte, error) {
	return enclose(kind, v, jsonedit.Value)
}

// List returns a list as JSON does: an object whose only member has the name kind.
func List(kind string, list any) ([]byte, error) {
	return JSON(kind, map[string]any{kind: list})
}

func enclose(kind string, v any, encode func(any) ([]byte, error)) ([]byte, error) {
	head, err := encode(envelope{Version, kind})
	if err != nil {
		return nil, err
	}
	body, err := encode(v)
	if err != nil {
		return nil, err
	}
	rest := bytes.TrimPrefix(body, []byte("{"))
	if bytes.HasPrefix(rest, []byte("}")) {
		return head, nil
	}
	head = bytes.TrimRight(head, "\n}")
	return append(append(head, ','), rest...), nil
}
