package schema_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/schema"
)

// The keywords that every checker of these schemas knows. A misspelled one
// would be passed over in silence.
var keywords = []string{
	"$schema", "$id", "title", "description", "type", "properties", "required", "items", "enum", "const", "minimum",
	"maximum", "minLength", "minItems", "pattern", "format", "additionalProperties", "$ref", "$defs", "anyOf", "default", "examples",
}

func TestSchemasAreWritten(t *testing.T) {
	for _, name := range schema.Names() {
		t.Run(name, func(t *testing.T) {
			judge(t, name)
			root := source(t, name)
			if root["$schema"] != "https://json-schema.org/draft/2020-12/schema" {
				t.Errorf("$schema is %v", root["$schema"])
			}
			if want := "https://forgemind.dev/schemas/" + name + ".schema.json"; root["$id"] != want {
				t.Errorf("$id is %v, want %s", root["$id"], want)
			}
			if root["title"] == nil || root["type"] != "object" {
				t.Error("want a title and the type object")
			}
			lint(t, root, root, "")
		})
	}
}

// lint goes over a schema and all schemas in it.
func lint(t *testing.T, root, node map[string]any, at string) {
	for key := range node {
		if !slices.Contains(keywords, key) {
			t.Errorf("%s: unknown keyword %q", at, key)
		}
	}
	if ref, ok := node["$ref"].(string); ok {
		def, local := strings.CutPrefix(ref, "#/$defs/")
		defs, _ := root["$defs"].(map[string]any)
		if !local || defs[def] == nil {
			t.Errorf("%s: $ref %q leads nowhere", at, ref)
		}
	}
	if node["format"] != nil && node["format"] != "date-time" {
		t.Errorf("%s: format %v", at, node["format"])
	}
	if more, ok := node["additionalProperties"]; ok {
		if _, ok := more.(map[string]any); !ok {
			t.Errorf("%s: additionalProperties is %v: unknown members are allowed everywhere", at, more)
		}
	}
	if required, ok := node["required"].([]any); ok && node["properties"] != nil {
		for _, name := range required {
			if node["properties"].(map[string]any)[name.(string)] == nil {
				t.Errorf("%s: requires %v, which it does not describe", at, name)
			}
		}
	}
	for _, key := range []string{"properties", "$defs"} {
		members, _ := node[key].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(members)) {
			member := members[name].(map[string]any)
			if member["description"] == nil && key == "properties" {
				t.Errorf("%s/%s/%s has no description", at, key, name)
			}
			lint(t, root, member, at+"/"+key+"/"+name)
		}
	}
	for _, key := range []string{"items", "additionalProperties"} {
		if inner, ok := node[key].(map[string]any); ok {
			lint(t, root, inner, at+"/"+key)
		}
	}
	branches, _ := node["anyOf"].([]any)
	for _, branch := range branches {
		lint(t, root, branch.(map[string]any), at+"/anyOf")
	}
}

// A definition that several schemas have says the same in each.
func TestOneNameOneDefinition(t *testing.T) {
	first := map[string]any{}
	where := map[string]string{}
	for _, name := range schema.Names() {
		defs, _ := source(t, name)["$defs"].(map[string]any)
		for def, body := range defs {
			if other, ok := first[def]; ok && !reflect.DeepEqual(other, body) {
				t.Errorf("$defs/%s is one thing in %s and another in %s", def, where[def], name)
			}
			first[def], where[def] = body, name
		}
	}
}

func TestThereIsNoOtherSchema(t *testing.T) {
	for _, name := range []string{"", "state", "../schema/decision", "decision.schema.json"} {
		if text, ok := schema.Source(name); ok {
			t.Errorf("%q gives %.40q", name, text)
		}
	}
	if names := schema.Names(); !slices.IsSorted(names) || len(names) != len(types) {
		t.Errorf("%d documents have a type, the schemas are %v", len(types), names)
	}
}

// The examples of the documents' own descriptions are accepted and decode.
func TestExamples(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.json*")
	if len(files) < 10 {
		t.Fatalf("only %v", files)
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name, _, _ := strings.Cut(filepath.Base(file), ".")
			name = strings.TrimSuffix(name, "-class")
			lines := [][]byte{text}
			if strings.HasSuffix(file, ".jsonl") {
				lines = bytes.Split(bytes.TrimSpace(text), []byte("\n"))
			}
			for _, line := range lines {
				if err := judge(t, name).Validate(tree(t, line)); err != nil {
					t.Errorf("%#v", err)
				}
				if _, err := decode(name, line); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// Each of these is one mistake in a document that is right otherwise.
func TestMistakesAreSeen(t *testing.T) {
	for _, c := range []struct{ name, pointer, value string }{
		{"current-context", "project/current_layer", `6`},
		{"current-context", "project/current_layer", `1.5`},
		{"current-context", "project/current_layer", `"1"`},
		{"current-context", "project/clarity", `101`},
		{"current-context", "project/clarity", `null`},
		{"current-context", "metadata/timestamp", `"2025-10-27T9:00:00Z"`},
		{"current-context", "metadata/session_id", `"../up"`},
		{"current-context", "context_window/used_tokens", `-1`},
		{"current-context", "schema", `"forgemind-context-v2"`},
		{"current-context", "pending_actions", `[{"id": "ACT-1"}]`},
		{"current-context", "pending_actions", `[7]`},
		{"current-context", "recent_decisions", `[{"id": "no-decision"}]`},
		{"current-context", "loaded_artifacts", `{}`},
		{"config", "refresh_triggers", `[{"name": "x"}]`},
		{"config", "compaction", `{"policy": "none"}`},
		{"config", "validation", `{"severity": {"schema": "fatal"}}`},
		{"hot-context", "active_goals", `[{"status": "pending"}]`},
		{"hot-context", "key_decisions", `[{"rationale": "?"}]`},
		{"message", "msg_id", `"a b"`},
		{"message", "importance", `1.5`},
		{"chunk", "content", `null`},
	} {
		t.Run(c.name+" "+c.pointer+" "+c.value, func(t *testing.T) {
			doc := tree(t, filled(t, c.name)).(map[string]any)
			if err := judge(t, c.name).Validate(doc); err != nil {
				t.Fatal(err)
			}
			object, member := doc, c.pointer
			if section, rest, ok := strings.Cut(c.pointer, "/"); ok {
				object, member = doc[section].(map[string]any), rest
			}
			object[member] = tree(t, []byte(c.value))
			if judge(t, c.name).Validate(doc) == nil {
				text, _ := json.Marshal(doc)
				t.Errorf("accepted: %s", text)
			}
		})
	}
}

// What rule set 1 asks for is judged by rules of its own, so that one fault is
// one finding.
func TestTheStateRequiresNothing(t *testing.T) {
	for _, text := range []string{`{}`, `{"metadata": {}, "role": {}, "project": {}, "context_window": {}}`} {
		if err := judge(t, "current-context").Validate(tree(t, []byte(text))); err != nil {
			t.Errorf("%s: %#v", text, err)
		}
	}
}
