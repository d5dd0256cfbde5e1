package yaml

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Set sets the value of key in src and returns the new text. It changes nothing else:
// comments, order, blanks, quotes and line endings stay. If src lacks key, Set adds a
// line after the last of the keys in after that src has, or else at the end. If key
// has that value already, Set returns src itself.
//
// Set writes a number or a boolean without quotes, and a text without quotes where
// YAML allows it and the old value had none. The error, of type *Error, means that
// src is not a mapping, that key is duplicate, or that Set does not edit this form
// of src, such as a list.
func Set(src []byte, key, value string, after ...string) ([]byte, error) {
	pairs, err := Pairs(src)
	if err != nil {
		return nil, err
	}
	at := -1
	for i, p := range pairs {
		if p.Key != key {
			continue
		}
		if at >= 0 {
			return nil, &Error{Line: p.Line, Column: p.Column, Msg: printable(fmt.Sprintf("duplicate key %s", key))}
		}
		at = i
	}
	var out []byte
	if at < 0 {
		out = addLine(src, pairs, key, value, after)
	} else {
		p := pairs[at]
		text, kind := encode(value, p.quote)
		if p.Value == value && p.Kind == kind {
			return src, nil
		}
		out = replace(src, p, text)
	}
	if !onlyChanged(pairs, out, at, key, value) {
		line, column := 1, 1
		if at >= 0 {
			line, column = pairs[at].Line, pairs[at].Column
		}
		return nil, &Error{Line: line, Column: column, Msg: printable(fmt.Sprintf("cannot set %s in this form of YAML: edit the file by hand", key))}
	}
	return out, nil
}

// replace returns src with text in the place of p's value; nil if the value is not
// plain text on one line.
func replace(src []byte, p Pair, text string) []byte {
	at, end := p.At, p.End
	switch {
	case p.Kind == Null && p.Value == "": // the value is empty
		if end = at; at > 0 && src[at-1] == ':' {
			text = " " + text
		} else if at < len(src) && src[at] == ':' {
			at, end, text = at+1, at+1, " "+text
		}
	case end == 0:
		return nil
	}
	return splice(src, at, end, text)
}

// addLine returns src with a new line for key; nil if the mapping is in braces.
func addLine(src []byte, pairs []Pair, key, value string, after []string) []byte {
	name, _ := encode(key, 0)
	text, _ := encode(value, 0)
	line := name + ": " + text
	if len(pairs) > 0 {
		if pairs[0].braces {
			return nil
		}
		if pairs[0].indented {
			start := bytes.LastIndexAny(src[:pairs[0].KeyAt], "\r\n") + 1
			line = string(src[start:pairs[0].KeyAt]) + line
		}
	}
	eol := "\n"
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		eol = "\r\n"
	}
	for i := len(after) - 1; i >= 0; i-- {
		for _, p := range pairs {
			if p.Key != after[i] || p.End == 0 {
				continue
			}
			if next := bytes.IndexByte(src[p.End:], '\n'); next >= 0 {
				at := p.End + next + 1
				return splice(src, at, at, line+eol)
			}
			return append(bytes.Clone(src), eol+line...)
		}
	}
	return appendLine(src, line, eol)
}

// appendLine adds a line to the end of src, before the `...` that ends a document. A
// text without a final newline stays without one.
func appendLine(src []byte, line, eol string) []byte {
	at := len(src)
	trimmed := bytes.TrimRight(src, " \t\r\n")
	if start := bytes.LastIndexByte(trimmed, '\n') + 1; string(trimmed[start:]) == "..." {
		at = start
	}
	if at == 0 || src[at-1] == '\n' {
		return splice(src, at, at, line+eol)
	}
	return append(bytes.Clone(src), eol+line...)
}

func splice(src []byte, at, end int, text string) []byte {
	out := make([]byte, 0, len(src)+len(text))
	out = append(out, src[:at]...)
	out = append(out, text...)
	return append(out, src[end:]...)
}

// encode returns value in YAML, and the kind that YAML reads it as. It adds quotes if
// the value needs them, or if it is a text and quote, its quotes so far, is not 0.
func encode(value string, quote byte) (string, Kind) {
	pairs, err := Pairs([]byte("k: " + value))
	if err == nil && len(pairs) == 1 && pairs[0].End > 0 && pairs[0].quote == 0 && pairs[0].Value == value && pairs[0].Kind != Null {
		if quote == 0 || pairs[0].Kind != Text {
			return value, pairs[0].Kind
		}
	}
	if quote == '\'' && !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) {
		return "'" + strings.ReplaceAll(value, "'", "''") + "'", Text
	}
	var text strings.Builder // JSON is YAML
	coder := json.NewEncoder(&text)
	coder.SetEscapeHTML(false)
	coder.Encode(value)
	return strings.TrimSuffix(text.String(), "\n"), Text
}

// onlyChanged reports whether src has the pairs of before, and a pair of key and
// value: in the place of the pair at i, or as an additional one if i is negative.
func onlyChanged(before []Pair, src []byte, i int, key, value string) bool {
	after, err := Pairs(src)
	if src == nil || err != nil {
		return false
	}
	var found *Pair
	rest := after[:0:0]
	for j := range after {
		if i < 0 && after[j].Key == key && found == nil || i == j {
			found = &after[j]
			continue
		}
		rest = append(rest, after[j])
	}
	if found == nil || found.Key != key || found.Value != value || found.Kind == Null || found.Kind == Other {
		return false
	}
	for j, p := range before {
		if j == i {
			continue
		}
		if len(rest) == 0 || rest[0].Key != p.Key || rest[0].Value != p.Value || rest[0].Kind != p.Kind {
			return false
		}
		rest = rest[1:]
	}
	return len(rest) == 0
}
