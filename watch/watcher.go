package watch

import (
	"runtime"
	"sync"
	"time"

	"github.com/forgemind/forgemind/fs"
)

// Options of a Watcher. The zero value is what is meant to be used.
type Options struct {
	Poll      bool          // look from time to time instead of being told
	PollEvery time.Duration // how often; 2 s
	ScanEvery time.Duration // how often everything is looked at all the same; 5 min

	hold func() // tests: called for each notification taken
}

// A Batch says where documents changed.
type Batch struct {
	Names []string // sorted; a name may be gone
	All   bool     // look at everything: at the start, after a Rescan, when notifications were lost
	// Gone says that neither folder exists any more. When one is back, a Batch
	// with All follows.
	Gone bool
	// Replaced says that another directory stands at the tree's path: open it
	// anew. It is this Watcher's last Batch.
	Replaced bool
}

func (b Batch) empty() bool { return len(b.Names) == 0 && !b.All && !b.Gone && !b.Replaced }

// Polling is the mode of a Watcher that has no notifications.
const Polling = "polling"

// A Watcher watches one tree.
type Watcher struct {
	tree    *fs.Tree
	options Options
	batches chan Batch
	rescan  chan struct{}
	attend  chan []string
	stop    chan struct{}
	once    sync.Once
	done    sync.WaitGroup

	mu     sync.Mutex
	known  map[string]content
	mode   string
	reason string

	// What follows belongs to the goroutine of work.
	ears     *ears                // nil while polling
	beside   []string             // names of files beside the folders, see Attend
	names    map[string]bool      // of the next Batch
	next     Batch                // without its names
	doubtful map[string]time.Time // gone or empty at this time; a second look decides
	lost     bool                 // the path leads nowhere: nothing to listen to
	gone     bool                 // Gone was given, and no folder is back since
	retry    bool                 // a look failed for want of something
}

// Open begins to watch tree. The first Batch has All set; from when Open
// returns no change is missed.
func Open(tree *fs.Tree, options Options) (*Watcher, error) {
	w, err := prepare(tree, options)
	if err != nil {
		return nil, err
	}
	w.done.Go(w.work)
	return w, nil
}

// prepare listens and takes note of everything; nothing runs yet that looks.
func prepare(tree *fs.Tree, options Options) (*Watcher, error) {
	if options.PollEvery <= 0 {
		options.PollEvery = 2 * time.Second
	}
	if options.ScanEvery <= 0 {
		options.ScanEvery = 5 * time.Minute
	}
	if err := tree.Here(); err != nil {
		return nil, err
	}
	w := &Watcher{
		tree: tree, options: options, mode: "notified",
		batches: make(chan Batch), rescan: make(chan struct{}, 1), attend: make(chan []string, 1), stop: make(chan struct{}),
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
			w.poll(why(err))
		} else {
			w.ears = ears
		}
	}
	w.everything()
	return w, nil
}

// Batches gives what changed. While nobody takes it, more is added to it. It is
// closed by Close.
func (w *Watcher) Batches() <-chan Batch { return w.batches }

// Mode says how changes are noticed: "inotify" ("notified" on other systems) or
// "polling", with the reason for it.
func (w *Watcher) Mode() (mode, reason string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.mode, w.reason
}

// Rescan asks for a Batch with All set, after the end of something that may
// have changed much, such as an operation of git.
func (w *Watcher) Rescan() {
	select {
	case w.rescan <- struct{}{}:
	default: // one is under way
	}
}

// Attend has the Watcher look at files beside the two folders as well: at those of names, and no longer at those
// that it was told of before. It is for one goroutine.
func (w *Watcher) Attend(names []string) {
	select {
	case <-w.attend: // the Watcher has not come to it
	default:
	}
	w.attend <- names
}

// Close ends the Watcher and waits for it.
func (w *Watcher) Close() error {
	w.once.Do(func() { close(w.stop) })
	w.done.Wait()
	return nil
}
