package transcript_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// told is an import as the .want files hold it: role/kind agent tool: content.
func told(messages []schema.Message, faults []transcript.Fault) string {
	var b strings.Builder
	for _, m := range messages {
		b.WriteString(m.Role)
		if m.Kind != "" {
			b.WriteString("/" + m.Kind)
		}
		b.WriteString(" " + m.Agent)
		if m.ToolName != "" {
			b.WriteString(" " + m.ToolName)
		}
		b.WriteString(": " + strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`).Replace(m.Content) + "\n")
	}
	for _, f := range faults {
		fmt.Fprintf(&b, "fault %d:%d: %v\n", f.Line, f.Column, f.Err)
	}
	return b.String()
}

func transcripts(t testing.TB) map[string][]byte {
	t.Helper()
	names, _ := filepath.Glob("testdata/*")
	all := map[string][]byte{}
	for _, name := range names {
		if strings.HasSuffix(name, ".want") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = src
	}
	if len(all) < 8 {
		t.Fatalf("only %d transcripts", len(all))
	}
	return all
}

func TestTranscriptsOfEveryTool(t *testing.T) {
	for name, src := range transcripts(t) {
		base := strings.TrimSuffix(name, filepath.Ext(name))
		want, err := os.ReadFile(base + ".want")
		if err != nil {
			t.Fatal(err)
		}
		messages, faults, tool, err := imported(src)
		if err != nil || !strings.HasPrefix(filepath.Base(base), tool) {
			t.Errorf("%s: %q, %v", name, tool, err)
		}
		if got := told(messages, faults); got != string(want) {
			t.Errorf("%s:\n got\n%s\nwant\n%s", name, got, want)
		}
		crlf, _, _, err := imported([]byte("\xEF\xBB\xBF" + strings.ReplaceAll(string(src), "\n", "\r\n")))
		if err != nil || told(crlf, nil) != told(messages, nil) {
			t.Errorf("%s, with CRLF: %v\n%s", name, err, told(crlf, nil))
		}
	}
}

// What the user decides while a tool waits for an answer is a decision like any
// other.
func TestDecisionsInsideOfToolResults(t *testing.T) {
	o := compact.Options{Bosses: schema.DefaultBosses(), Phrases: schema.DefaultDecisionPhrases()}
	var decided []string
	for _, name := range []string{"claude-code.jsonl", "codex.jsonl", "gemini-cli.json"} {
		messages, _, _, err := imported(transcripts(t)["testdata/"+name])
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range messages {
			if compact.Classify(m, o) == "decision" {
				decided = append(decided, m.ToolName)
			}
		}
	}
	if got := strings.Join(decided, " "); got != "AskUserQuestion Edit ExitPlanMode request_user_input ask_user" {
		t.Errorf("decided in %s", got)
	}
}

func TestImportKeepsIdsTimesSessionAndPlace(t *testing.T) {
	messages, _, _, err := imported(transcripts(t)["testdata/claude-code.jsonl"])
	if err != nil {
		t.Fatal(err)
	}
	m := messages[0]
	if m.ID != "msg-00000000-0000-4000-8000-000000000004" || m.Timestamp != "2026-03-02T09:00:02.000Z" || m.Session != "5e55-1" ||
		string(m.Metadata) != `{"source":"claude-code","cwd":"/home/ann/orchard","branch":"main"}` {
		t.Errorf("%+v %s", m, m.Metadata)
	}
	if messages[1].Metadata != nil || messages[3].ID != messages[2].ID+".1" {
		t.Errorf("%s, %s, %s", messages[1].Metadata, messages[2].ID, messages[3].ID)
	}
	own, _, _, _ := imported(transcripts(t)["testdata/forgemind.jsonl"])
	if string(own[0].Metadata) != `{"a":1,"mood":"glad"}` && string(own[0].Metadata) != `{"a":1, "mood":"glad"}` {
		t.Errorf("%s", own[0].Metadata)
	}
}

func TestAChatWithoutIdsGetsTheSameIdsAgain(t *testing.T) {
	src := []byte(`[{"role":"user","content":"yes"},{"role":"user","content":"yes"},{"role":"assistant","content":"no"}]`)
	first, _, tool, err := imported(src)
	if err != nil || tool != "chat" || len(first) != 3 || first[0].ID == first[1].ID {
		t.Fatalf("%v, %s: %+v", err, tool, first)
	}
	second, _, _, _ := imported(src)
	for i := range first {
		if first[i].ID != second[i].ID || !schema.ValidID(first[i].ID) {
			t.Errorf("%s, then %s", first[i].ID, second[i].ID)
		}
	}
}

// Answers that do not name the questions are told as the tool told them.
func TestAnswersToOtherQuestions(t *testing.T) {
	said := "User has answered your questions: \"Fruit\"=\"Pears\"."
	src := `{"uuid":"u-1","type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"AskUserQuestion","input":{}}]}}
{"uuid":"u-2","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":` + fmt.Sprintf("%q", said) + `}]}]},
 "toolUseResult":{"questions":[{"question":"Which?"}],"answers":{"Which?":"These","Fruit":"Pears"}}}
`
	messages, _, _, err := imported([]byte(strings.ReplaceAll(src, "\n ", "")))
	if err != nil || len(messages) != 2 || messages[1].Role != "user" || messages[1].Content != said {
		t.Errorf("%v: %+v", err, messages)
	}
}

// A subagent's own transcript is a conversation, too.
func TestASubagentsTranscript(t *testing.T) {
	src := `{"isSidechain":true,"sessionId":"s","type":"user","message":{"role":"user","content":"Look for pears."},"uuid":"u-1","timestamp":"2026-03-02T09:00:00Z"}`
	messages, _, _, err := imported([]byte(src))
	if err != nil || len(messages) != 1 {
		t.Errorf("%v: %+v", err, messages)
	}
}

func TestAnUnknownFormatSaysWhatItLooksLike(t *testing.T) {
	for src, want := range map[string]string{
		"Dear diary,\ntoday\n":              `line 1 is no JSON ("Dear diary,")`,
		`{"speaker":"a","utterance":"b"}`:   `an object with "speaker", "utterance"`,
		"[1, 2]":                            "line 1 is a number",
		"[":                                 "line 1 is no JSON",
		"\n\n{\"\x1b[31m\": 1}":             `line 3 is an object with "\x1b[31m"`,
		`{"messages": [{"to":"a"}]}`:        `"to"`,
		strings.Repeat("{\"a\": 1}\n", 300): `"a"`,
	} {
		messages, _, _, err := imported([]byte(src))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "Claude Code") || strings.ContainsRune(err.Error(), 0x1b) || len(err.Error()) > 1000 {
			t.Errorf("%.40q: %v, %v", src, messages, err)
		}
	}
	for _, src := range []string{"", " \n\r\n", "[]", `{"messages":[]}`} {
		if messages, faults, tool, err := imported([]byte(src)); err != nil || messages != nil || faults != nil || tool != "" {
			t.Errorf("%q: %v", src, err)
		}
	}
}

func TestBadLinesAreToldAndTheRestGoesOn(t *testing.T) {
	good := `{"role":"user","content":"hello"}` + "\n"
	messages, faults, _, err := imported([]byte(good + strings.Repeat("{bad\n", 5000) + good))
	if err != nil || len(messages) != 2 || len(faults) != 100 || faults[0].Line != 2 || faults[0].Column != 2 ||
		!strings.Contains(faults[99].Err.Error(), "4900 more") {
		t.Errorf("%v: %d messages, %d faults, %v", err, len(messages), len(faults), faults[len(faults)-1])
	}
}

func TestTimesOfOtherTools(t *testing.T) {
	for text, want := range map[string]string{
		`"2026-03-02T09:00:00+01:00"`:  "2026-03-02T09:00:00+01:00",
		`"2026-03-02 09:00:00"`:        "2026-03-02T09:00:00.000Z",
		`"2026-03-02T09:00:00.123456"`: "2026-03-02T09:00:00.123Z",
		`1772442000`:                   "2026-03-02T09:00:00.000Z",
		`1772442000500`:                "2026-03-02T09:00:00.500Z",
		`"soon"`:                       "",
		`{}`:                           "",
	} {
		messages, _, _, err := imported([]byte(`{"role":"user","content":"x","timestamp":` + text + `}`))
		if err != nil || len(messages) != 1 || messages[0].Timestamp != want {
			t.Errorf("%s: %v, %v", text, messages, err)
		}
	}
}

func FuzzImport(f *testing.F) {
	for _, src := range transcripts(f) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		messages, faults, _, err := imported(src)
		if err != nil && (messages != nil || faults != nil) {
			t.Fatal(err)
		}
		for _, fault := range faults {
			if fault.Line < 1 || fault.Column < 1 || fault.Err == nil {
				t.Fatalf("%+v", fault)
			}
		}
		out, _, err := terms.Admit(nil, messages)
		if err != nil {
			t.Fatal(err)
		}
		var file []byte
		for _, m := range out {
			line, err := session.Encode(m)
			if err != nil {
				t.Fatal(err)
			}
			file = append(append(file, line...), '\n')
		}
		for _, line := range session.Read(file) {
			if line.Err != nil {
				t.Fatalf("%v: %q", line.Err, line.Raw)
			}
		}
		if again, _, err := terms.Admit(file, messages); err != nil || len(again) != 0 {
			t.Fatalf("twice: %v, %v", again, err)
		}
	})
}

var terms = session.Terms{
	Now: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), Random: counting{}, Counter: "chars4",
	Count: func(text string) int { return (len(text) + 3) / 4 },
}

// counting is randomness that repeats.
type counting struct{}

func (counting) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(i)
	}
	return len(p), nil
}

// imported is what a transcript says, and whose it is.
func imported(src []byte) (messages []schema.Message, faults []transcript.Fault, tool string, err error) {
	t, err := transcript.Read(src)
	return t.Messages, t.Faults, t.Tool, err
}
