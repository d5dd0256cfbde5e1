package validate

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// TestTheCheckerAcceptsWhatIsPlainlyValid holds its use: it accepts the documents
// of a good tree at a glance, without an allocation.
func TestTheCheckerAcceptsWhatIsPlainlyValid(t *testing.T) {
	for name, src := range map[string]string{
		"current-context":  example(t),
		"decision":         decision1,
		"session-metadata": metadata1,
		"message":          record,
		"config":           `{"refresh_triggers": [{"name": "t", "enabled": true, "condition": "a", "actions": ["b"]}], "validation": {"severity": {"x": "off"}}, "mine": 1}`,
		"hot-context":      `{"conversation_id": "c-1", "active_goals": [{"goal": "a", "created": "2025-11-09T04:30:00.123+02:00"}], "pending_actions": ["x", {"action": "y"}]}`,
	} {
		doc, err := jsonedit.Parse([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		check := checkers[name]()
		if !check.check(doc, 0, nil) {
			t.Errorf("%s: not accepted: %s", name, src)
		}
		if n := testing.AllocsPerRun(10, func() { check.check(doc, 0, nil) }); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestEmbeddedSchemasAreUnderstood: what a checker does not understand it would
// pass over in silence.
func TestEmbeddedSchemasAreUnderstood(t *testing.T) {
	for _, name := range schema.Names() {
		c := newCompiler()
		c.at(name, "")
		root, _ := c.root(name).(map[string]any)
		parts, _ := root["$defs"].(map[string]any)
		for part := range parts { // those that nothing leads to, too
			c.at(name, "/$defs/"+part)
		}
		for _, fault := range c.faults {
			t.Error(fault)
		}
	}
	for _, text := range []string{
		`{"dependentRequired": {"a": ["b"]}}`, `{"properties": {"a": {"minimun": 1}}}`, `{"type": "text"}`, `{"type": 1}`, `{"format": "email"}`,
		`{"pattern": "("}`, `{"pattern": 1}`, `{"patternProperties": {"(": true}}`, `{"patternProperties": 1}`, `{"minLength": -1}`, `{"minItems": 1.5}`,
		`{"maxProperties": "1"}`, `{"minimum": "1"}`, `{"maximum": null}`, `{"enum": "a"}`, `{"required": "a"}`, `{"required": [1]}`, `{"uniqueItems": 1}`,
		`{"anyOf": []}`, `{"oneOf": 1}`, `{"prefixItems": {}}`, `{"items": 1}`, `{"not": "a"}`, `{"$ref": "#/$defs/a"}`, `{"$ref": "#a"}`, `{"$ref": "other"}`, `{"$ref": 1}`,
		`{"$ref": "#"}`, `{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}`, `{"properties": {"a\\b": true}}`, `"a"`,
		`{"required": ["a` + strings.Repeat(`", "a`, maxProps) + `"]}`,
	} {
		if strings.HasPrefix(text, `{"required": ["a"`) {
			for i := range maxProps {
				text = strings.Replace(text, `"a"`, fmt.Sprintf(`"b%d"`, i), 1)
			}
		}
		if _, faults := compileFor(t, text); len(faults) == 0 {
			t.Errorf("%s is taken", text)
		}
	}
}

// keywords are schemas with values that they admit, and values they do not: every
// keyword that checkers know, whether an embedded schema uses it or not.
var keywords = []struct {
	schema    string
	good, bad []string
}{
	{`{"type": "integer"}`, []string{`7`, `1.0`, `1e2`, `-0`, `10e-1`, `12345678901234567890`}, []string{`"7"`, `1.5`, `1e-1`, `true`}},
	{`{"type": "number"}`, []string{`7.5`, `1e-3`}, []string{`null`}},
	{`{"type": ["number", "integer"]}`, []string{`1.5`}, []string{`"1"`}},
	{`{"type": ["string", "null"]}`, []string{`null`, `""`}, []string{`true`, `[]`}},
	{`{"type": "boolean", "minimum": 1}`, []string{`true`, `false`}, []string{`0`}},
	{`{"enum": ["a", 1, null, {"a": [1, "\""]}, "<"]}`, []string{`"a"`, `"\u0061"`, `1.0`, `10e-1`, `null`, `{"a": [1e0, "\u0022"]}`, `"\u003c"`, `{"a": [1, "\""], "a": 2}`},
		[]string{`"b"`, `2`, `"1"`, `{"a": ["\"", 1]}`, `{}`, `{"a": [1, "\""], "b": 1}`}},
	{`{"const": {"b": 1, "a": 2}}`, []string{`{"a": 2, "b": 1}`}, []string{`{"a": 1, "b": 2}`, `[1, 2]`, `"x"`}},
	{`{"const": null}`, []string{`null`}, []string{`0`, `false`}},
	{`{"const": "x", "enum": ["x", "y"]}`, []string{`"x"`}, []string{`"y"`, `"z"`}},
	{`{"minimum": 1, "maximum": 3}`, []string{`3`, `1`, `3.000`, `2.99999999999999999999`, `"x"`}, []string{`4`, `0`, `3.00000000000000000001`, `0.99999999999999999999`, `-5e3`, `12345678901234567890`}},
	{`{"exclusiveMinimum": 1, "exclusiveMaximum": 3}`, []string{`2.5`, `1.00000000000000000001`}, []string{`3`, `1`, `1.0`, `30e-1`}},
	{`{"minimum": 1, "exclusiveMinimum": 1, "maximum": 0.1}`, nil, []string{`1`, `0.5`, `0.1`}},
	{`{"maximum": 0.1, "minimum": -0.5}`, []string{`0.1`, `1e-1`, `0`, `-0.50`}, []string{`0.10000000000000000001`, `1`, `-0.51`}},
	{`{"maximum": 2.5, "exclusiveMinimum": -2.5}`, []string{`2`, `1`, `-2`}, []string{`3`, `-3`, `-2.5`}},
	{`{"maximum": 9007199254740991}`, []string{`9007199254740991`, `9007199254740990.9`}, []string{`9007199254740992`, `9007199254740991.0001`}},
	{`{"minLength": 2, "maxLength": 3}`, []string{`"éé"`, `"\u00e9\ud83d\ude00"`, `1`}, []string{`"é"`, `"\u00e9"`, `""`, `"abcd"`, `"éééé"`}},
	{`{"minLength": 1}`, []string{`"\n"`}, []string{`""`}},
	{`{"maxLength": 0}`, []string{`""`}, []string{`"a"`}},
	{`{"pattern": "^[A-Z]+-[0-9]{3}$"}`, []string{`"DEC-001"`, `"\u0044EC-001"`, `5`}, []string{`"DEC-1"`, `"DEC-0012"`, `"-001"`, `"DEC-001 "`, `"ÄDEC-001"`, `"DEC-001\n"`}},
	{`{"pattern": "b+", "minLength": 3}`, []string{`"abbc"`}, []string{`"ac"`, `"b"`, `"acc"`}},
	{`{"format": "date-time"}`, []string{`"2024-02-29T23:59:59.5+05:30"`, `"2016-12-31T23:59:60Z"`, `"2025-10-27T10:00:00\u005a"`, `null`}, []string{`"2025-02-29T00:00:00Z"`, `"x"`, `""`}},
	{`{"required": ["a"], "properties": {"a": {"type": "string"}}}`, []string{`{"a": "x", "b": 1}`, `{"\u0061": "x"}`, `{"a": "x", "a": 1}`, `[]`}, []string{`{"b": 1}`, `{}`, `{"a": 1, "a": "x"}`, `{"\u0061": 1}`}},
	{`{"required": ["z", "y"]}`, []string{`{"z": 1, "y": null}`}, []string{`{}`, `{"z": 1}`}},
	{`{"required": ["z"], "additionalProperties": {"type": "string"}}`, []string{`{"z": "x"}`}, []string{`{"z": 1}`, `{"y": "x"}`}},
	{`{"required": ["z"], "patternProperties": {"z": {"type": "string"}}, "additionalProperties": false}`, []string{`{"z": "x"}`}, []string{`{"z": 1}`, `{"z": "x", "y": 1}`, `{}`}},
	{`{"properties": {"a": true, "b": false}, "additionalProperties": false}`, []string{`{"a": 1}`, `{}`}, []string{`{"c": 1}`, `{"b": 1}`, `{"c": 1, "d": 2, "b": 3}`}},
	{`{"required": ["a"], "additionalProperties": false}`, []string{`1`}, []string{`{"a": 1}`, `{}`}},
	{`{"additionalProperties": false}`, []string{`{}`, `1`}, []string{`{"a": 1}`}},
	{`{"additionalProperties": {"type": "string"}}`, []string{`{"a": "x"}`}, []string{`{"a": 1}`, `{"a": 1, "b/~c%41": 2}`}},
	{`{"patternProperties": {"^[0-9]$": {"type": "string"}, "é/": {"minLength": 2}}, "additionalProperties": false}`, []string{`{"1": "x"}`, `{"\u0031": "x"}`, `{"é/": "xx"}`}, []string{`{"x": "x"}`, `{"1": 1}`, `{"\u00e9/": ""}`}},
	{`{"properties": {"aa": {"minimum": 3}}, "patternProperties": {"a": {"type": "number"}}}`, []string{`{"aa": 3, "ab": 0}`}, []string{`{"aa": 2}`, `{"aa": ""}`, `{"ab": ""}`}},
	{`{"minProperties": 1, "maxProperties": 2}`, []string{`{"a": 1}`, `{"a": 1, "b": 2, "a": 3}`, `3`}, []string{`{}`, `{"a": 1, "b": 2, "c": 3}`}},
	{`{"minProperties": 2}`, nil, []string{`{"a": 1, "a": 2}`}},
	{`{"items": {"type": "string"}, "minItems": 1, "maxItems": 2}`, []string{`["a"]`, `["a", "b"]`, `{}`}, []string{`["a", 1]`, `[]`, `["a", "b", 3]`}},
	{`{"prefixItems": [{"type": "string"}, true], "items": {"type": "number"}}`, []string{`["a", "b", 1]`, `["a"]`, `[]`}, []string{`["a", 2, "b"]`, `[1, 1, 1]`}},
	{`{"prefixItems": [{"type": "string"}], "items": false}`, []string{`["a"]`}, []string{`["a", "b", "c"]`, `[1, 2]`}},
	{`{"minItems": 1}`, []string{`[1]`}, []string{`[]`}},
	{`{"prefixItems": [{"type": "string"}]}`, []string{`["a", 1, null]`}, []string{`[1]`}},
	{`{"uniqueItems": true}`, []string{`["a", "b"]`, `[1, "1", true, null, [1], {"a": 1}]`, `["1:a", "a"]`, `[["a", "b"], ["ab"]]`, `[{"a": 1}, {"b": 1}]`},
		[]string{`["a", "a"]`, `["a", "\u0061"]`, `[1, 2, 1.0]`, `[{"a": 1, "b": [2]}, {"b": [2e0], "a": 1}]`, `[{"a": 1}, {"a": 1, "a": 2}]`, `[0, -0.0]`}},
	{`{"anyOf": [{"type": "string"}, {"minimum": 3}]}`, []string{`5`, `"x"`, `null`}, []string{`2`}},
	{`{"anyOf": [{"type": "string", "minLength": 2}, {"type": "array", "items": {"type": "number"}}]}`, []string{`"xx"`, `[1]`}, []string{`"x"`, `["x", 1, null]`, `{}`}},
	{`{"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}`, []string{`{"a": 1}`, `1`}, []string{`{}`}},
	{`{"anyOf": [{"enum": ["a"]}, {"const": "b"}, {"maxLength": 3}]}`, []string{`"a"`, `"b"`, `"ccc"`}, []string{`"cccc"`}},
	{`{"anyOf": [{"items": {"type": "string"}}, {"type": "string"}]}`, []string{`["a"]`}, []string{`[1]`}},
	{`{"anyOf": [{"anyOf": [{"type": "string"}, {"type": "null"}]}, {"allOf": [{"type": "number"}, {"minimum": 3}]}]}`, []string{`"x"`, `null`, `4`}, []string{`2`, `true`, `[]`}},
	{`{"oneOf": [{"type": "string"}, {"type": "null"}]}`, []string{`null`}, []string{`5`}},
	{`{"oneOf": [{"minimum": 2}, {"maximum": 5}]}`, []string{`1`, `6`}, []string{`3`, `"x"`}},
	{`{"oneOf": [{"type": "number", "minimum": 2}, {"type": "string"}]}`, []string{`2`}, []string{`1`}},
	{`{"allOf": [{"minimum": 1}, {"maximum": 3, "multiple": 1}]}`, nil, nil},
	{`{"allOf": [{"minimum": 1}, {"maximum": 3}], "minimum": 2}`, []string{`2`}, []string{`4`, `0`}},
	{`{"not": {"type": "string", "minLength": 2}}`, []string{`2`, `"x"`}, []string{`"xx"`}},
	{`{"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"minimum": 2}}`, []string{`2`, `"xx"`, `[]`}, []string{`"x"`, `1`}},
	{`{"if": {"required": ["a"]}, "then": {"required": ["b"]}}`, []string{`{}`, `{"a": 1, "b": 1}`}, []string{`{"a": 1}`}},
	{`{"then": {"minLength": 2}, "else": false}`, []string{`"x"`, `1`}, nil},
	{`{"$ref": "#/$defs/a", "description": "x", "$defs": {"a": {"type": "string"}}}`, []string{`"x"`}, []string{`1`}},
	{`{"$ref": "#/$defs/a", "minLength": 2, "$defs": {"a": {"type": "string"}}}`, []string{`"xy"`}, []string{`1`, `"x"`}},
	{`{"properties": {"a/b~ c": {"$ref": "#/$defs/a~1b~0%20c"}}, "$defs": {"a/b~ c": {"type": "string"}}}`, []string{`{"a/b~ c": "x"}`}, []string{`{"a/b~ c": 1}`}},
	{`{"type": "array", "items": {"$ref": "#"}}`, []string{`[[], [[]]]`}, []string{`1`, `[[], [1, [2]]]`}},
	{`{"$ref": "decision.schema.json"}`, nil, []string{`{}`, `1`}},
	{`true`, []string{`1`, `{}`}, nil},
	{`false`, nil, []string{`1`, `{}`}},
	{`{}`, []string{`1`, `{}`}, nil},
}

// TestCheckerKeywords holds every keyword against values that it admits and
// others, and against the library.
func TestCheckerKeywords(t *testing.T) {
	for _, c := range keywords {
		check, faults := compileFor(t, c.schema)
		if len(faults) > 0 {
			if c.good != nil || c.bad != nil {
				t.Error(faults)
			}
			continue
		}
		library := oracleFor(t, c.schema)
		for _, text := range slices.Concat(c.good, c.bad) {
			doc := parsed(t, text)
			if got, want := check.check(doc, 0, nil), slices.Contains(c.good, text); got != want {
				t.Errorf("%s: %s gives %v", c.schema, text, got)
			}
			same(t, c.schema, check, library, doc)
		}
	}
}

// TestNumbersBeyondMeasure: those that the library would compute with for ever.
func TestNumbersBeyondMeasure(t *testing.T) {
	check, _ := compileFor(t, `{"type": "integer", "minimum": 0, "maximum": 100}`)
	long := strings.Repeat("0", 1<<20)
	for text, want := range map[string]string{
		"1e3000000": "maximum", "-1e3000000": "minimum", "1e-3000000": "type", "100" + long: "maximum", "99." + long: "", "99." + long + "1": "type",
		"1" + long + "e-" + strconv.Itoa(len(long)): "", "1e1" + long: "maximum", "-1e1" + long: "minimum", "1e-1" + long: "type", "0e1" + long: "", "-0e-1" + long: "",
		"0." + long + "5e" + strconv.Itoa(len(long)+2): "", "0." + long + "5e" + strconv.Itoa(len(long)): "type",
	} {
		list, _ := check.breaches(parsed(t, text), 0)
		got := ""
		if len(list) > 0 {
			got = list[0].keyword
		}
		if got != want || len(list) > 1 {
			t.Errorf("%s: %q, want %q", cut(text), got, want)
		}
	}
}

// TestAMemberWithoutAName: the library says such things of the object.
func TestAMemberWithoutAName(t *testing.T) {
	check, _ := compileFor(t, `{"additionalProperties": {"type": "string"}}`)
	if got, _ := tell(check, parsed(t, `{"": 1}`)); len(got) != 1 || got[0].pointer != "/" {
		t.Errorf("%+v", got)
	}
}

// TestManyBreachesAreCounted: what is kept of a hostile document has a limit.
func TestManyBreachesAreCounted(t *testing.T) {
	for _, schema := range []string{`{"items": {"type": "string"}}`, `{"anyOf": [{"type": "string"}, {"items": {"type": "string"}}]}`} {
		check, _ := compileFor(t, schema)
		list, more := check.breaches(parsed(t, "[0"+strings.Repeat(",0", 99_999)+"]"), 0)
		if len(list) != maxBreaches || more != 100_000-maxBreaches || list[0].node != 1 || list[maxBreaches-1].node != maxBreaches {
			t.Errorf("%s: %d and %d more", schema, len(list), more)
		}
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

func compileFor(t testing.TB, src string) (*checker, []string) {
	t.Helper()
	var root any
	if err := jsonedit.Decode([]byte(src), &root); err != nil {
		t.Fatal(err)
	}
	c := newCompiler()
	c.roots["x"], c.texts["x"] = root, parsed(t, src)
	return c.at("x", ""), c.faults
}

func oracleFor(t testing.TB, src string) oracle {
	t.Helper()
	return newOracle(t, "x", func(name string) ([]byte, bool) {
		if name == "x" {
			return []byte(src), true
		}
		return schema.Source(name)
	})
}

// same holds what a checker says of a document against what the library says.
func same(t *testing.T, title string, check *checker, library oracle, doc *jsonedit.Doc) {
	t.Helper()
	got, more := tell(check, doc)
	want := library.breaches(doc)
	if len(got)+more != len(want) || more == 0 && !slices.Equal(got, want) || check.check(doc, 0, nil) != (want == nil) {
		t.Errorf("%s: the checker says %v\n%+v and %d more, the library\n%+v of %.2000s", title, check.check(doc, 0, nil), got, more, want, doc.Src)
	}
}

func TestPatternsThatAreWalked(t *testing.T) {
	for pattern, walked := range map[string]bool{
		"^[A-Za-z0-9_][A-Za-z0-9._-]*$": true,
		"^[A-Z]+-[0-9]{3}$":             true,
		"^a?b*c{2,3}$":                  true,
		"^v[0-9]+\\.[0-9]+$":            true,
		"^a*a$":                         false, // greedy would be wrong
		"^a?b?a$":                       false,
		"^(a|bc)+$":                     false,
		`^[a\\]+$`:                      false, // escapes
		"[a-z]":                         false,
		"^.*$":                          false,
	} {
		walk, slow, err := compilePattern(pattern)
		if err != nil || (walk != nil) != walked || slow == nil {
			t.Errorf("%s: walked %v, want %v (%v)", pattern, walk != nil, walked, err)
		}
	}
}

// FuzzWalk holds walks against regular expressions: a walk that matches is
// right.
func FuzzWalk(f *testing.F) {
	for _, s := range []string{"", "DEC-001", "abcc", "v1.20", "é", "a.b-c_d"} {
		f.Add("^[A-Z]+-[0-9]{3}$", s)
		f.Add("^a?b*c{2,3}$", s)
		f.Add("^[A-Za-z0-9_][A-Za-z0-9._-]*$", s)
	}
	f.Fuzz(func(t *testing.T, pattern, s string) {
		walk, _, err := compilePattern(pattern)
		if err != nil || walk == nil || len(pattern) > 100 {
			return
		}
		if walk.match([]byte(s)) && !regexp.MustCompile(pattern).MatchString(s) {
			t.Errorf("%s matches %q only here", pattern, s)
		}
	})
}

// FuzzPlainTime holds times that are accepted at sight against the house's
// reading of them.
func FuzzPlainTime(f *testing.F) {
	for _, s := range []string{"2025-10-27T10:00:00Z", "2024-02-29T23:59:59.123+14:00", "1900-02-29T00:00:00Z", "2025-13-01T00:00:00Z", "2025-10-27T24:00:00Z", "2025-10-27T10:00:00.Z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := schema.ParseTime(s); plainTime([]byte(s)) && err != nil {
			t.Errorf("%q: %v", s, err)
		}
	})
}

// FuzzChecker holds checkers and the schema library together: they say the same of
// any document.
func FuzzChecker(f *testing.F) {
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
	var checks []*checker
	var libraries []oracle
	for i, c := range keywords {
		check, faults := compileFor(f, c.schema)
		library := oracle{}
		if faults == nil {
			library = oracleFor(f, c.schema)
		}
		checks, libraries = append(checks, check), append(libraries, library)
		for _, text := range slices.Concat(c.good, c.bad) {
			f.Add(i, text)
		}
	}
	f.Fuzz(func(t *testing.T, which int, src string) {
		doc, err := jsonedit.Parse([]byte(src))
		if err != nil || which < 0 || !askable(doc) {
			return
		}
		if which %= len(keywords); libraries[which].schema != nil {
			same(t, keywords[which].schema, checks[which], libraries[which], doc)
		}
	})
}

// agree holds what both say of a text.
func agree(t *testing.T, name string, libraries map[string]oracle, src string) {
	t.Helper()
	var d document
	d.open("x.json", "", formJSON, []byte(src))
	if d.tape.Parse(d.src) == nil && askable(&d.tape) {
		same(t, name, checkers[name](), libraries[name], &d.tape)
	}
}

// FuzzCheckerOneValue replaces one value of a document that is one, so that most
// of it stays valid.
func FuzzCheckerOneValue(f *testing.F) {
	documents := map[string]string{
		"current-context": example(f), "decision": decision1, "message": record,
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

// FuzzBytes judges anything as anything: no panic, no hang, and places that
// exist.
func FuzzBytes(f *testing.F) {
	for _, name := range []string{"current-context.json", "messages.jsonl", ".forgemind/config.json", "hot_context.json", "a.md", "active_session.txt"} {
		f.Add(name, []byte(state))
		f.Add(name, []byte("\ufeff"+record+"\r\n"+record))
		f.Add(name, []byte("<<<<<<< a\n=======\n>>>>>>> b\n\x00\xff"))
		f.Add(name, []byte(`{"refresh_triggers": [{"condition": "NOT (a AND 'x\u0041')", "actions": [1, "y"]}], "active_goals": [{"parent_goal_id": "g"}]}`))
	}
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		lines := strings.Count(string(src), "\n") + 1
		for _, found := range Bytes(name, src, Options{}) {
			if found.Line < 1 || found.Line > lines || found.Column < 1 || found.Column > len(src)+1 || found.Message == "" {
				t.Errorf("%+v", found)
			}
		}
		fixed, _ := Fix(name, src)
		again, did := Fix(name, fixed)
		if string(again) != string(fixed) || len(did) > 0 {
			t.Errorf("mending twice differs: %q %q", fixed, again)
		}
	})
}
