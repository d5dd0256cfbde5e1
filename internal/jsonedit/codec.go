package jsonedit

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Value is v as compact JSON, for Set, Insert and Append, which lay it out
// like its siblings.
func Value(v any) ([]byte, error) {
	text, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return nil, encodeError(err)
	}
	return text, nil
}

// Marshal is v as a document of its own: two-space indent, members in the
// order of the struct's fields (of a map: sorted), LF, a final newline. A nil
// slice or map is [] or {}, omitempty leaves out what is null, "", [] or {},
// and <, > and & stay as they are.
func Marshal(v any) ([]byte, error) {
	text, err := json.Marshal(v, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return nil, encodeError(err)
	}
	return append(text, '\n'), nil
}

// Decode reads the JSON text src into v. Names are matched with their case,
// unknown ones are passed over; repeated names and text that is not UTF-8 are
// refused. An int takes 70000.0 and 7e4, for they are integral. The error is a
// *PointerError that names the value; where src is not JSON, or holds more than
// MaxValues values, a *SyntaxError is beneath it.
func Decode(src []byte, v any) error {
	if len(src) > 2*MaxValues { // a shorter text cannot hold more
		var wrong *SyntaxError
		if _, err := Parse(src); errors.As(err, &wrong) && wrong.Kind == TooLarge {
			return &PointerError{"", "cannot decode it: " + wrong.Error(), wrong}
		}
	}
	err := json.Unmarshal(src, v, json.WithUnmarshalers(integers))
	if err == nil {
		return nil
	}
	var text *jsontext.SyntacticError
	var meaning *json.SemanticError
	switch {
	case errors.As(err, &text):
		if _, wrong := Parse(src); wrong != nil {
			return &PointerError{string(text.JSONPointer), "cannot decode it: " + wrong.Error(), wrong}
		}
		msg := text.Err.Error()
		if errors.Is(err, jsontext.ErrDuplicateName) {
			msg = "the member stands twice in its object"
		}
		return &PointerError{string(text.JSONPointer), "cannot decode it: " + msg, err}
	case errors.As(err, &meaning):
		return &PointerError{string(meaning.JSONPointer), "cannot decode " + misfit(meaning), err}
	}
	return &PointerError{"", "cannot decode it: " + err.Error(), err}
}

var integers = json.JoinUnmarshalers(
	json.UnmarshalFunc(func(text []byte, v *int) error { return setInteger(text, v) }),
	json.UnmarshalFunc(func(text []byte, v *int64) error { return setInteger(text, v) }),
)

func setInteger[T int | int64](text []byte, v *T) error {
	var n int64
	if c := text[0]; c != 'n' { // null is 0
		ok := c == '-' || isDigit(c)
		if ok {
			n, ok = integer(text)
		}
		if !ok || int64(T(n)) != n {
			return fmt.Errorf("%s is not an integer of 64 bits", cut(text))
		}
	}
	*v = T(n)
	return nil
}

func encodeError(err error) error {
	var meaning *json.SemanticError
	if errors.As(err, &meaning) {
		return &PointerError{string(meaning.JSONPointer), "cannot encode " + misfit(meaning), err}
	}
	return &PointerError{"", "cannot encode it: " + err.Error(), err}
}

// misfit says what does not fit what.
func misfit(e *json.SemanticError) string {
	msg := "it"
	switch {
	case len(e.JSONValue) > 0:
		msg = cut(e.JSONValue)
	case e.JSONKind != 0:
		msg = "a " + e.JSONKind.String()
	}
	if e.GoType != nil {
		msg += " as " + strings.TrimPrefix(e.GoType.String(), "*")
	}
	if e.Err != nil {
		msg += ": " + e.Err.Error()
	}
	return msg
}
