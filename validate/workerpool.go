package validate

import (
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"path"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/text"
)

// A workerPool is a worker pool that validates many documents of one Reader.
type workerPool struct {
	reader   fs.Reader
	names    []string
	severity severities
	policy   *Policy
	whole    bool // the documents are a tree, and each is judged by its place in it
	progress func(done, total int)
	workers  int // 0: the number of processors, at most maxWorkers

	next     atomic.Int64 // the next batch of names
	mu       sync.Mutex   // for the following fields
	done     int
	checked  []string
	found    []Finding
	comments []ignore
	facts    facts
}

const (
	batchSize  = 32 // number of names in a batch
	maxWorkers = 4
)

// judge validates all names. Only a *fs.Tree is read by more than one goroutine.
func (c *workerPool) judge() {
	workers := c.workers
	if workers == 0 {
		workers = min(runtime.GOMAXPROCS(0), maxWorkers)
	}
	if _, ok := c.reader.(*fs.Tree); !ok {
		workers = 1
	}
	var wg sync.WaitGroup
	for range min(workers, 1+len(c.names)/batchSize) - 1 {
		wg.Go(c.work)
	}
	c.work()
	wg.Wait()
}

// work validates batches until there are none.
func (c *workerPool) work() {
	d := &worker{judge: newJudgeOf(c.policy, c.severity), reader: c.reader, whole: c.whole}
	var checked []string
	var found []Finding
	for {
		from := int(c.next.Add(1)-1) * batchSize
		if from >= len(c.names) {
			break
		}
		batch := c.names[from:min(from+batchSize, len(c.names))]
		for _, name := range batch {
			f, ok := d.take(name)
			if found = append(found, f...); ok {
				checked = append(checked, name)
			}
		}
		if c.progress != nil {
			c.mu.Lock()
			c.done += len(batch)
			c.progress(c.done, len(c.names))
			c.mu.Unlock()
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.checked = append(c.checked, checked...)
	c.found = append(c.found, found...)
	c.comments = append(c.comments, d.comments...)
	c.facts.join(&d.own)
}

// A worker is one worker of a workerPool.
type worker struct {
	*judge
	reader fs.Reader
	whole  bool
	own    facts
	page   []byte
}

// take validates the document at name. It returns false if name is not a document, or
// no longer exists.
func (d *worker) take(name string) ([]Finding, bool) {
	var kind fs.Doc
	d.facts = nil
	switch {
	case !d.whole:
		kind = placeKind(name)
	case !Judges(name):
		// A link or a FIFO is reported even if it is not at the place of a document.
		err := d.look(name)
		if err == nil && isFolder(name) {
			err = errNoFolder
		}
		if errors.Is(err, fs.ErrIrregular) {
			return unread(name, err, d.severity), true
		}
		return nil, false
	default:
		kind = fs.Place(name)
		if kind != fs.DocSnapshot { // a snapshot keeps the references of its day
			d.facts = &d.own
		}
	}
	found, err := d.read(name, kind)
	if errors.Is(err, iofs.ErrNotExist) && d.whole {
		return nil, false
	}
	if err != nil {
		found = append(found, unread(name, err, d.severity)...)
	}
	return found, Judges(name) || len(found) > 0
}

// Optional interfaces of a fs.Reader.
type (
	streamer interface {
		Stream(name string) (io.ReadCloser, error)
	}
	appender interface {
		ReadAppend(buf []byte, name string) ([]byte, error)
	}
)

// look opens a file and closes it again, if the reader can.
func (d *worker) look(name string) error {
	s, ok := d.reader.(streamer)
	if !ok {
		return nil
	}
	f, err := s.Stream(name)
	if err == nil {
		f.Close()
	}
	return err
}

// read reads and validates one document. It reads JSONL in pieces if the reader can.
func (d *worker) read(name string, kind fs.Doc) ([]Finding, error) {
	if s, ok := d.reader.(streamer); ok && formOf(name) == formJSONL {
		f, err := s.Stream(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if known, ok := f.(interface{ Stat() (iofs.FileInfo, error) }); ok {
			if fi, err := known.Stat(); err == nil && fi.Size() > maxLines {
				return nil, fs.ErrTooLarge
			}
		}
		return d.stream(name, kind, f)
	}
	var src []byte
	var err error
	if a, ok := d.reader.(appender); ok {
		d.page, err = a.ReadAppend(d.page[:0], name)
		src = d.page
	} else {
		src, err = d.reader.Read(name)
	}
	if err != nil {
		return nil, err
	}
	return d.one(name, kind, !d.whole, src), nil
}

// unread returns the finding for a document that could not be read.
func unread(name string, err error, severity severities) []Finding {
	f := Finding{File: name, Line: 1, Column: 1, Column16: 1, Rule: irregularFile.Name,
		Message: "can't be read: " + text.Limit(err.Error(), 200), Hint: "look at its permissions"}
	switch {
	case errors.Is(err, fs.ErrTooLarge):
		f.Rule, f.Message, f.Hint = tooLarge.Name, largeDocument, largeDocumentHint
		if formOf(name) == formJSONL {
			f.Message = largeLines
		}
	case errors.Is(err, errNoFolder):
		f.Message = "expected a folder, found a file"
		f.Hint = "move it away"
	case errors.Is(err, fs.ErrIrregular):
		f.Message = "not a plain file of its own: a link, a second name of another file, a FIFO or a device"
		f.Hint = "replace it by a copy, or remove it"
	}
	if f.Severity = severity[ruleIndex(f.Rule)]; f.Severity == Off {
		return nil
	}
	return []Finding{f}
}

// displaced reports saves that are in no document. found are the findings of the
// documents.
func displaced(r fs.Reader, found []Finding, severity severities) []Finding {
	s := severity[ruleIndex(displacedSave.Name)]
	log, ok := r.(interface{ Incidents() ([]fs.Incident, error) })
	if !ok || s == Off {
		return nil
	}
	incidents, err := log.Incidents()
	// A folder that is not a directory was reported already, and has no `.local/`.
	if err != nil && !slices.ContainsFunc(found, func(f Finding) bool { return f.Rule == irregularFile.Name && isTop(f.File) }) {
		return unread(path.Join(fs.Forgemind, fs.LocalDir), err, severity)
	}
	var out []Finding
	for _, i := range incidents {
		f := Finding{File: i.Name, Line: 1, Column: 1, Column16: 1, Rule: displacedSave.Name, Severity: s,
			Message: i.What + "; the bytes could not be kept", Hint: fmt.Sprintf("'forgemind attic remove %s' forgets it", i.ID())}
		if i.Kept != "" {
			f.Message = i.What + "; the bytes are kept in " + i.Kept
			f.Hint = fmt.Sprintf("'forgemind attic show %[1]s --diff' compares them with the document; 'attic restore' brings them back, 'attic remove' drops them", i.ID())
		}
		out = append(out, f)
	}
	return out
}
