package health

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// OnlyShown returns the decisions that stand in the State or in the active
// session's hot context and not yet in the Ledger: the next write takes them in,
// and until then they hold all the same. A view that cannot be read shows nothing; in one
// that nobody edited since it was rendered, git took their files away.
func OnlyShown(r fs.Reader) []schema.Decision {
	var entries [][]byte
	add := func(name string, in func([]byte) ([][]byte, error)) {
		if src, err := r.Read(name); err == nil && !views.LastRenderings(r, name).Knows(src) {
			shown, _ := in(src) // what is no JSON is validate's to tell
			entries = append(entries, shown...)
		}
	}
	add(fs.State, state.Shown)
	if id, err := session.Active(r); err == nil && id != "" {
		add(session.HotContext(id), session.Shown)
	}
	only, _ := records.OnlyShown(r, entries)
	return only
}
