package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/forgemind/forgemind/schema"
)

// judge compiles a schema: formats are checked, times with ParseTime, and nothing is
// loaded from elsewhere.
func judge(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, ok := schema.Source(name)
	if !ok {
		t.Fatalf("there is no schema %q", name)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	c.Formats = map[string]func(any) bool{"date-time": func(v any) bool {
		s, ok := v.(string)
		if !ok {
			return true
		}
		_, err := schema.ParseTime(s)
		return err == nil
	}}
	c.LoadURL = func(url string) (io.ReadCloser, error) { return nil, fmt.Errorf("%s: not embedded", url) }
	id := "https://forgemind.dev/schemas/" + name + ".schema.json"
	if err := c.AddResource(id, bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile(id)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// tree decodes a JSON text for the checker.
func tree(t interface{ Fatalf(string, ...any) }, text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// source returns the decoded text of a schema.
func source(t *testing.T, name string) map[string]any {
	t.Helper()
	text, ok := schema.Source(name)
	if !ok {
		t.Fatalf("there is no schema %q", name)
	}
	return tree(t, text).(map[string]any)
}
