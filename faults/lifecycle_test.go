//go:build linux

package faults_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// discussing are the commands on threads, condensations, projects and handoffs.
var discussing = []struct {
	base func(t *testing.T) string
	args []string
}{
	{discussed, []string{"thread", "open", "Which cart", "--channel", "yard"}},
	{discussed, []string{"thread", "post", "mortar", "One more word", "--agent", "ann"}},
	{discussed, []string{"thread", "post", "mortar", "📝 condense this discussion", "--agent", "ann"}},
	{discussed, []string{"thread", "resolve", "mortar"}},
	{discussed, []string{"thread", "archive", "sand"}},
	{discussed, []string{"thread", "import", "yard.log", "--channel", "yard"}},
	{discussed, []string{"condense", "sand"}},
	{discussed, []string{"condense", "--channel", "proj-south-wall"}},
	{discussed, []string{"condense", "--from", "yard.log", "--channel", "yard", "--topic", "Carts"}},
	{discussed, []string{"projects", "new", "North wall"}},
	{discussed, []string{"projects", "set", "south", "--phase", "Done", "--constraint", "No peat"}},
	{behind, []string{"projects", "refresh"}},
	{discussed, []string{"handoff", "add", "Mix the mortar", "--summary", "mixed"}},
	{discussed, []string{"decision", "supersede", "DEC", "Clay, for there is no lime"}},
}

// discussed is a tree with a project, a condensed thread, one that goes on, one
// that is resolved, and talk in the channel itself.
func discussed(t *testing.T) string {
	t.Helper()
	dir := newDir(t)
	succeed(t, dir, "init")
	succeed(t, dir, "config", "set", "validation.severity.uncondensed-thread", "off") // there is one
	succeed(t, dir, "projects", "new", "South wall")
	const channel = "proj-south-wall"
	for i, title := range []string{"Lime", "Mortar", "Sand"} {
		succeed(t, dir, "thread", "open", title, "--channel", channel, "--agent", "ann")
		for k, text := range []string{"What do we take for the wall?", "Decision: we take the best " + title + " there is, because the wall stays for a hundred years."} {
			succeed(t, dir, "thread", "post", title, text, "--agent", []string{"ann", "bob"}[k], "--time", fmt.Sprintf("2026-03-0%dT09:0%d:00Z", i+1, k))
		}
	}
	succeed(t, dir, "condense", "Lime")
	succeed(t, dir, "thread", "resolve", "Sand")
	file(t, dir, ".forgemind/channels/"+channel+"/messages.jsonl",
		`{"msg_id":"msg-000001","timestamp":"2026-03-04T09:00:00Z","agent":"ann","content":"Decision: the coping is slate."}`+"\n")
	file(t, dir, "yard.log", "2026-03-05 10:00:01\t<ann>\twhen does the cart come?\n2026-03-05 10:00:30\t<bob>\tdecision: the cart comes on Tuesdays\n")
	return settled(dir)
}

// behind is a tree whose CONTEXT.md lacks a decision that somebody wrote by hand.
func behind(t *testing.T) string {
	t.Helper()
	dir := discussed(t)
	file(t, dir, ".forgemind/decisions/DEC-HAND01.json", `{"id":"DEC-HAND01","timestamp":"2026-03-06T09:00:00Z","decision":"The gate is oak","decision_maker":"ann","immutable":true,"project":"south-wall"}`+"\n")
	return dir
}

func file(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func discussions(t *testing.T) (all []*trial) {
	t.Helper()
	for _, c := range discussing {
		dir, args := c.base(t), append([]string{}, c.args...)
		for i, arg := range args {
			if arg == "DEC" {
				args[i] = decisionOf(t, dir)
			}
		}
		all = append(all, rehearse(t, dir, args...))
	}
	return all
}

// Killed at each of its system calls, a command of the lifecycle is done or undone
// by the next one: never a condensation without its decision, or a pin without its
// condensation.
func TestLifecycleKilledAtEverySystemCall(t *testing.T) {
	needs(t, "strace")
	killAtCalls(t, discussions(t), atLength(1000, 3))
}

// Whatever call of it fails, it says so, and nothing is half done.
func TestLifecycleErrorFromEverySystemCall(t *testing.T) {
	needs(t, "strace")
	failCalls(t, discussions(t), atLength(1000, 12))
}

// Eight agents talk in one thread and ask for its condensation, all at once: each
// word stands there once, and there is one condensation and one decision.
func TestEightAgentsCondenseOneThread(t *testing.T) {
	dir := discussed(t)
	done := make(chan string)
	for agent := range 8 {
		go func() {
			who := fmt.Sprintf("agent-%d", agent)
			for i := range 3 {
				if r := forgemind(t, dir, "thread", "post", "mortar", fmt.Sprintf("%s says %d", who, i), "--agent", who); r.code != 0 && !strings.Contains(r.err, "it is resolved") {
					t.Errorf("%v", r)
				}
			}
			if r := forgemind(t, dir, "condense", "mortar", "--agent", who); r.code != 0 {
				t.Errorf("%v", r)
			}
			done <- who
		}()
	}
	for range 8 {
		<-done
	}
	condensed, _ := filepath.Glob(filepath.Join(dir, ".forgemind/condensations/*mortar*.md"))
	decided, _ := filepath.Glob(filepath.Join(dir, ".forgemind/decisions/*.json"))
	if len(condensed) != 1 || len(decided) != 2 {
		t.Errorf("%d condensations, %d decisions", len(condensed), len(decided))
	}
	if r := forgemind(t, dir, "validate"); r.code != 0 {
		t.Errorf("%v", r)
	}
}
