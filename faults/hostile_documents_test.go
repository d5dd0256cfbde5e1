//go:build linux

package faults_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// documentInvocations are the commands that read what a tree keeps besides its State.
var documentInvocations = invocations(`
all: validate; status
any: context --layer 1; context --layer 3; compact --now --dry-run; facilitator help
talk: message list
only talk cold: compact --now --strategy psd
only talk: message add x; set /notes/x 1; facilitator end session
cold: recover --query mortar; cold-storage list
only cold: uncompact
memory: memory show
only memory: memory add --type lesson_learned x
history: history list
only history: facilitator backtrack; layer 2
question artifact: preload --dry-run
only question: question list; question ask x
artifact: context --layer 2; artifacts
only artifact: load evil; load idea.md; preload; unload idea
`)

// What a tree keeps besides its State can be a stranger's as well: messages,
// cold storage, notes, snapshots, answers, artifacts, the cache and the indexes.
func TestHostileDocuments(t *testing.T) {
	for _, layout := range [][]string{nil, {"--layout", "both"}} {
		base := newDocumentTree(t, layout...)
		suite{base: base, hazards: documentHazards(t, base), invocations: documentInvocations, mine: 1, others: atLength(3, 6), checks: commandChecks, watches: oneOfItsTopic}.run(t)
	}
}

// oneOfItsTopic reports whether an invocation is the first or the second after those that
// every hazard gets.
func oneOfItsTopic(n, i int, _ invocation) bool { return i == 2+n%2 }

// documentHazards returns hostile content in the place of documents that commands wrote.
func documentHazards(t *testing.T, dir string) (hs hazards) {
	t.Helper()
	const line = `{"msg_id": "m", "timestamp": "2026-03-02T09:29:00Z", "role": "user", "content": `
	const sessionTalk = ".quaid/context/sessions/*/recent_history.jsonl"
	if len(glob(dir, sessionTalk)) > 0 {
		hs.addBad(flawed, "talk", oneOf(t, dir, sessionTalk), line)
		hs.addBad(tolerated, "talk", ".quaid/.local/conversation.json", `{"name": `)
		return hs
	}
	hs = artifactHazards()
	hs.addBad(tolerated, "memory", ".forgemind/memory/project-knowledge.md", "")
	hs.addBad(flawed, "history", oneOf(t, dir, ".forgemind/context/context-history/*.json"), `{"version": "1.0", "x": `)
	hs.addBad(flawed, "artifact", ".forgemind/cache/cache-index.json", `{"version": 1, "entries": `)
	hs.addBad(tolerated, "artifact", oneOf(t, dir, ".forgemind/cache/artifacts/*.cache"), `{"idea": `)
	hs.addBad(tolerated, "artifact", local+"access.json", `{"idea": `)
	hs.addBad(flawed, "cold", oneOf(t, dir, ".forgemind/cold-storage/*/*.jsonl"), `{"chunk_id": "chunk-000000000000", "session_id": "s", "timestamp": "2026-03-02T09:29:00Z", "tokens": 1, "content": `)
	hs.addBad(tolerated, "cold", oneOf(t, dir, local+"index/cold-*"), "forgemind cold 1\n")
	hs.addBad(flawed, "question", ".forgemind/context/clarifications.jsonl", `{"question": `)
	hs.addBad(flawed, "talk", talk, line)
	hs.addBad(tolerated, "talk", local+"conversation.json", `{"name": `)
	return hs
}

// artifactHazards returns States, configurations and indexes that lead out of the tree
// or to what is none of theirs.
func artifactHazards() (hs hazards) {
	known := func(path string) string {
		return stateWith("0", fmt.Sprintf(`, "loaded_artifacts": [{"type": "document", "id": "evil", "name": "x", "path": %q, "loaded": true, "tokens": 5, "available": true}]`, path))
	}
	add := func(what, place string, put content) { hs.add("artifact", what, place, put) }
	for _, path := range []string{"../outside/secret.md", "../../etc/passwd", "../../../../../../../etc/passwd", "/etc/passwd", "docs/../../outside/secret.md", ".forgemind/../../outside/secret.md", "..\\outside\\secret.md", "\x00", ".git/config", ".forgemind/.local/counters.json", "a\n\x1b[31mb", strings.Repeat("d/", 5000) + "x"} {
		add("an artifact at "+path, state, text(known(path)))
	}
	is := func(what string, put content) { // where the State says that the artifact is
		add("an artifact that is "+what, state, func(path, out string) error {
			if err := os.WriteFile(path, []byte(known("evil.md")), 0o644); err != nil {
				return err
			}
			return put(filepath.Join(filepath.Dir(path), "../../evil.md"), out)
		})
	}
	is("a link out", linkTo("secret.md"))
	is("a link to /etc/passwd", linkExactly("/etc/passwd"))
	is("a link to itself", linkExactly("evil.md"))
	is("a hard link", hardLink("hard.md"))
	is("a FIFO", fifo)
	is("a socket", socket)
	is("a directory", directory)
	is("NULs", sparse(5000))
	is("50 MB of words", long("", "mortar and stones, ", 50_000_000/19, ""))
	is("7 MB of words", long("", "mortar and stones, ", 7_000_000/19, ""))
	is("7 MB without a space", long("", "x", 7_000_000, ""))
	is("two hundred thousand quotations", text(strings.Repeat(">", 200_000)+"x\n"))
	is("a hundred thousand brackets", text(strings.Repeat("[", 100_000)+"x\n"))
	is("a hundred thousand links", long("", "[a](b.md) ", 100_000, "\n"))
	is("ten thousand levels of front matter", text("---\ntitle: "+levels(10_000)+"\n---\nx\n"))
	is("a laughing front matter", text("---\n"+aliases()+"---\nx\n"))
	is("links out", text("---\nrelated: [../outside/secret.md, /etc/passwd]\n---\n[a](../outside/secret.md) [b](/etc/passwd) [c](file:///etc/passwd)\n"))
	is("escapes", text("# \x1b]0;x\x07\x1b[31m\u202e\n\x9b2J\n"))
	for _, paths := range []string{`"../outside/secret.md"`, `"../outside/<ID>.md"`, `"/etc/passwd"`, `"<type>/../../outside/secret.md"`, `"../<ID>"`, `""`, `"<ID><ID><ID>"`, `5`, `"docs/` + strings.Repeat("<ID>", 10_000) + `"`} {
		add("a loader that looks in "+paths, config, text(`{"loader": {"paths": [`+paths+`], "cache_max_bytes": 1e300, "cache_max_entries": -5}}`))
	}
	const index = `{"version": 1, "entries": [{"id": %q, "path": %q, "sha256": "055267b2f08e77919306897f4de728eac8a92d93733481d8d4099cdb74d2d2a3", "size_bytes": 10, "tokens": 3, "cached_at": "2026-11-21T06:37:28.453Z", "last_accessed": "2026-11-21T06:37:28.453Z"}], "total_bytes": 10}`
	for _, id := range []string{"../../../outside/secret", "../../../../outside/secret.md", "/etc/passwd", "evil"} {
		add("a cached "+id, ".forgemind/cache/cache-index.json", text(fmt.Sprintf(index, id, "../outside/secret.md")))
	}
	for _, folder := range []string{".forgemind/cache/artifacts", ".forgemind/memory", ".forgemind/cold-storage", ".forgemind/context/context-history", local + "index"} {
		add("a folder that is a link out", folder, linkTo("local"))
	}
	return hs
}

// newDocumentTree makes a tree that has one of everything which commands keep.
func newDocumentTree(t *testing.T, layout ...string) string {
	t.Helper()
	dir := newDir(t)
	succeed(t, dir, append([]string{"init", "--full"}, layout...)...)
	file(t, dir, "idea.md", "# Orchard\n\nPears along the south wall.\n")
	file(t, dir, "talk.jsonl", conversation(40))
	perform(t, dir, `layer 1; load idea.md; message import talk.jsonl; compact --now --strategy psd; message add "and the kiln"`)
	index(t, dir, local+"index/cold-*", "recover", "--query", "mortar")
	return dir
}

// index runs a command until it has made an index. What was written just now is not
// indexed, because it could change unseen.
func index(t *testing.T, dir, pattern string, args ...string) {
	t.Helper()
	eventually(t, "there is "+pattern, func() bool {
		succeed(t, dir, args...)
		return len(glob(dir, pattern)) > 0 || t.Failed()
	})
}
