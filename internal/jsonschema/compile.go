package jsonschema

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// Of returns the embedded schema of that name; nil if there is none.
func Of(name string) *Schema {
	compile, ok := embedded[name]
	if !ok {
		return nil
	}
	return compile()
}

// embedded compiles each schema when it is first needed.
var embedded = func() map[string]func() *Schema {
	all := map[string]func() *Schema{}
	for _, name := range schema.Names() {
		all[name] = sync.OnceValue(func() *Schema { return newCompiler(schema.Source).root(name) })
	}
	return all
}()

// A compiler makes schemas. What it does not understand is a fault, of which no embedded
// schema has one, and admits every value.
type compiler struct {
	source func(name string) ([]byte, bool)
	texts  map[string]*jsonedit.Doc
	made   map[string]*Schema // by the schema's name, "#" and pointer
	faults []string
}

func newCompiler(source func(name string) ([]byte, bool)) *compiler {
	return &compiler{source: source, texts: map[string]*jsonedit.Doc{}, made: map[string]*Schema{}}
}

func (c *compiler) fault(at, format string, args ...any) {
	c.faults = append(c.faults, at+" "+fmt.Sprintf(format, args...))
}

// root compiles a whole schema.
func (c *compiler) root(name string) *Schema { return c.at(name, "") }

// text is the text of a schema, nil if there is none.
func (c *compiler) text(name string) *jsonedit.Doc {
	if text, ok := c.texts[name]; ok {
		return text
	}
	src, _ := c.source(name)
	text, err := jsonedit.Parse(src)
	if err != nil {
		text = nil
	}
	c.texts[name] = text
	return text
}

// at compiles the part of a schema that pointer leads to.
func (c *compiler) at(name, pointer string) *Schema {
	at := name + "#" + pointer
	if made, ok := c.made[at]; ok {
		return made
	}
	text, node := c.text(name), -1
	if text != nil {
		node = text.Find(pointer)
	}
	if node < 0 || text.Nodes[node].Kind != jsonedit.Object {
		c.fault(at, "is no schema")
		return nil
	}
	if ref := text.Member(node, "$ref"); ref >= 0 {
		c.made[at] = nil // for one that leads to itself
		c.made[at] = c.ref(name, text, node, ref)
		return c.made[at]
	}
	s := &Schema{name: name, pointer: pointer, byName: map[string]int{}}
	c.made[at] = s
	if err := jsonedit.Decode(text.Raw(node), &s.keywords); err != nil {
		c.fault(at, "%v", err)
	}
	c.properties(s, text, text.Member(node, "properties")) // others name them
	for keyword, value := range s.keywords {
		if !c.keyword(s, keyword, value) {
			c.fault(at, "%s is not understood", keyword)
		}
	}
	return s
}

// annotation reports whether a keyword says nothing about values.
func annotation(keyword string) bool {
	switch keyword {
	case "$schema", "$id", "$comment", "$defs", "title", "description", "default", "examples", "deprecated":
		return true
	}
	return false
}

// ref compiles the schema that a $ref leads to, in this text or another. A schema with one
// says nothing else.
func (c *compiler) ref(name string, text *jsonedit.Doc, node, ref int) *Schema {
	for m := range text.Children(node) {
		if keyword := text.Key(m); m != ref && !annotation(keyword) {
			c.fault(name, "%s beside $ref is not understood", keyword)
		}
	}
	to, ok := text.Str(ref)
	if !ok {
		c.fault(name, "$ref is no text")
	}
	file, pointer, _ := strings.Cut(to, "#")
	if file != "" {
		name = strings.TrimSuffix(path.Base(file), ".schema.json")
	}
	return c.at(name, pointer)
}

// properties compiles the members that a schema names, in the order of its text.
func (c *compiler) properties(s *Schema, text *jsonedit.Doc, node int) {
	if node < 0 {
		return
	}
	for m := range text.Children(node) {
		s.byName[text.Key(m)] = len(s.members)
		s.members = append(s.members, member{text.Key(m), c.at(s.name, text.Pointer(m))})
	}
	if len(s.members) > 64 {
		c.fault(s.name+"#"+s.pointer, "names more than 64 members")
	}
}

// keyword takes a keyword over; false where it or its value is not understood.
func (c *compiler) keyword(s *Schema, keyword string, value any) (ok bool) {
	switch keyword {
	case "properties":
		return len(s.members) > 0
	case "type":
		return s.takeTypes(value)
	case "required":
		s.required, ok = s.bits(value)
	case "anyOf":
		s.anyOf, ok = s.alternatives(value)
	case "items":
		s.items, ok = c.at(s.name, s.pointer+"/items"), true
	case "additionalProperties":
		s.rest, ok = c.at(s.name, s.pointer+"/additionalProperties"), true
	case "minimum":
		s.minimum, ok = number(value)
	case "maximum":
		s.maximum, ok = number(value)
	case "minLength":
		s.filled, ok = true, value == 1.0
	case "pattern":
		s.pattern, ok = value.(string)
		ok = ok && (s.pattern == idPattern || s.pattern == sumPattern)
	case "format":
		s.time, ok = true, value == "date-time"
	case "enum":
		s.words, ok = texts(value)
	case "const":
		s.words, ok = texts([]any{value})
	default:
		return annotation(keyword)
	}
	return ok
}

func (s *Schema) takeTypes(value any) bool {
	if _, one := value.(string); one {
		value = []any{value}
	}
	names, ok := texts(value)
	for _, name := range names {
		kind, known := map[string]jsonedit.Kind{
			"null": jsonedit.Null, "boolean": jsonedit.True, "number": jsonedit.Number, "integer": jsonedit.Number,
			"string": jsonedit.String, "array": jsonedit.Array, "object": jsonedit.Object,
		}[name]
		ok = ok && known
		s.types |= typeBit(kind)
	}
	s.whole = slices.Contains(names, "integer") && !slices.Contains(names, "number")
	return ok
}

// bits returns those of the members that a list names; false where it names others.
func (s *Schema) bits(list any) (bits uint64, ok bool) {
	names, ok := texts(list)
	for _, name := range names {
		at, known := s.byName[name]
		ok = ok && known
		bits |= 1 << at
	}
	return bits, ok
}

// alternatives returns the members that each schema of a list requires; false where one
// says anything else.
func (s *Schema) alternatives(list any) (all []uint64, ok bool) {
	branches, ok := list.([]any)
	for _, branch := range branches {
		says, _ := branch.(map[string]any)
		bits, required := s.bits(says["required"])
		ok = ok && required && len(says) == 1
		all = append(all, bits)
	}
	return all, ok && len(all) > 0
}

// texts returns the texts of a list; false where there is none, or something else.
func texts(list any) (texts []string, ok bool) {
	values, _ := list.([]any)
	for _, v := range values {
		text, is := v.(string)
		if !is {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, len(texts) > 0
}

func number(value any) (text []byte, ok bool) {
	n, ok := value.(float64)
	return strconv.AppendFloat(nil, n, 'f', -1, 64), ok
}
