package validate

import (
	"fmt"
	"strings"
	"testing"
)

const (
	pinsAt   = ".forgemind/channels/proj-orchard/pins.json"
	threadAt = ".forgemind/threads/proj-orchard/glass-1.json"
	notesAt  = ".forgemind/memory/optics-notes.md"
)

// pinsBetween is a pins.json as a merge leaves it.
func pinsBetween(before, ours, theirs string) string {
	return "{\n  \"channel\": \"proj-orchard\",\n  \"pins\": [\n" + before + "<<<<<<< HEAD\n" + ours + "=======\n" + theirs + ">>>>>>> other\n  ]\n}\n"
}

func pin(name, at string) string {
	return fmt.Sprintf(`    {"condensation": %q, "pinned_by": "Secretary", "pinned_at": "2026-02-%sT10:00:00Z"}`, name, at)
}

// What either branch pinned is pinned, once, in the order of time; whichever of
// them merges the other.
func TestJoinPins(t *testing.T) {
	a, b, c := pin("a.md", "11"), pin("b.md", "12"), pin("c.md", "13")
	earlier := pin("c", "10")
	for name, given := range map[string]struct{ before, ours, theirs, want string }{
		"both pinned":                     {a + ",\n", c + "\n", b + "\n", a + ",\n" + b + ",\n" + c},
		"the other way":                   {a + ",\n", b + "\n", c + "\n", a + ",\n" + b + ",\n" + c},
		"one with a base":                 {a + ",\n", b + "\n||||||| base\n", c + "\n", a + ",\n" + b + ",\n" + c},
		"the same, the earlier pin stays": {a + ",\n", c + "\n", earlier + "\n", a + ",\n" + earlier},
		"the same, ours is the earlier":   {a + ",\n", earlier + "\n", c + "\n", a + ",\n" + earlier},
		"a first one each":                {"", b + "\n", a + "\n", a + ",\n" + b},
	} {
		after, did := Fix(pinsAt, []byte(pinsBetween(given.before, given.ours, given.theirs)))
		if want := "{\n  \"channel\": \"proj-orchard\",\n  \"pins\": [\n" + given.want + "\n  ]\n}\n"; string(after) != want || len(did) != 1 {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, did, after, want)
		}
	}
}

// Git moves lines that both sides have out of a conflict: both are read whole all
// the same.
func TestJoinPinsOfSeveralLines(t *testing.T) {
	src := `{
  "channel": "proj-orchard",
  "pins": [
    {
<<<<<<< HEAD
      "condensation": "a.md",
      "pinned_by": "Secretary",
      "pinned_at": "2026-02-11T10:00:00Z"
=======
      "condensation": "b.md",
      "pinned_by": "Secretary",
      "pinned_at": "2026-02-12T10:00:00Z"
>>>>>>> other
    }
  ]
}
`
	after, did := Fix(pinsAt, []byte(src))
	expect(t, "did", did, pinsAt+`:1:1: error: joined both sides of the conflict: the pins of both [conflict-marker]`)
	expect(t, "left", Bytes(pinsAt, after, Options{}))
	if again, did := Fix(pinsAt, after); string(again) != string(after) || len(did) > 0 || strings.Count(string(after), "condensation") != 2 {
		t.Errorf("%v\n%s", did, again)
	}
}

// More pins than there may be: the oldest leave, and it is said which.
func TestJoinPinsBeyondTheirNumber(t *testing.T) {
	var before strings.Builder
	for n := range 49 {
		before.WriteString(strings.Replace(pin(fmt.Sprintf("p%02d.md", n), "01"), "10:00:00Z", fmt.Sprintf("10:00:%02dZ", n), 1) + ",\n")
	}
	after, did := Fix(pinsAt, []byte(pinsBetween(before.String(), pin("a.md", "11")+"\n", pin("b.md", "12")+"\n")))
	expect(t, "did", did, pinsAt+`:1:1: error: joined both sides of the conflict: the pins of both; of more than 50 the oldest left: p00 [conflict-marker]`)
	if strings.Contains(string(after), "p00") || strings.Count(string(after), "pinned_at") != 50 || !strings.Contains(string(after), `"b.md"`) {
		t.Errorf("%s", after)
	}
}

func TestJoinAThread(t *testing.T) {
	begin := `{"id": "thread-1", "title": "Glass", `
	for name, given := range map[string]struct{ ours, theirs, want string }{
		"resolved and archived": {
			`"status": "resolved", "participants": ["a", "b"], "resolved": "2026-02-12T10:00:00Z"}`,
			`"status": "archived", "participants": ["a", "c"], "resolved": "2026-02-11T10:00:00Z", "archived": "2026-02-20T10:00:00Z"}`,
			`"status": "archived", "participants": ["a", "b", "c"], "resolved": "2026-02-11T10:00:00Z", "archived": "2026-02-20T10:00:00Z"}`},
		"one condensed": {
			`"status": "resolved", "resolved": "2026-02-12T10:00:00Z"}`,
			`"status": "resolved", "resolved": "2026-02-12T11:00:00+02:00", "condensation": "2026-02-12-glass.md"}`,
			`"status": "resolved", "resolved": "2026-02-12T11:00:00+02:00", "condensation": "2026-02-12-glass.md"}`},
		"two condensations": {
			`"status": "resolved", "condensation": "a.md"}`, `"status": "resolved", "condensation": "b.md"}`, ""},
		"two titles":    {`"title": "a", "status": "active"}`, `"title": "b", "status": "active"}`, ""},
		"another state": {`"status": "asleep"}`, `"status": "active"}`, ""},
		"no time":       {`"status": "resolved", "resolved": "yesterday"}`, `"status": "resolved", "resolved": "2026-02-12T10:00:00Z"}`, ""},
		"a person's":    {`"status": "active", "mood": 1}`, `"status": "active", "mood": 2}`, ""},
	} {
		ours, theirs := begin+given.ours, begin+given.theirs
		before := "<<<<<<< HEAD\n" + ours + "\n=======\n" + theirs + "\n>>>>>>> other\n"
		after, did := Fix(threadAt, []byte(before))
		switch {
		case given.want == "":
			if string(after) != before || len(did) > 0 {
				t.Errorf("%s: %v\n%s", name, did, after)
			}
		case string(after) != begin+given.want+"\n" || len(did) != 1:
			t.Errorf("%s: %v\n%s", name, did, after)
		}
	}
}

func TestJoinNotes(t *testing.T) {
	const head, tail = "# Notes\n\n## Lessons learned\n\n", "\n## Open questions\n"
	between := func(ours, theirs string) string {
		return head + "<<<<<<< HEAD\n" + ours + "=======\n" + theirs + ">>>>>>> other\n" + tail
	}
	const a, b, c = "- 2026-02-11T10:00:00Z Frost comes early\n", "- 2026-02-12T10:00:00Z Bees sleep\n  and so do bears\n", "- 2026-02-10T10:00:00Z Pears keep\n"
	for name, given := range map[string]struct{ src, want string }{
		"an entry each":          {between(a, b), head + a + b + tail},
		"one of them both have":  {between(c+a, c+b), head + c + a + b + tail},
		"with blank lines":       {between("\n"+a+"\n", "\n"+b+"\n"), head + "\n" + a + b + "\n" + tail},
		"one side has none":      {between("", b), head + b + tail},
		"words of a person":      {between(a+"Ask Bo.\n", b), ""},
		"an entry without date":  {between(a, "- Ask Bo.\n"), ""},
		"the rest stands behind": {head + "<<<<<<< HEAD\n" + a + "=======\n" + c + ">>>>>>> other\n  and so on\n", ""},
		"a side is open":         {head + "<<<<<<< HEAD\n" + a, ""},
	} {
		after, did := Fix(notesAt, []byte(given.src))
		want, times := given.want, 1
		if want == "" { // it is for people
			want, times = given.src, 0
		}
		if string(after) != want || len(did) != times {
			t.Errorf("%s: %v\n%q\nwant\n%q", name, did, after, want)
		}
	}
}

// A merge unites what was said in threads and channels: no order is asked of it,
// and what appears twice goes.
func TestUnitedDiscussions(t *testing.T) {
	const late, early = `{"id": "m-2", "ts": "2026-02-12T10:00:00Z", "content": "b"}`, `{"id": "m-1", "ts": "2026-02-11T10:00:00Z", "content": "a"}`
	for _, name := range []string{
		".forgemind/threads/proj-orchard/glass-1.jsonl", ".quaid/threads/proj-orchard/glass-1.jsonl", ".forgemind/channels/general/messages.jsonl",
	} {
		for _, f := range Bytes(name, []byte(late+"\n"+early+"\n"), Options{}) {
			if f.Rule == timeOrder.Name {
				t.Errorf("%s: %v", name, f)
			}
		}
		after, did := Fix(name, []byte("<<<<<<< HEAD\n"+late+"\n=======\n"+early+"\n"+late+"\n>>>>>>> other\n"))
		if string(after) != late+"\n"+early+"\n" || len(did) != 2 {
			t.Errorf("%s: %v\n%s", name, did, after)
		}
	}
	found := false
	for _, f := range Bytes(".forgemind/context/messages.jsonl", []byte(late+"\n"+early+"\n"), Options{}) {
		found = found || f.Rule == timeOrder.Name
	}
	if !found {
		t.Error("the live conversation is not held to its order")
	}
}

// What a person joined by hand may be pinned twice: it is said, and the earlier
// pin stays.
func TestPinnedTwice(t *testing.T) {
	list := func(pins ...string) string {
		return "{\n  \"pins\": [\n" + strings.Join(pins, ",\n") + "\n  ]\n}\n"
	}
	a, b := pin("a.md", "11"), pin("b.md", "12")
	twice := list(pin("x/a", "15"), b, a, `    {}`, `    {}`, pin("b", "13"))
	expect(t, "said", Bytes(pinsAt, []byte(strings.ReplaceAll(twice, "    {},\n    {},\n", "")), Options{}),
		pinsAt+`:5:22: warning: the condensation a is pinned already [duplicate-pin]`,
		pinsAt+`:6:22: warning: the condensation b is pinned already [duplicate-pin]`)
	after, did := Fix(pinsAt, []byte(twice))
	expect(t, "did", did, pinsAt+`:2:11: warning: removed 2 pins of what is pinned already: a, b [duplicate-pin]`)
	if want := list(b, a, `    {}`, `    {}`); string(after) != want {
		t.Errorf("%s", after)
	}
}

// TestFixTheLifecycleThatGitMerged mends a whole tree: of what two branches did
// nothing is lost, and nothing appears twice.
func TestFixTheLifecycleThatGitMerged(t *testing.T) {
	after, _ := mend(fixture(t, "lifecycle-merged"))
	r, err := Tree(after, Options{})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "left", r.Findings, // which 'projects refresh' mends, where a person's words do not stand in it
		`.forgemind/projects/orchard/CONTEXT.md:4:1: error: merge conflict marker "<<<<<<< HEAD" [conflict-marker]`)
	for name, wants := range map[string][]string{
		".forgemind/channels/general/pins.json":           {"2026-02-15-mirror.md", "2026-02-16-mortar.md"},
		".forgemind/channels/proj-orchard/pins.json":      {"2026-02-15-mirror.md", "2026-02-16-mortar.md"},
		".forgemind/threads/proj-orchard/mortar-2.json":   {`"archived"`, "2026-02-20", "2026-02-16-mortar.md"},
		".forgemind/threads/proj-orchard/glass-1.json":    {"2026-02-15-mirror.md"},
		".forgemind/memory/manager-notes.md":              {"DEC-1A2B3C", "DEC-4D5E6F"},
		".forgemind/channels/proj-orchard/messages.jsonl": {"From one branch", "From the other"},
	} {
		for _, want := range wants {
			if strings.Count(after[name], want) != 1 && want != `"archived"` {
				t.Errorf("%s: %s is there %d times", name, want, strings.Count(after[name], want))
			}
		}
	}
}
