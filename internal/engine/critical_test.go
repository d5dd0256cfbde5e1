package engine

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/state"
)

// Whatever a compaction plans, it never has the last word over decisions and
// open questions: the whole change is refused, and nothing is written.
func TestAChangeThatLosesWhatIsCriticalIsRefused(t *testing.T) {
	t.Parallel()
	const decided = `{"msg_id":"msg-1","timestamp":"2026-03-02T08:00:00Z","agent":"Boss","role":"user","kind":"decision","content":"Pears."}`
	for _, lost := range []struct {
		what, name, old, new string
	}{
		{"a question", fs.State, `"Which pears?"`, `"Which plums?"`},
		{"a decision in the conversation", fs.Messages, "Pears.", "Plums."},
	} {
		t.Run(lost.what, func(t *testing.T) {
			root := t.TempDir()
			src, err := state.New("Orchard", "session-2026-03-02-01", time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
			if err != nil {
				t.Fatal(err)
			}
			if src, err = state.Set(src, "/open_questions", `[{"id":"Q-1","question":"Which pears?"}]`); err != nil {
				t.Fatal(err)
			}
			texts := map[string]string{fs.State: string(src), fs.Messages: decided + "\n"}
			for name, text := range texts {
				path := filepath.Join(root, name)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			tree, err := Open(root, Edge{Now: time.Now})
			if err != nil {
				t.Fatal(err)
			}
			defer tree.Close()
			_, err = tree.do(context.Background(), func(r *WorkingSet) error {
				if err := r.listCritical(fs.Messages, [][]byte{[]byte(decided)}); err != nil {
					return err
				}
				if err := r.checkCritical(); err != nil {
					return err // nothing was lost yet
				}
				err := edit(r.tx, lost.name, func(src []byte) ([]byte, error) {
					return bytes.Replace(src, []byte(lost.old), []byte(lost.new), 1), nil
				})
				if err != nil {
					return err
				}
				return r.checkCritical()
			})
			if !errors.Is(err, errLost) {
				t.Fatalf("got %v", err)
			}
			if now, _ := os.ReadFile(filepath.Join(root, lost.name)); string(now) != texts[lost.name] {
				t.Errorf("something was written:\n%s", now)
			}
		})
	}
}
