package yaml

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"github.com/forgemind/forgemind/internal/text"
)

// Limits of a text.
const (
	MaxSize    = 256 << 10 // bytes
	maxDepth   = 64        // nesting of lists and mappings
	maxAliases = 100
	maxValues  = 10_000 // of a text with aliases, after their expansion
)

// An Error is the position and the description of what makes a text invalid YAML,
// or YAML of an unexpected form.
type Error struct {
	Line, Column int    // from 1; Column is 0 if only the line is known
	Msg          string // without control characters, so that a terminal can show it
}

func (e *Error) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Msg)
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

// Decode decodes src, which is one YAML document, into v. An empty document leaves v
// unchanged. line is the line of its file, from 1, on which src begins. The error, of
// type *Error, counts its lines from there. A duplicate key is an error.
func Decode(src []byte, line int, v any) (err error) {
	if len(src) > MaxSize {
		return &Error{Line: line, Msg: fmt.Sprintf("the YAML has %d bytes; the limit is %d", len(src), MaxSize)}
	}
	if isBlank(src) {
		return nil
	}
	limits := loaderlimits.New(loaderlimits.DepthValue(maxDepth), loaderlimits.AliasFunc(func(aliases, values int) error {
		if aliases > maxAliases || aliases > 0 && values > maxValues {
			return errors.New("the aliases expand to too many values")
		}
		return nil
	}))
	if err := yaml.Load(src, v, yaml.WithPlugin(limits)); err != nil {
		return toError(err, line)
	}
	return nil
}

// isBlank reports whether src contains only white space and comments.
func isBlank(src []byte) bool {
	for line := range strings.Lines(strings.TrimPrefix(string(src), "\uFEFF")) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}

// toError converts an error of the library to an *Error of a file in which the text
// begins on the given line.
func toError(err error, line int) error {
	var one *yaml.LoadError
	var many *yaml.LoadErrors
	switch {
	case errors.As(err, &many) && len(many.Errors) > 0:
		one = many.Errors[0]
	case errors.As(err, &one):
	default:
		return &Error{Line: line, Msg: printable(err.Error())}
	}
	e := &Error{Line: line + max(0, one.Mark.Line-1), Column: max(0, one.Mark.Column), Msg: printable(one.Message)}
	if e.Msg == "" {
		e.Msg = printable(err.Error())
	}
	return e
}

// printable returns msg, which may quote the text, without control characters and
// cut after 200 characters.
func printable(msg string) string {
	const maxLength = 200
	msg = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(msg, "\uFFFD"))
	return text.Head(msg, maxLength)
}
