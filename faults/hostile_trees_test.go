//go:build linux

package faults_test

import (
	"slices"
	"strings"
	"testing"
)

// treeInvocations are the commands that need the tree and its State.
var treeInvocations = invocations(`
all: validate; status; triggers; doctor; watch --once; layer 2; set /notes/x 1; decision add "a text"
`)

// A tree that a stranger made harms nobody: each command ends, with the right exit
// code and a message that names the file, and touches nothing outside.
func TestHostileTrees(t *testing.T) {
	base := newDir(t)
	perform(t, base, `init; set /notes/first 0; decision add "the first decision"`)
	suite{
		base: base, hazards: treeHazards(), invocations: treeInvocations, checks: commandChecks,
		watches: func(_, _ int, v invocation) bool {
			return slices.Contains([]string{"validate", "status", "watch"}, v.args[0])
		},
	}.run(t)
}

// treeHazards returns hostile content in the place of the tree's own documents and files.
func treeHazards() (hs hazards) {
	add := func(what, place string, put content, harm harm) { hs.addHarm(harm, "tree", what, place, put) }
	million := func(before, after string) content { return long(before, "{},", 999_999, "{}"+after) }
	head, tail, _ := strings.Cut(stateWith("0", `, "x": @`), "@")
	const dir, context = ".forgemind", ".forgemind/context"

	add("an empty folder", dir, nothing, noTree)
	add("a file called .forgemind", dir, text("x"), noTree)
	add("a FIFO called .forgemind", dir, fifo, noTree)
	add("a link to a tree outside", dir, linkTo("tree/.forgemind"), noTree)
	add("a link to nowhere", dir, linkTo("nothing"), noTree)

	add("huge JSON", state, long(head+`"`, "x", 9<<20, `"`+tail), noState)
	add("a bomb of ten thousand levels", state, text(stateWith("0", `, "x": `+levels(10_000))), noState)
	add("a million objects", state, million(strings.TrimSuffix(head, `"x": `)+`"pending_actions": [`, "]"+tail), flawed)
	add("1e3000000", state, text(stateWith("1e3000000", "")), flawed)
	add("1e-3000000", state, text(stateWith("1e-3000000", "")), flawed)
	add("duplicate keys", state, text(stateWith("0", `, "project": {"current_layer": 5}`)), flawed)
	add("not UTF-8", state, text(stateWith("0", ", \"x\": \"caf\xe9\"")), noState)
	add("nothing in it", state, text(""), warned) // the records say it all: it is shown again
	add("NULs", state, sparse(5000), warned)
	add("an array", state, text("[]\n"), noState)
	add("escapes for the terminal", state, text(stateWith("0", ", \"\x1b]0;x\x07\x1b[31m\": \"\x1b[2J\"")), noState)
	add("escaped escapes", state, text(stateWith(`"\u001b[2J\u009b\u202e"`, "")), flawed)
	add("a FIFO", state, fifo, noState)
	add("a socket", state, socket, noState)
	add("a directory", state, directory, noState)
	add("a link out", state, linkTo("secret.json"), noState)
	add("a hard link", state, hardLink("secret.json"), noState)
	add("a link to itself", state, linkExactly("current-context.json"), noState)
	add("a link out instead of its folder", context, linkTo("context"), noState)
	add("a file instead of its folder", context, text("x"), noState)

	trigger := func(rest string) content { return text(`{"refresh_triggers": [{"name": ` + rest) }
	add("a FIFO", config, fifo, flawed)
	add("a link out", config, linkTo("secret.json"), flawed)
	add("a hard link", config, hardLink("secret.json"), flawed)
	add("an array", config, text("[]"), flawed)
	add("a number for triggers", config, text(`{"refresh_triggers": 5}`), flawed)
	add("a million triggers", config, million(`{"refresh_triggers": [`, `]}`), flawed)
	add("wrong types all over", config, trigger(`5, "condition": [], "actions": {}}], "agents": 7, "validation": [], "available_commands": "x"}`), flawed)
	add("a nested condition", config, trigger(`"x", "enabled": true, "condition": "`+strings.Repeat("(", 3000)+"1"+strings.Repeat(")", 3000)+` == 1", "actions": []}]}`), flawed)
	add("a condition without an end", config, trigger(`"x", "enabled": true, "condition": "all(1..100000000, {all(1..100000000, {true})})", "actions": ["rm -rf"]}]}`), flawed)

	add("a FIFO", record, fifo, flawed)
	add("a socket", record, socket, flawed)
	add("a link out", record, linkTo("secret.json"), flawed)
	add("half of one", record, text(`{"id": "DEC-EVIL01", "times`), flawed)
	add("an id that leads out", record, text(`{"id": "../../../../etc/passwd", "timestamp": "2026-11-20T10:00:00Z", "decision": "x", "immutable": true}`), flawed)
	add("control characters in a name", dir+"/decisions/a\nb\x1b[31m\x07.json", text(`{`), tolerated)
	add("a name that is not UTF-8", dir+"/decisions/caf\xe9.json", text(`{`), tolerated)
	add("a very long name", dir+"/decisions/"+strings.Repeat("n", 250)+".json", text(`{`), tolerated)

	line := `{"msg_id":"m","timestamp":"2026-11-20T10:00:00Z","role":"user","content":"` + strings.Repeat("x", 900) + `"}` + "\n"
	add("16 MiB of lines", talk, long("", line, 16<<20/len(line), ""), tolerated) // they are compacted: that takes up to sixteen times as much memory
	add("600 MiB of NULs", talk, sparse(600<<20), flawed)
	add("a terabyte", talk, sparse(1<<40), flawed)
	add("a FIFO", talk, fifo, flawed)

	add("a FIFO", dir+"/.local", fifo, noRoom)
	add("a file", dir+"/.local", text("x"), noRoom)
	add("a link out", dir+"/.local", linkTo("local"), noRoom)
	add("a link out", local+"lock", linkTo("secret.json"), noRoom)
	add("a hard link", local+"lock", hardLink("secret.json"), noRoom)
	add("a FIFO", local+"lock", fifo, noRoom)
	for _, name := range strings.Fields("holder acted acted/decisions acted/conversations.json acted/artifacts.json acted/windows acted/discussions.json acted/due.json acted.json counters.json incidents.jsonl watch.json watch.lock stage txn displaced last recovered trash .gitignore") {
		add("a link out", local+name, linkTo("local"), tolerated)
		add("a link to a file", local+name, linkTo("secret.json"), tolerated)
		add("a FIFO", local+name, fifo, tolerated)
	}
	add("rubbish", local+"acted.json", million(`{"version": 1, "triggers": [`, `]}`), tolerated)
	add("a foreign transaction", local+"txn/x", inFolder("COMMIT", text(`{"entries":[{"name":"../../outside/secret.json","do":"replace","file":"0","over":"none","data":"x"}]}`)), tolerated)
	return hs
}
