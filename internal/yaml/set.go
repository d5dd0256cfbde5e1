package yaml

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Set gives the name key the value, and changes nothing else of src: comments,
// order, blanks, quotes and line ends stay. Where the name is not there, a line
// is added behind the last of the names in after that are there, or else at the
// end. Where it is there already with that value, src itself comes back.
//
// What YAML would read as a number or a truth stands plain, and a text without
// quotes where that is possible. The error, of type *Error, is of a src that is
// no mapping, of a name that is there twice, and of a value or a text that is
// written in a way which Set does not edit, such as a list.
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
			return nil, &Error{Line: p.Line, Column: p.Column, Msg: printable(fmt.Sprintf("%s is there twice", key))}
		}
		at = i
	}
	var out []byte
	if at < 0 {
		out = add(src, pairs, key, value, after)
	} else {
		p := pairs[at]
		text, kind := written(value, p.quote)
		if p.Value == value && p.Kind == kind {
			return src, nil
		}
		out = replace(src, p, text)
	}
	if !only(pairs, out, at, key, value) {
		line, column := 1, 1
		if at >= 0 {
			line, column = pairs[at].Line, pairs[at].Column
		}
		return nil, &Error{Line: line, Column: column, Msg: printable(fmt.Sprintf("%s is written in a way that only a person can change", key))}
	}
	return out, nil
}

// replace puts text in the place of a value; nil where that is not known.
func replace(src []byte, p Pair, text string) []byte {
	at, end := p.At, p.End
	switch {
	case p.Kind == Null && p.Value == "": // nothing is written
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

// add puts a new line into src; nil where there is no place for one.
func add(src []byte, pairs []Pair, key, value string, after []string) []byte {
	name, _ := written(key, 0)
	text, _ := written(value, 0)
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
	return atEnd(src, line, eol)
}

// atEnd adds a line to the end of src, before the mark that ends a document. A
// text without a final newline stays without one.
func atEnd(src []byte, line, eol string) []byte {
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

// written is a value as a text spells it, in quotes of that kind where they are
// needed or were there before, and what YAML reads it as.
func written(value string, quote byte) (string, Kind) {
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

// only says whether src has the pairs of before with the one at i, or one more,
// saying value.
func only(before []Pair, src []byte, i int, key, value string) bool {
	now, err := Pairs(src)
	if src == nil || err != nil {
		return false
	}
	var is *Pair
	rest := now[:0:0]
	for j := range now {
		if i < 0 && now[j].Key == key && is == nil || i == j {
			is = &now[j]
			continue
		}
		rest = append(rest, now[j])
	}
	if is == nil || is.Key != key || is.Value != value || is.Kind == Null || is.Kind == Other {
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
