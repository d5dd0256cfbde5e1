package session_test

import (
	"bytes"
	"io/fs"
	"iter"
	"regexp"
	"strings"
	"testing"

	ours "github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
)

// files is a tree by the names of its files.
type files map[string]string

func (f files) Read(name string) ([]byte, error) {
	if text, ok := f[name]; ok {
		return []byte(text), nil
	}
	return nil, fs.ErrNotExist
}

func (f files) Names(string) iter.Seq2[string, error] { return func(func(string, error) bool) {} }

// What another program took out of a window is found, and what it only wrote otherwise is not.
func TestWhatIsGoneFromAWindow(t *testing.T) {
	all := func(messages ...string) string { return string(talkOf(messages...)) }
	was := all("a 01 one", "b 02 two", "c 03 three")
	compaction := strings.Replace(all("s 04 sum"), `"agent"`, `"kind":"summary","metadata":{"compaction":{"id":"cmp-1","session":"conv-1","messages":1}},"agent"`, 1)
	for _, test := range []struct {
		what              string
		was, now, archive string
		kept              [][2]string
		gone, left        string // texts; left are those of the archive
	}{
		{what: "nothing", was: was, now: was},
		{what: "one of three", was: was, now: all("a 01 one", "c 03 three"), gone: "two"},
		{what: "all, and others came", was: was, now: all("d 04 four"), gone: "one two three"},
		{what: "all, to the archive", was: was, archive: was, left: "one two three"},
		{what: "one of it to the archive, in other JSON", was: was, now: all("c 03 three"), archive: strings.ReplaceAll(all("a 01 one"), `":"`, `": "`), gone: "two", left: "one"},
		{what: "edited", was: was, now: all("a 01 first", "b 02 second", "c 03 third")},
		{what: "an id that is taken again", was: was, now: all("a 04 four", "b 02 two", "c 03 three"), gone: "one"},
		{what: "counted anew", was: was, now: all("x 01 one", "y 02 two", "z 03 three")},
		{what: "counted anew, of the same words", was: all("a 01 ok", "b 01 ok"), now: all("x 01 ok"), gone: "ok"},
		{what: "of the same words, one is archived", was: all("a 01 ok"), archive: all("b 01 ok"), gone: "ok", left: "ok"},
		{what: "times to the millisecond", was: strings.ReplaceAll(was, ":00Z", ":00.123456Z"), now: strings.ReplaceAll(was, ":00Z", ":00.123Z")},
		{what: "times to the second", was: strings.ReplaceAll(was, ":00Z", ":00.123Z"), now: strings.ReplaceAll(was, ":00Z", ":00")},
		{what: "an id that is taken in the same second", was: strings.ReplaceAll(all("a 01 one"), ":00Z", ":00.100Z"), now: strings.ReplaceAll(all("a 01 two"), ":00Z", ":00.900Z"), gone: "one"},
		{what: "the same words in the same second", was: strings.ReplaceAll(all("a 01 one"), ":00Z", ":00.100Z"), now: strings.ReplaceAll(all("b 01 one"), ":00Z", ":00.900Z"), gone: "one"},
		{what: "without times", was: was, now: strings.ReplaceAll(strings.ReplaceAll(was, `"timestamp"`, `"time"`), "10:0", "11:0")},
		{what: "without ids", was: was, now: strings.ReplaceAll(was, `"msg_id"`, `"no"`)},
		{what: "from a compacted one", was: compaction + was, now: compaction + all("a 01 one", "c 03 three"), gone: "two"},
		{what: "by a compaction", was: was, now: compaction + all("c 03 three")},
		{what: "a compaction", was: compaction + was, now: was, gone: "sum"},
		{what: "back again", was: was, now: all("a 01 one"), archive: all("a 01 one", "b 02 two", "c 03 three"), left: "two three"},
		{what: "back again, where it stands under another id", was: "", now: all("a 01 one"), archive: all("x 01 one", "b 02 two"),
			kept: [][2]string{session.LineHashes(all("a 01 one"), all("x 01 one"))}, left: "two"},
		{what: "under another id", was: was, now: all("b 02 two", "c 03 three"), archive: all("x 01 one"),
			kept: [][2]string{session.LineHashes(all("a 01 one"), all("x 01 one"))}, left: "one"},
		{what: "twice in the archive, once some went there", archive: all("a 01 one", "b 02 two", "a 01 one"), kept: [][2]string{{"x", "y"}}, left: "one two"},
		{what: "twice in the archive", archive: all("a 01 one", "b 02 two", "a 01 one"), left: "one two one"},
		{what: "of an id that is taken at the same time", was: was, now: strings.Replace(all("a 01 first"), "user", "bob", 1), gone: "one two three"},
		{what: "from behind a compaction", was: compaction + was, now: all("d 04 four"), gone: "sum one two three"},
		{what: "words without an id, back again", now: "{\"content\":\"yes\"}\n", archive: all("x 01 yes"),
			kept: [][2]string{session.LineHashes("{\"content\":\"yes\"}\n", all("x 01 yes"))}, left: "yes"},
		{what: "the same words, twice without an id", was: all("a 01 one") + "{\"content\":\"yes\"}\n{\"content\": \"yes\"}\n", now: all("a 01 one"), gone: "yes"},
		{what: "twice without an id", archive: "{\"content\":\"ok\"}\n{\"content\":\"ok\"}\n", left: "ok ok"},
		{what: "without a time", was: all("a 01 one") + "{\"content\":\"two\"}\n", gone: "one two"},
		{what: "what is no message", was: "{\"half\n\n[1]\n" + was, now: was, archive: "{torn\n", left: ""},
	} {
		name := session.Window("conv-1")
		look := session.Look{Stamp: ours.Stamp{Name: name}, Kept: test.kept}
		w, err := look.Rewriting(files{
			ours.LocalName(ours.Quaid, "acted", "windows", "conv-1.jsonl"): test.was,
			session.ArchiveFile("conv-1"):                                  test.archive,
		}, []byte(test.now))
		if err != nil {
			t.Fatal(err)
		}
		texts := func(lines []session.Line) string {
			var all []string
			for _, m := range session.Messages(lines) {
				all = append(all, m.Content)
			}
			return strings.Join(all, " ")
		}
		for _, line := range w.Gone {
			if line.Message.Timestamp == "" {
				t.Errorf("%s: %q has no time", test.what, line.Message.Content)
			}
		}
		if got, left := texts(w.Gone), texts(session.Read(w.Archive)); got != test.gone || left != test.left || w.Changed != (string(w.Archive) != test.archive) {
			t.Errorf("%s: gone %q, want %q; in the archive %q, want %q; changed %v", test.what, got, test.gone, left, test.left, w.Changed)
		}
	}
}

// What goes to an archive stands there as it was, but for what it cannot hold.
func TestForArchive(t *testing.T) {
	long := strings.Repeat("x", 600<<10)
	for _, test := range []struct{ what, line, want string }{
		{"as it is", `{"ts": "2026-11-20T10:00:00", "id":"b",  "content":"one", "mine": 1}`, `{"ts": "2026-11-20T10:00:00", "id":"b",  "content":"one", "mine": 1}`},
		{"an id that is taken", `{"msg_id":"a","timestamp":"2026-11-20T10:00:00Z","content":"one"}`, `{"msg_id":"msg-[a-z0-9]+","timestamp":"2026-11-20T10:00:00Z","content":"one"}`},
		{"no id", `{"timestamp":"2026-11-20T10:00:00Z","content":"one"}`, `{"timestamp":"2026-11-20T10:00:00Z","content":"one","msg_id":"msg-[a-z0-9]+"}`},
		{"a secret", `{"msg_id":"b","content":"ghp_` + "16C7e42F292c6912E7710c838347Ae178B4a" + `"}`, `{"msg_id":"b","content":"\[masked:github-token\]"}`},
		{"long", `{"msg_id":"b","content":"` + long + long + `"}`, `{"msg_id":"msg-[^"]*".*x"[^ ]*}`},
	} {
		line := session.Read([]byte(test.line))[0]
		records, id, err := session.ForArchive(line, map[string]bool{"a": true})
		if err != nil || id == "" || id == "a" {
			t.Fatalf("%s: %q, %v", test.what, id, err)
		}
		for _, record := range records {
			if ok, _ := regexp.Match("^"+strings.ReplaceAll(test.want, "{", `\{`)+"$", record); !ok || len(record) > ours.MaxRecord {
				t.Errorf("%s: %.300s", test.what, record)
			}
		}
		if whole := session.Join(session.Messages(session.Read(bytes.Join(records, []byte("\n"))))); len(whole) != 1 {
			t.Errorf("%s: %d messages", test.what, len(whole))
		}
	}
}
