package validate

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

func TestPythonTime(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"2025-11-09 04:30:00.123456", "2025-11-09T04:30:00.123456Z"},
		{"2025-11-09 04:30:00", "2025-11-09T04:30:00Z"},
		{"2025-11-09T04:30:00.123450", "2025-11-09T04:30:00.123450Z"},
		{"2025-11-09T04:30:00", "2025-11-09T04:30:00Z"},
		{"2025-11-09 04:30:00.123456+02:00", "2025-11-09T02:30:00.123456Z"},
		{"2025-11-09 04:30:00-05:00", "2025-11-09T09:30:00Z"},
		{"2025-11-09 04:30:00+00:00", "2025-11-09T04:30:00Z"},
		{"2025-11-09 04:30:00Z", "2025-11-09T04:30:00Z"},
		{"2025-11-09T04:30:00.123456Z", ""}, // by RFC 3339 already
		{"2025-11-09T04:30:00+02:00", ""},
		{"2025-11-09 04:30:00.1234567891+02:00", ""}, // digits would be lost
		{"0000-01-01 00:00:00+02:00", ""},            // a year that cannot be written
		{"2025-02-30 04:30:00", ""},
		{"2025-11-09 04:30", ""},
		{"2025-11-09", ""},
		{"2025-11-09 ", ""},
		{"yesterday at four", ""},
		{"", ""},
	} {
		got, ok := pythonTime(c.text)
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%q: got %q, %v, want %q", c.text, got, ok, c.want)
		}
	}
}

// TestTimesOfASession: what Python wrote becomes RFC 3339, and not one other byte
// changes.
func TestTimesOfASession(t *testing.T) {
	const twice = `{"msg_id": "m-1", "timestamp": "2025-11-09 04:30:15", "agent": "user", "content": "a"}` + "\n"
	for _, c := range []struct {
		name, document, before, after string
		did                           []string
	}{
		{
			"a hot context, whatever else it says", hot,
			"{\"key_decisions\":[],\r\n\t\"active_goals\": [{\"goal\": \"2025-11-09 04:30:00\",  \"created\" : \"2025-11-09 04:30:00.123456\"}], \"pending_actions\": [], \"important_constraints\": [], \"mine\": \"2025-11-09 04:30:00\", \"session_started\": \"\\u00320\u00325-11-09T04:30:00\"}",
			"{\"key_decisions\":[],\r\n\t\"active_goals\": [{\"goal\": \"2025-11-09 04:30:00\",  \"created\" : \"2025-11-09T04:30:00.123456Z\"}], \"pending_actions\": [], \"important_constraints\": [], \"mine\": \"2025-11-09 04:30:00\", \"session_started\": \"2025-11-09T04:30:00Z\"}",
			[]string{
				hot + `:2:64: error: set active_goals[0].created from "2025-11-09 04:30:00.123456" to "2025-11-09T04:30:00.123456Z" [schema]`,
				hot + `:2:199: error: set session_started from "2025-11-09T04:30:00" to "2025-11-09T04:30:00Z" [schema]`,
			},
		},
		{
			"metadata", meta, change(t, metadata1, "{", `{"started": "2025-11-09 04:30:00", "last_activity": "2025-11-09 05:30:00+01:00", `),
			change(t, metadata1, "{", `{"started": "2025-11-09T04:30:00Z", "last_activity": "2025-11-09T04:30:00Z", `),
			[]string{
				meta + `:1:13: error: set started from "2025-11-09 04:30:00" to "2025-11-09T04:30:00Z" [schema]`,
				meta + `:1:54: error: set last_activity from "2025-11-09 05:30:00+01:00" to "2025-11-09T04:30:00Z" [schema]`,
			},
		},
		{
			"messages, of which a line is torn", messages,
			"\r\n" + strings.ReplaceAll(twice, "\n", "\r\n") + aMessage("m-2", "2025-11-09 04:30:15") + `{"id":"m-3","ts":"2025-11-09T04:30:15.5","agent":"user","content":"b"}` + "\n{\"msg",
			"\r\n" + strings.ReplaceAll(change(t, twice, "04:30:15", "04:30:15Z", "-09 ", "-09T"), "\n", "\r\n") + aMessage("m-2", "2025-11-09 04:30:15") + `{"id":"m-3","ts":"2025-11-09T04:30:15.5Z","agent":"user","content":"b"}` + "\n{\"msg",
			[]string{messages + `:2:32: error: set timestamp from "2025-11-09 04:30:15" to "2025-11-09T04:30:15Z", and 1 other time likewise [schema]`},
		},
		{
			"what is one message in two spellings", window1, aMessage("m-1", "a") + twice, aMessage("m-1", "a"),
			[]string{
				window1 + `:2:32: error: set timestamp from "2025-11-09 04:30:15" to "2025-11-09T04:30:15Z" [schema]`,
				window1 + `:2:1: warning: removed 1 message that is here already, byte for byte [duplicate-message]`,
			},
		},
		{"a conversation that a compaction knows by its bytes", window1, twice + change(t, cluster("m-1"), "cluster", "compaction"), "", nil},
		{"another document", fs.State, strings.ReplaceAll(state, `Z"`, `"`), "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.after == "" {
				c.after = c.before
			}
			after, did := Fix(c.document, []byte(c.before))
			if string(after) != c.after {
				t.Errorf("got\n%s\nwant\n%s", after, c.after)
			}
			expect(t, "did", did, c.did...)
		})
	}
}

// TestTheHintOfATimeSaysWhatFixWrites: where --fix writes a time anew, the finding
// says so; elsewhere it does not.
func TestTheHintOfATimeSaysWhatFixWrites(t *testing.T) {
	for document, src := range map[string]string{
		hot:      change(t, hot1, "{", `{"session_started": "2025-11-09 04:30:00", `),
		meta:     change(t, metadata1, "{", `{"started": "2025-11-09 04:30:00", `),
		messages: change(t, aMessage("m-1", "a"), "2025-11-09T04:30:15Z", "2025-11-09 04:30:00"),
	} {
		found := Bytes(document, []byte(src), Options{})
		if len(found) != 1 || found[0].Hint != "validate --fix writes it as 2025-11-09T04:30:00Z" {
			t.Errorf("%s: %+v", document, found)
		}
		found = Bytes(document, []byte(strings.Replace(src, "2025-11-09 04:30:00", "this morning", 1)), Options{})
		if len(found) != 1 || strings.Contains(found[0].Hint, "--fix") {
			t.Errorf("%s: %+v", document, found)
		}
	}
	found := Bytes(fs.State, []byte(change(t, state, "2025-10-27T10:00:00Z", "2025-10-27 10:00:00")), Options{})
	if len(found) != 1 || strings.Contains(found[0].Hint, "--fix") {
		t.Errorf("%+v", found)
	}
}

// FuzzPythonTime: whatever is written anew is a time, and nothing that was one is.
func FuzzPythonTime(f *testing.F) {
	for _, s := range []string{"2025-11-09 04:30:00.123456", "2025-11-09T04:30:00", "9999-12-31 23:59:59-05:00", "2016-12-31 23:59:60", "2025-11-09 04:30:00+05:30"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := pythonTime(s)
		_, was := schema.ParseTime(s)
		_, is := schema.ParseTime(got)
		if ok && (was == nil || is != nil) {
			t.Errorf("%q became %q", s, got)
		}
	})
}
