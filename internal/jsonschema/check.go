package jsonschema

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	library "github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Violation is a keyword of a schema that a value does not meet.
type Violation struct {
	Node    int      // the value
	Keyword string   // "" if the schema accepts nothing
	Value   any      // what the schema says; numbers are json.Number
	Further []string // members that additionalProperties forbids
	About   string   // the description of the schema with the keyword
	Where   string   // the file and the pointer of the keyword
	Message string   // of the library
}

// ErrTooMuch is the error for a check that was given up.
var ErrTooMuch = errors.New("the schema takes too many steps for this text")

// Check returns the violations of a parsed text, sorted. It gives up with ErrTooMuch.
func (s *Schema) Check(doc *jsonedit.Doc) (list []Violation, err error) {
	if len(doc.Src) > maxText {
		return nil, fmt.Errorf("a text of more than %d KiB is not checked", maxText>>10)
	}
	for i := range doc.Nodes {
		if doc.Nodes[i].Kind == jsonedit.Number && !isModest(doc, i) {
			return nil, nil // another finding
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	*s.steps = freeSteps + stepsPerValue*len(doc.Nodes)
	defer func() {
		switch wrong := recover(); {
		case wrong == nil:
		case wrong == any(ErrTooMuch):
			list, err = nil, ErrTooMuch
		default:
			list, err = nil, errors.New(reason(fmt.Errorf("%v", wrong)))
		}
	}()
	var fault *library.ValidationError
	if err := s.schema.Validate(decode(doc, 0)); err == nil {
		return nil, nil
	} else if !errors.As(err, &fault) {
		return nil, errors.New("the schema refers to itself without end: " + reason(err))
	}
	for _, leaf := range leaves(nil, fault) {
		list = append(list, s.violation(doc, leaf))
	}
	slices.SortFunc(list, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Where, b.Where))
	})
	return slices.CompactFunc(list, func(a, b Violation) bool { return a.Node == b.Node && a.Where == b.Where }), nil
}

// leaves returns the keywords that were not met. Of a choice it is the choice itself, if
// not one branch alone fits the kind of the value.
func leaves(out []*library.ValidationError, e *library.ValidationError) []*library.ValidationError {
	switch keyword := keywordOf(e); {
	case keyword == "anyOf" || keyword == "oneOf":
		if meant := branchMeant(e); meant != nil {
			return leaves(out, meant)
		}
		return append(out, e)
	case keyword == "minContains" || len(e.Causes) == 0:
		return append(out, e)
	}
	for _, cause := range e.Causes {
		out = leaves(out, cause)
	}
	return out
}

// branchMeant returns the only branch of a choice whose kind or constant the value has.
func branchMeant(e *library.ValidationError) (meant *library.ValidationError) {
	for _, branch := range e.Causes {
		wrongKind := slices.ContainsFunc(leaves(nil, branch), func(b *library.ValidationError) bool {
			return b.InstanceLocation == e.InstanceLocation && slices.Contains([]string{"type", "const", "enum"}, keywordOf(b))
		})
		if wrongKind {
			continue
		}
		if meant != nil {
			return nil
		}
		meant = branch
	}
	return meant
}

// keywordOf returns the keyword that an error is about.
func keywordOf(e *library.ValidationError) string {
	if e.Message == "not allowed" {
		return ""
	}
	parts := strings.Split(e.KeywordLocation, "/")
	for _, back := range []int{3, 2} { // dependentRequired/NAME/0, items/0
		if i := len(parts) - back; i >= 0 && (parts[i] == "dependentRequired" || parts[i] == "dependencies") {
			return parts[i]
		}
	}
	return parts[len(parts)-1]
}

// violation describes a leaf.
func (s *Schema) violation(doc *jsonedit.Doc, e *library.ValidationError) Violation {
	v := Violation{Node: max(doc.Find(pointerOf(e.InstanceLocation)), 0), Keyword: keywordOf(e), Message: reason(errors.New(e.Message))}
	address, pointer, _ := strings.Cut(e.AbsoluteKeywordLocation, "#")
	v.Where = strings.TrimPrefix(address, base) + "#" + pointerOf(pointer)
	if name, err := url.PathUnescape(v.Where); err == nil {
		v.Where = name
	}
	value, around := s.sources[address], any(nil)
	for token := range strings.SplitSeq(strings.TrimPrefix(pointerOf(pointer), "/"), "/") {
		around = value
		value = member(value, strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
	}
	v.Value = value
	if m, ok := around.(map[string]any); ok {
		v.About, _ = m["description"].(string)
		if v.Keyword == "additionalProperties" {
			v.Further = further(doc, v.Node, m)
		}
	}
	return v
}

// further returns the members of an object that a schema does not name.
func further(doc *jsonedit.Doc, node int, of map[string]any) (names []string) {
	properties, _ := of["properties"].(map[string]any)
	patterns, _ := of["patternProperties"].(map[string]any)
	for c := range doc.Children(node) {
		name := doc.Key(c)
		_, known := properties[name]
		for p := range patterns {
			matched, err := regexp.MatchString(p, name)
			known = known || matched && err == nil
		}
		if !known {
			names = append(names, name)
		}
	}
	return names
}

// member returns a member of an object or an element of a list, nil if there is none.
func member(value any, token string) any {
	switch v := value.(type) {
	case map[string]any:
		return v[token]
	case []any:
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(v) {
			return v[i]
		}
	}
	return nil
}

// isTime reports whether a value is no string, or a time by RFC 3339.
func isTime(value any) bool {
	s, ok := value.(string)
	if !ok {
		return true
	}
	_, err := schema.ParseTime(s)
	return err == nil
}

// decode returns a value as the library takes it. Of members with one name the first
// counts, as everywhere.
func decode(d *jsonedit.Doc, i int) any {
	switch d.Nodes[i].Kind {
	case jsonedit.Object:
		out := make(map[string]any, d.Nodes[i].Len)
		for c := range d.Children(i) {
			if _, ok := out[d.Key(c)]; !ok {
				out[d.Key(c)] = decode(d, c)
			}
		}
		return out
	case jsonedit.Array:
		out := make([]any, 0, d.Nodes[i].Len)
		for c := range d.Children(i) {
			out = append(out, decode(d, c))
		}
		return out
	case jsonedit.String:
		s, _ := d.Str(i)
		return s
	case jsonedit.Number:
		return json.Number(d.Raw(i))
	case jsonedit.True:
		return true
	case jsonedit.False:
		return false
	}
	return nil
}
