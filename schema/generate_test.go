package schema_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// decode reads a document into its Go type and returns a pointer to it.
func decode(name string, text []byte) (any, error) {
	v := reflect.New(types[name]).Interface()
	return v, jsonedit.Decode(text, v)
}

// A value that satisfies a schema decodes. The decoded value, written again, satisfies
// the schema and has the same content.
func TestWhatTheSchemaAcceptsDecodes(t *testing.T) {
	for _, name := range schema.Names() {
		t.Run(name, func(t *testing.T) {
			root, judge := source(t, name), judge(t, name)
			rapid.Check(t, func(t *rapid.T) {
				text := []byte(maker{t, root}.value(root))
				if err := judge.Validate(tree(t, text)); err != nil {
					t.Fatalf("the generator is wrong: %#v in %s", err, text)
				}
				v, err := decode(name, text)
				if err != nil {
					t.Fatalf("%v in %s", err, text)
				}
				once, err := jsonedit.Marshal(v)
				if err != nil {
					t.Fatalf("%v in %s", err, text)
				}
				if err := judge.Validate(tree(t, once)); err != nil {
					t.Fatalf("%#v in %s made of %s", err, once, text)
				}
				v, err = decode(name, once)
				if err != nil {
					t.Fatalf("%v in %s", err, once)
				}
				if twice, _ := jsonedit.Marshal(v); string(twice) != string(once) {
					t.Fatalf("%s became %s", once, twice)
				}
			})
		})
	}
}

// A maker generates documents that satisfy a schema.
type maker struct {
	*rapid.T
	root map[string]any
}

func (m maker) yes() bool { return rapid.Bool().Draw(m.T, "?") }

// value returns the text of a value that satisfies node.
func (m maker) value(node map[string]any) string {
	node = resolve(m.root, node)
	if values, ok := node["enum"].([]any); ok {
		return quote(rapid.SampledFrom(values).Draw(m.T, "one of"))
	}
	if c, ok := node["const"]; ok {
		return quote(c)
	}
	kind := "any"
	switch typ := node["type"].(type) {
	case string:
		kind = typ
	case []any:
		kind = rapid.SampledFrom(typ).Draw(m.T, "type").(string)
	}
	low, high := bound(node, "minimum"), bound(node, "maximum")
	switch kind {
	case "null":
		return "null"
	case "boolean":
		return strconv.FormatBool(m.yes())
	case "integer":
		return m.integer(rapid.Int64Range(int64(low), int64(high)).Draw(m.T, "integer"))
	case "number":
		return strconv.FormatFloat(rapid.Float64Range(low, high).Draw(m.T, "number"), 'g', -1, 64)
	case "string":
		return quote(m.text(node))
	case "array":
		var items []string
		for range rapid.IntRange(0, 3).Draw(m.T, "items") {
			items = append(items, m.value(node["items"].(map[string]any)))
		}
		return "[" + strings.Join(items, ",") + "]"
	case "object":
		return m.object(node)
	}
	return rapid.SampledFrom([]string{`null`, `1e400`, `"x"`, `[{"a": []}]`, `{"a": {"b": -0}}`}).Draw(m.T, "anything")
}

// integer returns n in one of JSON's notations.
func (m maker) integer(n int64) string {
	switch {
	case m.yes():
		return strconv.FormatInt(n, 10)
	case n%10 == 0 && n != 0:
		return strconv.FormatInt(n/10, 10) + "E+1"
	}
	return strconv.FormatInt(n, 10) + ".0"
}

func (m maker) text(node map[string]any) string {
	if node["format"] != nil {
		seconds := rapid.Int64Range(0, 4e9).Draw(m.T, "seconds")
		layout := rapid.SampledFrom([]string{time.RFC3339, time.RFC3339Nano, "2006-01-02T15:04:05.000000-07:00"}).Draw(m.T, "layout")
		return time.Unix(seconds, rapid.Int64Range(0, 1e9-1).Draw(m.T, "nanos")).UTC().Format(layout)
	}
	if pattern, ok := node["pattern"].(string); ok {
		return rapid.StringMatching(pattern).Draw(m.T, "id")
	}
	least := 0
	if node["minLength"] != nil {
		least = 1
	}
	return rapid.StringN(least, 20, -1).Draw(m.T, "text")
}

func (m maker) object(node map[string]any) string {
	var members []string
	add := func(name string, node map[string]any) {
		members = append(members, quote(name)+":"+m.value(node))
	}
	required, _ := node["required"].([]any)
	if branches, ok := node["anyOf"].([]any); ok {
		branch := rapid.SampledFrom(branches).Draw(m.T, "branch").(map[string]any)
		required = slices.Concat(required, branch["required"].([]any))
	}
	properties, _ := node["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if slices.Contains(required, any(name)) || m.yes() {
			add(name, properties[name].(map[string]any))
		}
	}
	if more, ok := node["additionalProperties"].(map[string]any); ok {
		for i := range rapid.IntRange(0, 2).Draw(m.T, "more") {
			add(fmt.Sprintf("%s%d", rapid.String().Draw(m.T, "key"), i), more)
		}
	} else if m.yes() {
		members = append(members, `"of another tool":[1,{}]`)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// Every field of every type is read from its member and written again. This also tests
// types with their own UnmarshalJSON.
func TestEveryFieldIsRead(t *testing.T) {
	for _, name := range schema.Names() {
		t.Run(name, func(t *testing.T) {
			v, err := decode(name, filled(t, name))
			if err != nil {
				t.Fatal(err)
			}
			noneEmpty(t, reflect.ValueOf(v), name)
			text, err := jsonedit.Value(v)
			if err != nil {
				t.Fatal(err)
			}
			if err := judge(t, name).Validate(tree(t, text)); err != nil {
				t.Errorf("%#v in %s", err, text)
			}
			again, err := decode(name, text)
			if err != nil || !reflect.DeepEqual(v, again) {
				t.Errorf("%v: %+v became %+v", err, v, again)
			}
		})
	}
}

func noneEmpty(t *testing.T, v reflect.Value, at string) {
	if v.IsZero() {
		t.Errorf("%s was not read", at)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		noneEmpty(t, v.Elem(), at)
	case reflect.Struct:
		for i := range v.NumField() {
			noneEmpty(t, v.Field(i), at+"."+v.Type().Field(i).Name)
		}
	case reflect.Slice:
		if v.Len() == 0 {
			t.Errorf("%s was not read", at)
		}
		for i := range v.Len() {
			noneEmpty(t, v.Index(i), at+"[]")
		}
	case reflect.Map:
		if v.Len() == 0 {
			t.Errorf("%s was not read", at)
		}
		for _, value := range v.Seq2() {
			noneEmpty(t, value, at+"[]")
		}
	}
}

// filled returns a document with every member of its schema, without other spellings.
func filled(t *testing.T, name string) []byte {
	root := source(t, name)
	v := fill(root, root, types[name])
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func fill(root, node map[string]any, typ reflect.Type) any {
	node = resolve(root, node)
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	all := kinds(node)
	switch {
	case node["enum"] != nil:
		return node["enum"].([]any)[0]
	case node["const"] != nil:
		return node["const"]
	case node["format"] != nil:
		return "2026-11-20T09:30:00Z"
	case node["properties"] != nil:
		object := map[string]any{}
		for name, property := range node["properties"].(map[string]any) {
			for field := range typ.Fields() {
				if tag, _, _ := strings.Cut(field.Tag.Get("json"), ","); tag == name {
					object[name] = fill(root, property.(map[string]any), field.Type)
				}
			}
		}
		return object
	case node["additionalProperties"] != nil:
		return map[string]any{"1": fill(root, node["additionalProperties"].(map[string]any), typ.Elem())}
	case slices.Contains(all, "array"):
		return []any{fill(root, node["items"].(map[string]any), typ.Elem())}
	case slices.Contains(all, "string"):
		if strings.Contains(fmt.Sprint(node["pattern"]), "0-9a-f") {
			return strings.Repeat("0a", 32)
		}
		return "some-text"
	case slices.Contains(all, "boolean"):
		return true
	case slices.Contains(all, "object"), len(all) == 0:
		return map[string]any{"a": 1}
	}
	return 1
}

func bound(node map[string]any, keyword string) float64 {
	n, ok := node[keyword].(json.Number)
	if !ok {
		return math.NaN()
	}
	f, _ := n.Float64()
	return f
}

func quote(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
