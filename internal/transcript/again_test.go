package transcript_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

func ids(messages []schema.Message) []string {
	var out []string
	for _, m := range messages {
		out = append(out, m.ID)
	}
	return out
}

// A copy with other line endings, and a file that has grown, say the same under
// the same ids.
func TestTheSameIsKnownAgain(t *testing.T) {
	for name, src := range transcripts(t) {
		first, _, _, err := imported(src)
		if err != nil {
			t.Fatal(err)
		}
		windows, _, _, err := imported([]byte(strings.ReplaceAll(string(src), "\n", "\r\n")))
		if err != nil || !slices.Equal(ids(windows), ids(first)) {
			t.Errorf("%s with CRLF: %v\n got %q\nwant %q", name, err, ids(windows), ids(first))
		}
		if filepath.Ext(name) != ".jsonl" {
			continue
		}
		lines := strings.SplitAfter(string(src), "\n")
		before, _, _, err := imported([]byte(strings.Join(lines[:len(lines)*2/3], "")))
		if err != nil {
			t.Fatal(err)
		}
		if got := ids(first)[:len(before)]; !slices.Equal(ids(before), got) {
			t.Errorf("%s, grown:\n got %q\nwant %q", name, got, ids(before))
		}
	}
}

// In a Codex rollout without ids a line that stands there twice is one message;
// the same words at another time are another.
func TestALineTwice(t *testing.T) {
	line := func(at int) string {
		return fmt.Sprintf(`{"timestamp":"2026-03-02T09:00:%02d.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"yes"}]}}`, at) + "\n"
	}
	rd, err := transcript.Read([]byte(line(1) + line(1) + line(2)))
	if err != nil || len(rd.Messages) != 2 || rd.Records != 3 || rd.Gave != 2 || !slices.Equal(rd.Skipped, []transcript.Skipped{{Reason: "duplicate", Count: 1}}) {
		t.Errorf("%v: %+v", err, rd)
	}
}

// Gemini's newer sessions are logs: what is written again takes the place of what
// was, and what the user takes back was not said.
func TestGeminisLog(t *testing.T) {
	rd, err := transcript.Read([]byte(`{"sessionId":"s-1","projectHash":"a33c","startTime":"2026-03-02T09:00:00.000Z","kind":"main"}
{"id":"u1","timestamp":"2026-03-02T09:00:00.000Z","type":"user","content":"Press the pears."}
{"id":"g1","timestamp":"2026-03-02T09:00:01.000Z","type":"gemini","content":"I pr"}
{"id":"g1","timestamp":"2026-03-02T09:00:01.000Z","type":"gemini","content":"I press.","tokens":{"input":90,"output":10,"total":100}}
{"id":"u2","timestamp":"2026-03-02T09:00:02.000Z","type":"user","content":"oops"}
{"id":"g2","timestamp":"2026-03-02T09:00:03.000Z","type":"gemini","content":"What?"}
{"$rewindTo":"u2"}
{"$set":{"summary":"Pears","messages":[{"id":"u1","type":"user","content":"Press the pears."},{"id":"u9","timestamp":"2026-03-02T09:00:09.000Z","type":"user","content":"Wash them."}]}}
`))
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, m := range rd.Messages {
		said = append(said, m.ID+" "+m.Content)
	}
	if want := []string{"msg-u1 Press the pears.", "msg-g1 I press.", "msg-u9 Wash them."}; !slices.Equal(said, want) {
		t.Errorf("%q", said)
	}
	if rd.Usage == nil || rd.Usage.Tokens != 100 || rd.Tool != "gemini-cli" {
		t.Errorf("%+v", rd)
	}
	accounted(t, rd)
}

// What another tool went on writing under the same id is taken in as one more;
// what forgemind was told itself stays an error.
func TestAMessageThatGrew(t *testing.T) {
	there := []byte(`{"msg_id":"msg-g1","timestamp":"2026-03-02T09:00:01Z","agent":"gemini","role":"assistant","content":"I pr"}` + "\n" +
		`{"msg_id":"msg-g0","timestamp":"2026-03-02T09:00:00Z","agent":"user","role":"user","content":"password=` + `hunter2"}` + "\n")
	in := []schema.Message{{ID: "msg-g1", Role: "assistant", Content: "I press."}, {ID: "msg-g0", Role: "user", Content: "password=" + "hunter2"}}
	lenient := terms
	lenient.Imported = true
	out, _, err := lenient.Admit(there, in)
	if err != nil || len(out) != 1 || out[0].Content != "I press." || out[0].ID == "msg-g1" {
		t.Fatalf("%v: %+v", err, out)
	}
	line, err := session.Encode(out[0])
	if err != nil {
		t.Fatal(err)
	}
	if again, _, err := lenient.Admit(append(there, append(line, '\n')...), in); err != nil || len(again) != 0 {
		t.Errorf("%v: %+v", err, again)
	}
	if _, _, err := terms.Admit(there, in[:1]); err == nil {
		t.Error("taken in under an id that is another's")
	}
}

// A format that is named is taken, whatever the records look like.
func TestTheFormatMayBeNamed(t *testing.T) {
	src := []byte(`[{"role":"user","content":"Fix it."},{"role":"assistant","content":"Look."},{"role":"user","content":"press.go"}]`)
	rd, err := transcript.ReadOf("swe-agent", src)
	if err != nil || len(rd.Messages) != 3 || rd.Messages[2].Role != "tool" {
		t.Errorf("%v: %+v", err, rd.Messages)
	}
	if rd, err := transcript.Read(src); err != nil || rd.Tool != "chat" || rd.Messages[2].Role != "user" {
		t.Errorf("%v: %+v", err, rd.Messages)
	}
	if _, err := transcript.ReadOf("specstory", src); err == nil || !strings.Contains(err.Error(), "no transcript of specstory: it looks like one of chat") {
		t.Error(err)
	}
	if tools := transcript.Tools(); !slices.Contains(tools, "codex") || !slices.IsSorted(tools) {
		t.Errorf("%q", tools)
	}
}

// What is said once for all of a document holds for what is left of it.
func TestADocumentThatIsCutOffKeepsItsSession(t *testing.T) {
	src := transcripts(t)["testdata/gemini-cli.json"]
	rd, err := transcript.Read(src[:len(src)/2])
	if err != nil || len(rd.Messages) == 0 || rd.Messages[0].Session != "92f6-1" || rd.Unread != 1 || len(rd.Faults) != 1 {
		t.Errorf("%v: %+v", err, rd)
	}
}

func TestARecordOfAnotherShapeIsUnreadable(t *testing.T) {
	rd, err := transcript.Read([]byte(`{"role":"user","content":"x"}` + "\n" + `{"role":5,"content":"y"}` + "\n" + `{"role":"exit","content":"z"}` + "\n"))
	if err != nil || rd.Gave != 1 || rd.Unread != 1 || len(rd.Faults) != 1 || !slices.Equal(rd.Skipped, []transcript.Skipped{{Reason: "kind role exit", Count: 1}}) {
		t.Errorf("%v: %+v", err, rd)
	}
}
