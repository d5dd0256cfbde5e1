//go:build linux

package faults_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// theirs are the settings that people have already: odd, but theirs.
var theirs = map[string]string{
	".claude/settings.json": "{ \"model\":\"opus\",\r\n\t\"hooks\" : {\"Stop\":[ {\"hooks\":[{\"type\":\"command\",\"command\":\"mine\"}]} ] }}",
	".codex/hooks.json":     "{}",
	".cursor/hooks.json":    `{"version":1, "hooks": {}}` + "\n",
	".gemini/settings.json": "{\n  // mine\n  \"theme\": \"x\",\n  \"mcpServers\": {\"other\": {\"command\": \"other\"}},\n}\n",
	"CLAUDE.md":             "# Ours\r\n\r\nBe brief.",
	"AGENTS.md":             "\n",
}

// withSettings makes a project directory with a tree and settings, beside a home with
// settings.
func withSettings(t *testing.T) string {
	t.Helper()
	dir := newDir(t)
	succeed(t, dir, "init")
	for name, text := range theirs {
		file(t, dir, name, text)
		if strings.HasPrefix(name, ".") {
			file(t, dir, "../home/"+name, text)
		}
	}
	file(t, dir, ".github/hooks/others.json", `{"version": 1, "hooks": {}}`)
	file(t, dir, "../home/.claude/CLAUDE.md", theirs["CLAUDE.md"])
	file(t, dir, "../home/.codex/config.toml", "model = 'x' # mine\n")
	file(t, dir, "../home/.copilot/mcp-config.json", `{"mcpServers":{}}`)
	for _, name := range []string{".claude/settings.json", "../home/.claude/settings.json", "../home/.codex/config.toml"} {
		if err := os.Chmod(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// receiptsIn returns the receipts of the user at home beside dir, without what is different in
// each copy, and the hash of what each file is to hold.
func receiptsIn(t *testing.T, dir string) (text string, after map[string]string) {
	t.Helper()
	after = map[string]string{}
	for _, name := range glob(dir, "../home/.local/state/forgemind/installed/*.json") {
		src := read(t, dir, name)
		var kept struct {
			Files []struct{ File, After string }
		}
		if err := json.Unmarshal([]byte(src), &kept); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, f := range kept.Files {
			after[f.File] = f.After
		}
		text += strings.ReplaceAll(src, filepath.Dir(dir), "HOME")
	}
	return text, after
}

// An installation is a change of settings that was rehearsed.
type installation struct {
	*trial
	first    snapshot // in the beginning
	back     []string // makes the first of what the next command left; nil if that did
	receipts string   // after the change
}

// keepSettings remembers what settings were there in the beginning, and the receipts in the end.
func keepSettings(t *testing.T, tr *trial) subject {
	t.Helper()
	in := &installation{trial: tr, first: tr.look(t, copyTree(t, tr.dir))}
	if tr.change.next == install {
		in.back = parse(uninstall)[0]
	} else if tr.change.next == userInstall {
		in.back = parse(userUninstall)[0]
	} else if left := tr.doneNext.without(in.first); left != "" {
		t.Fatalf("%v: then %q leaves\n%s", tr, tr.next, left)
	}
	if n := len(tr.done.madeOf(tr.old)); n < 3 {
		t.Fatalf("%v changes %d files", tr, n)
	}
	dir := tr.prepare(t)
	tr.succeed(t, dir, tr.args)
	in.receipts, _ = receiptsIn(t, dir)
	return in
}

func (in *installation) String() string {
	return in.trial.String() + " then " + strings.Join(in.next, " ")
}

// judge checks what a broken command left of settings, what it said of that, and what the
// next command and the one that takes it back make of it: byte for byte.
func (in *installation) judge(t *testing.T, b *broken) (at, after string) {
	t.Helper()
	at = in.stands(t, b)
	if b.errno != "" && !b.byRuntime() {
		in.told(t, b, at)
	}
	after = in.mended(t, b, at)
	in.receiptsAreTrue(t, b)
	if in.back != nil {
		if left := in.after(t, b.dir, in.back); !slices.Equal(left, in.first) {
			t.Errorf("%v: after %q and %q:\n%s\nnot\n%s", b, in.next, in.back, left.without(in.first), in.first.without(left))
		}
	}
	return at, after
}

// receiptsAreTrue checks that the receipts tell what was installed, and are the same as
// without a fault if the command ran again.
func (in *installation) receiptsAreTrue(t *testing.T, b *broken) {
	t.Helper()
	receipts, after := receiptsIn(t, b.dir)
	if slices.Equal(in.next, in.args) && receipts != in.receipts {
		t.Errorf("%v: the receipts after %q are other ones:\n%s", b, in.next, cut(receipts))
	}
	for name, sum := range after {
		if hash := sha256.Sum256([]byte(read(t, "/", name))); hex.EncodeToString(hash[:]) != sum {
			t.Errorf("%v: after %q a receipt says of %s what is not so", b, in.next, name)
		}
	}
}

// told checks that a command did what it says that it did, and says that it did not do the
// rest.
func (in *installation) told(t *testing.T, b *broken, at string) {
	t.Helper()
	now := in.look(t, b.dir)
	for line := range strings.Lines(b.run.out) {
		what, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if rest, ok := strings.CutPrefix(name, "~"); ok {
			name = "../home" + rest
		} else if filepath.IsAbs(name) {
			name, _ = filepath.Rel(b.dir, name)
		}
		if slices.Contains([]string{"made", "edited", "removed"}, what) && !slices.Equal(now.under(name), in.done.under(name)) {
			t.Errorf("%v: %q, which is not so: %.200q", b, strings.TrimSpace(line), now.under(name))
		}
	}
	if b.run.code == 0 && at != did {
		t.Errorf("%v: it says that all is well, and it is %s:\n%s", b, at, now.without(in.done))
	}
	said := strings.Contains(b.run.err, "forgemind:") || strings.Contains(strings.Join(b.hits, "\n"), "write(2<") // where standard error fails, too
	if b.run.code != 0 && (b.run.code != 3 && b.run.code != 1 || !said) {
		t.Errorf("%v: no word of what went wrong", b)
	}
	if left := now.pick(scratch, true); len(left) > 0 && !strings.Contains(b.what, "unlinkat") {
		t.Errorf("%v: what was being written was left behind: %.300q", b, left)
	}
}
