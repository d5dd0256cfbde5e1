package hook

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// decide adds a decision to a tree, as another program does.
func decide(t *testing.T, root, id, text string) {
	t.Helper()
	write(t, root, ".forgemind/decisions/"+id+".json", fmt.Sprintf(`{"id": %q, "timestamp": "2026-03-02T08:00:00Z", "decision": %q, "immutable": true}`, id, text))
}

// TestToldOnce: a window is told how things stand once, until that changes or the window
// is compacted. What the session before left, and the files in work, are no change. Some
// clients forget what hooks told as they resume a session.
func TestToldOnce(t *testing.T) {
	for agent, keeps := range map[string]bool{"claude": true, "codex": true, "gemini": false, "copilot": false, "opencode": true} {
		t.Run(agent, func(t *testing.T) {
			root := plant(t, orchard())
			(&later{root: root, agent: agent}).event(t, "UserPromptSubmit", `{"session_id":"s-0","prompt":"Draw the plan of the south wall."}`)
			l := &later{root: root, agent: agent}
			begin := func(source string) string {
				l.after += time.Minute
				file := ""
				if keeps && agent != "opencode" { // which names none
					file = filepath.Join(root, "../s-1.jsonl")
				}
				return l.event(t, "SessionStart", fmt.Sprintf(`{"session_id":"s-1","transcript_path":%q,"source":%q}`, file, source))
			}
			if told := begin("startup"); !strings.Contains(told, "Lime mortar only") || !strings.Contains(told, "Draw the plan") {
				t.Fatalf("it begins with\n%s", told)
			}
			l.event(t, "PostToolUse", fmt.Sprintf(`{"session_id":"s-1","tool_name":"Edit","tool_input":{"file_path":%q}}`, filepath.Join(root, "walls/east.md")))
			for range 2 {
				if told := begin("resume"); (told == "") != keeps {
					t.Errorf("resumed, it is told\n%s", told)
				}
			}
			decide(t, root, "DEC-2", "The east wall gets a door")
			if told := begin("resume"); !strings.Contains(told, "gets a door") || strings.Contains(told, "Draw the plan") {
				t.Errorf("something is new, and it is told\n%s", told)
			}
			if told := begin("resume"); (told == "") != keeps {
				t.Errorf("after that it is told\n%s", told)
			}
			if told := begin("clear"); !strings.Contains(told, "Lime mortar only") {
				t.Errorf("the window is empty, and it is told\n%s", told)
			}
			if told := begin("compact"); !strings.Contains(told, "Lime mortar only") || !strings.Contains(told, "walls/east.md") {
				t.Errorf("the window was compacted, and it is told\n%s", told)
			}
		})
	}
}

// TestPutBackOnce: what a compaction lost is told once, whichever events come after it.
// Codex says twice that a session begins which it compacts as it is resumed.
func TestPutBackOnce(t *testing.T) {
	for _, events := range [][]string{
		{"PreCompact", "PostCompact", "SessionStart resume", "SessionStart compact"},
		{"PreCompact", "PostCompact", "SessionStart compact", "SessionStart resume"},
		{"PreCompact", "SessionStart compact", "PostCompact", "SessionStart resume"},
		{"PreCompact", "PostCompact", "UserPromptSubmit", "SessionStart resume"},
		{"PreCompact", "PostCompact", "a minute", "SessionStart resume", "SessionStart compact"},
		{"PreCompact", "PostCompact", "a minute", "UserPromptSubmit", "SessionStart compact"},
		{"SessionStart compact", "SessionStart resume"},
	} {
		root := plant(t, orchard())
		l, file := &later{root: root, agent: "codex"}, filepath.Join(t.TempDir(), "s-1.jsonl")
		l.event(t, "SessionStart", `{"session_id":"s-1","source":"startup"}`)
		l.event(t, "UserPromptSubmit", `{"session_id":"s-1","prompt":"Lay the south wall."}`)
		for n := range 2 {
			told := ""
			for _, event := range events {
				if l.after += 10 * time.Millisecond; event == "a minute" {
					l.after += time.Minute
					continue
				}
				name, source, _ := strings.Cut(event, " ")
				told += l.event(t, name, fmt.Sprintf(`{"session_id":"s-1","transcript_path":%q,"source":%q,"prompt":"Go on %d."}`, file, source, n))
			}
			if strings.Count(told, "Lime mortar only") != 1 || strings.Count(told, "Lay the south wall.") != 1 {
				t.Errorf("%q, time %d: it is told\n%s", events, n, told)
			}
			l.after += time.Minute
		}
	}
}

// TestToldOnceOfMuch: where a brief has no room for all, files in work take none of what else
// is told, and a memory that an earlier version wrote is one of another telling.
func TestToldOnceOfMuch(t *testing.T) {
	root := plant(t, orchard())
	for i := range 100 {
		decide(t, root, fmt.Sprintf("DEC-%d", 100+i), fmt.Sprintf("Stone %d is laid flat, %s", i, strings.Repeat("and firm ", i%7)))
	}
	l, file := &later{root: root, agent: "claude"}, filepath.Join(t.TempDir(), "s-1.jsonl")
	begin := func(source string) string {
		l.after += time.Minute
		return l.event(t, "SessionStart", fmt.Sprintf(`{"session_id":"s-1","transcript_path":%q,"source":%q}`, file, source))
	}
	if told := begin("startup"); len(told) < mostOpening*3/4 {
		t.Fatalf("it is told little:\n%s", told)
	}
	for i := range 6 {
		l.event(t, "PostToolUse", fmt.Sprintf(`{"session_id":"s-1","tool_name":"Edit","tool_input":{"file_path":"%s/walls/%d.md"}}`, root, i))
		if told := begin("resume"); told != "" {
			t.Errorf("after %d edits it is told\n%s", i+1, told)
		}
	}
	if told := begin("clear"); !strings.Contains(told, "walls/5.md") {
		t.Errorf("of the files in work it is told nothing:\n%s", told)
	}
	k := remembered(t, root)
	m := k.recalled(t, "s-1")
	m.Begun, m.Room = "another", 0
	if err := k.keep(m); err != nil {
		t.Fatal(err)
	}
	if told := begin("resume"); !strings.Contains(told, "Stone 99") {
		t.Errorf("it is told\n%s", told)
	}
}

// TestToldToNobody: what could not be delivered is told again.
func TestToldToNobody(t *testing.T) {
	root := plant(t, orchard())
	begin := func(out io.Writer, after time.Duration) string {
		e := edge()
		e.Now = func() time.Time { return morning.Add(after) }
		return string(Run(t.Context(), Call{
			Agent: "claude", Event: "SessionStart", Payload: strings.NewReader(`{"session_id":"s-1","transcript_path":"/s-1.jsonl","source":"resume"}`),
			Out: out, Dir: root, State: stateBeside(root), Edge: e, Within: leisure,
		}))
	}
	closed, other := io.Pipe()
	closed.Close()
	begin(other, 0)
	if told := begin(io.Discard, time.Minute); !strings.Contains(told, "Lime mortar only") {
		t.Errorf("it is told %q", told)
	}
	if told := begin(io.Discard, time.Hour); told != "" {
		t.Errorf("it is told again %q", told)
	}
	run(t, root, "claude", "UserPromptSubmit", `{"session_id":"s-1","prompt":"Lay the south wall."}`)
	run(t, root, "claude", "PostCompact", `{"session_id":"s-1"}`)
	begin(other, 2*time.Hour)
	if told := begin(io.Discard, 3*time.Hour); !strings.Contains(told, "> Lay the south wall.") {
		t.Errorf("what the compaction lost is not told: %q", told)
	}
}

// TestPutBackInASmallTree: a tree in which nothing is recorded is one, whether something is
// left of the session or not.
func TestPutBackInASmallTree(t *testing.T) {
	root := plant(t, map[string]string{".forgemind/config.json": "{}"})
	l := &later{root: root, agent: "codex"}
	told := ""
	for _, event := range []string{"SessionStart startup", "UserPromptSubmit", "PreCompact", "PostCompact", "SessionStart resume", "SessionStart compact", "SessionStart resume"} {
		l.after += 10 * time.Millisecond
		name, source, _ := strings.Cut(event, " ")
		told += l.event(t, name, fmt.Sprintf(`{"session_id":"s-1","transcript_path":"/s-1.jsonl","source":%q,"prompt":"Lay the south wall."}`, source))
	}
	if strings.Count(told, "Nothing is recorded") != 1 || strings.Count(told, "> Lay the south wall.") != 1 {
		t.Errorf("it is told\n%s", told)
	}
}

// TestPutBackBesideMuch: however long what was asked and CONTEXT.md are, a prompt after a
// compaction is told some decisions.
func TestPutBackBesideMuch(t *testing.T) {
	for _, lines := range []int{0, 31, 32, 60, 500} {
		files := orchard()
		files[".forgemind/projects/south/CONTEXT.md"] = "# South\n\n" + strings.Repeat("What lives here, and grows on the wall in the sun all year long, for people to see.\n\n", lines)
		root := plant(t, files)
		for i := range 30 {
			decide(t, root, fmt.Sprintf("DEC-%d", 100+i), fmt.Sprintf("Stone %d is laid flat", i))
		}
		l := &later{root: root, agent: "claude"}
		l.event(t, "UserPromptSubmit", fmt.Sprintf(`{"session_id":"s-1","prompt":"Begin. %s"}`, strings.Repeat("Lay it firmly. ", 460)))
		l.event(t, "PreCompact", `{"session_id":"s-1"}`)
		l.event(t, "PostCompact", `{"session_id":"s-1"}`)
		told := l.event(t, "UserPromptSubmit", `{"session_id":"s-1","prompt":"Go on."}`)
		if !strings.Contains(told, "is laid flat") || !strings.Contains(told, "> Begin.") || units(told) > mostContext {
			t.Errorf("%d lines: of %d characters it is told\n%s", lines, units(told), told)
		}
	}
}

// TestCompactionThatDoesNotCome: an agent that tells when a compaction is done lost nothing
// before, and is told nothing of it.
func TestCompactionThatDoesNotCome(t *testing.T) {
	for agent, announced := range map[string]bool{"claude": true, "opencode": true, "cursor": false} {
		l := &later{root: plant(t, orchard()), agent: agent}
		told := ""
		for _, event := range []string{"SessionStart", "UserPromptSubmit", "PreCompact", "UserPromptSubmit"} {
			l.after += time.Minute
			told = l.event(t, event, fmt.Sprintf(`{"session_id":"s-1","prompt":"Lay the south wall, part %d."}`, l.after))
		}
		if lost := strings.Contains(told, "After the compaction"); lost == announced {
			t.Errorf("%s is told\n%s", agent, told)
		}
	}
}
