package yaml

import (
	"bytes"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// A Kind is the type of a value.
type Kind uint8

// The kinds of values. Other is a list, a mapping, an alias: all that is no scalar.
const (
	Other Kind = iota
	Null
	Bool
	Number
	Text
)

// A Pair is a key and its value at the top level of a text. Offsets are in bytes.
type Pair struct {
	Key      string // "" if the key is not a scalar
	Kind     Kind
	Value    string // without its quotes; "" if Kind is Other
	KeyAt    int    // offset of the key
	At       int    // offset of the value; of an empty value, the offset after the colon
	End      int    // offset of the end of the value; 0 if it is not a scalar on one line, so that Set cannot edit it
	Line     int    // of the key, from 1
	Column   int    // of the key, from 1, in characters
	quote    byte   // ' or ", 0 for none
	indented bool   // the mapping does not begin in column 1
	braces   bool   // the mapping is in braces (flow style)
}

// Pairs returns the keys and values of src, which is one mapping, in their order.
// It returns a duplicate key twice, and nil for an empty text. The error, of type
// *Error, has the position at which src is not YAML or not a mapping.
func Pairs(src []byte) ([]Pair, error) {
	var top yaml.Node
	if err := Decode(src, 1, &top); err != nil {
		return nil, err
	}
	if len(top.Content) == 0 {
		return nil, nil
	}
	at := offsets{src: src}
	mapping := top.Content[0]
	switch {
	case mapping.Kind == yaml.ScalarNode && mapping.ShortTag() == "!!null":
		return nil, nil
	case mapping.Kind != yaml.MappingNode:
		return nil, &Error{Line: at.lineAt(at.ofNode(mapping)), Column: mapping.Column, Msg: "expected a mapping, such as name: value"}
	}
	var list []Pair
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key, value := mapping.Content[i], mapping.Content[i+1]
		p := Pair{KeyAt: at.ofNode(key), Column: key.Column, indented: mapping.Column > 1, braces: mapping.Style&yaml.FlowStyle != 0}
		p.Line = at.lineAt(p.KeyAt)
		if key.Kind == yaml.ScalarNode {
			p.Key = key.Value
		}
		p.At = at.ofNode(value)
		p.setValue(src, value)
		list = append(list, p)
	}
	return list, nil
}

// setValue sets Kind, Value, quote and End of p from value. p.At must be set.
func (p *Pair) setValue(src []byte, value *yaml.Node) {
	if value.Kind != yaml.ScalarNode {
		return
	}
	p.Kind, p.Value = Text, value.Value
	switch value.ShortTag() {
	case "!!null":
		p.Kind = Null
	case "!!bool":
		p.Kind = Bool
	case "!!int", "!!float":
		p.Kind = Number
	}
	if value.Anchor != "" || value.Style&(yaml.TaggedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return
	}
	switch {
	case value.Style&yaml.SingleQuotedStyle != 0:
		p.quote = '\''
	case value.Style&yaml.DoubleQuotedStyle != 0:
		p.quote = '"'
	case bytes.HasPrefix(src[p.At:], []byte(value.Value)):
		p.End = p.At + len(value.Value)
		return
	default: // on several lines
		return
	}
	p.End = quotedEnd(src, p.At)
}

// quotedEnd returns the end of the quoted text that begins at offset at, or 0 if it
// does not end on its line.
func quotedEnd(src []byte, at int) int {
	if at >= len(src) || src[at] != '\'' && src[at] != '"' {
		return 0
	}
	quote := src[at]
	for i := at + 1; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\n' || c == '\r':
			return 0
		case c == '\\' && quote == '"':
			i++
		case c == quote && quote == '\'' && i+1 < len(src) && src[i+1] == quote:
			i++
		case c == quote:
			return i + 1
		}
	}
	return 0
}

// Quoted reports whether the value is in quotes.
func (p Pair) Quoted() bool { return p.quote != 0 }

// offsets converts the library's positions to offsets in bytes. Ascending positions
// together take one pass over the text.
type offsets struct {
	src            []byte
	at             int
	row            int // line breaks of YAML before at
	lines, counted int // lines is the number of line feeds before offset counted
}

// ofNode returns the offset at which a node begins.
func (o *offsets) ofNode(n *yaml.Node) int {
	if n.Line-1 < o.row {
		o.at, o.row = 0, 0
	}
	for o.row < n.Line-1 && o.at < len(o.src) {
		width := lineBreak(o.src[o.at:])
		if width == 0 {
			o.at++
			continue
		}
		o.at += width
		o.row++
	}
	at := o.at
	if at == 0 && bytes.HasPrefix(o.src, []byte("\uFEFF")) {
		at = len("\uFEFF") // the library does not count it as a column
	}
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(o.src[at:])
		at += size
	}
	return min(at, len(o.src))
}

// lineAt returns the line of an offset, from 1, as editors count: by line feeds.
func (o *offsets) lineAt(at int) int {
	if at < o.counted {
		o.lines, o.counted = 0, 0
	}
	o.lines += bytes.Count(o.src[o.counted:at], []byte("\n"))
	o.counted = at
	return o.lines + 1
}

// lineBreak returns the length of the YAML line break at the start of src, 0 for none.
func lineBreak(src []byte) int {
	for _, one := range []string{"\r\n", "\n", "\r", "\u0085", "\u2028", "\u2029"} {
		if bytes.HasPrefix(src, []byte(one)) {
			return len(one)
		}
	}
	return 0
}
