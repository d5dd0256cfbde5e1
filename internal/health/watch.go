package health

import (
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A Watch is the state of the tree's watcher, as the watcher recorded it.
type Watch struct {
	PID    int       `json:"pid"`
	Since  time.Time `json:"since"` // UTC
	Mode   string    `json:"mode"`  // inotify, notified or polling
	Why    string    `json:"why,omitempty"`
	Paused string    `json:"paused,omitempty"` // the reason for the pause
}

// ReadWatch returns the state that the last watcher recorded. It returns false if there
// is none. The watcher may have ended since; see fs.Tree.Watched.
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
