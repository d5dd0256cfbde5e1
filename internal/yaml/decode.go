package yaml

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// Limits of a text.
const (
	MaxSize    = 256 << 10 // bytes
	maxDepth   = 64        // of lists and mappings inside one another
	maxAliases = 100
	maxValues  = 10_000 // that a text with aliases may come to
)

// An Error says where a text is no YAML, or not what was asked for.
type Error struct {
	Line, Column int    // from 1; Column is 0 where only the line is known
	Msg          string // fit for a terminal
}

func (e *Error) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Msg)
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

// Decode reads the one YAML document src into v. An empty one leaves v as it
// is. line is where src begins in its file, from 1, for the errors, which are
// of type *Error. Of repeated keys it is an error.
func Decode(src []byte, line int, v any) (err error) {
	if len(src) > MaxSize {
		return &Error{Line: line, Msg: fmt.Sprintf("%d bytes of YAML, at most %d", len(src), MaxSize)}
	}
	if blank(src) {
		return nil
	}
	limits := loaderlimits.New(loaderlimits.DepthValue(maxDepth), loaderlimits.AliasFunc(func(aliases, values int) error {
		if aliases > maxAliases || aliases > 0 && values > maxValues {
			return errors.New("its aliases make too much of it")
		}
		return nil
	}))
	if err := yaml.Load(src, v, yaml.WithPlugin(limits)); err != nil {
		return place(err, line)
	}
	return nil
}

// blank says whether src holds nothing but white space and comments.
func blank(src []byte) bool {
	for line := range strings.Lines(strings.TrimPrefix(string(src), "\uFEFF")) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}

// place makes an Error of what the library says.
func place(err error, line int) error {
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

// printable is a message that may hold a stranger's text, cut short and without
// control characters.
func printable(msg string) string {
	const most = 200
	msg = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(msg, "\uFFFD"))
	if r := []rune(msg); len(r) > most {
		msg = string(r[:most]) + "…"
	}
	return msg
}
