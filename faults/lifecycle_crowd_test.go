//go:build linux

package faults_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

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
