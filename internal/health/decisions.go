package health

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// OnlyShown returns the decisions that stand in the State or in the active
// session's hot context and not yet in the Ledger: the next write takes them in,
// and until then they hold all the same. Views that cannot be read show nothing.
func OnlyShown(r fs.Reader) []schema.Decision {
	var views [][]byte
	add := func(name string, in func([]byte) ([][]byte, error)) {
		if src, err := r.Read(name); err == nil {
			shown, _ := in(src) // what is no JSON is validate's to tell
			views = append(views, shown...)
		}
	}
	add(fs.State, state.Shown)
	if id, err := session.Active(r); err == nil && id != "" {
		add(session.HotContext(id), session.Shown)
	}
	only, _ := ledger.OnlyShown(r, views)
	return only
}
