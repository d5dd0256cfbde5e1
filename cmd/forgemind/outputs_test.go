package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/present"
)

// moreUses are uses of commands, beside those of freshUse, whose output has another kind.
func moreUses() map[string][][]string {
	return map[string][][]string{
		"memory_note":      {{"memory", "add", "--type", "lesson_learned", "Clocks differ", "--agent", "ann"}, {"memory", "show", "ann-notes"}},
		"setting":          {{"config", "show", "RELEVANCE_CUTOFF"}},
		"setting_help":     {{"config", "explain", "RELEVANCE_CUTOFF"}},
		"rule":             {{"explain", "token-mismatch"}},
		"trigger":          {{"show", "layer_transition"}},
		"replay":           {{"tune", "--replay", "--set", "RELEVANCE_CUTOFF=0.2"}},
		"drop":             {{"message", "import", "talk.jsonl"}, {"compact", "--now", "--strategy", "relevance", "--prompt", "zeppelins", "--budget", "200"}, {"drops"}, {"drops", "--explain", "{chunk}"}},
		"imported_session": {{"session", "new", "--from", "talk.jsonl"}},
		"editor":           {{"init", "--editor", "helix"}},
		"context":          {{"context", "--layer", "1"}},
		"detected":         {{"message", "import", "talk.jsonl"}, {"decision", "list", "--detected"}},
		"import":           {{"import", "json", "talk.jsonl"}},
	}
}

// untried are the outputs that no use has, and why.
var untried = map[string]string{
	"error":      "TestErrorsHaveASchema",
	"occurrence": "TestOccurrencesHaveASchema",
	"copies":     "is about a folder outside of the tree",
	"service":    "is about the system",
}

// TestOutputsSatisfyTheirSchemas runs every command that has --format json and holds its
// output to the schema of its kind. Members that the schema does not name fail.
func TestOutputsSatisfyTheirSchemas(t *testing.T) {
	made := freshProject(t)
	schemas := outputSchemas(t)
	seen := map[string]bool{}
	try := func(lines [][]string) {
		lines = slices.Clone(lines)
		last := len(lines) - 1
		lines[last] = append(slices.Clone(lines[last]), "--format", "json")
		for kind := range hold(t, schemas, lines[last], useFresh(t, made, lines)) {
			seen[kind] = true
		}
	}
	uses := freshUse()
	eachCommand(started(testProgram(t)).app(), func(words []string, command *cli.Command) {
		name := strings.Join(words, " ")
		if len(command.Subcommands) > 0 || !printsJSON(command) || notFresh[name] != "" {
			return
		}
		if uses[name] == nil {
			t.Errorf("'forgemind %s' is not tried: say in freshUse how it is used", name)
			return
		}
		try(uses[name])
	})
	for kind, lines := range moreUses() {
		if try(lines); !seen[kind] {
			t.Errorf("%v does not print the output %q", lines, kind)
		}
	}
	for _, o := range outputs() {
		if seen[o.Name] == (untried[o.Name] != "") {
			t.Errorf("output %q: tried is %v, which the tables do not say", o.Name, seen[o.Name])
		}
	}
}

// TestErrorsHaveASchema holds the output of commands that fail, and their exit codes, which
// come from the kind.
func TestErrorsHaveASchema(t *testing.T) {
	made := freshProject(t)
	schemas := outputSchemas(t)
	for _, c := range []struct {
		args string
		code int
		kind string
	}{
		{"layer", 2, present.Usage}, {"nosuch", 2, present.Usage}, {"explain nosuch", 2, present.Usage},
		{"show zeppelin", 1, present.NotFound}, {"decision show DEC-1", 1, present.NotFound}, {"goal done zeppelin", 1, present.NotFound},
		{"trigger zeppelin", 1, present.NotFound}, {"fragment show zeppelin", 1, present.NotFound}, {"session show zeppelin", 1, present.NotFound},
		{"cold show zeppelin", 1, present.NotFound}, {"status --tree /nowhere", 3, present.NotFound},
		{"goal add Ship --if-version 7", 1, present.Precondition}, {"facilitator backtrack", 1, present.Precondition},
	} {
		p := testProgram(t)
		p.Getwd = func() (string, error) { return made, nil }
		args := append([]string{"forgemind"}, append(strings.Fields(c.args), "--format", "json")...)
		if code := p.run(context.Background(), args); code != c.code {
			t.Errorf("%s: exit code %d, want %d", c.args, code, c.code)
		}
		text := p.Stdout.(*bytes.Buffer).String()
		if !hold(t, schemas, args, text)["error"] || !strings.Contains(text, fmt.Sprintf("\"kind\": %q,\n    \"message\"", c.kind)) {
			t.Errorf("%s: want an error of kind %q:\n%s", c.args, c.kind, text)
		}
	}
}

// TestOccurrencesHaveASchema edits the State by hand and holds each line that watch prints.
func TestOccurrencesHaveASchema(t *testing.T) {
	made := freshProject(t)
	name := filepath.Join(made, ".forgemind/context/current-context.json")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(text), `"current_layer": 0`, `"current_layer": 1`, 1)
	if err := os.WriteFile(name, []byte(edited), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"watch", "--once", "--format", "json"}
	printed := runFresh(t, made, args)
	if !hold(t, outputSchemas(t), args, printed)["occurrence"] || strings.Count(printed, "\n") < 2 {
		t.Errorf("want occurrences, one a line:\n%s", printed)
	}
}

// printsJSON reports whether a command has --format json.
func printsJSON(command *cli.Command) bool {
	return slices.ContainsFunc(command.Flags, func(f cli.Flag) bool {
		c, ok := f.(*choiceFlag)
		return ok && c.Name == "format" && slices.Contains(c.choices, "json")
	})
}

// outputSchemas returns the compiled schemas of the outputs, which allow no other members.
func outputSchemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	list := map[string]*jsonschema.Schema{}
	for _, o := range outputs() {
		text, err := o.Schema()
		if err != nil {
			t.Fatal(err)
		}
		var parsed any
		if err := json.Unmarshal(text, &parsed); err != nil {
			t.Fatal(err)
		}
		if text, err = json.Marshal(strict(parsed)); err != nil {
			t.Fatal(err)
		}
		if list[o.Name] != nil {
			t.Errorf("two outputs have the name %q", o.Name)
		}
		list[o.Name] = jsonschema.MustCompileString(o.Name+".json", string(text))
	}
	return list
}

// strict returns a schema that allows no members but those that v names.
func strict(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = strict(v[i])
		}
	case map[string]any:
		if _, ok := v["properties"].(map[string]any); ok && v["type"] == "object" {
			v["additionalProperties"] = false
		}
		for name := range v {
			v[name] = strict(v[name])
		}
	}
	return v
}

// hold checks each document of text against the schema of its kind, and returns the names of
// the schemas.
func hold(t *testing.T, schemas map[string]*jsonschema.Schema, args []string, text string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for documents := json.NewDecoder(strings.NewReader(text)); ; {
		var document map[string]any
		if err := documents.Decode(&document); err == io.EOF {
			return names
		} else if err != nil {
			t.Errorf("%v: %v:\n%s", args, err, text)
			return names
		}
		name, _ := document["kind"].(string)
		if args[0] == "show" && name != "trigger" {
			name = "detail"
		}
		if slices.Equal(args[:min(2, len(args))], []string{"export", "json"}) && name != "exported" {
			name = "export"
		}
		if names[name] = true; schemas[name] == nil {
			t.Errorf("%v: there is no output %q:\n%s", args, name, text)
		} else if err := schemas[name].Validate(document); err != nil {
			t.Errorf("%v: %#v\n%s", args, err, text)
		}
	}
}

const jsonReference = "../../docs/json.md"

// TestJSONReferenceIsCurrent checks that docs/json.md agrees with the types of the outputs.
func TestJSONReferenceIsCurrent(t *testing.T) {
	want := jsonPage(t)
	if *update {
		if err := os.WriteFile(jsonReference, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(jsonReference)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is out of date; 'go test ./cmd/forgemind -run TestJSONReferenceIsCurrent -update' writes it anew", jsonReference)
	}
}

const jsonIntroduction = "# JSON output\n\n" +
	"This page is generated from the types that the commands print. A command with `--format json` writes one JSON object to standard output;\n" +
	"`watch` writes one a line. Messages for people go to standard error.\n\n" +
	"- Each object begins with `\"version\": 1` and `\"kind\"`. The kind is the name of a schema: `forgemind schema output/decisions` prints the one of\n" +
	"  `\"kind\": \"decisions\"`. Only `show` prints the kind of what it shows; its schema is `output/detail`.\n" +
	"- A list has one member with the name of the kind. Its items have an `id`.\n" +
	"- A command that adds something prints it, with its `id`. `hot_version` is the version of the hot context after the change, for `--if-version`.\n" +
	"- Times are RFC 3339. Members that end in `_seconds` are numbers of seconds, those that end in `_percent` numbers from 0 to 100.\n" +
	"- Later versions may add members. Do not fail on one that you do not know.\n" +
	"- An error is an object of kind `error` on standard output, where nothing else was printed, and text on standard error.\n\n" +
	"| kind of error | meaning | exit code |\n|---|---|---|\n" +
	"| `usage` | the command line does not say what to do | 2 |\n" +
	"| `not found` | there is no item of that name; no file or tree | 1; 3 |\n" +
	"| `conflict` | something changed meanwhile, or a name has several meanings | 1 |\n" +
	"| `precondition` | the tree does not allow it now | 1 |\n" +
	"| `invalid` | a change would make a document wrong; a document cannot be read | 1; 3 |\n" +
	"| `busy` | another program is writing | 3 |\n" +
	"| `io` | something could not be read, written or done | 3 |\n\n" +
	"The formats `sarif`, `junit`, `github` and `gitlab` are those of other programs, and so is what `hook run` prints.\n"

// jsonPage returns docs/json.md.
func jsonPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString(jsonIntroduction)
	all := outputs()
	slices.SortFunc(all, func(a, b present.Output) int { return cmp.Compare(a.Name, b.Name) })
	for _, o := range all {
		text, err := o.Schema()
		var parsed struct {
			Properties map[string]map[string]any `json:"properties"`
			Required   []string                  `json:"required"`
		}
		if err == nil {
			err = json.Unmarshal(text, &parsed)
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n| member | value |\n|---|---|\n", o.Name, o.Means)
		for _, name := range slices.Sorted(maps.Keys(parsed.Properties)) {
			if name == "version" || name == "kind" {
				continue
			}
			value := valueName(parsed.Properties[name])
			if !slices.Contains(parsed.Required, name) {
				value += ", may be missing"
			}
			fmt.Fprintf(&b, "| `%s` | %s |\n", name, value)
		}
	}
	return b.String()
}

// valueName returns what the page says of a value.
func valueName(s map[string]any) string {
	if either, ok := s["anyOf"].([]any); ok {
		return valueName(either[0].(map[string]any)) + " or null"
	}
	switch s["type"] {
	case nil:
		if s["$ref"] != nil {
			return "object"
		}
		return "any value"
	case "array":
		return "list: " + valueName(s["items"].(map[string]any))
	}
	if s["format"] != nil {
		return "time"
	}
	return fmt.Sprint(s["type"])
}
