package validate

import (
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// maxProps is the number of members of an object that a checker knows by name.
const maxProps = 64

// checkers holds a checker for each embedded schema, compiled when first needed.
var checkers = func() map[string]func() *checker {
	all := map[string]func() *checker{}
	for _, name := range schema.Names() {
		all[name] = sync.OnceValue(func() *checker { return newCompiler().at(name, "") })
	}
	return all
}()

// A compiler compiles embedded schemas to checkers. An unknown keyword accepts
// everything and is recorded as a fault; a test checks that there are none.
type compiler struct {
	roots  map[string]any           // schema name → its decoded text
	texts  map[string]*jsonedit.Doc // the same texts with the order of members
	made   map[string]*checker      // by schema name, "#" and pointer
	faults []string
}

func newCompiler() *compiler {
	return &compiler{roots: map[string]any{}, texts: map[string]*jsonedit.Doc{}, made: map[string]*checker{}}
}

// at compiles the part of a schema at pointer.
func (c *compiler) at(name, pointer string) *checker {
	key := name + "#" + pointer
	if made, ok := c.made[key]; ok {
		if made == nil {
			c.fault(name, pointer, "leads to itself")
		}
		return made
	}
	part, ok := resolve(c.root(name), pointer)
	if !ok {
		c.fault(name, pointer, "does not exist")
		return nil
	}
	if ref, ok := onlyRef(part); ok {
		c.made[key] = nil // for a schema that refers to itself
		c.made[key] = c.ref(name, pointer, ref)
		return c.made[key]
	}
	made := &checker{schema: name, pointer: pointer, length: anySize, members: anySize, elements: anySize}
	c.made[key] = made
	c.fill(made, part)
	return made
}

// root returns the decoded text of a schema, nil if there is none.
func (c *compiler) root(name string) any {
	root, ok := c.roots[name]
	if !ok {
		src, _ := schema.Source(name)
		text, err := jsonedit.Parse(src)
		if err != nil || jsonedit.Decode(src, &root) != nil {
			c.fault(name, "", "is no JSON")
		}
		c.roots[name], c.texts[name] = root, text
	}
	return root
}

func (c *compiler) fault(name, pointer, what string) {
	c.faults = append(c.faults, name+"#"+pointer+" "+what)
}

// annotation reports whether a keyword is an annotation without effect.
func annotation(keyword string) bool {
	switch keyword {
	case "$schema", "$id", "$comment", "$defs", "title", "description", "default", "examples",
		"deprecated", "readOnly", "writeOnly":
		return true
	}
	return false
}

// onlyRef returns the $ref of a schema that has no other keyword.
func onlyRef(part any) (ref any, ok bool) {
	object, _ := part.(map[string]any)
	for keyword := range object {
		if keyword != "$ref" && !annotation(keyword) {
			return nil, false
		}
	}
	ref, ok = object["$ref"]
	return ref, ok
}

// resolve returns the value at a JSON pointer in a decoded text.
func resolve(v any, pointer string) (any, bool) {
	if pointer == "" {
		return v, true
	}
	for _, token := range strings.Split(pointer[1:], "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		switch part := v.(type) {
		case map[string]any:
			inner, ok := part[token]
			if !ok {
				return nil, false
			}
			v = inner
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(part) {
				return nil, false
			}
			v = part[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// fill compiles one schema into made.
func (c *compiler) fill(made *checker, part any) {
	if b, ok := part.(bool); ok {
		made.any, made.never = b, !b
		return
	}
	object, ok := part.(map[string]any)
	if !ok {
		c.fault(made.schema, made.pointer, "is no schema")
		return
	}
	made.says = object
	for keyword, v := range object {
		if !annotation(keyword) && !c.inner(made, keyword, v) && !made.limit(keyword, v) {
			c.fault(made.schema, made.pointer+"/"+keyword, "is not understood")
		}
	}
	made.require(object["required"])
	made.general = made.enum != nil || made.constant != nil || made.allOf != nil || made.anyOf != nil || made.oneOf != nil || made.not != nil || made.when != nil
	made.further = made.asks()
	made.unescaped = made.length.min > 1 || made.length.max >= 0 || made.pattern != nil || made.time
	if len(made.props) > maxProps {
		c.fault(made.schema, made.pointer, "names too many members")
	}
}

// asks returns the kinds for which a checker has further conditions.
func (made *checker) asks() (kinds uint8) {
	if made.general {
		return ^uint8(0)
	}
	if made.length != anySize || made.pattern != nil || made.time {
		kinds |= kindBit(jsonedit.String)
	}
	if made.limits != nil {
		kinds |= kindBit(jsonedit.Number)
	}
	if made.members != anySize || made.props != nil || made.patterns != nil || made.rest != nil || made.closed {
		kinds |= kindBit(jsonedit.Object)
	}
	if made.elements != anySize || made.unique || made.items != nil || made.prefix != nil {
		kinds |= kindBit(jsonedit.Array)
	}
	return kinds
}

// inner compiles a keyword that contains schemas. It returns false for other keywords.
func (c *compiler) inner(made *checker, keyword string, v any) bool {
	switch keyword {
	case "$ref":
		made.allOf = append(made.allOf, c.ref(made.schema, made.pointer, v))
	case "allOf":
		made.allOf = append(made.allOf, c.list(made, keyword, v)...)
	case "anyOf":
		made.anyOf = c.list(made, keyword, v)
	case "oneOf":
		made.oneOf = c.list(made, keyword, v)
	case "not":
		made.not = c.below(made, keyword)
	case "if":
		made.when = c.below(made, keyword)
	case "then":
		made.then = c.below(made, keyword)
	case "else":
		made.other = c.below(made, keyword)
	case "properties":
		c.properties(made)
	case "patternProperties":
		return c.patternProperties(made, v)
	case "additionalProperties":
		made.closed = v == false
		if !made.closed {
			made.rest = c.below(made, keyword)
		}
	case "items":
		made.items = c.below(made, keyword)
	case "prefixItems":
		made.prefix = c.list(made, keyword, v)
	default:
		return false
	}
	return true
}

// below compiles a schema inside the one of made.
func (c *compiler) below(made *checker, keyword string, more ...string) *checker {
	p := made.pointer + "/" + keyword
	for _, token := range more {
		p += "/" + strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
	}
	return c.at(made.schema, p)
}

func (c *compiler) list(made *checker, keyword string, v any) (out []*checker) {
	branches, _ := v.([]any)
	for i := range branches {
		out = append(out, c.below(made, keyword, strconv.Itoa(i)))
	}
	if len(out) == 0 {
		c.fault(made.schema, made.pointer+"/"+keyword, "is no list of schemas")
	}
	return out
}

// properties compiles the members in the order of the schema, which most documents
// follow.
func (c *compiler) properties(made *checker) {
	text := c.texts[made.schema]
	made.byName = map[string]int{}
	for m := range text.Children(text.Find(made.pointer + "/properties")) {
		name := text.Key(m)
		if strings.Contains(name, `\`) { // it would be found in an escape
			c.fault(made.schema, made.pointer, "names a member with a backslash")
		}
		made.byName[name] = len(made.props)
		made.props = append(made.props, property{name, c.below(made, "properties", name)})
	}
}

func (c *compiler) patternProperties(made *checker, v any) bool {
	members, ok := v.(map[string]any)
	for pattern := range members {
		_, name, err := compilePattern(pattern)
		if err != nil {
			return false
		}
		made.patterns = append(made.patterns, patternProperty{name, c.below(made, "patternProperties", pattern)})
	}
	return ok
}

// require sets the bits of the required members.
func (made *checker) require(v any) {
	names, _ := v.([]any)
	for _, n := range names {
		name, _ := n.(string)
		i, known := made.byName[name]
		if !known {
			if made.byName == nil {
				made.byName = map[string]int{}
			}
			i = len(made.props)
			made.byName[name] = i
			made.props = append(made.props, property{name: name})
		}
		made.required |= 1 << i
	}
}

// ref returns the checker that a $ref refers to, in this schema or another.
func (c *compiler) ref(name, pointer string, v any) *checker {
	text, _ := v.(string)
	file, fragment, _ := strings.Cut(text, "#")
	to := name
	if file != "" {
		to = strings.TrimSuffix(path.Base(file), ".schema.json")
	}
	fragment, err := url.PathUnescape(fragment)
	if err != nil || text == "" || fragment != "" && fragment[0] != '/' {
		c.fault(name, pointer+"/$ref", "is not understood")
		return nil
	}
	return c.at(to, fragment)
}
