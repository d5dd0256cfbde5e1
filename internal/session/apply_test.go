package session_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

const talk = `{"msg_id":"m-1","timestamp":"2026-03-02T09:00:00Z","agent":"user","role":"user","content":"Shall we use pears?"}
{"msg_id":"m-2","timestamp":"2026-03-02T09:01:00Z","agent":"BA Agent","role":"assistant","content":"They keep well.","tokens":4}
{"msg_id":"m-3","timestamp":"2026-03-02T09:02:00Z","agent":"user","role":"user","content":"Decision: pears."}
`

// only returns a plan that keeps these messages, in this order, and drops the rest.
func only(src []byte, keep ...int) compact.Plan {
	plan := compact.Plan{Strategy: compact.PSD, Level: "medium", Summary: "## Summary\n\nThey spoke of fruit.", To: "2026-03-02T09:01:00Z"}
	verdicts := map[int]compact.Verdict{}
	for _, i := range keep {
		verdicts[i] = compact.Kept
	}
	order := slices.Clone(keep)
	for i := range session.Messages(session.Read(src)) {
		if verdicts[i] == "" {
			order = append(order, i)
		}
	}
	for _, i := range order {
		step := compact.Step{Index: i, Verdict: compact.Kept, Tokens: 5}
		if verdicts[i] == "" {
			step.Verdict, step.Reason, step.Score = compact.Dropped, "low relevance", 0.25
		}
		plan.Steps = append(plan.Steps, step)
	}
	plan.TokensAfter = 5*len(keep) + 11
	return plan
}

func apply(t testing.TB, src []byte, plan compact.Plan) ([]byte, []schema.Chunk) {
	t.Helper()
	out, chunks, err := session.Apply(src, session.Read(src), plan, session.Compaction{Session: "conv-1", Counter: "o200k"})
	if err != nil {
		t.Fatal(err)
	}
	return out, chunks
}

// shelved is chunks as they come back from cold storage.
func shelved(t testing.TB, chunks []schema.Chunk) []schema.Chunk {
	t.Helper()
	var back []schema.Chunk
	for _, chunk := range chunks {
		line, err := jsonedit.Value(chunk)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsAny(line, "\n\r") {
			t.Fatalf("a chunk of several lines: %q", line)
		}
		var again schema.Chunk
		if err := jsonedit.Decode(line, &again); err != nil {
			t.Fatal(err)
		}
		back = append(back, again)
	}
	return back
}

func TestACompactionLeavesASummaryAndWhatIsKept(t *testing.T) {
	src := []byte(talk)
	out, chunks := apply(t, src, only(src, 2))
	lines := session.Read(out)
	if len(lines) != 2 || string(lines[1].Raw)+"\n" != talk[strings.Index(talk, `{"msg_id":"m-3"`):] {
		t.Fatalf("%s", out)
	}
	head := lines[0].Message
	if head.Role != "system" || head.Kind != "summary" || head.Timestamp != "2026-03-02T09:01:00Z" || head.Tokens != 11 || head.Counter != "o200k" || head.Session != "conv-1" {
		t.Errorf("the summary is %+v", head)
	}
	if len(chunks) != 2 || chunks[1].Content != "They keep well." || chunks[1].DropReason != "low relevance" || chunks[1].Line != 1 ||
		chunks[1].RelevanceScore != 0.25 || chunks[1].SessionID != "conv-1" || string(chunks[1].Message) != strings.Split(talk, "\n")[1] {
		t.Errorf("in cold storage: %+v", chunks)
	}
	for _, f := range validate.Bytes(fs.Messages, out, validate.Options{}) {
		t.Errorf("%d:%d: %s [%s]", f.Line, f.Column, f.Message, f.Rule)
	}
	again, _ := apply(t, src, only(src, 2))
	if !bytes.Equal(again, out) {
		t.Error("the same compaction gave other bytes")
	}
	c, ok := session.LastCompaction(lines)
	if !ok || c.ID != session.CompactionID(src, only(src, 2)) || c.Session != "conv-1" || c.Lines != 3 {
		t.Errorf("%+v, %v", c, ok)
	}
	if session.CompactionID(src, only(src, 1)) == c.ID {
		t.Error("another plan has the same id")
	}
}

// The summary is before the kept messages, and so is its time.
func TestTheSummaryIsNoYoungerThanWhatIsKept(t *testing.T) {
	src := []byte(talk)
	out, _ := apply(t, src, only(src, 0, 2))
	if got := session.Read(out)[0].Message.Timestamp; got != "2026-03-02T09:00:00Z" {
		t.Errorf("it says %s", got)
	}
	for _, f := range validate.Bytes(fs.Messages, out, validate.Options{}) {
		t.Errorf("%d:%d: %s [%s]", f.Line, f.Column, f.Message, f.Rule)
	}
}

func TestNothingToDoChangesNothing(t *testing.T) {
	src := []byte(talk)
	out, chunks := apply(t, src, only(src, 0, 1, 2))
	if !bytes.Equal(out, src) || chunks != nil {
		t.Errorf("%s", out)
	}
}

func TestAPlanForAnotherConversationIsRefused(t *testing.T) {
	src := []byte(talk)
	short, twice, beyond := only(src, 2), only(src, 2), only(src, 2)
	short.Steps = short.Steps[:2]
	twice.Steps[1].Index = twice.Steps[0].Index
	beyond.Steps[1].Index = 3
	for _, plan := range []compact.Plan{short, twice, beyond} {
		if out, _, err := session.Apply(src, session.Read(src), plan, session.Compaction{}); err == nil {
			t.Errorf("%s", out)
		}
	}
}

// Lines that forgemind did not write stay: those that are no messages after the others, and a
// torn one at the end, still torn.
func TestAlienLinesStay(t *testing.T) {
	src := []byte("\xEF\xBB\xBF{\"note\": 1}\r\n" + strings.ReplaceAll(talk, "\n", "\r\n\r\n") + "not JSON\n{\"msg_id\":\"to")
	out, chunks := apply(t, src, only(src, 2))
	_, rest, _ := bytes.Cut(out, []byte("\n"))
	want := strings.Split(talk, "\n")[2] + "\r\n{\"note\": 1}\r\n\r\n\r\n\r\nnot JSON\n{\"msg_id\":\"to"
	if string(rest) != want {
		t.Errorf("got  %q\nwant %q", rest, want)
	}
	before, n, err := undo(out, shelved(t, chunks))
	if err != nil || n != 2 || !bytes.Equal(before, src) {
		t.Errorf("%d, %v\n%q", n, err, before)
	}
	// The next append moves the torn line to recovered/; the rest comes back.
	appended := append(bytes.TrimSuffix(out, []byte("{\"msg_id\":\"to")), "{}\n"...)
	before, _, err = undo(appended, chunks)
	if want := string(bytes.TrimSuffix(src, []byte("{\"msg_id\":\"to"))) + "{}\n"; err != nil || string(before) != want {
		t.Errorf("%v\n%q", err, before)
	}
}

func TestWhatCannotBeTakenBackSaysWhy(t *testing.T) {
	src := []byte(talk)
	out, chunks := apply(t, src, only(src, 0, 2))
	lines := bytes.SplitAfter(out, []byte("\n"))
	for _, c := range []struct {
		what   string
		src    []byte
		chunks []schema.Chunk
		why    string
	}{
		{"a kept line was edited", bytes.Replace(out, []byte("Decision: pears."), []byte("Decision: figs."), 1), chunks, "edited since"},
		{"a kept line is gone", bytes.Join(lines[:2], nil), chunks, "1 of the 2 lines that were kept are missing"},
		{"cold storage is gone", out, nil, "0 are in cold storage"},
		{"a chunk was edited", out, func() []schema.Chunk {
			c := slices.Clone(chunks)
			c[0].Message = []byte(`{"content":"other"}`)
			return c
		}(), "edited since"},
		{"a chunk stands elsewhere", out, func() []schema.Chunk { c := slices.Clone(chunks); c[0].Line = 0; return c }(), "where it stood"},
		{"the summary was edited", bytes.Replace(out, []byte(`"kept":[0,2]`), []byte(`"kept":[0,0]`), 1), chunks, "otherwise"},
	} {
		got, _, err := undo(c.src, c.chunks)
		var changed *session.ChangedError
		if !errors.As(err, &changed) || got != nil || !strings.Contains(err.Error(), c.why) || !strings.Contains(err.Error(), "cold-storage/conv-1/compaction-") {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	for _, src := range []string{"", talk, "{}\n", "{", "\n" + string(out)} {
		if got, _, err := undo([]byte(src), chunks); !errors.Is(err, session.ErrNoCompaction) {
			t.Errorf("%q: %q, %v", src, got, err)
		}
	}
}

// conversations are all that a file can hold that many programs write to.
func conversations() *rapid.Generator[[]byte] {
	content := rapid.Custom(func(t *rapid.T) string {
		text := rapid.String().Draw(t, "text")
		if rapid.IntRange(0, 3).Draw(t, "long") == 0 { // it leaves in pieces
			text = strings.Repeat(text+rapid.SampledFrom([]string{" ", "\n", "\n\n", ". ", "é"}).Draw(t, "between"), 1+9000/(len(text)+2))
		}
		return text
	})
	line := rapid.OneOf(
		rapid.Custom(func(t *rapid.T) string {
			m := schema.Message{
				ID:        fmt.Sprintf("m-%d", rapid.IntRange(1, 9).Draw(t, "id")), // they repeat
				Timestamp: fmt.Sprintf("2026-03-02T09:%02d:00Z", rapid.IntRange(0, 59).Draw(t, "minute")),
				Content:   content.Draw(t, "content"), Tokens: schema.Int(rapid.IntRange(0, 9).Draw(t, "tokens")),
			}
			text, err := session.Encode(m)
			if err != nil {
				t.Fatal(err)
			}
			if rapid.Bool().Draw(t, "spaced") { // as another program writes it
				text = bytes.ReplaceAll(text, []byte(`":`), []byte(`": `))
			}
			return string(text)
		}),
		rapid.SampledFrom([]string{
			"", " ", "\t", "{}", "[]", "{\"note\":1}", "null", "not JSON", "{\"content\":\"half", "\x00\x00", "\xff\xfe", "\xEF\xBB\xBF{}",
			`{"content":"\u00e9\/","id":"e"}`, `{ "content" : "x" }`, `{"content":1}`, `{"content":"a","content":"b"}`,
		}),
	)
	return rapid.Custom(func(t *rapid.T) []byte {
		var src []byte
		if rapid.IntRange(0, 9).Draw(t, "mark") == 0 {
			src = append(src, "\xEF\xBB\xBF"...)
		}
		lines := rapid.SliceOfN(line, 0, 12).Draw(t, "lines")
		for i, line := range lines {
			src = append(src, line...)
			if i == len(lines)-1 && rapid.Bool().Draw(t, "unterminated") {
				break
			}
			src = append(src, rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "ending")...)
		}
		return src
	})
}

func drawPlan(t *rapid.T, src []byte) compact.Plan {
	n := len(session.Messages(session.Read(src)))
	plan := compact.Plan{Summary: rapid.String().Draw(t, "summary"), To: "2026-03-02T10:00:00Z"}
	order := rapid.Permutation(slices.Collect(func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	})).Draw(t, "order")
	for _, i := range order {
		verdict := rapid.SampledFrom([]compact.Verdict{compact.Kept, compact.Summarised, compact.Dropped}).Draw(t, "verdict")
		plan.Steps = append(plan.Steps, compact.Step{Index: i, Verdict: verdict, Score: rapid.Float64().Draw(t, "score")})
	}
	return plan
}

// Whatever the conversation and the plan: a compaction can be undone to the byte, also after
// more messages, and one after the other.
func TestEveryCompactionCanBeTakenBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := conversations().Draw(t, "conversation")
		plan := drawPlan(t, first)
		second, chunks, err := session.Apply(first, session.Read(first), plan, session.Compaction{Session: "s"})
		if err != nil {
			t.Fatal(err)
		}
		if plan.Empty() {
			return
		}
		whole, tail := jsonedit.Tail(first)
		said := []byte("{\"msg_id\":\"new\",\"content\":\"since\"}\n")
		switch {
		case !rapid.Bool().Draw(t, "said"):
			said = nil
		case tail == jsonedit.Torn: // an append moves it away
			second, first = second[:len(second)-len(first[whole:])], first[:whole]
		}
		second = append(slices.Clip(second), said...)
		replan := drawPlan(t, second)
		third, rechunks, err := session.Apply(second, session.Read(second), replan, session.Compaction{Session: "s"})
		if err != nil {
			t.Fatal(err)
		}
		if !replan.Empty() {
			back, n, err := undo(third, shelvedIn(t, rechunks))
			if err != nil || n != linesIn(rechunks) || !bytes.Equal(back, second) {
				t.Fatalf("the second: %v\n got %q\nwant %q", err, back, second)
			}
		}
		if tail == jsonedit.Unterminated && said != nil {
			first = append(slices.Clip(first), '\n')
		}
		back, n, err := undo(second, shelvedIn(t, chunks))
		if want := append(slices.Clip(first), said...); err != nil || n != linesIn(chunks) || !bytes.Equal(back, want) {
			t.Fatalf("the first: %v\n got %q\nwant %q", err, back, want)
		}
	})
}

// linesIn returns the number of lines of a conversation in chunks.
func linesIn(chunks []schema.Chunk) (n int) {
	for _, c := range chunks {
		if len(c.Message) > 0 {
			n++
		}
	}
	return n
}

func shelvedIn(t *rapid.T, chunks []schema.Chunk) []schema.Chunk {
	back := slices.Clone(chunks)
	for i := range back {
		line, err := jsonedit.Value(back[i])
		back[i] = schema.Chunk{}
		if err == nil {
			err = jsonedit.Decode(line, &back[i])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	rand.Shuffle(len(back), func(i, j int) { back[i], back[j] = back[j], back[i] })
	return back
}

// undo undoes the newest compaction of a conversation without an archive.
func undo(src []byte, chunks []schema.Chunk) (conversation []byte, messages int, err error) {
	undone, err := session.Undo(src, nil, chunks)
	return undone.Conversation, undone.Messages, err
}
