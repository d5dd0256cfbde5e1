package jsonschema

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// files is a project directory in memory.
type files map[string]string

func (f files) read(name string) ([]byte, error) {
	if src, ok := f[name]; ok {
		return []byte(src), nil
	}
	return nil, iofs.ErrNotExist
}

func TestCompileRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		files files
		want  string
	}{
		"missing":       {files{}, "s.json: file does not exist"},
		"torn":          {files{"s.json": "{\n  \"type\": "}, `s.json:2:11: expected a value`},
		"twice":         {files{"s.json": `{"type": "string", "type": "number"}`}, `s.json:1:20: member "type" appears twice`},
		"no schema":     {files{"s.json": `{"type": "text"}`}, "s.json: it is no JSON Schema: /type "},
		"number":        {files{"s.json": `{"multipleOf": 1e3000000}`}, "s.json:1:16: the number is too large"},
		"pattern":       {files{"s.json": `{"pattern": "("}`}, "s.json: it is no JSON Schema: /pattern "},
		"long pattern":  {files{"s.json": `{"pattern": "(a{30}){30}"}`}, "it compiles to 962 instructions"},
		"network":       {files{"s.json": `{"$ref": "https://example.com/x.json"}`}, `s.json: it refers to "https://example.com/x.json", which is no file of the project`},
		"disk":          {files{"s.json": `{"$ref": "file:///etc/passwd"}`}, `it refers to "file:///etc/passwd"`},
		"above":         {files{"s.json": `{"$ref": "../../etc/passwd"}`}, "etc/passwd: file does not exist"},
		"meta":          {files{"s.json": `{"$schema": "https://example.com/own-meta"}`}, `it refers to "https://example.com/own-meta"`},
		"id of the web": {files{"s.json": `{"$id": "https://example.com/s.json", "$ref": "t.json"}`, "t.json": `{}`}, `it refers to "https://example.com/t.json"`},
		"no pointer":    {files{"s.json": `{"$ref": "#/$defs/none"}`}, "#/$defs/none not found"},
		"without end":   {files{"s.json": `{"$ref": "#"}`}, "the schema refers to itself without end"},
		"large":         {files{"s.json": `{"description": "` + strings.Repeat("a", maxSchema) + `"}`}, "larger than the 512 KiB"},
		"deep":          {files{"s.json": strings.Repeat(`{"not": `, 1000) + "{}" + strings.Repeat("}", 1000)}, "s.json:1:"},
	} {
		_, err := Compile("s.json", test.files.read)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

func check(t *testing.T, f files, text string) ([]Violation, error) {
	t.Helper()
	s, err := Compile("s.json", f.read)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonedit.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s.Check(doc)
}

func TestCheck(t *testing.T) {
	for name, test := range map[string]struct {
		schema, text string
		want         string // pointer keyword value, of each violation
	}{
		"draft 4":  {`{"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"a": {"minimum": 1, "exclusiveMinimum": true}}}`, `{"a": 1}`, "/a exclusiveMinimum true"},
		"draft 6":  {`{"$schema": "http://json-schema.org/draft-06/schema#", "properties": {"a": {"const": 2}}}`, `{"a": 1}`, "/a const 2"},
		"draft 7":  {`{"$schema": "http://json-schema.org/draft-07/schema#", "if": {"required": ["a"]}, "then": {"required": ["b"]}}`, `{"a": 1}`, " required [b]"},
		"2019-09":  {`{"$schema": "https://json-schema.org/draft/2019-09/schema", "dependentRequired": {"a": ["b"]}}`, `{"a": 1}`, " dependentRequired b"},
		"2020-12":  {`{"prefixItems": [{"type": "string"}]}`, `[1]`, "/0 type string"},
		"format":   {`{"properties": {"a~/b %": {"format": "date-time"}}}`, `{"a~/b %": "T+9:00:00Z"}`, "/a~0~1b % format date-time"},
		"members":  {`{"properties": {"a": {}}, "additionalProperties": false}`, `{"a": 1, "b": 2}`, " additionalProperties false"},
		"choice":   {`{"anyOf": [{"type": "string"}, {"type": "object", "required": ["a"]}]}`, `{}`, " required [a]"},
		"nothing":  {`{"properties": {"a": false}}`, `{"a": 1}`, "/a  false"},
		"in files": {`{"$ref": "d/t.json#/$defs/x"}`, `1`, " type string"},
		"extreme":  {`{"type": "integer"}`, `1e3000000`, ""},
		"good":     {`{"type": "integer"}`, `1`, ""},
	} {
		list, err := check(t, files{"s.json": test.schema, "d/t.json": `{"$defs": {"x": {"$ref": "u.json"}}}`, "d/u.json": `{"type": "string"}`}, test.text)
		doc, _ := jsonedit.Parse([]byte(test.text))
		var got []string
		for _, v := range list {
			got = append(got, fmt.Sprintf("%s %s %v", doc.Pointer(v.Node), v.Keyword, v.Value))
		}
		if err != nil || strings.Join(got, ", ") != test.want {
			t.Errorf("%s: %q %v, want %q", name, got, err, test.want)
		}
	}
}

// A schema that doubles its work at each level, a text that repeats it, and references
// that depend on the text have an end.
func TestCheckGivesUp(t *testing.T) {
	const twice = `{"allOf": [{"properties": {"a": {"$ref": "#"}}}, {"properties": {"a": {"$ref": "#"}}}]}`
	deep := strings.Repeat(`{"a": `, 100) + "1" + strings.Repeat("}", 100)
	if _, err := check(t, files{"s.json": twice}, deep); !errors.Is(err, ErrTooMuch) {
		t.Error(err)
	}
	enum := `{"items": {"enum": [` + strings.Repeat(`"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", `, 1000) + `"y"]}}`
	if _, err := check(t, files{"s.json": enum}, "["+strings.Repeat("1,", 20_000)+"1]"); !errors.Is(err, ErrTooMuch) {
		t.Error(err)
	}
	circle := files{"s.json": `{"allOf": [{"$ref": "t.json"}]}`, "t.json": `{"anyOf": [{"$ref": "s.json"}]}`}
	if _, err := check(t, circle, `1`); err == nil || !strings.Contains(err.Error(), "refers to itself without end") {
		t.Error(err)
	}
	if _, err := check(t, files{"s.json": `{}`}, `"`+strings.Repeat("a", maxText)+`"`); err == nil {
		t.Error("a text of 1 MiB was checked")
	}
}
