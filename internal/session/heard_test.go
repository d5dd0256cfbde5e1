package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// heardBy is a conversation as the hooks of an agent tell it while it goes on.
func heardBy(t *testing.T, messages ...schema.Message) []byte {
	t.Helper()
	for i := range messages {
		session.Heard(&messages[i], nil)
	}
	out, _, err := terms.Admit(nil, messages)
	if err != nil {
		t.Fatal(err)
	}
	return encoded(t, out)
}

func encoded(t *testing.T, messages []schema.Message) []byte {
	t.Helper()
	var src []byte
	for _, m := range messages {
		line, err := session.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		src = append(append(src, line...), '\n')
	}
	return src
}

func said(id, at, role, text string) schema.Message {
	return schema.Message{ID: "msg-" + id, Timestamp: "2026-03-02T" + at + "Z", Session: "s-1", Role: role, Content: text}
}

// importing is what an import of a Gemini session adds to a conversation.
func importing(t *testing.T, src []byte, lines ...string) []schema.Message {
	t.Helper()
	im, err := transcript.Read([]byte(`{"sessionId":"s-1","projectHash":"a33c"}` + "\n" + strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	lenient := terms
	lenient.Imported = true
	out, _, err := lenient.Admit(src, im.Messages)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func line(id, at, kind, text, more string) string {
	return fmt.Sprintf(`{"id":%q,"timestamp":"2026-03-02T%sZ","type":%q,"content":%q%s}`, id, at, kind, text, more)
}

func words(messages []schema.Message) string {
	var all []string
	for _, m := range messages {
		all = append(all, m.Content)
	}
	return strings.Join(all, "|")
}

// What hooks told while it was said is not told again by the transcript, however
// that breaks its lines; the tools, of which hooks say nothing, are added.
func TestAnImportKnowsWhatHooksHeard(t *testing.T) {
	src := heardBy(t,
		said("a", "09:00:00", "user", "Press the pears.\nAll of them, password=hunter2hunter2"),
		said("b", "09:01:00", "assistant", "I look.\nThey are pressed."),
		said("c", "09:02:00", "user", "yes"),
		said("d", "09:03:00", "user", "yes"),
	)
	calls := `,"toolCalls":[{"name":"ls","args":{},"result":[{"functionResponse":{"response":{"output":"pears"}}}]}]`
	transcript := []string{
		line("u1", "09:00:01", "user", "Press the pears.\r\n  All of them, password=hunter2hunter2 ", ""),
		line("g1", "09:00:10", "gemini", "I look.", calls),
		line("g2", "09:00:59", "gemini", "They are pressed.", ""),
		line("u2", "09:02:00.5", "user", "yes", ""),
		line("u4", "09:02:40", "user", "yes", ""), // the hook of which was lost
		line("u3", "09:03:01", "user", "yes", ""),
	}
	added := importing(t, src, transcript...)
	if got := words(added); got != "ls {}|pears|yes" {
		t.Errorf("added %q", got)
	}
	src = append(src, encoded(t, added)...)
	if again := importing(t, src, transcript...); len(again) != 0 {
		t.Errorf("once more: %q", words(again))
	}
}

// What the user answers to a tool is known again, and the agent's words around it are one turn.
func TestAnImportKnowsAnswersThatHooksHeard(t *testing.T) {
	src := heardBy(t,
		said("a", "09:00:00", "user", "Plant a pear."),
		said("b", "09:00:30", "user", "Comice"),
		said("c", "09:01:00", "assistant", "I ask first.\nIt is planted."),
	)
	asked := `,"toolCalls":[{"name":"ask_user","args":{},"result":[{"functionResponse":{"response":{"output":"Comice"}}}]}]`
	added := importing(t, src,
		line("u1", "09:00:01", "user", "Plant a pear.", ""),
		line("g1", "09:00:29", "gemini", "I ask first.", asked),
		line("g2", "09:00:59", "gemini", "It is planted.", ""),
	)
	if got := words(added); got != "ask_user {}" {
		t.Errorf("added %q", got)
	}
}

// The same words are others' or other words where the session, the time or the
// speaker is another, or where no hook heard them.
func TestAnImportKeepsWhatHooksDidNotHear(t *testing.T) {
	lines := []string{line("u1", "09:00:01", "user", "go on", "")}
	for name, there := range map[string]schema.Message{
		"another time":    said("a", "09:02:10", "user", "go on"),
		"another speaker": said("a", "09:00:00", "assistant", "go on"),
		"other words":     said("a", "09:00:00", "user", "go on, please"),
		"another session": {ID: "msg-a", Timestamp: "2026-03-02T09:00:00Z", Session: "s-2", Role: "user", Content: "go on"},
	} {
		if got := words(importing(t, heardBy(t, there), lines...)); got != "go on" {
			t.Errorf("%s: added %q", name, got)
		}
	}
	alone, _, err := terms.Admit(nil, []schema.Message{said("a", "09:00:00", "user", "go on")})
	if err != nil {
		t.Fatal(err)
	}
	if got := words(importing(t, encoded(t, alone), lines...)); got != "go on" {
		t.Errorf("not heard: added %q", got)
	}
	if got := words(importing(t, heardBy(t, said("a", "09:00:00", "user", "go on")), lines...)); got != "" {
		t.Errorf("heard: added %q", got)
	}
}

// What no hook heard stands for nothing; what is there under its own id is no
// other's.
func TestOnlyWhatHooksHeardStandsForOther(t *testing.T) {
	plain, _, err := terms.Admit(nil, []schema.Message{said("u1", "09:00:00", "user", "go on"), said("x", "09:00:30", "assistant", "I do.")})
	if err != nil {
		t.Fatal(err)
	}
	src := append(encoded(t, plain), heardBy(t, said("h", "09:01:00", "user", "go on"))...)
	added := importing(t, src, line("u1", "09:00:00", "user", "go on", ""), line("g1", "09:00:30", "gemini", "I do.", ""), line("u2", "09:01:01", "user", "go on", ""))
	if got := words(added); got != "I do." {
		t.Errorf("added %q", got)
	}
}

// Only an import is compared with what hooks heard: what is said is said.
func TestWhatIsSaidIsNotCompared(t *testing.T) {
	out, _, err := terms.Admit(heardBy(t, said("h", "09:01:00", "user", "go on")), []schema.Message{said("u", "09:01:00", "user", "go on")})
	if err != nil || len(out) != 1 {
		t.Errorf("%v: %+v", err, out)
	}
}

// Of two that were heard the nearer one is meant.
func TestTheNearerOfTwoIsMeant(t *testing.T) {
	src := heardBy(t, said("a", "09:00:00", "user", "yes"), said("b", "09:01:50", "user", "yes"))
	if added := importing(t, src, line("u2", "09:01:50", "user", "yes", ""), line("u1", "08:59:00", "user", "yes", "")); len(added) != 0 {
		t.Errorf("added %q", words(added))
	}
}

// An agent's turn is known only as a whole: a part of it may be other words.
func TestATurnIsKnownAsAWhole(t *testing.T) {
	src := heardBy(t, said("a", "09:00:00", "assistant", "Yes.\nDone."))
	if got := words(importing(t, src, line("g1", "09:00:00", "gemini", "Yes.", ""))); got != "Yes." {
		t.Errorf("added %q", got)
	}
}

// What is there already parts turns as what is new does.
func TestATurnBehindWhatIsThere(t *testing.T) {
	one := []string{line("u1", "09:00:00", "user", "Press.", ""), line("g1", "09:00:10", "gemini", "I do.", "")}
	src := append(encoded(t, importing(t, nil, one...)), heardBy(t, said("b", "09:03:00", "assistant", "First.\nThen."), said("c", "09:04:00", "assistant", "Last.\nOf all."))...)
	src = append(src, encoded(t, importing(t, nil, line("u3", "09:03:30", "user", "More.", "")))...)
	added := importing(t, src, append(one, line("g2", "09:02:50", "gemini", "First.", ""), line("g3", "09:02:59", "gemini", "Then.", ""),
		line("u3", "09:03:30", "user", "More.", ""), line("g4", "09:03:40", "gemini", "Last.", ""), line("g5", "09:04:00", "gemini", "Of all.", ""))...)
	if len(added) != 0 {
		t.Errorf("added %q", words(added))
	}
}

// What has no times, as markdown, is known by who said what.
func TestAnExportKnowsWhatHooksHeard(t *testing.T) {
	src := heardBy(t, said("a", "09:00:00", "user", "Press the pears."), said("b", "09:01:00", "assistant", "Pressed."))
	im, err := transcript.Read([]byte("user:\n<user_query>\nPress the pears.\n</user_query>\n\nassistant:\nPressed.\n\nuser:\nThanks.\n"))
	if err != nil {
		t.Fatal(err)
	}
	lenient := terms
	lenient.Imported = true
	out, _, err := lenient.Admit(src, im.Messages)
	if err != nil || words(out) != "Thanks." || im.Records != 3 {
		t.Errorf("%v: %q of %d records", err, words(out), im.Records)
	}
}
