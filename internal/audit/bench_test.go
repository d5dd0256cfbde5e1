package audit

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// BenchmarkAudit audits 10,000 decisions, one in five superseded, 1,000
// condensations, 200 threads, 50 notes and a history of 2,000 commits. Set
// FORGEMIND_BENCH_TREE to keep the tree there for measurements of the program.
func BenchmarkAudit(b *testing.B) {
	dir := os.Getenv("FORGEMIND_BENCH_TREE")
	if dir == "" {
		dir = b.TempDir()
	}
	g := newGarden(b, 1)
	for i := range 2000 {
		g.pair(schema.Decision{})
		for k := range 3 {
			g.decide(schema.Decision{
				Decision: fmt.Sprintf("Rule %d of chapter %d stands as it was read out at the meeting", k, i), Timestamp: ago(30),
				Rationale: "Everybody nodded.", Files: []string{fmt.Sprintf("src/part-%d.go", i%500)},
			})
		}
	}
	for range 200 {
		old, now := g.pair(schema.Decision{})
		g.pin(g.condense(now, ""), g.condense(old, ""), g.condense(now, ""), g.condense(now, ""))
		g.thread(schema.Thread{Status: "resolved", Resolved: ago(3), Condensation: g.condense(now, "")})
	}
	for i := range 50 {
		text := ""
		for k := range 100 {
			text += fmt.Sprintf("- Lesson %d of %d: keep the ladder dry and the orders of field %d in mind, behind the gateway\n", k, i, k)
		}
		g.note("## Lessons learned\n\n" + text)
	}
	g.finish()
	g.onDisk(dir)
	replay(b, dir, 2000)
	for _, repo := range []bool{false, true} {
		b.Run(fmt.Sprintf("repo=%v", repo), func(b *testing.B) {
			for b.Loop() {
				tree, err := fs.Open(dir)
				if err != nil {
					b.Fatal(err)
				}
				report, err := Audit(b.Context(), tree, Options{Now: today, Root: dir, Repo: repo})
				if err != nil || report.Commits == 0 || len(report.Findings) == 0 {
					b.Fatal(len(report.Findings), report.Commits, err)
				}
				tree.Close()
			}
		})
	}
}

// replay creates a history with the given number of commits, each of which changes
// three files.
func replay(b *testing.B, dir string, commits int) {
	var text bytes.Buffer
	at := today.AddDate(0, 0, -25).Unix()
	for i := range commits {
		fmt.Fprintf(&text, "commit refs/heads/main\ncommitter A <a@example.org> %d +0000\ndata 7\nGo on.\n\n", at+int64(i)*60)
		for k := range 3 {
			body := fmt.Sprintf("package src\n\n// Part %d of commit %d keeps the ladder dry.\n", k, i)
			fmt.Fprintf(&text, "M 644 inline src/part-%d.go\ndata %d\n%s\n", (i+k*167)%700, len(body), body)
		}
	}
	gitAt(b, dir, ago(25), "init", "--quiet", "--initial-branch=main")
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Stdin = dir, &text
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	gitAt(b, dir, ago(25), "reset", "--quiet", "--hard")
}
