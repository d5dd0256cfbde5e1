package session_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// stored is messages as lines of a conversation.
func stored(t testing.TB, messages []schema.Message) []byte {
	t.Helper()
	var src []byte
	for _, m := range messages {
		line, err := session.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		if len(line) > 1<<20 {
			t.Fatalf("a record of %d bytes", len(line))
		}
		src = append(append(src, line...), '\n')
	}
	return src
}

func TestAMessageGetsWhatItLacks(t *testing.T) {
	for _, c := range []struct {
		what     string
		in, want schema.Message
	}{
		{"only words", schema.Message{Content: "Press the pears."},
			schema.Message{ID: "msg-012345", Timestamp: "2026-11-20T09:00:00.000Z", Role: "user", Agent: "user", Content: "Press the pears.", Tokens: 4}},
		{"an agent", schema.Message{ID: "m", Agent: "BA Agent", Timestamp: "2026-01-01T00:00:00Z", Content: "Done"},
			schema.Message{ID: "m", Timestamp: "2026-01-01T00:00:00Z", Role: "assistant", Agent: "BA Agent", Content: "Done", Tokens: 1}},
		{"the boss", schema.Message{ID: "m", Agent: "boss", Content: "Yes"},
			schema.Message{ID: "m", Timestamp: "2026-11-20T09:00:00.000Z", Role: "user", Agent: "boss", Content: "Yes", Tokens: 1}},
		{"a tool's output", schema.Message{ID: "m", Kind: "tool_output", ToolName: "Bash", Content: "ok"},
			schema.Message{ID: "m", Timestamp: "2026-11-20T09:00:00.000Z", Role: "tool", Kind: "tool_output", Agent: "Bash", ToolName: "Bash", Content: "ok", Tokens: 1}},
		{"a secret, and a count of it", schema.Message{ID: "m", Role: "user", Content: "password=hunter2", Tokens: 99, Counter: "chars4"},
			schema.Message{ID: "m", Timestamp: "2026-11-20T09:00:00.000Z", Role: "user", Agent: "user", Content: "password=[masked:password]", Tokens: 7}},
		{"bytes that are no text", schema.Message{ID: "m", Content: "a\xffb"},
			schema.Message{ID: "m", Timestamp: "2026-11-20T09:00:00.000Z", Role: "user", Agent: "user", Content: "a\uFFFDb", Tokens: 2}},
	} {
		c.want.Counter = "chars4"
		got, _, err := terms.Admit(nil, []schema.Message{c.in})
		if err != nil || len(got) != 1 || fmt.Sprintf("%+v", got[0]) != fmt.Sprintf("%+v", c.want) {
			t.Errorf("%s: %v\n got %+v\nwant %+v", c.what, err, got, c.want)
		}
		for _, f := range validate.Bytes(fs.Messages, stored(t, got), validate.Options{}) {
			t.Errorf("%s: %s [%s]", c.what, f.Message, f.Rule)
		}
	}
}

func TestSecretsInMetadataAreMasked(t *testing.T) {
	m := schema.Message{ID: "m", Content: "x", Metadata: []byte(`{"password": "hunter2", "env": ["A=1", "say \"TOKEN=` + strings.Repeat("aB3dE5gH7jK9", 2) + `\""], "sha": "3f786850e387550fdab836ed7e6dc881de23001b"}`)}
	got, kinds, err := terms.Admit(nil, []schema.Message{m})
	if err != nil || len(kinds) != 2 {
		t.Fatalf("%v, %v", kinds, err)
	}
	want := `{"password": "[masked:password]", "env": ["A=1", "say \"TOKEN=[masked:token]\""], "sha": "3f786850e387550fdab836ed7e6dc881de23001b"}`
	if string(got[0].Metadata) != want {
		t.Errorf("%s", got[0].Metadata)
	}
}

func TestAddingTwiceAddsNothing(t *testing.T) {
	in := []schema.Message{
		{ID: "a", Content: "one"}, {ID: "a", Content: "one"}, {ID: "b", Content: "password=hunter2"}, {ID: "c", Content: strings.Repeat("long ", 400_000)},
	}
	first, masked, err := terms.Admit([]byte("not JSON\n"), in)
	if err != nil || len(masked) != 1 || len(first) != 5 {
		t.Fatalf("%d messages, %v masked, %v", len(first), masked, err)
	}
	second, masked, err := terms.Admit(stored(t, first), in)
	if err != nil || len(second) != 0 || len(masked) != 0 {
		t.Errorf("%d messages, %v masked, %v", len(second), masked, err)
	}
	gone := terms
	gone.Gone = func(id string) bool { return id == "a" || id == first[2].ID }
	if third, _, err := gone.Admit(nil, in); err != nil || len(third) != 3 || third[0].ID != "b" {
		t.Errorf("of those in cold storage: %d, %v", len(third), err)
	}
}

func TestANewIdIsFree(t *testing.T) {
	src := []byte(`{"msg_id":"msg-012345","content":"x"}` + "\n")
	got, _, err := terms.Admit(src, []schema.Message{{Content: "a"}, {Content: "a"}})
	if err != nil || len(got) != 2 || got[0].ID != "msg-0123456" || got[1].ID != "msg-01234567" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestWhatNoMessageCanBeIsRefused(t *testing.T) {
	long := strings.Repeat("x", 2<<20)
	half := math.NaN()
	for want, in := range map[string][]schema.Message{
		`message "a": the id is taken`:  {{ID: "a", Content: "one"}, {ID: "a", Content: "two"}},
		`message "b": the id is taken`:  {{ID: "b", Content: "one"}, {ID: "b", Content: long}},
		`message "c": the id is taken`:  {{ID: "c", Content: long}, {ID: "c", Content: "one"}},
		"the id holds other characters": {{ID: "../a", Content: "x"}},
		"is no time":                    {{ID: "a", Timestamp: "2026-03-02", Content: "x"}},
		"the kind is":                   {{ID: "a", Kind: "joke", Content: "x"}},
		"the role is":                   {{ID: "a", Role: "human", Content: "x"}},
		"the importance is":             {{ID: "a", Importance: &half, Content: "x"}},
		"the metadata":                  {{ID: "a", Metadata: []byte("{"), Content: "x"}},
		"not an object":                 {{ID: "a", Metadata: []byte("[]"), Content: "x"}},
		"it still takes":                {{ID: "a", Agent: long, Content: "x"}},
	} {
		if got, _, err := terms.Admit(nil, in); err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 {
			t.Errorf("%s: %d, %v", want, len(got), err)
		}
	}
}

// What is longer than a record is kept in parts, whatever it is made of, and is
// whole again when somebody asks.
func TestLongContentIsKeptInParts(t *testing.T) {
	for what, content := range map[string]string{
		"letters":  strings.Repeat("abcdefghij", 300_000),
		"umlauts":  strings.Repeat("äöü", 400_000),
		"emoji":    "a" + strings.Repeat("🍐", 500_000),
		"controls": strings.Repeat("\x01", 400_000),
		"quotes":   strings.Repeat(`"\`, 600_000),
	} {
		in := schema.Message{ID: "m-1", Timestamp: "2026-01-01T00:00:00Z", Role: "tool", ToolName: "Bash", Content: content, Metadata: []byte(`{"cwd":"/x"}`)}
		parts, _, err := terms.Admit(nil, []schema.Message{{ID: "m-0", Timestamp: "2026-01-01T00:00:00Z", Content: "before"}, in, {ID: "m-2", Content: "after"}})
		if err != nil || len(parts) < 4 {
			t.Fatalf("%s: %d, %v", what, len(parts), err)
		}
		src := stored(t, parts)
		for _, f := range validate.Bytes(fs.Messages, src, validate.Options{}) {
			t.Errorf("%s: %s [%s]", what, f.Message, f.Rule)
		}
		whole := session.Join(session.Messages(session.Read(src)))
		if len(whole) != 3 || whole[1].ID != "m-1" || whole[1].Content != content || whole[1].ToolName != "Bash" || string(whole[1].Metadata) != `{"cwd":"/x"}` {
			t.Errorf("%s: %d messages, the second %.20q %s", what, len(whole), whole[1].Content, whole[1].Metadata)
		}
		if n := (len(content) + 3) / 4; int(whole[1].Tokens) < n || int(whole[1].Tokens) > n+len(parts) {
			t.Errorf("%s: %d tokens", what, whole[1].Tokens)
		}
		torn := session.Join(session.Messages(session.Read(src[bytes.IndexByte(src, '\n')+1 : len(src)-len(src)/2])))
		for _, m := range torn {
			if m.ID == "m-1" {
				t.Errorf("%s: whole without all of its parts", what)
			}
		}
	}
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
