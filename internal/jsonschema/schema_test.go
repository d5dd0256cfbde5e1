package jsonschema

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// Documents that are valid, by the names of their schemas.
const (
	decision = `{"id": "DEC-001", "timestamp": "2025-10-26T15:00:00Z", "decision": "Keep six layers", "immutable": true}`
	message  = `{"msg_id": "m-1", "timestamp": "2025-10-27T10:00:00Z", "content": "a"}`
	fixtures = "../../testdata/fixtures"
)

func state(t testing.TB) string {
	t.Helper()
	src, err := os.ReadFile(fixtures + "/cms-example/.forgemind/context/current-context.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// TestValidDocumentsCostNothing: a document that is valid is so without an allocation.
func TestValidDocumentsCostNothing(t *testing.T) {
	for name, src := range map[string]string{
		"current-context":  state(t),
		"decision":         decision,
		"session-metadata": `{"session_id": "c-1", "status": "active", "message_count": 0}`,
		"message":          message,
		"config":           `{"refresh_triggers": [{"name": "t", "enabled": true, "condition": "a", "actions": ["b"]}], "validation": {"severity": {"x": "off"}}, "mine": 1}`,
		"hot-context":      `{"conversation_id": "c-1", "active_goals": [{"goal": "a", "created": "2025-11-09T04:30:00.123+02:00"}], "pending_actions": ["x", {"action": "y"}]}`,
	} {
		doc, of := parsed(t, src), Of(name)
		if !of.Valid(doc, 0) {
			t.Errorf("%s: not valid: %s", name, src)
		}
		if n := testing.AllocsPerRun(10, func() { of.Valid(doc, 0) }); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestEmbeddedSchemasAreUnderstood: what is not understood would be passed over.
func TestEmbeddedSchemasAreUnderstood(t *testing.T) {
	for _, name := range schema.Names() {
		c := newCompiler(schema.Source)
		c.root(name)
		if defs := c.text(name).Member(0, "$defs"); defs >= 0 {
			for def := range c.text(name).Children(defs) { // those that nothing leads to, too
				c.at(name, c.text(name).Pointer(def))
			}
		}
		for _, fault := range c.faults {
			t.Error(fault)
		}
	}
	for _, text := range []string{
		`{"dependentRequired": {"a": ["b"]}}`, `{"properties": {"a": {"minimun": 1}}}`, `{"properties": {}}`, `{"properties": 1}`, `{"type": "text"}`, `{"type": 1}`, `{"format": "email"}`,
		`{"pattern": "("}`, `{"pattern": "a+"}`, `{"pattern": 1}`, `{"minLength": -1}`, `{"minLength": 2}`, `{"maxLength": 1}`, `{"minimum": "1"}`, `{"maximum": null}`,
		`{"enum": "a"}`, `{"enum": [1]}`, `{"const": 1}`, `{"required": "a"}`, `{"required": [1]}`, `{"required": ["a"]}`, `{"additionalProperties": false}`,
		`{"anyOf": []}`, `{"anyOf": [{"type": "string"}]}`, `{"anyOf": [{"required": ["a"]}]}`, `{"items": 1}`, `{"items": true}`, `{"not": {}}`, `{"allOf": [{}]}`,
		`{"$ref": "#/$defs/a"}`, `{"$ref": "#a"}`, `{"$ref": "other"}`, `{"$ref": 1}`, `{"$ref": "decision.schema.json", "type": "object"}`, `"a"`, `true`,
		`{"properties": {"a` + strings.Join(strings.Split(strings.Repeat("x", 64), "x"), `": {}, "b`) + `": {}}}`,
	} {
		if _, faults := compiled(t, text); len(faults) == 0 {
			t.Errorf("%s is taken", text)
		}
	}
}

// keywords are schemas with values that they admit, and values they do not: every keyword
// that is known.
var keywords = []struct {
	schema    string
	good, bad []string
}{
	{`{"type": "integer"}`, []string{`7`, `1.0`, `1e2`, `-0`, `10e-1`, `12345678901234567890`}, []string{`"7"`, `1.5`, `1e-1`, `true`}},
	{`{"type": "number"}`, []string{`7.5`, `1e-3`}, []string{`null`}},
	{`{"type": ["number", "integer"]}`, []string{`1.5`}, []string{`"1"`}},
	{`{"type": ["string", "null"]}`, []string{`null`, `""`}, []string{`true`, `[]`}},
	{`{"type": "boolean", "minimum": 1}`, []string{`true`, `false`}, []string{`0`}},
	{`{"enum": ["a", "<"]}`, []string{`"a"`, `"\u0061"`, `"\u003c"`}, []string{`"b"`, `2`, `null`, `{}`}},
	{`{"const": "x"}`, []string{`"x"`, `"\u0078"`}, []string{`"y"`, `0`, `["x"]`}},
	{`{"minimum": 1, "maximum": 3}`, []string{`3`, `1`, `3.000`, `2.99999999999999999999`, `"x"`}, []string{`4`, `0`, `3.00000000000000000001`, `0.99999999999999999999`, `-5e3`, `12345678901234567890`}},
	{`{"maximum": 0.1, "minimum": -0.5}`, []string{`0.1`, `1e-1`, `0`, `-0.50`}, []string{`0.10000000000000000001`, `1`, `-0.51`}},
	{`{"maximum": 9007199254740991}`, []string{`9007199254740991`, `9007199254740990.9`}, []string{`9007199254740992`, `9007199254740991.0001`}},
	{`{"minimum": 3, "maximum": 1}`, nil, []string{`2`}},
	{`{"minLength": 1}`, []string{`"\n"`, `"é"`, `1`}, []string{`""`}},
	{`{"pattern": "^[A-Za-z0-9_][A-Za-z0-9._-]*$"}`, []string{`"DEC-001"`, `"\u0044EC-001"`, `"_a.b"`, `5`}, []string{`""`, `"-001"`, `".a"`, `"DEC-001 "`, `"ÄDEC-001"`, `"a\n"`, `"a/b"`}},
	{`{"pattern": "^[0-9a-f]{64}$", "minLength": 1}`, []string{`"` + strings.Repeat("0123456789abcdef", 4) + `"`}, []string{`""`, `"0f"`, `"` + strings.Repeat("0123456789abcdeF", 4) + `"`, `"` + strings.Repeat("é", 32) + `"`}},
	{`{"format": "date-time"}`, []string{`"2024-02-29T23:59:59.5+05:30"`, `"2016-12-31T23:59:60Z"`, `"2025-10-27T10:00:00\u005a"`, `null`}, []string{`"2025-02-29T00:00:00Z"`, `"x"`, `""`}},
	{`{"required": ["a"], "properties": {"a": {"type": "string"}}}`, []string{`{"a": "x", "b": 1}`, `{"\u0061": "x"}`, `{"a": "x", "a": 1}`, `[]`}, []string{`{"b": 1}`, `{}`, `{"a": 1, "a": "x"}`, `{"\u0061": 1}`}},
	{`{"required": ["z", "y"], "properties": {"y": {}, "z": {}}}`, []string{`{"z": 1, "y": null}`, `{"y": 1, "z": 1}`}, []string{`{}`, `{"z": 1}`}},
	{`{"required": ["z"], "properties": {"z": {}}, "additionalProperties": {"type": "string"}}`, []string{`{"z": 1}`, `{"z": 1, "y": "x"}`}, []string{`{"z": 1, "y": 1}`, `{"y": "x"}`}},
	{`{"additionalProperties": {"type": "string"}}`, []string{`{"a": "x"}`}, []string{`{"a": 1}`, `{"a": 1, "b/~c%41": 2}`}},
	{`{"items": {"type": "string"}}`, []string{`["a"]`, `["a", "b"]`, `[]`, `{}`}, []string{`["a", 1]`, `[1, 2]`}},
	{`{"items": {"type": ["array", "string"], "items": {"minimum": 2}}}`, []string{`["a", [2, 3]]`}, []string{`[[1, 2]]`, `[3]`}},
	{`{"properties": {"a": {}, "b": {}, "c": {}}, "anyOf": [{"required": ["a", "b"]}, {"required": ["c"]}]}`, []string{`{"c": 1}`, `{"b": 1, "a": 1}`, `1`}, []string{`{}`, `{"a": 1}`, `{"d": 1, "b": 1}`}},
	{`{"$ref": "#/$defs/a", "description": "x", "$defs": {"a": {"type": "string"}}}`, []string{`"x"`}, []string{`1`}},
	{`{"properties": {"a/b~ c": {"$ref": "#/$defs/a~1b~0"}}, "$defs": {"a/b~": {"type": "string"}}}`, []string{`{"a/b~ c": "x"}`}, []string{`{"a/b~ c": 1}`}},
	{`{"type": "array", "items": {"$ref": "#"}}`, []string{`[[], [[]]]`}, []string{`1`, `[[], [1, [2]]]`}},
	{`{"$ref": "decision.schema.json"}`, []string{decision}, []string{`{}`, `1`}},
	{`{}`, []string{`1`, `{}`}, nil},
}

// TestKeywords holds every keyword against values that it admits and others, and against
// the library.
func TestKeywords(t *testing.T) {
	for _, c := range keywords {
		of, faults := compiled(t, c.schema)
		if len(faults) > 0 {
			t.Error(faults)
		}
		library := oracleFor(t, c.schema)
		for _, text := range slices.Concat(c.good, c.bad) {
			doc := parsed(t, text)
			if got, want := of.Valid(doc, 0), slices.Contains(c.good, text); got != want {
				t.Errorf("%s: %s gives %v", c.schema, text, got)
			}
			same(t, c.schema, of, library, doc)
		}
	}
}

// TestNumbersBeyondMeasure: those that the library would compute with for ever.
func TestNumbersBeyondMeasure(t *testing.T) {
	of, _ := compiled(t, `{"type": "integer", "minimum": 0, "maximum": 100}`)
	long := strings.Repeat("0", 1<<20)
	for text, want := range map[string]string{
		"1e3000000": "maximum", "-1e3000000": "minimum", "1e-3000000": "type", "100" + long: "maximum", "99." + long: "", "99." + long + "1": "type",
		"1" + long + "e-" + strconv.Itoa(len(long)): "", "1e1" + long: "maximum", "-1e1" + long: "minimum", "1e-1" + long: "type", "0e1" + long: "", "-0e-1" + long: "",
		"0." + long + "5e" + strconv.Itoa(len(long)+2): "", "0." + long + "5e" + strconv.Itoa(len(long)): "type",
	} {
		list, _ := of.Breaches(parsed(t, text), 0)
		got := ""
		if len(list) > 0 {
			got = list[0].Keyword
		}
		if got != want || len(list) > 1 {
			t.Errorf("%.40s: %q, want %q", text, got, want)
		}
	}
}

// TestAMemberWithoutAName: the library says such things of the object.
func TestAMemberWithoutAName(t *testing.T) {
	of, _ := compiled(t, `{"additionalProperties": {"type": "string"}}`)
	if got, _ := tell(of, parsed(t, `{"": 1}`)); len(got) != 1 || got[0].pointer != "/" {
		t.Errorf("%+v", got)
	}
}

// TestManyBreachesAreCounted: what is kept of a hostile document has a limit.
func TestManyBreachesAreCounted(t *testing.T) {
	of, _ := compiled(t, `{"items": {"type": "string"}}`)
	list, more := of.Breaches(parsed(t, "[0"+strings.Repeat(",0", 99_999)+"]"), 0)
	if len(list) != maxBreaches || more != 100_000-maxBreaches || list[0].Node != 1 || list[maxBreaches-1].Node != maxBreaches {
		t.Errorf("%d and %d more", len(list), more)
	}
}

// TestBelow: the schema of a member is that of its own place, of a rest, or none.
func TestBelow(t *testing.T) {
	of, _ := compiled(t, `{"properties": {"a": {"additionalProperties": {"type": "string"}}}}`)
	number := parsed(t, `1`)
	for _, c := range []struct {
		names []string
		admit bool
	}{{[]string{"a"}, true}, {[]string{"a", "b"}, false}, {[]string{"a", "b", "c"}, true}, {[]string{"b"}, true}, {[]string{"b", "c"}, true}} {
		if got := of.Below(c.names...).Valid(number, 0); got != c.admit {
			t.Errorf("%v: %v", c.names, got)
		}
	}
	if Of("nothing") != nil {
		t.Error("there is a schema of nothing")
	}
}

func parsed(t testing.TB, src string) *jsonedit.Doc {
	t.Helper()
	doc, err := jsonedit.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// sourceWith returns embedded schemas, and src as the one called x.
func sourceWith(src string) func(string) ([]byte, bool) {
	return func(name string) ([]byte, bool) {
		if name == "x" {
			return []byte(src), true
		}
		return schema.Source(name)
	}
}

func compiled(t testing.TB, src string) (*Schema, []string) {
	t.Helper()
	c := newCompiler(sourceWith(src))
	return c.root("x"), c.faults
}

func oracleFor(t testing.TB, src string) oracle {
	t.Helper()
	return newOracle(t, "x", sourceWith(src))
}

// same holds what a schema says of a document against what the library says.
func same(t *testing.T, title string, of *Schema, library oracle, doc *jsonedit.Doc) {
	t.Helper()
	got, more := tell(of, doc)
	want := library.breaches(doc)
	if len(got)+more != len(want) || more == 0 && !slices.Equal(got, want) || of.Valid(doc, 0) != (want == nil) {
		t.Errorf("%s: valid %v\n%+v and %d more, the library says\n%+v of %.2000s", title, of.Valid(doc, 0), got, more, want, doc.Src)
	}
}

// FuzzSchemas holds schemas and the library together: they say the same of any document.
func FuzzSchemas(f *testing.F) {
	libraries := map[string]oracle{}
	for _, name := range schema.Names() {
		libraries[name] = oracleOf(f, name)
	}
	names := schema.Names()
	for i := range names {
		f.Add(i, `{"id": "a", "timestamp": "2025-10-27T10:00:00Z", "decision": "x"}`)
	}
	seeds, _ := filepath.Glob(fixtures + "/*/.*/context/*.json")
	more, _ := filepath.Glob(fixtures + "/*/.*/*/*.json")
	for _, file := range append(seeds, more...) {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for i := range names {
			f.Add(i, string(src))
		}
	}
	f.Add(0, `{"project": {"current_layer": 1.0, "clarity": 1e1}, "a": 1E400, "metadata": {"timestamp": "2025-10-27T10:00:00\u005a"}}`)
	f.Fuzz(func(t *testing.T, which int, src string) {
		if which < 0 {
			return
		}
		agree(t, names[which%len(names)], libraries, src)
	})
}

// FuzzKeywords does so for keywords of all kinds.
func FuzzKeywords(f *testing.F) {
	var of []*Schema
	var libraries []oracle
	for i, c := range keywords {
		compiled, _ := compiled(f, c.schema)
		of, libraries = append(of, compiled), append(libraries, oracleFor(f, c.schema))
		for _, text := range slices.Concat(c.good, c.bad) {
			f.Add(i, text)
		}
	}
	f.Fuzz(func(t *testing.T, which int, src string) {
		doc, err := jsonedit.Parse([]byte(src))
		if err != nil || which < 0 || !askable(doc) {
			return
		}
		which %= len(keywords)
		same(t, keywords[which].schema, of[which], libraries[which], doc)
	})
}

// agree holds what both say of a text.
func agree(t *testing.T, name string, libraries map[string]oracle, src string) {
	t.Helper()
	if doc, err := jsonedit.Parse([]byte(src)); err == nil && askable(doc) {
		same(t, name, Of(name), libraries[name], doc)
	}
}

// FuzzOneValue replaces one value of a document that is one, so that most
// of it stays valid.
func FuzzOneValue(f *testing.F) {
	documents := map[string]string{
		"current-context": state(f), "decision": decision, "message": message,
		"session-metadata": `{"session_id": "c-1", "status": "active", "message_count": 3, "fragment": "a", "completed": [{"goal": "a", "id": "g", "completed": null, "completed_by": "b"}, {"action": "c"}]}`,
		"session-index":    `{"session_id": "c-1", "agents": ["a"], "completed": [{"goal": "a", "parent_goal_id": "g"}]}`,
		"hot-context":      `{"version": 1, "active_goals": [{"goal": "a", "id": "goal-1", "created": null}], "key_decisions": [{"description": "x", "supersedes": ["a"]}], "pending_actions": ["x", {"action": "y", "layer": 2}], "key_entities": {"files": ["a"]}, "current_file_context": {"files": ["a"], "agent": "b", "updated": null}, "notes": ["n", {"id": "note-1", "note": "m"}], "open_questions": [{"id": "Q-1", "question": "q", "blocking": ["a"]}], "important_constraints": ["c", {"constraint": "d", "created": null}]}`,
		"config":           `{"refresh_triggers": [{"name": "t", "condition": "a", "actions": ["b"]}], "compaction": {"policy": "quaid", "thresholds": {"light": 50}, "window_tokens": 8000}, "validation": {"severity": {"x": "off"}}, "agents": {"boss": ["a"]}, "entities": {"people": ["@a"]}}`,
	}
	names, libraries := slices.Sorted(maps.Keys(documents)), map[string]oracle{}
	for _, name := range names {
		libraries[name] = oracleOf(f, name)
	}
	values := []string{"null", "true", "0", "-1", "5", "6", "1.5", "1.0", "1e2", "1e15", "9007199254740993", "100.5", `""`, `"x"`, `"é"`, `"a b"`, `"\u0061"`,
		`"2025-10-27T10:00:00Z"`, `"2025-02-30T10:00:00Z"`, `"2025-10-27t10:00:00z"`, `"2016-12-31T23:59:60Z"`, `"2025-10-27T10:00:00.1234567890Z"`,
		"[]", "[1]", `["a", "a"]`, `[null]`, "{}", `{"a": 1}`, `{"id": "x"}`, `{"action": "x"}`}
	for i := range names {
		for v := range values {
			f.Add(i, v, v, "x")
		}
	}
	f.Fuzz(func(t *testing.T, which, node, value int, text string) {
		if which < 0 || node < 0 || value < 0 {
			return
		}
		name := names[which%len(names)]
		src := documents[name]
		doc := parsed(t, src)
		n := doc.Nodes[node%len(doc.Nodes)]
		with := strconv.Quote(text)
		if value < len(values) {
			with = values[value]
		}
		agree(t, name, libraries, src[:n.Start]+with+src[n.End:])
	})
}

// BenchmarkValid holds the documents' own State against its schema.
func BenchmarkValid(b *testing.B) {
	doc, of := parsed(b, state(b)), Of("current-context")
	b.SetBytes(int64(len(doc.Src)))
	for b.Loop() {
		of.Valid(doc, 0)
	}
}

// BenchmarkLibrary asks the library the same.
func BenchmarkLibrary(b *testing.B) {
	library, doc := oracleOf(b, "current-context"), parsed(b, state(b))
	b.SetBytes(int64(len(doc.Src)))
	for b.Loop() {
		library.breaches(doc)
	}
}
