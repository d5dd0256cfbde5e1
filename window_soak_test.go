package forgemind_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind"
)

// soakMessages returns how many messages a soak feeds: SOAK in the environment, or fewer.
func soakMessages(t *testing.T, fewer int) int {
	t.Helper()
	if all, err := strconv.Atoi(os.Getenv("SOAK")); err == nil {
		return all
	}
	return fewer
}

// A program that compacts when it is told to keeps its window below where curation begins,
// however long it talks: the window is never emptied, no message is in it twice, and the tree
// holds each once. SOAK=10000 feeds 10,000 messages one by one, and in blocks.
func TestALongTalk(t *testing.T) {
	t.Parallel()
	const limit, target = 8000, 3200 // CURATION_TRIGGER_PCT is 0.4
	for _, c := range []struct {
		layout        string
		block, little int
	}{{"quaid", 1, 120}, {"quaid", 64, 384}, {"both", 1, 100}, {"both", 250, 750}} {
		t.Run(fmt.Sprint(c.layout, " ", c.block), func(t *testing.T) {
			t.Parallel()
			total := soakMessages(t, c.little)
			root := newLayout(t, c.layout)
			a, with := program()
			w := open(t, root).Attach(with)
			compactions, slowest := 0, time.Duration(0)
			for said := 0; said < total; said += c.block {
				n := min(c.block, total-said)
				a.messages = append(a.messages, utterances(said, n)...)
				began := time.Now()
				s, err := w.BeforeResponse(t.Context(), limit)
				if err != nil || s.Added != n {
					t.Fatalf("at %d: %+v, %v", said, s, err)
				}
				if s.NeedsCompaction || s.Outdated {
					after := compactWindow(t, w, limit)
					if s.NeedsCompaction {
						compactions++
						t.Logf("%5d messages: %5d tokens before, %4d after, of which the summary %4d; %3d messages stay", said+n, s.Tokens, after.Tokens, summaryTokens(a), len(a.messages))
					}
					if s.NeedsCompaction && after.Tokens < target/2 {
						t.Errorf("at %d the window was emptied: %d tokens in %d messages", said, after.Tokens, len(a.messages))
					}
					holdsOnce(t, a, said)
				}
				slowest = max(slowest, time.Since(began))
			}
			if compactions < 2 {
				t.Errorf("%d compactions", compactions)
			}
			// The first decision is in the summary, or at hand.
			text := a.set[len(a.set)-1].Text
			if !strings.Contains(text, "PostgreSQL 16") {
				t.Errorf("the window lacks the decision:\n%s", text[:min(len(text), 3000)])
			}
			ended, err := w.SessionEnd(t.Context())
			if err != nil || !ended.Handed || ended.Session == ended.Next {
				t.Fatalf("%+v, %v", ended, err)
			}
			if s, err := w.BeforeResponse(t.Context(), limit); err != nil || s.NeedsCuration || s.Outdated || len(a.messages) != 1 {
				t.Errorf("after the end: %+v, %v, %d messages", s, err, len(a.messages))
			}
			places := anywhere(t, root)
			for _, m := range utterances(0, total) {
				if places[m.ID] != 1 {
					t.Errorf("%s is in %d places", m.ID, places[m.ID])
				}
			}
			t.Logf("%d messages, %d compactions, the slowest step took %v", total, compactions, slowest.Round(time.Millisecond))
		})
	}
}

// compactWindow compacts a window and returns its status, which needs no compaction.
func compactWindow(t *testing.T, w *forgemind.Window, limit int) forgemind.Status {
	t.Helper()
	done, err := w.Compact(t.Context(), forgemind.CompactOptions{})
	if err != nil || !done.Handed {
		t.Fatalf("%+v, %v", done, err)
	}
	after, err := w.BeforeResponse(t.Context(), limit)
	if err != nil || after.NeedsCuration || after.Outdated || after.Added != 0 {
		t.Fatalf("after %+v: %+v, %v", done, after, err)
	}
	return after
}

// holdsOnce holds that no message is twice in an agent's window.
func holdsOnce(t *testing.T, a *agent, at int) {
	t.Helper()
	seen := map[string]bool{}
	for _, m := range a.messages {
		if seen[m.ID] {
			t.Errorf("at %d: %s is there twice", at, m.ID)
		}
		seen[m.ID] = true
	}
}

// summaryTokens is about how many tokens of an agent's window are summaries.
func summaryTokens(a *agent) (n int) {
	for _, m := range a.messages {
		if m.Kind == "summary" {
			n += len(m.Content) / 4
		}
	}
	return n
}
