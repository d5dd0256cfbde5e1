package health

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// OnlyShown returns the decisions that stand in the State or in the active session's hot context and
// have no file yet: the next write records them, and until then they hold all the same.
func OnlyShown(r fs.Reader) []schema.Decision {
	names := []string{fs.State}
	if id, err := session.Active(r); err == nil && id != "" {
		names = append(names, session.HotContext(id))
	}
	only, _ := views.OnlyShown(r, names...) // what cannot be read is validate's to tell
	return only
}
