package mcp

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A kind is the type of a member of a tool's input.
type kind string

const (
	text  kind = "string"
	whole kind = "integer"
	yes   kind = "boolean"
	texts kind = "array" // of strings
)

// A member describes a member of a tool's input. The schema for clients and the check of inputs are
// both derived from it.
type member struct {
	name, about string
	kind        kind
	must        bool
	words       []string // allowed texts; nil allows any
	most        int      // largest number of characters of a text or of texts in a list, or largest number
	least       int      // smallest number
}

const (
	longText = 4000 // characters of a text that is recorded
	manyText = 20   // texts of a list
)

// schemaOf returns the JSON Schema of an input.
func schemaOf(members []member) []byte {
	var properties, required []string
	for _, m := range members {
		var b strings.Builder
		fmt.Fprintf(&b, `%q:{"type":%q,"description":%q`, m.name, m.kind, m.about)
		switch {
		case m.words != nil:
			b.WriteString(`,"enum":["` + strings.Join(m.words, `","`) + `"]`)
		case m.kind == text:
			if m.must {
				b.WriteString(`,"minLength":1`)
			}
			fmt.Fprintf(&b, `,"maxLength":%d`, m.most)
		case m.kind == whole:
			fmt.Fprintf(&b, `,"minimum":%d,"maximum":%d`, m.least, m.most)
		case m.kind == texts:
			fmt.Fprintf(&b, `,"items":{"type":"string"},"maxItems":%d`, m.most)
		}
		properties = append(properties, b.String()+"}")
		if m.must {
			required = append(required, fmt.Sprintf("%q", m.name))
		}
	}
	schema := `{"type":"object","properties":{` + strings.Join(properties, ",") + `}`
	if required != nil {
		schema += `,"required":[` + strings.Join(required, ",") + `]`
	}
	return []byte(schema + `,"additionalProperties":false}`)
}

// A misuseError reports that the input of a call does not match the tool's schema.
type misuseError struct{ msg string }

func (e *misuseError) Error() string { return e.msg }

func misused(format string, args ...any) error { return &misuseError{fmt.Sprintf(format, args...)} }

// A given holds the members of a call's input: a string, an int, a bool or a []string by name.
// Members that are null or an empty text are left out.
type given map[string]any

func (g given) text(name string) string {
	value, _ := g[name].(string)
	return value
}

func (g given) texts(name string) []string {
	value, _ := g[name].([]string)
	return value
}

func (g given) yes(name string) bool {
	value, _ := g[name].(bool)
	return value
}

func (g given) number(name string, otherwise int) int {
	if value, ok := g[name].(int); ok {
		return value
	}
	return otherwise
}

// read decodes and checks the input of a call.
func read(members []member, src []byte) (given, error) {
	in := given{}
	if len(src) == 0 {
		src = []byte("{}")
	}
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, misused("the arguments are no JSON: %s", clip(err.Error(), 300))
	}
	if doc.Nodes[0].Kind == jsonedit.Null {
		src = []byte("{}")
		if doc, err = jsonedit.Parse(src); err != nil {
			return nil, err
		}
	}
	if doc.Nodes[0].Kind != jsonedit.Object {
		return nil, misused("the arguments are an object, not %s", doc.Nodes[0].Kind)
	}
	if len(doc.Duplicates) > 0 {
		return nil, misused("%s appears twice", quoted(doc.Key(doc.Duplicates[0])))
	}
	var names []string
	for _, m := range members {
		names = append(names, m.name)
	}
	for i := range doc.Children(0) {
		at := slices.Index(names, doc.Key(i))
		if at < 0 {
			otherwise := "it takes " + strings.Join(names, ", ")
			if len(names) == 0 {
				otherwise = "it takes nothing"
			}
			return nil, misused("there is no %s; %s", quoted(doc.Key(i)), didYouMean(doc.Key(i), names, otherwise))
		}
		if doc.Nodes[i].Kind == jsonedit.Null {
			continue
		}
		value, err := members[at].value(doc, i)
		if err != nil {
			return nil, err
		}
		if value != "" {
			in[names[at]] = value
		}
	}
	for _, m := range members {
		if _, there := in[m.name]; m.must && !there {
			return nil, misused("%s is missing, or is empty: %s", m.name, m.about)
		}
	}
	return in, nil
}

// value returns the value of node i in the type of m.
func (m member) value(doc *jsonedit.Doc, i int) (any, error) {
	wrong := func(must string) error {
		return misused("%s must be %s, not %s", m.name, must, clip(string(doc.Raw(i)), 60))
	}
	switch m.kind {
	case whole:
		n, ok := doc.Int(i)
		if !ok || n < int64(m.least) || n > int64(m.most) {
			return nil, wrong(fmt.Sprintf("a whole number from %d to %d", m.least, m.most))
		}
		return int(n), nil
	case yes:
		switch string(doc.Raw(i)) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
		return nil, wrong("true or false")
	case texts:
		if doc.Nodes[i].Kind != jsonedit.Array {
			return nil, wrong("a list of texts")
		}
		var all []string
		for child := range doc.Children(i) {
			one, ok := doc.Str(child)
			if one = strings.TrimSpace(one); !ok || utf8.RuneCountInString(one) > longText || len(all) == m.most {
				return nil, wrong(fmt.Sprintf("a list of at most %d texts of %d characters", m.most, longText))
			}
			if one != "" {
				all = append(all, one)
			}
		}
		return all, nil
	}
	one, ok := doc.Str(i)
	if one = strings.TrimSpace(one); !ok {
		return nil, wrong("a text")
	}
	if one != "" && m.words != nil && !slices.Contains(m.words, one) {
		return nil, misused("%s is one of %s, not %s", m.name, strings.Join(m.words, ", "), quoted(one))
	}
	if n := utf8.RuneCountInString(one); m.words == nil && n > m.most {
		return nil, misused("%s may have %d characters, and this has %d: say it shorter", m.name, m.most, n)
	}
	return one, nil
}
