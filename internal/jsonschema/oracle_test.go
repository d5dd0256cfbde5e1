package jsonschema

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// An oracle is the library: what it says of a document, schemas have to say.
type oracle struct{ schema *jsonschema.Schema }

// askable says whether the library can be asked about a document: it computes with
// numbers whatever they cost, and takes a member without a name for its object.
func askable(d *jsonedit.Doc) bool {
	for i, n := range d.Nodes {
		if n.KeyEnd > 0 && d.Key(i) == "" {
			return false
		}
	}
	return len(d.Src) <= 1<<20 && !slices.ContainsFunc(d.Nodes, func(n jsonedit.Node) bool {
		exponent := strings.IndexAny(string(d.Src[n.Start:n.End]), "eE")
		return n.Kind == jsonedit.Number && exponent >= 0 && int(n.End-n.Start)-exponent > 4
	})
}

// An unmet is a breach as both can tell it.
type unmet struct{ pointer, keyword string }

// oracleOf is the oracle for an embedded schema.
func oracleOf(t testing.TB, name string) oracle {
	t.Helper()
	return newOracle(t, name, schema.Source)
}

// newOracle compiles a schema. Nothing is fetched: the loader serves the texts of
// source and nothing else.
func newOracle(t testing.TB, name string, source func(string) ([]byte, bool)) oracle {
	t.Helper()
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
		src, ok := source(strings.TrimSuffix(path.Base(at), ".schema.json"))
		if !ok {
			return nil, fmt.Errorf("no embedded schema is called %q", at)
		}
		return io.NopCloser(bytes.NewReader(src)), nil
	}
	s, err := c.Compile("forgemind:///schema/" + name + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return oracle{s}
}

// breaches is what the library says, sorted.
func (o oracle) breaches(d *jsonedit.Doc) []unmet {
	err := o.schema.Validate(decoded(d, 0))
	var fault *jsonschema.ValidationError
	if err == nil {
		return nil
	}
	if !errors.As(err, &fault) {
		panic(err)
	}
	return inOrder(leaves(nil, fault))
}

// tell returns what a schema says, sorted likewise.
func tell(of *Schema, d *jsonedit.Doc) (out []unmet, more int) {
	list, more := of.Breaches(d, 0)
	for _, b := range list {
		out = append(out, unmet{d.Pointer(b.Node), b.Keyword})
	}
	return inOrder(out), more
}

func inOrder(list []unmet) []unmet {
	slices.SortFunc(list, func(a, b unmet) int {
		return cmp.Or(cmp.Compare(a.pointer, b.pointer), cmp.Compare(a.keyword, b.keyword))
	})
	return list
}

// leaves flattens an error to the keywords that were not met; a choice is one.
func leaves(out []unmet, e *jsonschema.ValidationError) []unmet {
	if keyword := path.Base(e.KeywordLocation); len(e.Causes) == 0 || keyword == "anyOf" {
		return append(out, newUnmet(e, keyword))
	}
	for _, cause := range e.Causes {
		out = leaves(out, cause)
	}
	return out
}

func newUnmet(e *jsonschema.ValidationError, keyword string) unmet {
	pointer, err := url.PathUnescape(e.InstanceLocation)
	if err != nil {
		panic(err)
	}
	return unmet{pointer, keyword}
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
