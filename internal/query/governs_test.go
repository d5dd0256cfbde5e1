package query_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/session"
)

// What names a file, or a folder above it, wherever that stands; what is
// superseded comes last, and says so.
func TestGoverns(t *testing.T) {
	h := build(t)
	const conversation = "conv-2026-03-02-abcdef"
	write(t, h.root, fs.ActiveSession, conversation+"\n")
	write(t, h.root, session.HotContext(conversation), `{"active_goals": [], "pending_actions": [], "key_decisions": [],
  "important_constraints": [{"id": "con-1", "constraint": "Nobody edits src/auth by hand", "created": "2026-03-01T09:00:00Z"}, "Keep src/auth/jwt.go:7 small", "Tests first"],
  "notes": ["jwt.go was hard"]}`)
	decision := func(id, more string) {
		write(t, h.root, fs.Forgemind+"/"+fs.DecisionsDir+"/"+id+".json", `{"id": "`+id+`", "timestamp": "2026-03-0`+id[4:]+`T10:00:00Z", "immutable": true, `+more+`}`)
	}
	decision("DEC-1", `"decision": "Sign with HS256", "files": ["src/auth/jwt.go"]`)
	decision("DEC-2", `"decision": "Sign with RS256", "files": ["src/auth/"], "supersedes": ["DEC-1"]`)
	decision("DEC-3", `"decision": "Rotate keys", "rationale": "src/auth/jwt.go caches them"`)
	write(t, h.root, fs.Forgemind+"/"+fs.DecisionsDir+"/DEC-OLD.json", `{"id": "DEC-OLD", "timestamp": "2026-01-01T10:00:00Z", "immutable": true, "decision": "Write Go", "files": ["src"]}`)
	decision("DEC-4", `"decision": "Use Postgres", "files": ["src/store/db.go"]`)
	write(t, h.root, fs.Forgemind+"/condensations/2026-03-01-signing.md", "## 📝 Condensation: Signing\n**Date:** 2026-03-01\n**Decision:** src/auth/jwt.go signs with HS256\n**Ledger:** DEC-1\n")
	write(t, h.root, fs.Forgemind+"/condensations/2026-03-03-storage.md", "## 📝 Condensation: Storage\n**Date:** 2026-03-03\n**Decision:** Postgres\n")
	write(t, h.root, fs.Forgemind+"/threads/backend/T-1.json", `{"id": "T-1", "channel": "backend", "title": "Keys", "status": "active", "opened": "2026-03-01T09:00:00Z"}`)
	write(t, h.root, fs.Forgemind+"/threads/backend/T-1.jsonl", `{"msg_id": "m-1", "timestamp": "2026-03-01T09:00:00Z", "agent": "ann", "role": "user", "content": "Who\nowns\nsrc/auth/jwt.go?"}`+"\n")
	write(t, h.root, fs.Forgemind+"/memory/facilitator-notes.md", "## Lessons learned\n\n- The cache of src/auth/jwt.go is cold at first\n- Sleep well\n")
	write(t, h.root, fs.Quaid+"/memory/fragments/2026-03-01-keys.md", "---\nid: frag-1\ntitle: Keys\ncreated: 2026-03-01T09:00:00Z\n---\n\nThey stand in `src/auth/jwt.go`.\n")
	write(t, h.root, fs.Forgemind+"/projects/p/project.json", `{"name": "P", "channels": [], "constraints": ["src/** is reviewed"]}`)

	ask := func(at string) query.Governing {
		g, err := query.Governs(t.Context(), h.Tree.Tree, at)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	show := func(g query.Governing) string {
		var lines []string
		for _, list := range [][]brief.Governor{g.Constraints, g.Decisions, g.Condensations, g.Threads, g.Notes} {
			for _, one := range list {
				line := fmt.Sprintf("%s %s %s", one.Date, one.By, one.Text)
				if one.SupersededBy != "" {
					line += " (superseded by " + one.SupersededBy + ")"
				}
				lines = append(lines, line)
			}
		}
		return strings.Join(lines, "\n")
	}
	const want = `2026-03-01 folder Nobody edits src/auth by hand
undated path Keep src/auth/jwt.go:7 small
undated pattern src/** is reviewed
2026-03-03 path Rotate keys
2026-03-02 folder Sign with RS256
2026-01-01 folder Write Go
2026-03-01 path Sign with HS256 (superseded by DEC-2)
2026-03-01 path Signing (superseded by DEC-2)
2026-03-01 path Keys
2026-03-01 path Keys
undated name jwt.go was hard
undated path The cache of src/auth/jwt.go is cold at first`
	if got := show(ask("src/auth/jwt.go")); got != want {
		t.Errorf("it is\n%s\nnot\n%s", got, want)
	}
	if got := show(ask("src/store")); !strings.Contains(got, "below Use Postgres") || strings.Contains(got, "Sign with") {
		t.Errorf("of a folder it is\n%s", got)
	}
	if g := ask("docs/none.md"); g.Count() != 0 || g.Decisions == nil {
		t.Errorf("%+v", g)
	}
	if got := show(ask("src/")); !strings.Contains(got, "pattern src/** is reviewed") || !strings.Contains(got, "below Sign with RS256") {
		t.Errorf("of a folder it is\n%s", got)
	}

	// What names it as it was called before does; what names a folder of then does not.
	g, err := query.Governs(t.Context(), h.Tree.Tree, "lib/token.go", "src/auth/token.go", "src/auth/jwt.go")
	if err != nil {
		t.Fatal(err)
	}
	const moved = `undated former Keep src/auth/jwt.go:7 small
2026-03-03 former Rotate keys
2026-03-01 former Sign with HS256 (superseded by DEC-2)
2026-03-01 former Signing (superseded by DEC-2)
2026-03-01 former Keys
2026-03-01 former Keys
undated former jwt.go was hard
undated former The cache of src/auth/jwt.go is cold at first`
	if got := show(g); got != moved {
		t.Errorf("moved it is\n%s\nnot\n%s", got, moved)
	}
}

// A file's former names are those that git knows of, the latest first.
func TestFormerNames(t *testing.T) {
	root := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		command := exec.Command("git", append([]string{"-C", root, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	write(t, root, "src/jwt.go", "package jwt\n")
	write(t, root, "src/other.go", "package jwt\n\nvar other int\n")
	git("add", "-A")
	git("commit", "-qm", "One")
	for _, move := range [][]string{{"src/jwt.go", "src/token.go"}, {"src/other.go", "src/jwt.go"}, {"src/token.go", "lib.go"}} {
		git("mv", move[0], move[1])
		git("commit", "-qm", "Move")
	}
	tree := treeOf(t, root)
	for at, want := range map[string]string{"lib.go": "src/token.go src/jwt.go", "src/jwt.go": "src/other.go", "src/other.go": "", "none.go": ""} {
		former, err := query.FormerNames(t.Context(), tree, at)
		if got := strings.Join(former, " "); err != nil || got != want {
			t.Errorf("%s was called %q, not %q (%v)", at, got, want, err)
		}
	}
	if _, err := query.FormerNames(t.Context(), treeOf(t, t.TempDir()), "lib.go"); err == nil {
		t.Error("without a repository there is no error")
	}
}

func treeOf(t *testing.T, root string) *fs.Tree {
	t.Helper()
	tree, err := fs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	return tree
}
