package health

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// OnlyShown returns the decisions that are in the State or in the active session's hot
// context and not yet in the ledger. They are in force, and the next write adds them to
// the ledger. A view that cannot be read has none. Neither has a view that nobody
// edited since it was rendered: git removed the files of its missing decisions.
func OnlyShown(r fs.Reader) []schema.Decision {
	var entries [][]byte
	add := func(name string, in func([]byte) ([][]byte, error)) {
		if src, err := r.Read(name); err == nil && !views.LastRenderings(r, name).Knows(src) {
			shown, _ := in(src) // package validate reports what is not JSON
			entries = append(entries, shown...)
		}
	}
	add(fs.State, state.ShownDecisions)
	if id, err := session.Active(r); err == nil && id != "" {
		add(session.HotContext(id), session.Shown)
	}
	only, _ := ledger.OnlyShown(r, entries)
	return only
}
