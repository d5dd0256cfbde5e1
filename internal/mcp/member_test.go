package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/schema"
)

// What the schema of a tool says of its input, its judge says as well: names that
// are taken, kinds, bounds.
func TestSchemasSayWhatTheJudgeSays(t *testing.T) {
	for _, tool := range allTools() {
		var schema struct {
			Properties map[string]struct {
				Type, Description  string
				Enum               []string
				Minimum, Maximum   *int
				MaxLength, MaxItem *int
			}
			Required             []string
			AdditionalProperties *bool
		}
		if err := json.Unmarshal(schemaOf(tool.members), &schema); err != nil {
			t.Fatalf("%s: %v\n%s", tool.name, err, schemaOf(tool.members))
		}
		if len(schema.Properties) != len(tool.members) || *schema.AdditionalProperties {
			t.Errorf("%s: %s", tool.name, schemaOf(tool.members))
		}
		needed := map[string]any{}
		for _, name := range schema.Required {
			needed[name] = "x"
			if words := schema.Properties[name].Enum; words != nil {
				needed[name] = words[0]
			}
		}
		judge := func(name string, value any) error {
			input := map[string]any{name: value}
			for other, v := range needed {
				if other != name {
					input[other] = v
				}
			}
			src, err := json.Marshal(input)
			if err != nil {
				t.Fatal(err)
			}
			_, err = read(tool.members, src)
			return err
		}
		for name, p := range schema.Properties {
			good, bad := map[string][]any{
				"string":  {"x"},
				"boolean": {true, false},
				"array":   {[]string{}, []string{"a", "b"}},
			}[p.Type], map[string][]any{
				"string":  {1, true, []string{"x"}},
				"boolean": {"true", 1},
				"array":   {"x", []int{1}},
				"integer": {"1", 1.5, true},
			}[p.Type]
			switch {
			case p.Enum != nil:
				good, bad = nil, append(bad, p.Enum[0]+"x")
				for _, word := range p.Enum {
					good = append(good, word)
				}
			case p.Type == "string":
				good, bad = append(good, strings.Repeat("ä", *p.MaxLength)), append(bad, strings.Repeat("a", *p.MaxLength+1))
			case p.Type == "integer":
				good, bad = []any{*p.Minimum, *p.Maximum}, append(bad, *p.Minimum-1, *p.Maximum+1)
			}
			for _, value := range good {
				if err := judge(name, value); err != nil {
					t.Errorf("%s: %s %.40v: %v", tool.name, name, value, err)
				}
			}
			for _, value := range bad {
				if err := judge(name, value); err == nil {
					t.Errorf("%s: %s %.40v is taken", tool.name, name, value)
				} else if !strings.Contains(err.Error(), name) || len(err.Error()) > 400 {
					t.Errorf("%s: %s %.40v: %v", tool.name, name, value, err)
				}
			}
			if len(p.Description) < 5 {
				t.Errorf("%s: nothing is said of %s", tool.name, name)
			}
		}
		for _, name := range schema.Required {
			if err := judge(name, nil); err == nil {
				t.Errorf("%s: %s may be missing", tool.name, name)
			}
		}
	}
}

func TestArgumentsThatAreNone(t *testing.T) {
	members := []member{{name: "id", kind: text, most: 10, about: "which"}}
	for src, want := range map[string]string{
		``: "", `null`: "", `{}`: "", `{"id": null}`: "", `{"id": ""}`: "", `{"id": "a"}`: "",
		`[]`: "an object, not an array", `{`: "no JSON", `{"id": "a", "id": "b"}`: `"id" appears twice`, `{"id": "\ud800"}`: "no JSON",
	} {
		_, err := read(members, []byte(src))
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) && want != "" {
			t.Errorf("%s: %v, want %q", src, err, want)
		}
	}
}

// A change of an id that a person would make is understood.
func TestDidYouMean(t *testing.T) {
	ids := []string{"DEC-7F3K2Q", "DEC-001"}
	if got := didYouMean("DEC-7F3K2O", ids, "no"); got != "did you mean DEC-7F3K2Q?" {
		t.Error(got)
	}
	if got := didYouMean(strings.Repeat("x", 1<<20), ids, "no"); got != "no" {
		t.Error(got)
	}
	if !schema.ValidID(ids[0]) {
		t.Error("the test has no ids")
	}
}
