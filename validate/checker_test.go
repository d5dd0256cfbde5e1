package validate

import (
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

// TestTheCheckerAcceptsWhatIsPlainlyValid holds its use: a checker that doubted
// everything would be right, and slow.
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
		if newChecker(name).check(doc, 0) != yes {
			t.Errorf("%s: not accepted: %s", name, src)
		}
	}
}

// TestCheckerKeywords holds every keyword that the checker knows against a value
// it admits and one it does not, and against the library.
func TestCheckerKeywords(t *testing.T) {
	for _, c := range []struct{ schema, good, bad string }{
		{`{"type": "integer"}`, `7`, `"7"`},
		{`{"type": ["string", "null"]}`, `null`, `true`},
		{`{"enum": ["a", 1, null]}`, `"a"`, `"b"`},
		{`{"const": "x"}`, `"x"`, `"y"`},
		{`{"minimum": 1, "maximum": 3}`, `3`, `4`},
		{`{"exclusiveMinimum": 1, "exclusiveMaximum": 3}`, `2.5`, `3`},
		{`{"minLength": 2, "maxLength": 3}`, `"éé"`, `"é"`},
		{`{"pattern": "^[A-Z]+-[0-9]{3}$"}`, `"DEC-001"`, ``},
		{`{"pattern": "b+"}`, `"abbc"`, `"ac"`},
		{`{"format": "date-time"}`, `"2024-02-29T23:59:59.5+05:30"`, ``},
		{`{"required": ["a"], "properties": {"a": {"type": "string"}}}`, `{"a": "x", "b": 1}`, `{"b": 1}`},
		{`{"required": ["z"]}`, `{"z": 1}`, `{}`},
		{`{"properties": {"a": true}, "additionalProperties": false}`, `{"a": 1}`, `{"b": 1}`},
		{`{"additionalProperties": {"type": "string"}}`, `{"a": "x"}`, `{"a": 1}`},
		{`{"patternProperties": {"^[0-9]$": {"type": "string"}}, "additionalProperties": false}`, `{"1": "x"}`, `{"x": "x"}`},
		{`{"minProperties": 1, "maxProperties": 1}`, `{"a": 1}`, `{}`},
		{`{"items": {"type": "string"}, "minItems": 1, "maxItems": 2}`, `["a"]`, `["a", 1]`},
		{`{"prefixItems": [{"type": "string"}], "items": {"type": "number"}}`, `["a", 1]`, `["a", "b"]`},
		{`{"uniqueItems": true}`, `["a", "b"]`, `["a", "a"]`},
		{`{"anyOf": [{"type": "string"}, {"minimum": 3}]}`, `5`, `2`},
		{`{"oneOf": [{"type": "string"}, {"type": "null"}]}`, `null`, `5`},
		{`{"allOf": [{"minimum": 1}, {"maximum": 3}]}`, `2`, `4`},
		{`{"not": {"type": "string"}}`, `2`, `"x"`},
		{`{"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"minimum": 2}}`, `2`, `"x"`},
		{`{"$ref": "#/$defs/a", "description": "x", "$defs": {"a": {"type": "string"}}}`, `"x"`, `1`},
		{`{"$ref": "#/$defs/a", "minLength": 2, "$defs": {"a": {"type": "string"}}}`, `"xy"`, `1`},
		{`true`, `1`, ``},
		{`{"dependentRequired": {"a": ["b"]}}`, ``, ``}, // not known: doubt
	} {
		check := compileFor(t, c.schema)
		for _, v := range []struct {
			text string
			want verdict
		}{{c.good, yes}, {c.bad, no}} {
			if v.text == "" {
				continue
			}
			if got := check.check(parsed(t, v.text), 0); got != v.want {
				t.Errorf("%s: %s gives %d, want %d", c.schema, v.text, got, v.want)
			}
		}
	}
	for _, text := range []string{`"DEC-0012"`, `"DEC-1"`, `"-001"`, `"DEC-001 "`, `"ÄDEC-001"`} {
		if compileFor(t, `{"pattern": "^[A-Z]+-[0-9]{3}$"}`).check(parsed(t, text), 0) == yes {
			t.Errorf("%s is accepted", text)
		}
	}
	if compileFor(t, `{"dependentRequired": {"a": ["b"]}}`).check(parsed(t, `{}`), 0) != doubt {
		t.Error("a keyword that is not known gives no doubt")
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

func compileFor(t testing.TB, src string) *checker {
	t.Helper()
	var root any
	if err := jsonedit.Decode([]byte(src), &root); err != nil {
		t.Fatal(err)
	}
	c := &compiler{roots: map[string]any{"x": root}, texts: map[string]*jsonedit.Doc{"x": parsed(t, src)}, made: map[string]*checker{}}
	return c.at("x", "")
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
		if err != nil || (walk != nil) != walked || (slow != nil) == walked {
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

// FuzzChecker holds the checker and the schema library together: never may the
// checker accept what the library refuses, nor refuse what it accepts.
func FuzzChecker(f *testing.F) {
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
		if which < 0 || len(src) > 1<<20 {
			return
		}
		agree(t, names[which%len(names)], src)
	})
}

// agree holds what the checker says of a text against what the library says.
func agree(t *testing.T, name, src string) {
	t.Helper()
	var d document
	d.open("x.json", "", formJSON, []byte(src))
	if d.tape.Parse(d.src) != nil {
		return
	}
	if hasExtreme(&d.tape) {
		return
	}
	verdict := judgements[name].checker().document(&d.tape)
	list, err := breaches(name, &d.tape)
	if err != nil {
		t.Fatalf("the library gave up on %s: %v", name, err)
	}
	if verdict == yes && len(list) > 0 || verdict == no && len(list) == 0 {
		t.Errorf("%s: the checker says %d, the library %+v, of %.2000s", name, verdict, list, src)
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
	names := slices.Sorted(maps.Keys(documents))
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
		agree(t, name, src[:n.Start]+with+src[n.End:])
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
