package present

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// An Output is one of the JSON documents that commands print.
type Output struct {
	Name  string       // of its schema; also the kind that it has, unless Any
	Means string       // what it is, in one sentence
	Any   bool         // its kind is the kind of the item that it shows
	Type  reflect.Type // what JSON encodes
	More  reflect.Type // a struct whose members the output has as well; nil for none
}

// OutputOf returns the output that JSON(name, v) writes for a v of type T.
func OutputOf[T any](name, means string) Output {
	return Output{Name: name, Means: means, Type: reflect.TypeFor[T]()}
}

// ListOf returns the output that List(name, list) writes for a list of T.
func ListOf[T any](name, means string) Output {
	list := reflect.StructField{Name: "List", Type: reflect.TypeFor[[]T](), Tag: reflect.StructTag(fmt.Sprintf("json:%q", name))}
	return Output{Name: name, Means: means, Type: reflect.StructOf([]reflect.StructField{list})}
}

// Also returns o with the members of the struct more.
func (o Output) Also(more reflect.Type) Output {
	o.More = more
	return o
}

// Schema returns the JSON Schema of o, draft 2020-12, as an indented document.
// The error says which type has no schema.
func (o Output) Schema() ([]byte, error) {
	d := definitions{}
	members, err := d.members(o.Type)
	if err != nil {
		return nil, fmt.Errorf("output %s: %w", o.Name, err)
	}
	if o.More != nil {
		more, err := d.members(o.More)
		if err != nil {
			return nil, fmt.Errorf("output %s: %w", o.Name, err)
		}
		maps.Copy(members.properties, more.properties)
	}
	for _, taken := range []string{"version", "kind"} {
		if _, ok := members.properties[taken]; ok {
			return nil, fmt.Errorf("output %s: %v has a member %q of its own", o.Name, o.Type, taken)
		}
	}
	kind := map[string]any{"const": o.Name}
	if o.Any {
		kind = map[string]any{"type": "string"}
	}
	members.properties["version"] = map[string]any{"const": Version}
	members.properties["kind"] = kind
	members.required = append([]string{"version", "kind"}, members.required...)
	document := map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": o.Name, "description": o.Means,
	}
	maps.Copy(document, members.schema())
	if len(d) > 0 {
		document["$defs"] = map[string]any(d)
	}
	return jsonedit.Marshal(document)
}

// definitions are the schemas of named structs by their names.
type definitions map[string]any

// objectMembers are the members of a struct as JSON has them.
type objectMembers struct {
	properties map[string]any
	required   []string
}

func (m objectMembers) schema() map[string]any {
	s := map[string]any{"type": "object", "properties": m.properties}
	if len(m.required) > 0 {
		s["required"] = m.required
	}
	return s
}

// members returns the members of a struct type. A field of the struct dominates one
// of the same name in a struct that it embeds.
func (d definitions) members(t reflect.Type) (objectMembers, error) {
	m := objectMembers{properties: map[string]any{}}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return m, fmt.Errorf("%v is no struct", t)
	}
	var embedded []reflect.Type
	seen := map[string]bool{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
			continue
		case f.Anonymous && name == "":
			embedded = append(embedded, f.Type)
			continue
		case name == "":
			name = f.Name
		}
		if seen[name] = true; f.Type == reflect.TypeFor[Hidden]() {
			continue
		}
		s, err := d.of(f.Type)
		if err != nil {
			return m, fmt.Errorf("%v.%s: %w", t, f.Name, err)
		}
		omitted := strings.Contains(options, "omit")
		if f.Type.Kind() == reflect.Pointer && !omitted {
			s = map[string]any{"anyOf": []any{s, map[string]any{"type": "null"}}}
		}
		m.properties[name] = s
		if !omitted {
			m.required = append(m.required, name)
		}
	}
	for _, e := range embedded {
		inner, err := d.members(e)
		if err != nil {
			return m, err
		}
		for name, s := range inner.properties {
			if !seen[name] {
				m.properties[name] = s
			}
		}
		for _, name := range inner.required {
			if !seen[name] {
				m.required = append(m.required, name)
			}
		}
		for name := range inner.properties {
			seen[name] = true
		}
	}
	return m, nil
}

// of returns the schema of a value of type t.
func (d definitions) of(t reflect.Type) (map[string]any, error) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}, nil
	case t.Kind() == reflect.Struct:
		return d.reference(t)
	case encodesItself(t):
		return map[string]any{}, nil // any value
	}
	switch t.Kind() {
	case reflect.String:
		return map[string]any{"type": "string"}, nil
	case reflect.Bool:
		return map[string]any{"type": "boolean"}, nil
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": "number"}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return map[string]any{"type": "integer"}, nil
	case reflect.Slice, reflect.Array:
		items, err := d.of(t.Elem())
		return map[string]any{"type": "array", "items": items}, err
	case reflect.Map:
		values, err := d.of(t.Elem())
		return map[string]any{"type": "object", "additionalProperties": values}, err
	case reflect.Interface:
		return map[string]any{}, nil
	}
	return nil, fmt.Errorf("%v has no schema", t)
}

// reference returns a reference to the schema of a struct, which it defines at the first
// time. A struct that encodes itself may also be a text: such a schema type is one that
// people write as a text.
func (d definitions) reference(t reflect.Type) (map[string]any, error) {
	name := strings.ReplaceAll(t.String(), "main.", "")
	ref := map[string]any{"$ref": "#/$defs/" + name}
	if t.Name() == "" {
		m, err := d.members(t)
		return m.schema(), err
	}
	if _, ok := d[name]; ok {
		return ref, nil
	}
	d[name] = nil // a struct may contain itself
	m, err := d.members(t)
	if err != nil {
		return nil, err
	}
	var s any = m.schema()
	if encodesItself(t) {
		s = map[string]any{"anyOf": []any{map[string]any{"type": "string"}, s}}
	}
	d[name] = s
	return ref, nil
}

// encodesItself reports whether values of type t have an encoding of their own.
func encodesItself(t reflect.Type) bool {
	marshaler := reflect.TypeFor[json.Marshaler]()
	own := t.Implements(marshaler) || reflect.PointerTo(t).Implements(marshaler)
	return own || slices.Contains([]string{"encoding/json", "github.com/go-json-experiment/json/jsontext"}, t.PkgPath())
}
