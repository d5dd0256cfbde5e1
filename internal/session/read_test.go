package session_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func TestEveryLineIsRead(t *testing.T) {
	src := "\xEF\xBB\xBF" + `{"msg_id":"a","timestamp":"2026-03-02T09:01:00Z","content":"first"}` + "\r\n" +
		"\n" +
		`{"id":"b","ts":"2026-03-02T09:00:00Z","content":"earlier","tokens":3.0,"role":null}` + "\n" +
		`{"msg_id":"a","timestamp":"2026-03-02T09:01:00Z","content":"again"}` + "\n" +
		`{"note":"of another tool"}` + "\n" +
		`<<<<<<< HEAD` + "\n" +
		`{"msg_id":"c","content":"to`
	lines := session.Read([]byte(src))
	var told []string
	for i, line := range lines {
		if line.At != i {
			t.Errorf("line %d says it is %d", i, line.At)
		}
		switch {
		case errors.Is(line.Err, session.ErrBlank):
			told = append(told, "blank")
		case line.Err != nil:
			told = append(told, "alien")
		default:
			told = append(told, line.Message.ID+" "+line.Message.Content)
		}
	}
	if got := strings.Join(told, "|"); got != "a first|blank|b earlier|a again|alien|alien|alien" {
		t.Error(got)
	}
	if !bytes.HasSuffix(lines[0].Raw, []byte("}\r")) || lines[2].Message.Tokens != 3 || lines[2].Message.Timestamp == "" {
		t.Errorf("%q, %+v", lines[0].Raw, lines[2].Message)
	}
	if got := session.Messages(lines); len(got) != 3 {
		t.Errorf("%d messages", len(got))
	}
}

func TestWhatIsNoMessageSaysWhy(t *testing.T) {
	for line, want := range map[string]string{
		`{"content":5}`:                 "content is a number",
		`{"content":"a","tokens":1.5}`:  "tokens is a number",
		`{"content":"a","content":"b"}`: `"content" appears twice`,
		`["content"]`:                   "an array where a message should be",
		`{"msg_id":"a"}`:                "no content",
		"{\"content\":\"\xff\"}":        "UTF-8",
		`{"content":"a","agent":["x"]}`: "agent is an array",
		`{"content":"a","metadata":{"b`: "string",
	} {
		if got := session.Read([]byte(line)); len(got) != 1 || got[0].Err == nil || !strings.Contains(got[0].Err.Error(), want) {
			t.Errorf("%s: %v", line, got[0].Err)
		}
	}
}

func TestEncodeIsOneLineThatReadsBack(t *testing.T) {
	importance := 0.5
	m := schema.Message{
		ID: "msg-1", Timestamp: "2026-03-02T09:00:00Z", Agent: "a\u2028b", Role: "user", Kind: "question", Content: "line\r\nline \x00 <&> \u00e9 \"q\" \\",
		Priority: "high", Importance: &importance, ToolName: "Bash", Session: "s", Tokens: 9, Counter: "o200k", Metadata: []byte("{\n  \"a\": [1,\n 2]}"),
	}
	line, err := session.Encode(m)
	if err != nil || bytes.ContainsAny(line, "\r\n") {
		t.Fatalf("%q, %v", line, err)
	}
	m.Metadata = []byte(`{"a":[1,2]}`)
	if got := session.Read(line); len(got) != 1 || !reflect.DeepEqual(got[0].Message, &m) {
		t.Errorf("%+v", got)
	}
}

// Read agrees with schema.Message on what a message says, and loses no byte.
func FuzzRead(f *testing.F) {
	f.Add([]byte(talk))
	f.Add([]byte("\xEF\xBB\xBF{\"id\":\"a\",\"ts\":\"x\",\"content\":\"\",\"importance\":null}\r\n\n{\"content\":\"torn"))
	f.Add([]byte(`{"msg_id":null,"id":"b","msg_id ":"c","content":"d","tokens":1e2,"metadata":null}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		lines := session.Read(src)
		raws := make([][]byte, len(lines))
		for i, line := range lines {
			raws[i] = line.Raw
			if line.Err != nil {
				continue
			}
			var m schema.Message
			if err := jsonedit.Decode(line.Raw, &m); err != nil {
				t.Fatalf("%q: %v", line.Raw, err)
			}
			if len(line.Message.Metadata) == 0 {
				m.Metadata = nil
			}
			if !reflect.DeepEqual(line.Message, &m) {
				t.Fatalf("%q:\n%+v\n%+v", line.Raw, line.Message, m)
			}
		}
		want := bytes.TrimPrefix(src, []byte("\xEF\xBB\xBF"))
		if got := bytes.Join(raws, []byte("\n")); !bytes.Equal(got, bytes.TrimSuffix(want, []byte("\n"))) {
			t.Fatalf("%q became %q", want, got)
		}
	})
}
