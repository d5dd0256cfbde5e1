package validate

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
)

// fixture is a whole small tree, in memory.
func fixture(t *testing.T, name string) pages {
	t.Helper()
	p := pages{}
	root := filepath.Join(fixtures, name)
	err := filepath.WalkDir(root, func(file string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		src, err := os.ReadFile(file)
		inside, _ := filepath.Rel(root, file)
		p[filepath.ToSlash(inside)] = string(src)
		return err
	})
	if err != nil || len(p) == 0 {
		t.Fatal(name, err)
	}
	return p
}

// mend is the tree after --fix, and what that did. An index to be made anew is
// left out: the command makes it.
func mend(p pages) (pages, []Finding) {
	out := maps.Clone(p)
	var done []Finding
	for _, name := range slices.Sorted(maps.Keys(p)) {
		fixed, did := Fix(name, []byte(p[name]))
		out[name], done = string(fixed), append(done, did...)
	}
	for _, m := range FixTree(out) {
		if out[m.Name] = string(m.Text); m.Text == nil {
			delete(out, m.Name)
		}
		done = append(done, m.Done...)
	}
	return out, done
}

// TestFixATreeThatGitMerged: what both sides said is all there, once, and what
// is left are questions for people.
func TestFixATreeThatGitMerged(t *testing.T) {
	before := fixture(t, "quaid-merged")
	after, done := mend(before)
	const first, second = ".quaid/context/sessions/conv-2025-11-10-001/", ".quaid/context/sessions/conv-2025-11-10-002/"
	expect(t, "done", done,
		first+"metadata.json:1:1: error: joined both sides of the conflict: the later activity, the greater count, the lists of both [conflict-marker]",
		first+"recent_history.jsonl:4:1: error: kept the lines of both sides of 1 conflict [conflict-marker]",
		second+"hot_context.json:1:1: error: joined both sides of the conflict: the items of both, version 7 [conflict-marker]",
		second+"recent_history.jsonl:4:1: warning: removed 1 message that is here already, byte for byte [duplicate-message]",
		first+"recent_history.jsonl:1:1: warning: removed 1 message that is in the archive, byte for byte [duplicate-message]",
		first+"metadata.json:5:20: warning: set message_count from 5 to 6 [session-metadata]",
		fs.ActiveSession+":1:1: error: removed, for the session conv-2025-11-10-003 does not exist [session-active]",
		fs.SessionIndex+":1:1: warning: made anew from the metadata of the sessions [session-index]",
	)
	if got, want := after[first+"metadata.json"], `{
  "session_id": "conv-2025-11-10-001",
  "started": "2025-11-10T10:00:00Z",
  "last_activity": "2025-11-10T10:06:00Z",
  "message_count": 6,
  "title": "JWT",
  "status": "active",
  "agents": ["alice", "quaid", "bob"],
  "tags": ["jwt"]
}
`; got != want {
		t.Errorf("metadata: got\n%s\nwant\n%s", got, want)
	}
	for name, text := range before {
		if !isTalk(name) {
			continue
		}
		session := after[strings.TrimSuffix(name, "/"+filepath.Base(name))+"/recent_history.jsonl"] + after[strings.TrimSuffix(name, "/"+filepath.Base(name))+"/archive.jsonl"]
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "{") && strings.Count(session, line) != 1 {
				t.Errorf("%s: this stands %d times: %s", name, strings.Count(session, line), line)
			}
		}
	}
	expect(t, "left", judgeTree(t, after),
		second+`metadata.json:3:1: error: merge conflict marker "<<<<<<< HEAD" [conflict-marker]`)
	if again, did := mend(after); len(did) > 0 || !maps.Equal(again, after) {
		t.Errorf("mending again did\n%s", asText(did))
	}
}

// TestFixWhatWasEditedByHand: what can be worked out again is, and the rest stays
// byte for byte.
func TestFixWhatWasEditedByHand(t *testing.T) {
	before := fixture(t, "quaid-hand")
	after, done := mend(before)
	const first, second = ".quaid/context/sessions/conv-2025-11-09-001/", ".quaid/context/sessions/conv-2025-11-09-002/"
	expect(t, "done", done,
		first+"hot_context.json:18:23: error: added the empty list pending_actions [missing-section]",
		second+"metadata.json:3:20: warning: set message_count from 45 to 22 [session-metadata]",
		second+"metadata.json:5:13: warning: added quaid to agents [session-metadata]",
	)
	want := maps.Clone(before)
	want[first+"hot_context.json"] = change(t, before[first+"hot_context.json"], "[1,2,   3]\n", "[1,2,   3],\n\t\"pending_actions\":   []\n")
	want[second+"metadata.json"] = change(t, before[second+"metadata.json"], "45", "22", `["user"]`, `["user", "quaid"]`)
	for name := range want {
		if after[name] != want[name] {
			t.Errorf("%s: got\n%s\nwant\n%s", name, after[name], want[name])
		}
	}
	if _, did := mend(after); len(did) > 0 {
		t.Errorf("mending again did\n%s", asText(did))
	}
}

func TestFixTreeLeavesAlone(t *testing.T) {
	repeated := aMessage("m-1", "a") + aMessage("m-1", "a")
	undone := change(t, cluster(), "cluster", "compaction")
	for name, p := range map[string]pages{
		"no session":                    {fs.State: state},
		"a sound session":               aSession(meta, counting(2), window1, messagesFrom(0, 1), archive1, messagesFrom(1, 2), fs.ActiveSession, "c-1\n", fs.SessionIndex, counting(2)),
		"what a compaction may undo":    aSession(meta, counting(9), window1, undone+repeated, archive1, aMessage("m-1", "a")),
		"other content":                 aSession(meta, counting(2), window1, aMessage("m-1", "a"), archive1, aMessage("m-1", "b")),
		"other bytes":                   aSession(meta, counting(2), window1, aMessage("m-1", "a"), archive1, change(t, aMessage("m-1", "a"), "user", "boss")),
		"counts where a line is broken": aSession(meta, counting(9), window1, aMessage("m-1", "a")+"no\n"),
		"a side that is no record":      aSession(window1, "<<<<<<< HEAD\nno\n=======\n"+record+"\n>>>>>>> b\n"),
		"a conflict without an end":     aSession(window1, "<<<<<<< HEAD\n"+record+"\n=======\n"),
		"another conversation":          {messages: repeated},
		"an archived session":           aSession(meta, change(t, metadata1, `"active"`, `"archived"`), fs.ActiveSession, "c-1\n"),
	} {
		if after, did := mend(p); len(did) > 0 || !maps.Equal(after, p) {
			t.Errorf("%s: %s", name, asText(did))
		}
	}
}

// FuzzFix: mending twice is mending once, and no message of either side of a
// merge is gone after it, be it with a time that was written anew.
func FuzzFix(f *testing.F) {
	const conflict = "<<<<<<< HEAD\n%s||||||| 12\nx\n=======\n%s>>>>>>> b\n"
	for _, text := range []string{
		aMessage("m-1", "a") + aMessage("m-1", "a"), aMessage("m-1", "a") + aMessage("m-2", "b") + `{"msg`, cluster("m-1") + cluster("m-1"),
		fmt.Sprintf(conflict, aMessage("m-1", "a"), aMessage("m-1", "a")+aMessage("m-2", "b")), "\ufeff" + aMessage("m-1", "a"),
		"<<<<<<< HEAD\r\n" + aMessage("m-1", "a") + "=======\r\n>>>>>>> b", strings.Repeat(aMessage("m-1", "a")+"\n", 3), hot1, metadata1, between(hotOurs, hotTheirs), strings.ReplaceAll(aMessage("m-1", "a"), "T04:30:15Z", " 04:30:15") + aMessage("m-1", "a"),
		fmt.Sprintf(conflict, metadata1, counting(7)), fmt.Sprintf(conflict, `{"tags": ["a"]}`+"\n", `{"tags": ["b", "a"], "agents": []}`+"\n"), "{}", "[]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{window1, archive1, meta, hot} {
			once, did := Fix(name, []byte(text))
			if twice, again := Fix(name, once); string(twice) != string(once) || len(again) > 0 {
				t.Errorf("%s: %q became %q, then %q", name, text, once, twice)
			}
			if len(did) == 0 && string(once) != text {
				t.Errorf("%s: %q became %q, and nothing was done", name, text, once)
			}
			if name != window1 || !utf8.ValidString(text) {
				continue
			}
			git.SideBySide([]byte(strings.TrimPrefix(text, "\ufeff")), func(line []byte, s git.Side) {
				record := strings.TrimRight(string(line), "\r\n")
				retimed, _ := Fix(messages, []byte(record+"\n"))
				if s != git.Base && isMessage([]byte(record)) && !strings.Contains(string(once), record) && !strings.Contains(string(once), strings.TrimSpace(string(retimed))) {
					t.Errorf("%q is gone from %q", record, once)
				}
			})
		}
	})
}

// FuzzQuaidTree judges and mends anything as a document of a session: no panic, no
// hang, places that exist, and mending twice is mending once.
func FuzzQuaidTree(f *testing.F) {
	names := []string{window1, archive1, meta, hot, summary1, memory1, fs.ActiveSession, fs.SessionIndex}
	for i, text := range []string{
		messagesFrom(0, 22), aMessage("m-1", "b") + cluster("m-1", "m-9"), counting(4, `{"s`, `{"continues": "c-1", "fragment": "x", "agents": [], "completed": [{"goal": "a"}], "s`),
		`{"active_goals": [{"goal": "a", "parent_goal_id": "a"}, {"id": "g", "goal_id": "h", "description": "b"}], "notes": [{"id": "g", "note": "` + strings.Repeat("n", 5000) + `"}]}`,
		"# Session Summary (c-2)", fragment1, "c-9\n", `{"session_id": "c-9"}` + "\n",
	} {
		for k := range names {
			f.Add(i, text, k, text)
		}
	}
	f.Fuzz(func(t *testing.T, one int, text string, other int, more string) {
		if one < 0 || other < 0 {
			return
		}
		p := aSession(window1, aMessage("m-1", "a"), archive1, aMessage("m-2", "a"), memory2, fragment1)
		p[names[one%len(names)]], p[names[other%len(names)]] = text, more
		for _, found := range judgeTree(t, p) {
			lines := strings.Count(p[found.File], "\n") + 1
			if found.Line < 1 || found.Line > lines || found.Column < 1 || found.Column > len(p[found.File])+1 || found.Message == "" {
				t.Errorf("%+v", found)
			}
		}
		once, _ := mend(p)
		if twice, did := mend(once); !maps.Equal(once, twice) || len(did) > 0 {
			t.Errorf("mending twice differs: %+v, %+v", once, did)
		}
	})
}
