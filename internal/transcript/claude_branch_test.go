package transcript

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// claudeTalkOf is a transcript of Claude Code: a line for each word of talk. uN>P and
// aN>P are what the user and the agent say after P; rN>P what a tool gives, tN>P an
// answer that calls one; bN>P begins a window after P; pL says that the conversation is at
// L, kL that the user took it back to there; sN is a subagent's. P is null where nothing stands behind the >.
func claudeTalkOf(talk string) []byte {
	var src strings.Builder
	for n, word := range strings.Fields(talk) {
		id, parent, _ := strings.Cut(word, ">")
		if parent = fmt.Sprintf("%q", parent); parent == `""` {
			parent = "null"
		}
		head := fmt.Sprintf(`"uuid":%q,"parentUuid":%s,"sessionId":"s","timestamp":"2026-03-02T09:%02d:00Z"`, id, parent, n)
		switch word[0] {
		case 'u':
			fmt.Fprintf(&src, `{"type":"user",%s,"message":{"role":"user","content":"Words %s."}}`, head, id)
		case 'a':
			fmt.Fprintf(&src, `{"type":"assistant",%s,"message":{"role":"assistant","content":"Answer %s."}}`, head, id)
		case 't':
			fmt.Fprintf(&src, `{"type":"assistant",%s,"message":{"role":"assistant","content":[{"type":"tool_use","id":"c%s","name":"Read","input":{}}]}}`, head, id)
		case 'r':
			fmt.Fprintf(&src, `{"type":"user",%s,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"Gave %s."}]}}`, head, id)
		case 's':
			fmt.Fprintf(&src, `{"type":"user","isSidechain":true,%s,"message":{"role":"user","content":"Words %s."}}`, head, id)
		case 'b':
			fmt.Fprintf(&src, `{"type":"system","subtype":"compact_boundary","uuid":%q,"parentUuid":null,"logicalParentUuid":%s,"sessionId":"s"}`, id, parent)
		case 'p':
			fmt.Fprintf(&src, `{"type":"last-prompt","lastPrompt":"x","leafUuid":%q,"sessionId":"s"}`, id[1:])
		case 'k':
			leaf := cmp.Or(fmt.Sprintf("%q", id[1:]), "null")
			if id == "k" {
				leaf = "null"
			}
			fmt.Fprintf(&src, `{"type":"last-prompt","leafUuid":%s,"explicit":true,"rewound":true,"sessionId":"s"}`, leaf)
		}
		src.WriteString("\n")
	}
	return []byte(src.String())
}

// What the user took back is left out and counted; what stands beside the conversation
// for another reason stays.
func TestWhatTheUserTookBackInClaudeCode(t *testing.T) {
	for _, test := range []struct{ name, talk, back string }{
		{"nothing", "u1> a1>u1 u2>a1 a2>u2 pa2", ""},
		{"a turn", "u1> a1>u1 u2>a1 a2>u2 u3>a1 a3>u3 pa3", "u2 a2"},
		{"a turn, as no line says", "u1> a1>u1 u2>a1 a2>u2 u3>a1", "u2 a2"},
		{"several turns, once more", "u1> a1>u1 u2>a1 a2>u2 u3>a2 a3>u3 u4>a1 a4>u4 u5>a1 a5>u5", "u2 a2 u3 a3 u4 a4"},
		{"and went back to it", "u1> a1>u1 u2>a1 a2>u2 u3>a1 a3>u3 pa2", "u3 a3"},
		{"nothing new was said since", "u1> a1>u1 u2>a1 a2>u2 ka1", "u2 a2"},
		{"from the beginning", "u1> a1>u1 u2> a2>u2 pa2", "u1 a1"},
		{"from the beginning, and went on", "u1> a1>u1 k u2> a2>u2 u3>a2 a3>u3", "u1 a1"},
		{"from the beginning, and compacted", "u1> a1>u1 k u2> a2>u2 b1> u3>b1 a3>u3", "u1 a1"},
		{"from the beginning, nothing new", "u1> a1>u1 k", "u1 a1"},
		{"where it was is told late", "u1> a1>u1 pu1 u2>a1 a2>u2", ""},
		{"where it was is told as of before", "u1> a1>u1 u2>a1 a2>u2 pu1", ""},
		{"tools called at once", "u1> t1>u1 t2>t1 r1>t1 r2>t2 a2>r2 u2>a2", ""},
		{"tools called at once, in the middle", "u1> t1>u1 t2>t1 r1>t1", ""},
		{"after a compaction", "u1> a1>u1 b1>a1 u2>b1 a2>u2 u3>b1 a3>u3 pa3", "u2 a2"},
		{"after a compaction that names nothing before", "u1> a1>u1 b1> u2>b1 a2>u2 pa2", ""},
		{"parents that are not there", "u1>x a1>u1 u2>y a2>u2 pa2", ""},
		{"no parents", "u1> a1> u2> a2> pa2", ""},
		{"a place that is not there", "u1> a1>u1 u2>a1 px", ""},
		{"a parent that is not there, after", "u1> a1>u1 u2>a1 a2>u2 u3>a1 a3>u3 u4>x a4>u4", "u2 a2"},
		{"a window that begins after nothing known", "u1> a1>u1 u2>a1 a2>u2 u3>a1 a3>u3 b1>x u4>b1 a4>u4", "u2 a2"},
		{"a window that begins after nothing", "u1> a1>u1 u2>a1 a2>u2 u3>a1 a3>u3 b1> u4>b1 a4>u4 pa4", "u2 a2"},
		{"a first prompt, after", "u1> a1>u1 u2>a1 a2>u2 u3>a1 a3>u3 u4> a4>u4", "u2 a2"},
		{"parents in a loop", "u1>a2 a1>u1 u2>a1 a2>u2 pa2", ""},
		{"lines that stand there twice", "u1> a1>u1 u2>a1 a2>u2 u3>a2 a2>u2", ""},
		{"no parents, and the place of a prompt", "u1> a1> u2> pu2", ""},
		{"the place of a subagent", "u1> a1>u1 s1> u2>a1 ps1", ""},
		{"its own parent", "u1>u1 a1>u1 u2>u2", ""},
	} {
		src := claudeTalkOf(test.talk)
		got, err := Read(src)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		var want, stay []string
		for _, word := range strings.Fields(test.talk) {
			if id, _, _ := strings.Cut(word, ">"); !strings.ContainsAny(id[:1], "bpks") && !slices.Contains(strings.Fields(test.back), id) && !slices.Contains(want, "msg-"+id) {
				want = append(want, "msg-"+id)
			}
		}
		for _, m := range got.Messages {
			stay = append(stay, m.ID)
		}
		if !slices.Equal(stay, want) {
			t.Errorf("%s: stays %v, not %v", test.name, stay, want)
		}
		if back := strings.ReplaceAll(strings.Join(got.TakenBack, " "), "msg-", ""); back != test.back {
			t.Errorf("%s: taken back %q, not %q", test.name, back, test.back)
		}
		counted := 0
		for _, s := range got.Skipped {
			if s.Reason == "taken back" {
				counted = s.Count
			}
		}
		if counted != len(strings.Fields(test.back)) {
			t.Errorf("%s: %d records counted as taken back", test.name, counted)
		}
	}
}

// Part by part, what was taken back is told when it is; where it begins before what is
// read, that is told.
func TestWhatWasTakenBackPartByPart(t *testing.T) {
	src := claudeTalkOf("u1> a1>u1 u2>a1 a2>u2 u3>a1 a3>u3 pa3")
	lines := slices.Collect(strings.Lines(string(src)))
	before, part := strings.Join(lines[:4], ""), strings.Join(lines[4:], "")
	got, err := ReadPart("claude-code", []byte(before), []byte(part))
	if err != nil || len(got.Messages) != 2 || strings.Join(got.TakenBack, " ") != "msg-u2 msg-a2" || got.Short {
		t.Errorf("%d messages, back %v, short %v: %v", len(got.Messages), got.TakenBack, got.Short, err)
	}
	got, err = ReadPart("claude-code", []byte(lines[0]+lines[3]), []byte(part))
	if err != nil || len(got.Messages) != 2 || !got.Short {
		t.Errorf("without the turn's beginning: %d messages, short %v: %v", len(got.Messages), got.Short, err)
	}
	got, err = ReadPart("claude-code", []byte(lines[0]+lines[3]), claudeTalkOf("ka1"))
	if err != nil || !got.Short {
		t.Errorf("taken back to what is not read: short %v: %v", got.Short, err)
	}
	got, err = ReadPart("claude-code", src, claudeTalkOf("u4>a2"))
	if err != nil || len(got.Again) != 2 || got.Again[0].ID != "msg-u2" || strings.Join(got.TakenBack, " ") != "msg-u3 msg-a3" {
		t.Errorf("gone back to: %v, back %v: %v", got.Again, got.TakenBack, err)
	}
	got, err = ReadPart("claude-code", []byte(lines[0]+lines[2]+lines[3]), claudeTalkOf("u3>a2"))
	if err != nil || len(got.Messages) != 1 || got.Short {
		t.Errorf("nothing was taken back: %d messages, short %v: %v", len(got.Messages), got.Short, err)
	}
}

// Whatever the user takes back and goes back to, what stands of the conversation that is
// told part by part is what stands of the transcript as a whole.
func TestRewindsPartByPart(t *testing.T) {
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 1))
		talk := []string{"u1>", "a1>u1"}
		said := []string{"u1", "a1"}
		for n := 2; n < 12; n++ {
			parent := said[len(said)-1]
			switch back := said[random.IntN(len(said))]; random.IntN(5) {
			case 0: // to anywhere, also to what was taken back
				parent = back
			case 1:
				parent = back
				talk = append(talk, "k"+back)
			}
			user, agent := fmt.Sprintf("u%d", n), fmt.Sprintf("a%d", n)
			talk = append(talk, user+">"+parent)
			said = append(said, user)
			if random.IntN(4) > 0 {
				talk = append(talk, agent+">"+user)
				said = append(said, agent)
			}
			if random.IntN(4) == 0 {
				talk = append(talk, "p"+said[len(said)-1])
			}
		}
		src := claudeTalkOf(strings.Join(talk, " "))
		whole, err := Read(src)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, m := range whole.Messages {
			want = append(want, m.ID)
		}
		got := standingOf(t, src, random)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("seed %d, %s: %v stand, not %v", seed, strings.Join(talk, " "), got, want)
		}
	}
}

// standingOf returns the ids of what stands of a transcript that is told in parts of
// random lines, sorted.
func standingOf(t *testing.T, src []byte, random *rand.Rand) (ids []string) {
	t.Helper()
	var conversation []byte
	add := func(m schema.Message) {
		if bytes.Contains(conversation, []byte(`"`+m.ID+`","timestamp"`)) {
			return
		}
		line, err := session.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		conversation = append(append(conversation, line...), '\n')
	}
	lines := slices.Collect(bytes.Lines(src))
	for at := 0; at < len(lines); {
		end := min(at+1+random.IntN(4), len(lines))
		part, err := ReadPart("claude-code", bytes.Join(lines[:at], nil), bytes.Join(lines[at:end], nil))
		if err != nil || part.Short {
			t.Fatalf("short %v: %v", part.Short, err)
		}
		told := slices.Concat(part.Again, part.Messages)
		if note, ok := (session.Rewind{Back: part.TakenBack, Told: told}).Note(conversation, func(string) bool { return false }, ""); ok {
			add(note)
		}
		for _, m := range told {
			add(m)
		}
		at = end
	}
	for _, m := range session.Standing(session.Messages(session.Read(conversation))) {
		if m.Agent != "forgemind" {
			ids = append(ids, m.ID)
		}
	}
	slices.Sort(ids)
	return ids
}
