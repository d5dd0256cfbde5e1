package views_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/views"
)

// rendered returns the file that keeps texts as the last renderings of a view, the last one first.
func rendered(texts ...string) string {
	var head strings.Builder
	for _, text := range texts {
		sum := sha256.Sum256([]byte(text))
		fmt.Fprintf(&head, "%s:%d ", hex.EncodeToString(sum[:8]), len(text))
	}
	return head.String() + "\n" + strings.Join(texts, "")
}

func TestVersionRises(t *testing.T) {
	for _, c := range []struct {
		name, src string
		last      []string
		want      int
	}{
		{"never rendered", `{"version": 4}`, nil, 4},
		{"as rendered", `{"version": 4}`, []string{`{"version": 4}`, `{"version": 3}`}, 4},
		{"edited", `{"version": 4, "notes": []}`, []string{`{"version": 4}`, `{"version": 3}`}, 5},
		{"without a version", `{}`, []string{`{"version": 4}`, `{"version": 3}`}, 5},
		{"lower", `{"version": 1}`, []string{`{"version": 4}`, `{"version": 3}`}, 5},
		{"raised by whoever wrote it", `{"version": 9}`, []string{`{"version": 4}`, `{"version": 3}`}, 9},
		{"rendered as a commit has it, without a version", `{}`, []string{`{}`, `{"version": 4}`}, 5},
		{"no version that counting leads to", `{"version": 9007199254740991}`, []string{`{"version": 4}`}, 5},
	} {
		tree := files{".quaid/.local/rendered/" + strings.ReplaceAll(strings.TrimPrefix(hot, ".quaid/"), "/", "%2F") + ".view": rendered(c.last...)}
		if got := views.Version(tree, hot, []byte(c.src)); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// A list of texts shows what the records say now, each once; what nobody knows stays.
func TestTextsAreRendered(t *testing.T) {
	tree := files{
		".quaid/actions/ACT-0H5K2M.json":           `{"id": "ACT-0H5K2M", "action": "Dig", "created": "2026-01-01T10:00:00Z"}`,
		".quaid/actions/ACT-0H5K2M.updated-a.json": `{"of": "ACT-0H5K2M", "at": "2026-01-02T10:00:00Z", "set": {"action": "Sow"}}`,
		".quaid/actions/ACT-1H5K2M.json":           `{"id": "ACT-1H5K2M", "action": "Mow", "created": "2026-01-01T10:00:00Z"}`,
		".quaid/actions/ACT-1H5K2M.done-a.json":    `{"of": "ACT-1H5K2M", "at": "2026-01-02T10:00:00Z", "set": {"status": "done"}}`,
	}
	facts, _ := views.Read(tree)
	for _, c := range []struct{ src, last, want string }{
		{`"Dig", "Mow", "Rake"`, `"Dig", "Mow"`, `"Sow", "Rake"`},
		{`"Dig", "Rake", "Sow"`, `"Dig"`, `"Rake", "Sow"`},
		{`"Sow", "Dig"`, `"Dig"`, `"Sow"`},
		{`"Sow", "Mow"`, `"Sow"`, `"Sow", "Mow"`}, // somebody wants it again
		{``, `"Dig"`, `"Sow"`},
		{`{"action": "Rake"}`, `"Dig"`, `{"action": "Rake"}, {"id": "ACT-0H5K2M", "action": "Sow", "created": "2026-01-01T10:00:00Z"}`},
	} {
		document := func(list string) []byte { return []byte(`{"pending_actions": [` + list + `]}`) }
		got, err := views.Render(hot, document(c.src), document(c.last), facts)
		plain := strings.NewReplacer(" ", "", "\n", "").Replace
		if err != nil || !strings.Contains(plain(string(got)), plain(string(document(c.want))[1:len(document(c.want))-1])) {
			t.Errorf("%s, rendered as %s before: %s, %v, want %s", c.src, c.last, got, err, c.want)
		}
	}
}

// An item that took an id again is shown with its own, also where no record says so.
func TestAnIDThatWasTakenAgainIsNotShown(t *testing.T) {
	facts, _ := views.Read(files{})
	got, err := views.Render(hot, []byte(`{"active_goals": [{"goal_id": "goal-0", "description": "Dig", "created": "2026-01-01T10:00:00Z"}, {"goal_id": "goal-0", "description": "Sow", "created": "2026-01-02T10:00:00Z"}]}`), nil, facts)
	if err != nil || strings.Count(string(got), `"goal-0"`) != 1 {
		t.Errorf("%s, %v", got, err)
	}
}
