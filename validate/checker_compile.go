package validate

import (
	"math"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// maxProps is how many members of an object a checker knows by name.
const maxProps = 64

// A compiler makes checkers from embedded schemas. What it does not understand
// becomes a checker that is never sure, which costs time and nothing else.
type compiler struct {
	roots map[string]any           // schema name → its decoded text
	texts map[string]*jsonedit.Doc // the same as text, which knows the order of members
	made  map[string]*checker      // by schema name, "#" and pointer
}

// newChecker makes the checker of an embedded schema.
func newChecker(name string) *checker {
	c := &compiler{roots: map[string]any{}, texts: map[string]*jsonedit.Doc{}, made: map[string]*checker{}}
	return c.at(name, "")
}

var neverSure = &checker{unsure: true, minLength: -1, maxLength: -1, low: math.Inf(-1), high: math.Inf(1), maxItems: -1, maxProps: -1}

// at makes the checker for the part of a schema that pointer names.
func (c *compiler) at(name, pointer string) *checker {
	key := name + "#" + pointer
	if made, ok := c.made[key]; ok {
		return made
	}
	root, ok := c.roots[name]
	if !ok {
		src, found := schema.Source(name)
		text, err := jsonedit.Parse(src)
		if !found || err != nil || jsonedit.Decode(src, &root) != nil {
			return neverSure
		}
		c.roots[name], c.texts[name] = root, text
	}
	part, ok := resolve(root, pointer)
	if !ok {
		return neverSure
	}
	if ref, ok := onlyRef(part); ok {
		c.made[key] = neverSure // for one that leads to itself
		c.made[key] = c.ref(name, ref)
		return c.made[key]
	}
	made := &checker{minLength: -1, maxLength: -1, low: math.Inf(-1), high: math.Inf(1), maxItems: -1, maxProps: -1}
	c.made[key] = made
	c.fill(made, name, pointer, part)
	return made
}

// annotation says whether a keyword admits everything.
func annotation(keyword string) bool {
	switch keyword {
	case "$schema", "$id", "$comment", "$defs", "title", "description", "default", "examples",
		"deprecated", "readOnly", "writeOnly":
		return true
	}
	return false
}

// onlyRef is the $ref of a schema that says nothing else.
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

// resolve follows a JSON pointer through a decoded text.
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
func (c *compiler) fill(made *checker, name, pointer string, part any) {
	if b, ok := part.(bool); ok {
		made.any, made.never = b, !b
		return
	}
	object, ok := part.(map[string]any)
	if !ok {
		made.unsure = true
		return
	}
	below := func(keyword string, more ...string) *checker {
		p := pointer + "/" + keyword
		for _, token := range more {
			p += "/" + strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
		}
		return c.at(name, p)
	}
	list := func(keyword string, v any) (out []*checker) {
		branches, _ := v.([]any)
		for i := range branches {
			out = append(out, below(keyword, strconv.Itoa(i)))
		}
		made.unsure = made.unsure || len(out) == 0
		return out
	}
	for keyword, v := range object {
		switch keyword {
		case "$ref":
			made.allOf = append(made.allOf, c.ref(name, v))
		case "allOf":
			made.allOf = append(made.allOf, list(keyword, v)...)
		case "anyOf":
			made.anyOf = list(keyword, v)
		case "oneOf":
			made.oneOf = list(keyword, v)
		case "not":
			made.not = below(keyword)
		case "if":
			made.when = below(keyword)
		case "then":
			made.then = below(keyword)
		case "else":
			made.other = below(keyword)
		case "properties":
			c.properties(made, name, pointer, below)
		case "patternProperties":
			c.patternProperties(made, v, below)
		case "required": // after properties
		case "additionalProperties":
			made.rest = below(keyword)
		case "items":
			made.items = below(keyword)
		case "prefixItems":
			made.prefix = list(keyword, v)
		default:
			if !annotation(keyword) {
				made.limit(keyword, v)
			}
		}
	}
	made.require(object["required"])
	_, low := object["exclusiveMinimum"]
	_, high := object["exclusiveMaximum"]
	made.lowOpen, made.highOpen = low, high
	if low && object["minimum"] != nil || high && object["maximum"] != nil {
		made.unsure = true
	}
	made.unsure = made.unsure || len(made.props) > maxProps
}

// properties takes the members over in the order of the text, in which
// documents mostly have them.
func (c *compiler) properties(made *checker, name, pointer string, below func(string, ...string) *checker) {
	text := c.texts[name]
	made.byName = map[string]int{}
	for m := range text.Children(text.Find(pointer + "/properties")) {
		name := text.Key(m)
		made.byName[name] = len(made.props)
		made.props = append(made.props, property{name, below("properties", name)})
	}
}

func (c *compiler) patternProperties(made *checker, v any, below func(string, ...string) *checker) {
	members, ok := v.(map[string]any)
	if !ok {
		made.unsure = true
		return
	}
	for pattern := range members {
		name, err := regexp.Compile(pattern)
		if err != nil {
			made.unsure, made.patterns = true, []patternProperty{{regexp.MustCompile(""), neverSure}}
			return
		}
		made.patterns = append(made.patterns, patternProperty{name, below("patternProperties", pattern)})
	}
}

// require sets the bits of the members that must be there.
func (made *checker) require(v any) {
	names, _ := v.([]any)
	for _, n := range names {
		name, ok := n.(string)
		if !ok {
			made.unsure = true
			continue
		}
		i, known := made.byName[name]
		if !known {
			if made.byName == nil {
				made.byName = map[string]int{}
			}
			i = len(made.props)
			made.byName[name] = i
			// Nothing in properties is said of it, but
			// additionalProperties and patterns may.
			value := made.rest
			made.unsure = made.unsure || made.patterns != nil
			made.props = append(made.props, property{name, value})
		}
		made.required |= 1 << i
	}
}

// ref is the checker that a $ref leads to, in this schema or another.
func (c *compiler) ref(name string, v any) *checker {
	text, _ := v.(string)
	file, fragment, _ := strings.Cut(text, "#")
	if file != "" {
		name = strings.TrimSuffix(path.Base(file), ".schema.json")
	}
	fragment, err := url.PathUnescape(fragment)
	if err != nil || text == "" || fragment != "" && fragment[0] != '/' {
		return neverSure
	}
	return c.at(name, fragment)
}

// limit takes over a keyword that says something about one kind of value.
func (made *checker) limit(keyword string, v any) {
	n, isNumber := v.(float64)
	s, _ := v.(string)
	ok := true
	switch keyword {
	case "type":
		ok = made.limitType(v)
	case "enum":
		values, _ := v.([]any)
		for _, value := range values {
			ok = made.admit(value) && ok
		}
	case "const":
		ok = made.admit(v)
	case "format":
		made.format = s
	case "pattern":
		var err error
		made.walk, made.slow, err = compilePattern(s)
		ok = err == nil
	case "uniqueItems":
		made.unique = v == true
	case "minimum", "exclusiveMinimum":
		made.low, ok = max(made.low, n), isNumber
	case "maximum", "exclusiveMaximum":
		made.high, ok = min(made.high, n), isNumber
	case "minLength":
		made.minLength, ok = int(n), isNumber
	case "maxLength":
		made.maxLength, ok = int(n), isNumber
	case "minItems":
		made.minItems, ok = int(n), isNumber
	case "maxItems":
		made.maxItems, ok = int(n), isNumber
	case "minProperties":
		made.minProps, ok = int(n), isNumber
	case "maxProperties":
		made.maxProps, ok = int(n), isNumber
	default:
		ok = false
	}
	made.unsure = made.unsure || !ok
}

func (made *checker) limitType(v any) bool {
	names, isList := v.([]any)
	if !isList {
		names = []any{v}
	}
	kinds := map[string]jsonedit.Kind{
		"null": jsonedit.Null, "boolean": jsonedit.True, "number": jsonedit.Number, "integer": jsonedit.Number,
		"string": jsonedit.String, "array": jsonedit.Array, "object": jsonedit.Object,
	}
	number, integer := false, false
	for _, n := range names {
		name, _ := n.(string)
		kind, ok := kinds[name]
		if !ok {
			return false
		}
		number, integer = number || name == "number", integer || name == "integer"
		made.kinds |= kindBit(kind)
	}
	made.whole = integer && !number
	return true
}

// admit adds a value to those of enum or const.
func (made *checker) admit(v any) bool {
	switch v.(type) {
	case nil, bool, string, float64:
	default:
		return false
	}
	text, err := jsonedit.Value(v)
	made.consts = append(made.consts, text)
	return err == nil
}
