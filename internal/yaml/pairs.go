package yaml

import (
	"bytes"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// A Kind is what a value is.
type Kind uint8

// The kinds. A list, a mapping, a reference and whatever else is no plain value
// is Other.
const (
	Other Kind = iota
	Null
	Bool
	Number
	Text
)

// A Pair is a name and its value at the top level of a text.
type Pair struct {
	Key      string // "" where it is no plain value
	Kind     Kind
	Value    string // as it stands, without its quotes; "" of Other
	KeyAt    int    // offset in bytes at which the key begins
	At       int    // offset in bytes at which the value begins; that of nothing is behind the colon
	End      int    // offset behind the value; 0 of one that is not plain, on one line, which Set does not edit
	Line     int    // of the key, from 1
	Column   int    // of the key, from 1, in characters
	quote    byte   // ' or ", 0 for none
	indented bool   // the mapping does not begin at the margin
	braces   bool   // the mapping is written in braces
}

// Pairs are the names and values of the one mapping src, in their order; a name
// that is there twice comes twice. An empty text has none. The error, of type
// *Error, says where src is no YAML, or no mapping.
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
		return nil, &Error{Line: at.line(at.of(mapping)), Column: mapping.Column, Msg: "names with values are expected, such as name: value"}
	}
	var list []Pair
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key, value := mapping.Content[i], mapping.Content[i+1]
		p := Pair{KeyAt: at.of(key), Column: key.Column, indented: mapping.Column > 1, braces: mapping.Style&yaml.FlowStyle != 0}
		p.Line = at.line(p.KeyAt)
		if key.Kind == yaml.ScalarNode {
			p.Key = key.Value
		}
		p.At = at.of(value)
		p.read(src, value)
		list = append(list, p)
	}
	return list, nil
}

// read is what a value is, and where it ends.
func (p *Pair) read(src []byte, value *yaml.Node) {
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
	default: // over several lines
		return
	}
	p.End = quotedEnd(src, p.At)
}

// quotedEnd is where the quoted text at offset at ends; 0 where it does not, on
// its line.
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

// Quoted says whether there are quotes around the value.
func (p Pair) Quoted() bool { return p.quote != 0 }

// offsets turns the library's marks into offsets; growing ones cost one pass
// over the text together.
type offsets struct {
	src       []byte
	at        int
	row       int // breaks before at, as the library counts them
	lines, to int // line feeds before to
}

// of is the offset at which a node begins.
func (o *offsets) of(n *yaml.Node) int {
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
		at = len("\uFEFF") // it has no column
	}
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(o.src[at:])
		at += size
	}
	return min(at, len(o.src))
}

// line is the line of an offset as editors count: by line feeds.
func (o *offsets) line(at int) int {
	if at < o.to {
		o.lines, o.to = 0, 0
	}
	o.lines += bytes.Count(o.src[o.to:at], []byte("\n"))
	o.to = at
	return o.lines + 1
}

// lineBreak is the length of the line break that src begins with, as YAML has
// them; 0 for none.
func lineBreak(src []byte) int {
	for _, one := range []string{"\r\n", "\n", "\r", "\u0085", "\u2028", "\u2029"} {
		if bytes.HasPrefix(src, []byte(one)) {
			return len(one)
		}
	}
	return 0
}
