package validate

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

// example is the State that the CMS document shows.
func example(t testing.TB) string {
	t.Helper()
	src, err := os.ReadFile(fixtures + "/cms-example/" + fs.State)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

func TestTheDocumentsExampleBreaksItsOwnTokenRuleAndNothingElse(t *testing.T) {
	src := example(t)
	line, column := 0, 0
	for i, l := range strings.Split(src, "\n") {
		if at := strings.Index(l, `"used_tokens": 70000`); at >= 0 {
			line, column = i+1, at+len(`"used_tokens": `)+1
		}
	}
	want := fmt.Sprintf("current-context.json:%d:%d: error: Token count mismatch: used_tokens is 70,000, but loaded artifacts have 10,500 (tolerance 1,000) [token-mismatch]", line, column)
	expect(t, "as it stands", Bytes("current-context.json", []byte(src), Options{}), want)
	if hint := Bytes("x.json", []byte(src), Options{})[0].Hint; !strings.Contains(hint, `"other_tokens": {"messages": 59500}`) {
		t.Errorf("the hint does not say what to record: %s", hint)
	}

	mended := change(t, src, `"used_tokens": 70000,`, `"used_tokens": 70000, "other_tokens": {"messages": 59500},`)
	expect(t, "with other_tokens", Bytes("current-context.json", []byte(mended), Options{}))
}

func TestALoneFileIsWhatItsPlaceOrNameOrContentSays(t *testing.T) {
	wrong := strings.Replace(state, `"MODULE"`, `"CODE"`, 1)
	for _, name := range []string{
		"/home/ann/p/.forgemind/context/current-context.json", "current-context.json", "a/b/whatever.json",
		"p/.forgemind/context/context-history/x.json",
	} {
		if got := Bytes(name, []byte(wrong), Options{}); len(got) != 1 || got[0].Rule != "layer-mismatch" || got[0].File != name {
			t.Errorf("%s: %s", name, text(got))
		}
	}
	if got := Bytes("x.json", []byte(`{"$schema": "https://forgemind.dev/schemas/decision.schema.json"}`), Options{}); len(got) != 2 || got[0].Rule != "schema" {
		t.Errorf("by $schema: %s", text(got))
	}
	if got := Bytes("x.json", []byte(`{"schema": "another", "metadata": 7}`), Options{}); len(got) != 0 {
		t.Errorf("nobody's document is judged for its syntax: %s", text(got))
	}
	if got := Bytes("current-context.json", []byte(`{"schema": "another"}`), Options{}); len(got) == 0 {
		t.Error("a State that is named is judged, whatever schema it names")
	}
}

func TestALoneFileIsNotHeldAgainstTheDisk(t *testing.T) {
	src := change(t, state, `"recent_decisions"`, `"loaded_artifacts": [{"id": "a", "path": "gone.md", "loaded": true}], "session_stats": {"decisions_recorded": 9}, "recent_decisions"`,
		`"id": "DEC-001",`, `"id": "DEC-001", "supersedes": "DEC-000",`)
	expect(t, "alone", Bytes(fs.State, []byte(src), Options{}))
	if got := judgeTree(t, pages{fs.State: src}); len(got) != 3 {
		t.Errorf("in a tree: %s", text(got))
	}
}

func TestSeverityIsConfigured(t *testing.T) {
	wrong := change(t, state, `"MODULE"`, `"CODE"`)
	config := func(s string) pages {
		return pages{fs.State: wrong, fs.Config: `{"validation": {"severity": {"layer-mismatch": ` + s + `}}}`}
	}
	const at = `.forgemind/context/current-context.json:5:62: `
	expect(t, "off", judgeTree(t, config(`"off"`)))
	expect(t, "warning", judgeTree(t, config(`"warning"`)), at+`warning: Layer mismatch: 1 != CODE (layer 1 is MODULE) [layer-mismatch]`)
	expect(t, "no severity", judgeTree(t, config(`"loud"`)),
		`.forgemind/config.json:1:48: error: validation.severity.layer-mismatch must be one of "error", "warning", "off", found the string "loud" [schema]`,
		at+`error: Layer mismatch: 1 != CODE (layer 1 is MODULE) [layer-mismatch]`)
	expect(t, "a config of the wrong type", judgeTree(t, pages{fs.State: wrong, fs.Config: `[]`}),
		`.forgemind/config.json:1:1: error: the document must be an object, found an array [schema]`,
		at+`error: Layer mismatch: 1 != CODE (layer 1 is MODULE) [layer-mismatch]`)

	r, err := Tree(config(`"off"`), Options{Severity: map[string]Severity{"layer-mismatch": Warning}})
	if err != nil || r.Warnings != 1 || r.Files != 2 {
		t.Errorf("an option outweighs the config: %+v %v", r, err)
	}
}

// TestSeverityIsConfiguredInEitherFolder: what .forgemind says holds, and what
// only .quaid says holds, too.
func TestSeverityIsConfiguredInEitherFolder(t *testing.T) {
	const off, warning = `{"validation": {"severity": {"layer-mismatch": "off"}}}`, `{"validation": {"severity": {"layer-mismatch": "warning"}}}`
	for _, c := range []struct {
		name, forgemind, quaid string
		want                   Severity
	}{
		{"only one", "", warning, Warning},
		{"both", off, warning, Off},
		{"a section that the first lacks", `{"loader": {}}`, warning, Warning},
		{"a section that is null", `{"validation": null}`, warning, Warning},
		{"a section that is empty", `{"validation": {}}`, warning, ""},
		{"a broken first", `{"loader": `, warning, ""},
		{"a broken second", warning, `{`, Warning},
		{"a list", `[]`, warning, ""},
	} {
		p := pages{fs.QuaidConfig: c.quaid}
		if c.forgemind != "" {
			p[fs.Config] = c.forgemind
		}
		if got := Configured(p)["layer-mismatch"]; got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAForeignTreeIsLeftAlone(t *testing.T) {
	foreign := pages{fs.State: `{"schema": "another-v2", "role": 7}`, notes: "Ã©"}
	r, err := Tree(foreign, Options{})
	if err != nil || r.Files != 0 || len(r.Findings) != 0 {
		t.Errorf("%+v %v", r, err)
	}
	if r, _ := Tree(foreign, Options{Foreign: true}); r.Files != 2 || r.Errors == 0 {
		t.Errorf("asked for, it is judged: %+v", r)
	}
	for _, own := range []string{`{"schema": "another-v2"`, `{"version": "1.0"}`, state} {
		if Foreign(pages{fs.State: own}) {
			t.Errorf("%.30s is not foreign", own)
		}
	}
}

func TestUnreadableDocumentsStopTheRound(t *testing.T) {
	for src, want := range map[string]bool{
		state:                                  false,
		change(t, state, `"MODULE"`, `"CODE"`): false,
		change(t, state, `"clarity": 85`, `"clarity": "85"`): true,
		change(t, state, `, "mode": "Boss Mode"`, ``):        false, // reported, and the round goes on
		state[:100]: true,
		"":          true,
		change(t, state, `"clarity": 85`, `"clarity": 1e999`):            true,
		change(t, state, `"clarity": 85`, `"clarity": 1, "clarity": 85`): false,
	} {
		if Unreadable(fs.State, []byte(src)) != want {
			t.Errorf("%v wanted for %s", want, src)
		}
	}
}

func TestColumnsCountCharactersAndUTF16Units(t *testing.T) {
	src := change(t, state, `"name": "P"`, `"name": "é😀"`, `"MODULE"`, `"CODE"`)
	got := Bytes(fs.State, []byte(src), Options{})
	if len(got) != 1 || got[0].Line != 5 || got[0].Column != 63 || got[0].Column16 != 64 {
		t.Errorf("%+v", got)
	}
}

// TestAStreamIsJudgedLikeTheWholeFile reads JSONL in pieces whose ends fall
// anywhere.
func TestAStreamIsJudgedLikeTheWholeFile(t *testing.T) {
	var b strings.Builder
	b.WriteString("\ufeff")
	for i := range 6000 {
		switch {
		case i%1000 == 7:
			b.WriteString("{\"msg_id\": 1}\n")
		case i%1000 == 8:
			b.WriteString("no JSON, CafÃ©\n")
		case i == 3009:
			fmt.Fprintf(&b, `{"msg_id": "big", "timestamp": "2025-10-27T10:00:00Z", "content": "%s"}`+"\n", strings.Repeat("x", maxSize+pieceSize))
		default:
			fmt.Fprintf(&b, `{"msg_id": "m-%d", "timestamp": "2025-10-27T10:00:00Z", "content": "%s"}`+"\n", i%5999, strings.Repeat("é", i%300))
		}
	}
	b.WriteString(`{"msg_id": "torn`)
	src := []byte(b.String())

	whole := newJudge(newSeverities()).one(messages, fs.DocMessage, false, src)
	streamed, err := newJudge(newSeverities()).stream(messages, fs.DocMessage, bytes.NewReader(src))
	if err != nil || text(streamed) != text(whole) {
		t.Errorf("%v: found\n%swanted\n%s", err, text(streamed), text(whole))
	}
	seen := map[string]int{}
	for _, f := range whole {
		seen[f.Rule]++
	}
	for rule, n := range map[string]int{"encoding": 1, "mojibake": 1, "jsonl-line": 6, "jsonl-torn": 1, "too-large": 1, "duplicate-id": 1} {
		if seen[rule] != n {
			t.Errorf("%d findings of %s, want %d", seen[rule], rule, n)
		}
	}
	if seen["schema"] < 6 {
		t.Errorf("only %d findings of schema", seen["schema"])
	}
}

func TestTheListOfFindingsHasAnEnd(t *testing.T) {
	src := "[" + strings.Repeat(`{"a": 1e999},`, 3000) + "1]"
	got := Bytes("x.json", []byte(src), Options{})
	if len(got) != maxFaults || !strings.Contains(got[maxFaults-1].Hint, "2000 more findings") {
		t.Errorf("%d findings, the last says %q", len(got), got[len(got)-1].Hint)
	}
}

// TestTheFirstBreachesAreListed: those that stand first, and how many more there
// are.
func TestTheFirstBreachesAreListed(t *testing.T) {
	wrong := strings.Repeat(`{"action": 1}, {"action": "x", "layer": 9}, `, 2500)
	src := change(t, state, `"pending_actions": [`, `"pending_actions": [`+wrong)
	got := Bytes(fs.State, []byte(src), Options{})
	if len(got) != maxFaults || !strings.Contains(got[maxFaults-1].Hint, "4000 more findings") {
		t.Fatalf("%d findings, the last says %q", len(got), got[len(got)-1].Hint)
	}
	for i, f := range got {
		if want := fmt.Sprintf("/pending_actions/%d/%s", i, []string{"action", "layer"}[i%2]); f.Pointer != want {
			t.Fatalf("the finding %d is of %s, want %s", i, f.Pointer, want)
		}
	}
}

func TestStrangersTextIsQuotedAndCut(t *testing.T) {
	nasty := "\\u001b[31m" + strings.Repeat("x", 5000)
	src := change(t, state, `"MODULE"`, `"`+nasty+`"`, `"DEC-001"`, `"`+nasty+`"`, `"clarity": 85`, `"clarity": "`+nasty+`"`)
	got := Bytes(fs.State, []byte(src), Options{})
	if len(got) != 3 {
		t.Fatalf("%s", text(got))
	}
	for _, f := range got {
		if strings.ContainsRune(f.Message+f.Hint, 0x1b) || len(f.Message) > 400 {
			t.Errorf("%q", f.Message)
		}
	}
}

// TestALargeDocumentIsJudgedInFull: wherever in it a fault is, and however what
// stands before it is written.
func TestALargeDocumentIsJudgedInFull(t *testing.T) {
	questions := make([]string, 10000)
	for i := range questions {
		questions[i] = fmt.Sprintf(`{"id": "Q-%d", "question": "why"}`, i)
	}
	tokens := make([]string, 10000)
	for i := range tokens {
		tokens[i] = fmt.Sprintf(`"t%d": 0`, i)
	}
	text := func() []byte {
		return []byte(change(t, state, `"recent_decisions"`, `"open_questions": [`+strings.Join(questions, ",")+`], "recent_decisions"`,
			`"used_tokens": 350`, `"used_tokens": 350, "other_tokens": {`+strings.Join(tokens, ",")+`}`))
	}
	pointers := func(src []byte) (out []string) {
		for _, f := range Bytes(fs.State, src, Options{}) {
			out = append(out, f.Rule+" "+f.Pointer)
		}
		return out
	}
	if got := pointers(text()); len(got) > 0 {
		t.Errorf("a good one: %v", got)
	}

	questions[7777], questions[9999] = `{"id": "a/b", "question": "why"}`, `{"id": "Q-x"}`
	tokens[8888] = `"t8888": "x"`
	want := []string{"schema /context_window/other_tokens/t8888", "schema /open_questions/7777/id", "schema /open_questions/9999/question"}
	if got := pointers(text()); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}

	tokens[8888], questions[9999] = `"t8888": 0`, `{"id": "Q-x", "question": "why"}`
	for i := range 5000 {
		questions[i] = fmt.Sprintf(`{"id": "Q-\u0061%d", "question": "why"}`, i)
	}
	questions[7777] = `{"id": "a\u002fb", "question": "why"}`
	if got := pointers(text()); !slices.Equal(got, want[1:2]) {
		t.Errorf("among escapes: got %v, want %v", got, want[1:2])
	}
}
