package condense_test

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/condense"
)

// A document that is replaced is found by its title, its text or what the documents say, not
// by its place.
func TestReplaces(t *testing.T) {
	docs := []condense.Document{
		{"adr-1", "# 1. Record architecture decisions\n\nStatus: Accepted\n\nWe will write decision records in Markdown."},
		{"adr-2", "# 2. Store sessions in Redis\n\nStatus: Accepted\n\nSessions live in Redis, with a TTL of one hour. Redis runs in the cluster."},
		{"adr-3", "# 3. Build with Jenkins\n\nStatus: Superseded\n\nEvery push is built by Jenkins on our own agents."},
		{"adr-4", "# 4. Use REST for the public API\n\nStatus: Accepted\n\nClients call JSON over HTTP. Versions are in the path."},
		{"adr-5", "# 5. Log to files\n\nStatus: Accepted\n\nEach service writes a log file below /var/log and rotates it."},
	}
	for _, c := range []struct{ id, text, want string }{
		{"n", "# 9. Keep sessions in signed cookies\n\nSessions no longer need Redis: they live in cookies.", "adr-2"},
		{"n", "# 9. Build with GitHub Actions\n\nEvery push is built by hosted runners.", "adr-3"},
		{"n", "# 9. Offer GraphQL\n\nSupersedes ADR-0004.\n\nThe public interface is a graph.", "adr-4"},
		{"n", "# 9. Structured events\n\nThis replaces \"Log to files\".", "adr-5"},
		{"n", "# 9. Paint the kitchen green\n\nNobody likes yellow walls.", ""},
		{"adr-2", docs[1].Text, ""}, // itself
	} {
		found := condense.Replaces(condense.Document{ID: c.id, Text: c.text}, docs, 5)
		got := ""
		if len(found) > 0 {
			got = found[0].ID
		}
		if c.id == "adr-2" {
			for _, f := range found {
				if f.ID == c.id {
					t.Errorf("%s replaces itself", c.id)
				}
			}
			continue
		}
		if got != c.want {
			t.Errorf("%.40q: got %v, want %q", c.text, found, c.want)
		}
	}
	if found := condense.Replaces(condense.Document{Text: strings.Repeat("x ", 1<<20)}, docs, 5); len(found) != 0 {
		t.Errorf("a listing: %v", found)
	}
}
