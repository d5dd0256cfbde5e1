//go:build linux

package faults_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// baseTree makes a tree with a bit of everything.
func baseTree(t *testing.T) string {
	t.Helper()
	dir := newDir(t)
	perform(t, dir, `init --full; set /notes/first 0; decision add "the first decision"; layer 1`)
	file(t, dir, "idea.md", "# Orchard\n\nPears along the south wall.\n")
	return imported(t, dir, conversation(40))
}

// imported imports a conversation into the tree of dir, and returns dir.
func imported(t *testing.T, dir, talk string) string {
	t.Helper()
	file(t, dir, "talk.jsonl", talk)
	succeed(t, dir, "message", "import", "talk.jsonl")
	return dir
}

// baseCompacted makes a baseTree whose conversation was compacted.
func baseCompacted(t *testing.T) string {
	t.Helper()
	dir := baseTree(t)
	succeed(t, dir, "compact", "--now", "--strategy", "psd")
	return dir
}

// baseOneLayout makes a tree of one layout, whose conversation was compacted.
func baseOneLayout(t *testing.T) string {
	t.Helper()
	dir := newDir(t)
	succeed(t, dir, "init")
	imported(t, dir, conversation(40))
	succeed(t, dir, "compact", "--now")
	return dir
}

// said returns a line of a conversation, the n-th message of it, said at a time of a morning.
func said(n int, at, role, content string) string {
	return fmt.Sprintf(`{"msg_id": "talk-%03d", "timestamp": "2026-03-02T09:%sZ", "role": %q, "content": %q}`+"\n", n, at, role, content)
}

// conversation returns n messages, a decision among them, as JSONL.
func conversation(n int) string {
	var b strings.Builder
	for i := range n {
		role, content := "assistant", fmt.Sprintf("Step %d: mortar, stones and a dry week before the frost comes.", i)
		if i == 3 {
			role, content = "user", "Decision: pears along the south wall."
		}
		b.WriteString(said(i, fmt.Sprintf("%02d:00", i%60), role, content))
	}
	return b.String()
}

// active names the session that is the active one.
const active = ".quaid/context/active_session.txt"

// workOnWalls are commands that put something of each kind into a session.
const workOnWalls = `
goal add "Lay the wall"; constraint add "No mortar in frost"; remember "Sand comes on Mondays"; file add src/wall.go
slash "/log_decision Use bricks because they are there"
`

// talked returns a function that makes a tree whose active session has n messages.
func talked(n int) func(t *testing.T) string {
	return func(t *testing.T) string {
		t.Helper()
		dir := newDir(t)
		perform(t, dir, `init --layout quaid; message add "Something else entirely"; sessions new`)
		perform(t, dir, workOnWalls)
		lines, from := strings.SplitAfter(talkOfWalls(n), "\n"), 0
		for _, to := range []int{13, 14, 20, 49, 99} {
			if to <= n {
				imported(t, dir, strings.Join(lines[from:to], ""))
				from = to
			}
		}
		return settled(dir)
	}
}

// sessionOf returns a session that is not the active one.
func sessionOf(t *testing.T, dir string) string {
	t.Helper()
	now := strings.TrimSpace(read(t, dir, active))
	for _, session := range glob(dir, ".quaid/context/sessions/*") {
		if filepath.Base(session) != now {
			return filepath.Base(session)
		}
	}
	t.Fatal("there is no other session")
	return ""
}

// things returns the name of the n-th thing that conversations are about.
func things(n int) string {
	words := strings.Fields("mortar stones frost lime sand gravel trowel bucket plumb kiln pear orchard south north gate hinge oak nail saw")
	return words[n%len(words)]
}

// talkOfWalls returns n messages as JSONL, in which similar things are said again and again.
func talkOfWalls(n int) string {
	var b strings.Builder
	for i := range n {
		content := fmt.Sprintf("Step %d: mixed the mortar, laid the stones of the wall.", i)
		if i%3 == 0 {
			content = fmt.Sprintf("Item %d: the %s and the %s came on cart %d.", i, things(i), things(i*7+3), i)
		}
		b.WriteString(said(i, fmt.Sprintf("%02d:%02d", i/60, i%60), "assistant", content))
	}
	return b.String()
}

// discussed makes a tree with a project, a condensed thread, one that goes on, one
// that is resolved, and talk in the channel itself.
func discussed(t *testing.T) string {
	t.Helper()
	dir := newDir(t)
	perform(t, dir, `init; config set validation.severity.uncondensed-thread off; projects new "South wall"`) // there is such a thread
	const channel = "proj-south-wall"
	for i, title := range []string{"Lime", "Mortar", "Sand"} {
		succeed(t, dir, "thread", "open", title, "--channel", channel, "--agent", "ann")
		for k, text := range []string{"What do we take for the wall?", "Decision: we take the best " + title + " there is, because the wall stays for a hundred years."} {
			succeed(t, dir, "thread", "post", title, text, "--agent", []string{"ann", "bob"}[k], "--time", fmt.Sprintf("2026-03-0%dT09:0%d:00Z", i+1, k))
		}
	}
	perform(t, dir, "condense Lime; thread resolve Sand")
	file(t, dir, ".forgemind/channels/"+channel+"/messages.jsonl",
		`{"msg_id":"msg-000001","timestamp":"2026-03-04T09:00:00Z","agent":"ann","content":"Decision: the coping is slate."}`+"\n")
	file(t, dir, "yard.log", "2026-03-05 10:00:01\t<ann>\twhen does the cart come?\n2026-03-05 10:00:30\t<bob>\tdecision: the cart comes on Tuesdays\n")
	return settled(dir)
}

// behind makes a tree whose CONTEXT.md lacks a decision that somebody wrote by hand.
func behind(t *testing.T) string {
	t.Helper()
	dir := discussed(t)
	file(t, dir, ".forgemind/decisions/DEC-HAND01.json", `{"id":"DEC-HAND01","timestamp":"2026-03-06T09:00:00Z","decision":"The gate is oak","decision_maker":"ann","immutable":true,"project":"south-wall"}`+"\n")
	return dir
}

// longTalk makes a tree whose conversation has messages of some hundred words among short ones.
func longTalk(t *testing.T) string {
	t.Helper()
	dir := newDir(t)
	succeed(t, dir, "init")
	var b strings.Builder
	for i := range 30 {
		role, content := "assistant", fmt.Sprintf("Step %d: mixed the mortar %s and laid the stones of the %s.", i, things(i), things(i*7))
		switch {
		case i == 3:
			role, content = "user", "Decision: pears along the south wall."
		case i%5 == 1:
			var long []string
			for k := range 60 {
				long = append(long, fmt.Sprintf("Paragraph %d of %d: the %s and the %s came on cart %d, and were put beside the %s.", k, i, things(i+k), things(i*k+3), k, things(k*5+i)))
			}
			content = strings.Join(long, "\n\n")
		}
		b.WriteString(said(i, fmt.Sprintf("%02d:00", i), role, content))
	}
	return settled(imported(t, dir, b.String()))
}

// settled removes what any command removes once it is old, and returns dir.
func settled(dir string) string {
	for _, tree := range []string{".forgemind", ".quaid"} {
		for _, kept := range []string{"displaced", "last"} {
			os.RemoveAll(filepath.Join(dir, tree, ".local", kept))
		}
	}
	return dir
}

// compacted makes a longTalk most of which is in cold storage, in parts.
func compacted(t *testing.T) string {
	t.Helper()
	dir := longTalk(t)
	succeed(t, dir, "compact", "--now", "--strategy", "relevance", "--budget", "900")
	return settled(dir)
}

// past makes a tree that was compacted long ago.
func past(t *testing.T) string {
	t.Helper()
	dir := compacted(t)
	replaceIn(t, dir, ".forgemind/cold-storage/*/*.jsonl", `("session_id":"[^"]*"),"timestamp":"[^"]*"`, `$1,"timestamp":"2026-03-03T09:00:00.000Z"`)
	replaceIn(t, dir, ".forgemind/cold-storage/*/*.jsonl", `"recoverable_until":"[^"]*"`, `"recoverable_until":"2026-04-02T09:00:00.000Z"`)
	return dir
}

// answering makes a compacted tree that by its policy brings back what a prompt needs.
func answering(t *testing.T) string {
	t.Helper()
	dir := compacted(t)
	succeed(t, dir, "config", "set", "KEEP_THRESHOLD", "0.4")
	succeed(t, dir, "config", "set", "compaction.policy", "memfas")
	return settled(dir)
}

// nearlyFull makes a longTalk in a window that is to be curated after one more
// message.
func nearlyFull(t *testing.T) string {
	t.Helper()
	dir := longTalk(t)
	replaceIn(t, dir, state, `"(total|available)_tokens": 200000`, `"${1}_tokens": 24200`)
	succeed(t, dir, "config", "set", "compaction.policy", "memfas")
	succeed(t, dir, "set", "/notes/first", "0")
	return settled(dir)
}

// decisionOf returns the id of a decision.
func decisionOf(t *testing.T, dir string) string {
	t.Helper()
	return strings.TrimSuffix(filepath.Base(oneOf(t, dir, ".forgemind/decisions/*")), ".json")
}
