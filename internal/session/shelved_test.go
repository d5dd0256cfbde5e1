package session_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
)

// What is kept of a long archive says what reading it says, also after somebody
// added to it, cut it, or changed a byte.
func TestALongArchiveIsToldAsItStands(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, fs.Sessions, "conv-1"), 0o755); err != nil {
		t.Fatal(err)
	}
	tree, err := fs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	line := func(n int, agent string) string {
		return fmt.Sprintf(`{"msg_id":"m-%d","ts":"2026-03-02T09:00:00Z","agent":%q,"content":%q}`+"\n", n, agent, strings.Repeat("pear ", 40))
	}
	var text strings.Builder
	for n := range 1500 {
		text.WriteString(line(n, "anna"))
	}
	window := []byte(line(9000, "ben"))
	long := text.String()
	for _, id := range []string{"conv-1", "conv-2"} {
		for i, archive := range []string{
			long, long, strings.Replace(long, `"anna"`, `"anne"`, 1), long + line(2000, "carl"), long + line(2000, "carl") + "no message\n", long + line(2001, "dora"),
			long[:len(long)-40], long + `{"msg_id":"torn`, long[:1000], long,
		} {
			_, err := tree.Transaction(context.Background(), func(tx *fs.Tx) error {
				messages, agents, err := session.ToldKept(tx, id, window, []byte(archive))
				if err != nil {
					return err
				}
				n, all := session.Told(window, []byte(archive))
				if messages != n || !slices.Equal(agents, all) {
					t.Errorf("archive %d of %s: %d messages of %q, want %d of %q", i, id, messages, agents, n, all)
				}
				count := func(text string) int { return len(text) }
				if err := session.Count(session.Window(id), window, count, "bytes").Keep(tx); err != nil {
					return err
				}
				tx.Write(session.SummaryFile("conv-1"), fmt.Appendf(nil, "summary %d %s\n", i, id)) // else nothing is kept
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	kept, err := os.ReadFile(filepath.Join(root, fs.LocalName(fs.Quaid, session.TallyFile)))
	if err != nil || !strings.Contains(string(kept), fmt.Sprintf(`"size": %d`, len(long))) {
		t.Errorf("%v; nothing is kept of an archive of %d bytes:\n%s", err, len(long), kept)
	}
}
