package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A session goes from one project to another, and back: what was said in the one does
// not come to stand in the other.
func TestASessionThatGoesElsewhere(t *testing.T) {
	secret, open := plant(t, orchard()), plant(t, orchard())
	transcript := filepath.Join(t.TempDir(), "s-1.jsonl")
	n := 0
	line := func(dir, text string) string {
		n++
		if dir != "" {
			dir = fmt.Sprintf(`"cwd":%q,`, dir)
		}
		return fmt.Sprintf(`{"type":"user","uuid":"u%d","sessionId":"s-1","timestamp":"2026-03-02T09:%02d:00.000Z",%s"message":{"role":"user","content":%q}}`, n, n, dir, text) + "\n"
	}
	grow := func(lines ...string) {
		f, err := os.OpenFile(transcript, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(strings.Join(lines, "")); err != nil {
			t.Fatal(err)
		}
	}
	client := filepath.Join(open, "client") // a repository of its own
	for _, dir := range []string{"objects", "refs", "HEAD"} {
		if err := os.MkdirAll(filepath.Join(client, ".git", dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	stop := func(at string) {
		run(t, at, "claude", "Stop", fmt.Sprintf(`{"session_id":"s-1","transcript_path":%q,"cwd":%q}`, transcript, at))
	}
	grow(line("", "Private: a title."), line(secret, "Private: the buyer is ACME."), line("", "Private: and the price."))
	stop(secret)
	grow(line(filepath.Join(open, "walls"), "Public: lay the wall."), line("", "Public: with lime."))
	stop(open)
	grow(line(secret, "Private: keep it so."))
	stop(open)
	grow(line("", "Private: still."), line(t.TempDir(), "Private: in no tree."), line(client, "Private: of a client."), line(open, "Public: go on."))
	stop(open)
	grow(line("", "Public: and further."))
	stop(open)
	stop(client)
	if answer := run(t, open, "claude", "UserPromptSubmit", fmt.Sprintf(`{"session_id":"s-1","cwd":%q,"prompt":"Private: asked by a client."}`, client)); answer != "" {
		t.Errorf("answered in the client's repository: %s", answer)
	}
	stop(secret)
	if got := everSaid(t, open); strings.Contains(got, "Private") || strings.Count(got, `"content":"Public`) != 4 {
		t.Errorf("the open one holds\n%s", got)
	}
	if got := everSaid(t, secret); strings.Contains(got, "Public") || strings.Count(got, `"content":"Private`) != 5 || strings.Contains(got, "in no tree") || strings.Contains(got, "client") {
		t.Errorf("the secret one holds\n%s", got)
	}
	if m := remembered(t, open).recalled(t, "s-1"); strings.Contains(fmt.Sprint(m), "Private") {
		t.Errorf("the open one remembers %+v", m)
	}
}
