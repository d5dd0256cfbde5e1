package health

import (
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A Watch is how the tree's watcher does, as it wrote down itself.
type Watch struct {
	PID    int       `json:"pid"`
	Since  time.Time `json:"since"` // UTC
	Mode   string    `json:"mode"`  // inotify, notified or polling
	Why    string    `json:"why,omitempty"`
	Paused string    `json:"paused,omitempty"` // what it waits for
}

// ReadWatch reads what the last watcher wrote down; false where none did. It
// may have ended since: see fs.Tree.Watched.
func ReadWatch(r fs.Reader) (Watch, bool) {
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		src, err := r.Read(fs.LocalName(folder, fs.WatchFile))
		var w Watch
		if err == nil && jsonedit.Decode(src, &w) == nil {
			return w, true
		}
	}
	return Watch{}, false
}
