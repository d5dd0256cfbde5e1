package schema_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// types says which Go type each document decodes into.
var types = map[string]reflect.Type{
	fs.DocState.Schema():        reflect.TypeFor[schema.State](),
	string(fs.DocConfig):        reflect.TypeFor[schema.Config](),
	string(fs.DocDecision):      reflect.TypeFor[schema.Decision](),
	string(fs.DocQuestion):      reflect.TypeFor[schema.Question](),
	string(fs.DocAction):        reflect.TypeFor[schema.Action](),
	string(fs.DocGoal):          reflect.TypeFor[schema.Goal](),
	string(fs.DocConstraint):    reflect.TypeFor[schema.Constraint](),
	string(fs.DocNote):          reflect.TypeFor[schema.NoteRecord](),
	string(fs.DocProjectRecord): reflect.TypeFor[schema.ProjectFacts](),
	string(fs.DocChange):        reflect.TypeFor[schema.Change](),
	string(fs.DocMessage):       reflect.TypeFor[schema.Message](),
	string(fs.DocClarification): reflect.TypeFor[schema.Clarification](),
	string(fs.DocCacheIndex):    reflect.TypeFor[schema.CacheIndex](),
	string(fs.DocPin):           reflect.TypeFor[schema.Pin](),
	string(fs.DocPins):          reflect.TypeFor[schema.Pins](),
	string(fs.DocThread):        reflect.TypeFor[schema.Thread](),
	string(fs.DocHandoff):       reflect.TypeFor[schema.Handoff](),
	string(fs.DocProject):       reflect.TypeFor[schema.ProjectRecord](),
	string(fs.DocChunk):         reflect.TypeFor[schema.Chunk](),
	string(fs.DocLogCompaction): reflect.TypeFor[schema.LogCompaction](),
	string(fs.DocLogCuration):   reflect.TypeFor[schema.LogCuration](),
	string(fs.DocLogDrops):      reflect.TypeFor[schema.LogDrop](),
	string(fs.DocLogRecovery):   reflect.TypeFor[schema.LogRecovery](),
	string(fs.DocLogHealth):     reflect.TypeFor[schema.LogHealth](),
	string(fs.DocHotContext):    reflect.TypeFor[schema.HotContext](),
	string(fs.DocSessionMeta):   reflect.TypeFor[schema.SessionMetadata](),
	fs.DocSessionIndex.Schema(): reflect.TypeFor[schema.SessionLine](),
}

// otherSpellings are members that a type reads into another's field.
var otherSpellings = map[reflect.Type][]string{
	reflect.TypeFor[schema.Message]():     {"id", "ts"},
	reflect.TypeFor[schema.Goal]():        {"goal_id", "description"},
	reflect.TypeFor[schema.KeyDecision](): {"decision_id", "description"},
}

// The Go types and the schemas describe the same members, with the same kinds.
func TestTypesAndSchemasAgree(t *testing.T) {
	for _, name := range schema.Names() {
		t.Run(name, func(t *testing.T) {
			typ, ok := types[name]
			if !ok {
				t.Fatal("no Go type is known for it")
			}
			root := source(t, name)
			agree(t, root, root, typ, "")
		})
	}
}

// agree compares a schema with a Go type.
func agree(t *testing.T, root, node map[string]any, typ reflect.Type, at string) {
	node = resolve(root, node)
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	got, want := strings.Join(kinds(node), " "), kindsOf(typ)
	if at == "" {
		want = strings.TrimSuffix(want, " string") // an item of a list may be a text alone, a document may not
	}
	if got != want && typ != reflect.TypeFor[json.RawMessage]() {
		t.Errorf("%s: the schema says %q, the type %v %q", at, got, typ, want)
		return
	}
	switch {
	case typ == reflect.TypeFor[json.RawMessage](), typ == reflect.TypeFor[schema.IDs]():
	case typ.Kind() == reflect.Slice:
		agree(t, root, node["items"].(map[string]any), typ.Elem(), at+"/*")
	case typ.Kind() == reflect.Map:
		agree(t, root, node["additionalProperties"].(map[string]any), typ.Elem(), at+"/*")
	case typ.Kind() == reflect.Struct:
		agreeOnMembers(t, root, node, typ, at)
	}
}

func agreeOnMembers(t *testing.T, root, node map[string]any, typ reflect.Type, at string) {
	properties := node["properties"].(map[string]any)
	inGo := map[string]reflect.Type{}
	for field := range typ.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		inGo[name] = field.Type
	}
	want := slices.Collect(maps.Keys(inGo))
	if at == "" {
		want = append(want, "$schema") // for editors
	}
	want = append(want, otherSpellings[typ]...)
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(properties)); !slices.Equal(got, want) {
		t.Errorf("%s: the schema has the members\n%q, the type %v\n%q", at, got, typ, want)
		return
	}
	for name, typ := range inGo {
		agree(t, root, properties[name].(map[string]any), typ, at+"/"+name)
	}
}

// resolve follows $ref.
func resolve(root, node map[string]any) map[string]any {
	ref, ok := node["$ref"].(string)
	if !ok {
		return node
	}
	def := root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	out := maps.Clone(resolve(root, def))
	delete(out, "description")
	return out
}

// kinds are the types that a schema admits, null left out: every type reads it.
func kinds(node map[string]any) []string {
	var all []string
	switch typ := node["type"].(type) {
	case string:
		all = []string{typ}
	case []any:
		for _, k := range typ {
			all = append(all, k.(string))
		}
	default:
		values, _ := node["enum"].([]any)
		if c, ok := node["const"]; ok {
			values = []any{c}
		}
		for _, v := range values {
			if _, ok := v.(string); ok {
				all = append(all, "string")
			}
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(k string) bool { return k == "null" })
}

// kindsOf are the types that a Go type stands for.
func kindsOf(typ reflect.Type) string {
	switch typ {
	case reflect.TypeFor[schema.IDs]():
		return "array string"
	case reflect.TypeFor[schema.Action](), reflect.TypeFor[schema.Constraint](), reflect.TypeFor[schema.Note]():
		return "object string"
	case reflect.TypeFor[schema.Int]():
		return "integer"
	case reflect.TypeFor[json.RawMessage]():
		return ""
	}
	switch typ.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		return "array"
	case reflect.Map, reflect.Struct:
		return "object"
	}
	return "?" + typ.String()
}
