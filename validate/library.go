package validate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A judgement is what is known of an embedded schema; each part is made when it
// is first needed.
type judgement struct {
	checker func() *checker
	library func() (*jsonschema.Schema, error)
	text    func() any // decoded, to say what was expected
}

// judgements holds one for every embedded schema.
var judgements = func() map[string]judgement {
	all := map[string]judgement{}
	for _, name := range schema.Names() {
		all[name] = judgement{
			checker: sync.OnceValue(func() *checker { return newChecker(name) }),
			library: sync.OnceValues(func() (*jsonschema.Schema, error) { return compileSchema(name) }),
			text: sync.OnceValue(func() any {
				var v any
				src, _ := schema.Source(name)
				_ = jsonedit.Decode(src, &v)
				return v
			}),
		}
	}
	return all
}()

// schemaURL is under which the library knows an embedded schema. It is never
// fetched: the loader serves embedded schemas and nothing else.
func schemaURL(name string) string {
	return "forgemind:///schema/" + name + ".schema.json"
}

func compileSchema(name string) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft2020
	c.AssertFormat = true
	c.Formats["date-time"] = func(v any) bool {
		s, ok := v.(string)
		if !ok {
			return true
		}
		_, err := schema.ParseTime(s)
		return err == nil
	}
	c.LoadURL = func(at string) (io.ReadCloser, error) {
		src, ok := schema.Source(strings.TrimSuffix(path.Base(at), ".schema.json"))
		if !ok {
			return nil, fmt.Errorf("no embedded schema is called %q", at)
		}
		return io.NopCloser(bytes.NewReader(src)), nil
	}
	return c.Compile(schemaURL(name))
}

// A breach is one keyword of a schema that a document does not meet.
type breach struct {
	pointer string // of the value
	keyword string
	where   string // pointer of the keyword in its schema
	schema  string // the name of that schema
	text    string // the library's own words
}

// breaches asks the library what of a schema a document does not meet. nil means
// that it meets all of it.
func breaches(name string, d *jsonedit.Doc) (out []breach, err error) {
	j, ok := judgements[name]
	if !ok {
		return nil, fmt.Errorf("no embedded schema is called %q", name)
	}
	s, err := j.library()
	if err != nil {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("schema %s: the schema library gave up: %v", name, r)
		}
	}()
	part, whole := shownTo(d, j.checker())
	if err = s.Validate(part); err == nil && !whole {
		err = s.Validate(decoded(d, 0))
	}
	if err == nil {
		return nil, nil
	}
	var fault *jsonschema.ValidationError
	if !errors.As(err, &fault) {
		return nil, fmt.Errorf("schema %s: %w", name, err)
	}
	return leaves(nil, fault), nil
}

// shownTo is what the library is shown of a document, and whether that is all
// that it could refuse.
func shownTo(d *jsonedit.Doc, c *checker) (part any, whole bool) {
	if len(d.Nodes) <= manyValues {
		return decoded(d, 0), true
	}
	p := &pruner{doc: d, refused: maxShown, doubted: maxShown}
	part = p.value(c, 0)
	return part, !p.leftOut
}

// leaves flattens an error to the keywords that were not met. Of a choice the
// branch counts that was meant, if that can be told; else the choice itself.
func leaves(out []breach, e *jsonschema.ValidationError) []breach {
	keyword := path.Base(e.KeywordLocation)
	if keyword == "anyOf" || keyword == "oneOf" {
		if meant := branchMeant(e); meant != nil {
			return leaves(out, meant)
		}
		return append(out, newBreach(e, keyword))
	}
	if len(e.Causes) == 0 {
		return append(out, newBreach(e, keyword))
	}
	for _, cause := range e.Causes {
		out = leaves(out, cause)
	}
	return out
}

// branchMeant is the only branch of a choice whose type the value has.
func branchMeant(e *jsonschema.ValidationError) *jsonschema.ValidationError {
	var meant *jsonschema.ValidationError
	for _, branch := range e.Causes {
		wrongKind := false
		for _, b := range leaves(nil, branch) {
			at := b.pointer == newBreach(e, "").pointer
			wrongKind = wrongKind || at && (b.keyword == "type" || b.keyword == "const" || b.keyword == "enum")
		}
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

func newBreach(e *jsonschema.ValidationError, keyword string) breach {
	pointer, err := url.PathUnescape(e.InstanceLocation)
	if err != nil {
		pointer = e.InstanceLocation
	}
	file, where, _ := strings.Cut(e.AbsoluteKeywordLocation, "#")
	if where, err = url.PathUnescape(where); err != nil {
		where = ""
	}
	return breach{
		pointer: pointer, keyword: keyword, where: where, text: e.Message,
		schema: strings.TrimSuffix(path.Base(file), ".schema.json"),
	}
}

// decoded is a value as the library takes it. Of members with one name the
// first counts, as everywhere.
func decoded(d *jsonedit.Doc, i int) any {
	switch d.Nodes[i].Kind {
	case jsonedit.Object:
		out := make(map[string]any, d.Nodes[i].Len)
		for c := range d.Children(i) {
			if _, ok := out[d.Key(c)]; !ok {
				out[d.Key(c)] = decoded(d, c)
			}
		}
		return out
	case jsonedit.Array:
		out := make([]any, 0, d.Nodes[i].Len)
		for c := range d.Children(i) {
			out = append(out, decoded(d, c))
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
