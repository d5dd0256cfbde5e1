package transcript_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/transcript"
)

// A mangling is something that happens to a transcript on its way.
type mangling struct {
	name string
	do   func(t *testing.T, records []string, join func([]string) string) string
	torn bool // records are lost by it
}

func manglings() []mangling {
	whole := func(do func(text string) string) func(*testing.T, []string, func([]string) string) string {
		return func(_ *testing.T, records []string, join func([]string) string) string { return do(join(records)) }
	}
	each := func(do func(i int, record string) string) func(*testing.T, []string, func([]string) string) string {
		return func(_ *testing.T, records []string, join func([]string) string) string {
			var out []string
			for i, r := range records {
				out = append(out, do(i, r))
			}
			return join(out)
		}
	}
	return []mangling{
		{"torn in the middle", whole(func(s string) string { return s[:len(s)/2] + s[len(s)/2+60:] }), true},
		{"torn in three places", whole(func(s string) string {
			n := len(s) / 4
			return s[:n] + s[n+20:2*n] + s[2*n+20:3*n] + s[3*n+20:]
		}), true},
		{"cut to its first half", whole(func(s string) string { return s[:len(s)/2] }), true},
		{"cut to its last half", whole(func(s string) string { return s[len(s)/2:] }), true},
		{"without its last byte", whole(func(s string) string { return strings.TrimSpace(s)[:len(strings.TrimSpace(s))-1] }), true},
		{"a record overwritten with NULs", func(_ *testing.T, records []string, join func([]string) string) string {
			records = slices.Clone(records)
			i := len(records) / 2
			records[i] = records[i][:10] + strings.Repeat("\x00", len(records[i])-10)
			return join(records)
		}, true},
		{"the file twice", whole(func(s string) string { return s + "\n" + s }), false},
		{"CRLF", whole(func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }), false},
		{"a byte order mark", whole(func(s string) string { return "\xEF\xBB\xBF" + s }), false},
		{"UTF-16", whole(func(s string) string {
			out := []byte{0xFF, 0xFE}
			for _, unit := range utf16.Encode([]rune(s)) {
				out = binary.LittleEndian.AppendUint16(out, unit)
			}
			return string(out)
		}), false},
		{"UTF-16 without a mark", whole(func(s string) string {
			var out []byte
			for _, unit := range utf16.Encode([]rune(s)) {
				out = binary.BigEndian.AppendUint16(out, unit)
			}
			return string(out)
		}), false},
		{"NULs in words", whole(func(s string) string {
			for _, at := range []int{len(s) * 2 / 3, len(s) / 2, len(s) / 3, 5} {
				s = s[:at] + strings.Repeat("\x00", 7) + s[at:]
			}
			return s
		}), false},
		{"NULs behind", whole(func(s string) string { return s + strings.Repeat("\x00", 4096) }), false},
		{"invalid UTF-8", each(func(i int, r string) string { return "\xff" + r + "\xc3" }), false},
		{"invalid UTF-8 between members and in escapes", each(func(_ int, r string) string {
			return "{\xff" + strings.ReplaceAll(r[1:len(r)-1], `\n`, "\\\xe9n") + "\x80}"
		}), false},
		{"shuffled members", each(shuffled), false},
		{"unknown kinds", func(_ *testing.T, records []string, join func([]string) string) string {
			var out []string
			for i, r := range records {
				out = append(out, r, fmt.Sprintf(`{"kind_to_come": {"of": [%d, {"messages": null}]}}`, i))
			}
			return join(out)
		}, false},
		{"unknown members", each(func(_ int, r string) string { return `{"member_to_come": {"a": [1, "}{"]}, ` + r[1:] }), false},
		{"pretty printed", each(func(_ int, r string) string { return indented(r, "  ") }), false},
		{"pretty printed without indentation", each(func(_ int, r string) string { return indented(r, "") }), false},
		{"a log around it", each(func(_ int, r string) string { return "2026-03-02T09:00:00Z stdout F " + r }), false},
		{"an array", func(_ *testing.T, records []string, _ func([]string) string) string {
			return "[\n" + strings.Join(records, ",\n") + "\n]\n"
		}, false},
		{"all in one line", whole(func(s string) string { return strings.ReplaceAll(s, "\n", " ") }), false},
		{"blank lines", each(func(_ int, r string) string { return "\n \t\n" + r + "  \n" }), false},
		{"control characters", each(func(_ int, r string) string { return strings.ReplaceAll(r, "ress", "ress\x07") }), false},
		{"halves of surrogate pairs", each(func(_ int, r string) string { return strings.ReplaceAll(r, "ress", `ress\ud83d`) }), false},
		{"many times over", func(_ *testing.T, records []string, join func([]string) string) string {
			var out []string
			for size := 0; size < 1<<20; {
				for _, r := range records {
					out = append(out, r)
					size += len(r)
				}
			}
			return join(out)
		}, false},
	}
}

// shuffled is an object with its members in another order.
func shuffled(i int, r string) string {
	doc, err := jsonedit.Parse([]byte(r))
	if err != nil {
		return r
	}
	var members []string
	for c := range doc.Children(0) {
		name, _ := json.Marshal(doc.Key(c))
		members = append(members, string(name)+":"+string(doc.Raw(c)))
	}
	rand.New(rand.NewPCG(uint64(i), 1)).Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, ",") + "}"
}

func indented(r, by string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(r), "", by) != nil {
		return r
	}
	return b.String()
}

// parted is a fixture as its records, and how they are put together again.
func parted(t *testing.T, src string) (records []string, join func([]string) string) {
	t.Helper()
	doc, err := jsonedit.Parse([]byte(strings.TrimSpace(src)))
	if err != nil || doc.Nodes[0].Kind == jsonedit.Object && doc.Find("/type") >= 0 {
		for line := range strings.Lines(src) {
			if line = strings.TrimSpace(line); json.Valid([]byte(line)) {
				records = append(records, line)
			}
		}
		return records, func(r []string) string { return strings.Join(r, "\n") + "\n" }
	}
	list := -1
	for _, name := range []string{"", "/history", "/messages", "/conversation", "/requests"} {
		if i := doc.Find(name); i >= 0 {
			list = i
		}
	}
	for i := range doc.Children(list) {
		records = append(records, string(doc.Raw(i)))
	}
	head, tail, _ := strings.Cut(strings.TrimSpace(src), string(doc.Raw(list)))
	return records, func(r []string) string { return head + "[\n" + strings.Join(r, ",\n") + "\n]" + tail }
}

// contents are what was said, without the marks of what was mended.
func contents(rd transcript.Transcript) []string {
	var out []string
	for _, m := range rd.Messages {
		text := strings.NewReplacer(" ", "", "\uFFFD", "", "\x07", "", `\u0007`, "", `\ufffd`, "").Replace(m.Content)
		out = append(out, m.Role+" "+text)
	}
	return out
}

func withoutRoles(said []string) []string {
	out := slices.Clone(said)
	for i := range out {
		_, out[i], _ = strings.Cut(out[i], " ")
	}
	return out
}

// prose says whether a transcript is no JSON.
func prose(name string) bool { return filepath.Ext(name) == ".md" || filepath.Ext(name) == ".txt" }

// Whatever happens to a transcript on its way, what is whole in it is read.
func TestMangledTranscripts(t *testing.T) {
	for name, src := range transcripts(t) {
		if prose(name) {
			continue
		}
		records, join := parted(t, string(src))
		want, err := transcript.Read([]byte(join(records)))
		if err != nil || len(want.Messages) < 4 {
			t.Fatalf("%s: %v, %d messages", name, err, len(want.Messages))
		}
		for _, m := range manglings() {
			t.Run(filepath.Base(name)+", "+m.name, func(t *testing.T) {
				mangled := m.do(t, records, join)
				got, err := transcript.Read([]byte(mangled))
				if err != nil {
					t.Fatal(err)
				}
				expected, has := contents(want), contents(got)
				if m.torn {
					var whole []string
					for _, r := range records {
						if strings.Contains(mangled, r) {
							whole = append(whole, r)
						}
					}
					rest, err := transcript.ReadOf(want.Tool, []byte(join(whole)))
					if err != nil {
						t.Fatal(err)
					}
					expected = withoutRoles(contents(rest)) // which may follow from what was torn
					has = withoutRoles(has)
				}
				if got.Tool != want.Tool {
					t.Errorf("read as %s", got.Tool)
				}
				for _, text := range expected {
					if !slices.Contains(has, text) {
						t.Errorf("lost: %.120q\nfaults %v", text, got.Faults)
					}
				}
				accounted(t, got)
			})
		}
	}
}

// accounted holds that every record is counted once.
func accounted(t *testing.T, rd transcript.Transcript) {
	t.Helper()
	sum := rd.Gave + rd.Unread
	for _, s := range rd.Skipped {
		sum += s.Count
	}
	if sum != rd.Records {
		t.Errorf("%d records, of which %d gave messages, %d could not be read, and %v", rd.Records, rd.Gave, rd.Unread, rd.Skipped)
	}
}

func TestMangledProse(t *testing.T) {
	for name, src := range transcripts(t) {
		if !prose(name) {
			continue
		}
		text := string(src)
		want, err := transcript.Read(src)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range manglings() {
			join := func(r []string) string { return r[0] }
			switch m.name {
			case "torn in the middle", "torn in three places", "cut to its first half", "without its last byte", "the file twice", "CRLF",
				"a byte order mark", "UTF-16", "NULs in words", "NULs behind", "blank lines":
			default:
				continue
			}
			mangled := m.do(t, []string{text}, join)
			got, err := transcript.Read([]byte(mangled))
			if err != nil && m.torn {
				continue // its head is gone
			}
			if err != nil || got.Tool != want.Tool || len(got.Messages) == 0 {
				t.Errorf("%s, %s: %v, %q, %d messages", name, m.name, err, got.Tool, len(got.Messages))
			}
			if !m.torn && m.name != "the file twice" && !slices.Equal(contents(got), contents(want)) {
				t.Errorf("%s, %s:\n got %q\nwant %q", name, m.name, contents(got), contents(want))
			}
			accounted(t, got)
		}
	}
}

// Whatever a stranger repeats, ten times as much takes about ten times as long.
// No time is asserted: a quadratic reader would not end here.
func TestImportIsLinear(t *testing.T) {
	good := `{"type":"user","uuid":"u-1","sessionId":"s","message":{"role":"user","content":"yes"}}` + "\n"
	for _, unit := range []string{
		"{", "[", "{\"", "{\"a\":", "{\"a\":[", "{bad\n", "\n{", "[{", "{\"type\":\"user\",\n", "{\"type\":", "\"", "\\", "{\"\n", "{\n ", "}", "]", ",", "\x00", "\xff", "\\ud83d",
		"_**User**_\n", "**User**\n---\n", "<think>", "<tool-use>", "```\n", "---\n", "{\"type\":\"us{\"type\":\"user\"}", good[:60] + good,
	} {
		for _, head := range []string{"", good, "{\"messages\":[", "<!-- Generated by SpecStory -->\n_**User**_\n", "# x\n_Exported on today from Cursor (1)_\n"} {
			rd, err := transcript.Read([]byte(head + strings.Repeat(unit, 200_000/len(unit))))
			if err == nil {
				accounted(t, rd)
			}
		}
	}
}
