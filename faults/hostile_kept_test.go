//go:build linux

package faults_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const (
	// marker stands in texts that no command may lose.
	marker = "A-STRANGERS-WORDS"
	// outside stands in the files beside the tree, whose words nobody is told.
	outside = "WORDS-FROM-OUTSIDE"
)

// lookers are the commands that read what a tree keeps besides its State, and
// concerned those that what a trap stands in the place of is there for. Each trap
// meets the first two, all that it concerns, and every third of the others.
var (
	lookers = [][]string{
		{"validate"}, {"status"}, {"context", "--layer", "1"}, {"context", "--layer", "2"}, {"context", "--layer", "3"},
		{"artifacts"}, {"history", "list"}, {"message", "list"}, {"recover", "--query", "mortar"}, {"cold-storage", "list"},
		{"memory", "show"}, {"preload", "--dry-run"}, {"compact", "--now", "--dry-run"}, {"facilitator", "help"},
	}
	concerned = map[string][][]string{
		"talk":     {{"message", "list"}, {"compact", "--now", "--strategy", "psd"}, {"message", "add", "x"}, {"set", "/notes/x", "1"}, {"facilitator", "end", "session"}},
		"cold":     {{"recover", "--query", "mortar"}, {"cold-storage", "list"}, {"uncompact"}, {"compact", "--now", "--strategy", "psd"}},
		"memory":   {{"memory", "show"}, {"memory", "add", "--type", "lesson_learned", "x"}},
		"history":  {{"history", "list"}, {"facilitator", "backtrack"}, {"layer", "2"}},
		"question": {{"question", "list"}, {"question", "ask", "x"}, {"preload", "--dry-run"}},
		"session":  {{"sessions", "show"}, {"message", "add", "x"}, {"goal", "add", "x"}},
		"said":     {{"assemble", "--query", "mortar"}, {"message", "add", "x"}, {"sessions", "summary"}},
		"fragment": {{"fragments", "list"}, {"fragments", "search", "mortar"}, {"assemble", "--query", "mortar"}},
		"artifact": {{"context", "--layer", "2"}, {"artifacts"}, {"preload", "--dry-run"}, {"load", "evil"}, {"load", "idea.md"}, {"preload"}, {"unload", "idea"}},
	}
)

// meets are the commands that are run on the trap; of those that it does not
// concern every so-manieth.
func (tr keptTrap) meets(lookers [][]string, every int) [][]string {
	all := append(lookers[:2:2], concerned[tr.about]...)
	for i, args := range lookers[2:] {
		if (tr.n+i)%every == 0 && !slices.ContainsFunc(all, func(known []string) bool { return slices.Equal(known, args) }) {
			all = append(all, args)
		}
	}
	for i, args := range all {
		if n := slices.Index(args, "SESSION"); n >= 0 {
			all[i] = slices.Replace(slices.Clone(args), n, n+1, tr.session)
		}
	}
	return all
}

// A kept trap is one at a document besides the State.
type keptTrap struct {
	trap
	about   string // of concerned
	n       int
	session string // that SESSION stands for
}

// A family are the documents that traps of the same kinds are laid at.
type family struct {
	about string // of concerned
	names []string
	ends  string // of a line, or of the text, that is well-formed so far
	kind  damage
}

// keptTraps are what strangers put into the documents of dir, in the place of
// those that commands wrote.
func keptTraps(t *testing.T, dir string) (all []keptTrap) {
	t.Helper()
	one := func(pattern string) string {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: nothing there: %v", pattern, err)
		}
		name, _ := filepath.Rel(dir, found[0])
		return name
	}
	cold := one(".forgemind/cold-storage/*/*.jsonl")
	families := []family{
		{"memory", []string{".forgemind/memory/project-knowledge.md"}, "", shrug},
		{"history", []string{one(".forgemind/context/context-history/*.json")}, `{"version": "1.0", "x": `, flawed},
		{"artifact", []string{".forgemind/cache/cache-index.json"}, `{"version": 1, "entries": `, flawed},
		{"artifact", []string{one(".forgemind/cache/artifacts/*.cache"), local + "access.json"}, `{"idea": `, shrug},
		{"cold", []string{cold}, `{"chunk_id": "chunk-000000000000", "session_id": "s", "timestamp": "2026-03-02T09:29:00Z", "tokens": 1, "content": `, flawed},
		{"cold", []string{one(local + "index/*")}, "forgemind cold 1\n", shrug},
		{"question", []string{".forgemind/context/clarifications.jsonl"}, `{"question": `, flawed},
	}
	if found, _ := filepath.Glob(filepath.Join(dir, ".quaid/context/sessions/*/recent_history.jsonl")); len(found) > 0 {
		name, _ := filepath.Rel(dir, found[0])
		families = []family{{"talk", []string{name}, `{"msg_id": "m", "timestamp": "2026-03-02T09:29:00Z", "role": "user", "content": `, flawed},
			{"talk", []string{".quaid/.local/conversation.json"}, `{"name": `, shrug}}
	} else {
		families = append(families, family{"talk", []string{talk}, `{"msg_id": "m", "timestamp": "2026-03-02T09:29:00Z", "role": "user", "content": `, flawed},
			family{"talk", []string{local + "conversation.json"}, `{"name": `, shrug})
		all = append(all, artifactTraps()...)
	}
	for _, f := range families {
		for _, name := range f.names {
			all = append(all, f.traps(name)...)
		}
	}
	for i := range all {
		all[i].n = i
	}
	return all
}

// traps are the ways in which one document can be bad.
func (f family) traps(name string) (all []keptTrap) {
	add := func(what string, lay func(path, out string) error, kind damage) {
		all = append(all, keptTrap{trap: trap{what, name, lay, kind}, about: f.about})
	}
	add("a FIFO", fifo, f.kind)
	add("a directory", func(path, _ string) error { return os.Mkdir(path, 0o755) }, shrug)
	add("a link out", linkTo("secret"+filepath.Ext(name)), f.kind)
	unended := f.kind // a last line without an end may be one that is being written
	if strings.HasSuffix(name, ".jsonl") {
		unended = shrug
	}
	add("NULs", sparse(5000), unended)
	add("rubbish", text(marker+" \x1b]0;x\x07\x9b\x00 {[\n"+marker+"\n"), f.kind)
	add("half of one", text(f.ends+`"`+marker), unended)
	add("ten thousand levels", text(f.ends+strings.Repeat("[", 10_000)+strings.Repeat("]", 10_000)+"}\n"), f.kind)
	add("two hundred thousand quotations", text(f.ends+strings.Repeat("> ", 200_000)+"x\n"), f.kind)
	add("1e999999999", text(f.ends+"1e999999999}\n"), f.kind)
	add("a line of 20 MiB", long(f.ends+`"`, "x", 20<<20, `"}`+"\n"), f.kind)
	add("a million lines", long("", f.ends+"{}}\n", 1_000_000/max(1, len(f.ends)/20), ""), f.kind)
	add("a terabyte", sparse(1<<40), f.kind)
	return all
}

// artifactTraps are States, configurations and indexes that lead out of the tree
// or to what is none of theirs.
func artifactTraps() (all []keptTrap) {
	known := func(path string) string {
		return stateWith("0", fmt.Sprintf(`, "loaded_artifacts": [{"type": "document", "id": "evil", "name": "x", "path": %q, "loaded": true, "tokens": 5, "available": true}]`, path))
	}
	add := func(what, name string, kind damage, lay func(path, out string) error) {
		all = append(all, keptTrap{trap: trap{what, name, lay, kind}, about: "artifact"})
	}
	for _, path := range []string{"../outside/secret.md", "../../etc/passwd", "../../../../../../../etc/passwd", "/etc/passwd", "docs/../../outside/secret.md", ".forgemind/../../outside/secret.md", "..\\outside\\secret.md", "\x00", ".git/config", ".forgemind/.local/counters.json", "a\n\x1b[31mb", strings.Repeat("d/", 5000) + "x"} {
		add("an artifact at "+path, state, shrug, text(known(path)))
	}
	// What stands where the State says that the artifact is.
	for _, f := range []struct {
		what string
		lay  func(path, out string) error
	}{
		{"a link out", linkTo("secret.md")},
		{"a link to /etc/passwd", func(path, _ string) error { return os.Symlink("/etc/passwd", path) }},
		{"a link to itself", func(path, _ string) error { return os.Symlink("evil.md", path) }},
		{"a hard link", func(path, out string) error { return os.Link(filepath.Join(out, "hard.md"), path) }},
		{"a FIFO", fifo},
		{"a socket", socket},
		{"a directory", func(path, _ string) error { return os.Mkdir(path, 0o755) }},
		{"NULs", sparse(5000)},
		{"50 MB of words", long("", "mortar and stones, ", 50_000_000/19, "")},
		{"7 MB of words", long("", "mortar and stones, ", 7_000_000/19, "")},
		{"7 MB without a space", long("", "x", 7_000_000, "")},
		{"two hundred thousand quotations", text(strings.Repeat(">", 200_000) + "x\n")},
		{"a hundred thousand brackets", text(strings.Repeat("[", 100_000) + "x\n")},
		{"a hundred thousand links", long("", "[a](b.md) ", 100_000, "\n")},
		{"ten thousand levels of front matter", text("---\ntitle: " + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + "\n---\nx\n")},
		{"a laughing front matter", text("---\na: &a [x,x,x,x,x,x,x,x,x]\n" + laughing() + "---\nx\n")},
		{"links out", text("---\nrelated: [../outside/secret.md, /etc/passwd]\n---\n[a](../outside/secret.md) [b](/etc/passwd) [c](file:///etc/passwd)\n")},
		{"escapes", text("# \x1b]0;x\x07\x1b[31m\u202e\n\x9b2J\n")},
	} {
		add("an artifact that is "+f.what, state, shrug, func(path, out string) error {
			if err := os.WriteFile(path, []byte(known("evil.md")), 0o644); err != nil {
				return err
			}
			return f.lay(filepath.Join(filepath.Dir(path), "../../evil.md"), out)
		})
	}
	for _, paths := range []string{`"../outside/secret.md"`, `"../outside/<ID>.md"`, `"/etc/passwd"`, `"<type>/../../outside/secret.md"`, `"../<ID>"`, `""`, `"<ID><ID><ID>"`, `5`, `"docs/` + strings.Repeat("<ID>", 10_000) + `"`} {
		add("a loader that looks in "+paths, config, shrug, text(`{"loader": {"paths": [`+paths+`], "cache_max_bytes": 1e300, "cache_max_entries": -5}}`))
	}
	index := `{"version": 1, "entries": [{"id": %q, "path": %q, "sha256": "055267b2f08e77919306897f4de728eac8a92d93733481d8d4099cdb74d2d2a3", "size_bytes": 10, "tokens": 3, "cached_at": "2026-11-21T06:37:28.453Z", "last_accessed": "2026-11-21T06:37:28.453Z"}], "total_bytes": 10}`
	for _, id := range []string{"../../../outside/secret", "../../../../outside/secret.md", "/etc/passwd", "evil"} {
		add("a cached "+id, ".forgemind/cache/cache-index.json", shrug, text(fmt.Sprintf(index, id, "../outside/secret.md")))
	}
	add("a folder that is a link out", ".forgemind/cache/artifacts", shrug, linkTo("local"))
	add("a folder that is a link out", ".forgemind/memory", shrug, linkTo("local"))
	add("a folder that is a link out", ".forgemind/cold-storage", shrug, linkTo("local"))
	add("a folder that is a link out", ".forgemind/context/context-history", shrug, linkTo("local"))
	add("a folder that is a link out", local+"index", shrug, linkTo("local"))
	return all
}

// laughing is a document of aliases that would be of 9^9 words.
func laughing() string {
	var b strings.Builder
	for c := 'b'; c < 'k'; c++ {
		fmt.Fprintf(&b, "%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c,", c-1), 9), ","))
	}
	return b.String()
}

// keeping makes a tree that has one of everything which commands keep.
func keeping(t *testing.T, layout ...string) string {
	t.Helper()
	dir := newDir(t)
	succeed(t, dir, append([]string{"init", "--template", "cms"}, layout...)...)
	for name, text := range map[string]string{"idea.md": "# Orchard\n\nPears along the south wall.\n", "talk.jsonl": conversation(40)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"layer", "1"}, {"load", "idea.md"}, {"message", "import", "talk.jsonl"}, {"compact", "--now", "--strategy", "psd"},
		{"message", "add", "and the kiln"}, {"recover", "--query", "mortar"},
	} {
		succeed(t, dir, args...)
	}
	for range 50 { // what was written just now is not indexed: it could change unseen
		if found, _ := filepath.Glob(filepath.Join(dir, local, "index/*")); len(found) > 0 {
			return dir
		}
		time.Sleep(200 * time.Millisecond)
		succeed(t, dir, "recover", "--query", "mortar")
	}
	t.Fatal("cold storage is not indexed")
	return dir
}

// What a tree keeps besides its State can be a stranger's as well: messages,
// cold storage, notes, snapshots, answers, artifacts, the cache and the indexes.
func TestHostileDocuments(t *testing.T) {
	_, traced := exec.LookPath("strace") // TestHostileTrees says where it is missing
	for _, layout := range [][]string{nil, {"--layout", "both"}} {
		base := keeping(t, layout...)
		tread(t, base, keptTraps(t, base), lookers, atLength(3, 6), traced == nil)
	}
}

// tread runs on each trap the commands that it meets, one of them watched.
func tread(t *testing.T, base string, traps []keptTrap, lookers [][]string, every int, traced bool) {
	t.Helper()
	var runs atomic.Int32
	var mu sync.Mutex
	slow := map[time.Duration]string{}
	inTwo(traps, func(tr keptTrap) {
		for i, args := range tr.meets(lookers, every) {
			runs.Add(1)
			if took := tr.visit(t, base, args); took > time.Second {
				mu.Lock()
				slow[took] = fmt.Sprintf("%.60q at %.80q: %q", tr.what, tr.name, args)
				mu.Unlock()
			}
			if traced && i == 2+tr.n%2 {
				runs.Add(1)
				tr.watched(t, base, args)
			}
		}
	})
	t.Logf("%d traps, %d commands run on them, %d longer than a second", len(traps), runs.Load(), len(slow))
	for i, took := range slices.Backward(slices.Sorted(maps.Keys(slow))) {
		if len(slow)-i <= 5 {
			t.Logf("  %.1f s: %s", took.Seconds(), slow[took])
		}
	}
}

// keptWords says whether a file of dir still has the marker.
func keptWords(dir string) (kept bool) {
	filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && !kept {
			text, _ := os.ReadFile(path)
			kept = strings.Contains(string(text), marker)
		}
		return nil
	})
	return kept
}
