package watch

import (
	"runtime"
	"sync"
	"time"

	"github.com/forgemind/forgemind/fs"
)

// Options are the options of a Watcher. The zero value is the recommended setting.
type Options struct {
	Poll      bool          // scan regularly instead of using notifications
	PollEvery time.Duration // the time between scans when polling; the default is 2 s
	ScanEvery time.Duration // the time between scans otherwise; the default is 5 min

	hold func() // for tests: called for each notification received
}

// A Batch lists the documents that changed.
type Batch struct {
	Names []string // sorted; a name may no longer exist
	All   bool     // check everything: at the start, after a Rescan, after lost notifications
	// Gone means that neither folder exists any more. When one exists again, a Batch
	// with All follows.
	Gone bool
	// Replaced means that another directory is at the tree's path, which must be opened
	// again. It is the last Batch of this Watcher.
	Replaced bool
}

func (b Batch) empty() bool { return len(b.Names) == 0 && !b.All && !b.Gone && !b.Replaced }

// Polling is the mode of a Watcher without notifications.
const Polling = "polling"

// A Watcher watches one tree.
type Watcher struct {
	tree    *fs.Tree
	options Options
	batches chan Batch
	rescan  chan struct{}
	stop    chan struct{}
	once    sync.Once
	done    sync.WaitGroup

	mu     sync.Mutex
	known  map[string]content
	mode   string
	reason string

	// The following fields belong to the goroutine of work.
	ears     *notifications       // nil while polling
	names    map[string]bool      // the names of the next Batch
	next     Batch                // the next Batch without its names
	doubtful map[string]time.Time // when a name was found missing or empty; a second check decides
	lost     bool                 // the tree's path does not exist, so nothing can be watched
	gone     bool                 // a Batch with Gone was sent, and no folder exists since
	retry    bool                 // a check failed for lack of a resource
}

// Open starts to watch tree. The first Batch has All set. No change after Open returns
// is missed.
func Open(tree *fs.Tree, options Options) (*Watcher, error) {
	w, err := prepare(tree, options)
	if err != nil {
		return nil, err
	}
	w.done.Go(w.work)
	return w, nil
}

// prepare starts the notifications and records all contents, before any check runs.
func prepare(tree *fs.Tree, options Options) (*Watcher, error) {
	if options.PollEvery <= 0 {
		options.PollEvery = 2 * time.Second
	}
	if options.ScanEvery <= 0 {
		options.ScanEvery = 5 * time.Minute
	}
	if err := tree.CheckPath(); err != nil {
		return nil, err
	}
	w := &Watcher{
		tree: tree, options: options, mode: "notified",
		batches: make(chan Batch), rescan: make(chan struct{}, 1), stop: make(chan struct{}),
		known: map[string]content{}, names: map[string]bool{}, doubtful: map[string]time.Time{},
	}
	if runtime.GOOS == "linux" {
		w.mode = "inotify"
	}
	kind, remote := tree.Remote()
	switch {
	case options.Poll:
		w.poll("asked for")
	case remote:
		w.poll("the tree is on " + kind + ", which others change without notice")
	default:
		if ears, err := listen(tree.Root(), options.hold); err != nil {
			w.poll(listenFailure(err))
		} else {
			w.ears = ears
		}
	}
	w.everything()
	return w, nil
}

// Batches returns the channel of Batches. Changes are added to the next Batch until it
// is received. Close closes the channel.
func (w *Watcher) Batches() <-chan Batch { return w.batches }

// Mode returns how changes are noticed: "inotify" ("notified" on other systems) or
// "polling", with the reason for polling.
func (w *Watcher) Mode() (mode, reason string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.mode, w.reason
}

// Rescan requests a Batch with All set. Call it after an operation that may have
// changed many files, such as one of git.
func (w *Watcher) Rescan() {
	select {
	case w.rescan <- struct{}{}:
	default: // a request is pending already
	}
}

// Close stops the Watcher and waits until it has stopped.
func (w *Watcher) Close() error {
	w.once.Do(func() { close(w.stop) })
	w.done.Wait()
	return nil
}
