package jsonedit

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Value returns v as compact JSON, for Set, Insert and Append, which format it like
// its siblings.
func Value(v any) ([]byte, error) {
	text, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return nil, encodeError(err)
	}
	return text, nil
}

// Marshal returns v as a new document: two-space indent, LF, a final newline, and
// members in the order of the struct's fields; those of a map are sorted. A nil slice
// or map is [] or {}. omitempty omits null, "", [] and {}. It does not escape <, >
// and &.
func Marshal(v any) ([]byte, error) {
	text, err := json.Marshal(v, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return nil, encodeError(err)
	}
	return append(text, '\n'), nil
}

// Decode decodes the JSON text src into v. Names are case-sensitive; unknown names are
// ignored; duplicate names and text that is not UTF-8 are errors. An int accepts any
// integral number, such as 70000.0 and 7e4. The error is a *PointerError that names
// the value. It wraps a *SyntaxError if src is not JSON or has more than MaxValues
// values.
func Decode(src []byte, v any) error {
	if len(src) > 2*MaxValues { // a shorter text cannot have more values
		var syntaxErr *SyntaxError
		if _, err := Parse(src); errors.As(err, &syntaxErr) && syntaxErr.Kind == TooLarge {
			return &PointerError{"", "cannot decode it: " + syntaxErr.Error(), syntaxErr}
		}
	}
	err := json.Unmarshal(src, v, json.WithUnmarshalers(integerUnmarshalers))
	if err == nil {
		return nil
	}
	var syntactic *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &syntactic):
		if _, syntaxErr := Parse(src); syntaxErr != nil {
			return &PointerError{string(syntactic.JSONPointer), "cannot decode it: " + syntaxErr.Error(), syntaxErr}
		}
		msg := syntactic.Err.Error()
		if errors.Is(err, jsontext.ErrDuplicateName) {
			msg = "duplicate member"
		}
		return &PointerError{string(syntactic.JSONPointer), "cannot decode it: " + msg, err}
	case errors.As(err, &semantic):
		return &PointerError{string(semantic.JSONPointer), "cannot decode " + mismatch(semantic), err}
	}
	return &PointerError{"", "cannot decode it: " + err.Error(), err}
}

var integerUnmarshalers = json.JoinUnmarshalers(
	json.UnmarshalFunc(func(text []byte, v *int) error { return setInteger(text, v) }),
	json.UnmarshalFunc(func(text []byte, v *int64) error { return setInteger(text, v) }),
)

func setInteger[T int | int64](text []byte, v *T) error {
	var n int64
	if c := text[0]; c != 'n' { // null is 0
		ok := c == '-' || isDigit(c)
		if ok {
			n, ok = toInt64(text)
		}
		if !ok || int64(T(n)) != n {
			return fmt.Errorf("%s is not an integer of 64 bits", quoteShort(text))
		}
	}
	*v = T(n)
	return nil
}

func encodeError(err error) error {
	var semantic *json.SemanticError
	if errors.As(err, &semantic) {
		return &PointerError{string(semantic.JSONPointer), "cannot encode " + mismatch(semantic), err}
	}
	return &PointerError{"", "cannot encode it: " + err.Error(), err}
}

// wanted names what JSON would have to hold for a value of type t.
func wanted(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "an integer"
	case reflect.Float64:
		return "a number"
	}
	return t.String()
}

// mismatch describes the value of an error, and what it should be.
func mismatch(e *json.SemanticError) string {
	msg := "it"
	switch {
	case len(e.JSONValue) > 0:
		msg = quoteShort(e.JSONValue)
	case e.JSONKind == '{':
		msg = "an object"
	case e.JSONKind == '[':
		msg = "an array"
	case e.JSONKind != 0:
		msg = "a " + e.JSONKind.String()
	}
	if e.GoType != nil {
		msg += " as " + wanted(e.GoType)
	}
	if e.Err != nil {
		msg += ": " + e.Err.Error()
	}
	return msg
}
