package validate

import (
	"errors"
	"io"
	iofs "io/fs"
	"path"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/views"
)

// A crew judges many documents of one Reader, several at a time.
type crew struct {
	reader   fs.Reader
	names    []string
	severity severities
	whole    bool // the documents are a tree, and each is judged by its place in it
	progress func(done, total int)
	workers  int // 0: as many as there are processors, at most maxWorkers

	next atomic.Int64 // batch of names
	out  []checked
	mu   sync.Mutex // for what follows
	done int
}

// A checked is a file with what is known of it.
type checked struct {
	gone   bool          // there is no such file
	judged bool          // it is a document
	found  []Finding     // in it alone
	facts  *facts        // what the rest of the tree is held against; nil for nothing
	file   *records.File // that it is to be; nil for none
}

const (
	batchSize  = 32 // names that a goroutine takes at once
	maxWorkers = 4
)

// judge judges all names, and returns what is known of each. Only a disk is read by more
// than one goroutine.
func (c *crew) judge() []checked {
	c.out = make([]checked, len(c.names))
	workers := c.workers
	if workers == 0 {
		workers = min(runtime.GOMAXPROCS(0), maxWorkers)
	}
	if _, ok := c.reader.(disk); !ok {
		workers = 1
	}
	var wg sync.WaitGroup
	for range min(workers, 1+len(c.names)/batchSize) - 1 {
		wg.Go(c.work)
	}
	c.work()
	wg.Wait()
	return c.out
}

// work judges batches until there are none.
func (c *crew) work() {
	d := &desk{judge: newJudge(c.severity), reader: c.reader, whole: c.whole}
	for {
		from := int(c.next.Add(1)-1) * batchSize
		if from >= len(c.names) {
			break
		}
		to := min(from+batchSize, len(c.names))
		for i := from; i < to; i++ {
			c.out[i] = d.take(c.names[i])
		}
		if c.progress != nil {
			c.mu.Lock()
			c.done += to - from
			c.progress(c.done, len(c.names))
			c.mu.Unlock()
		}
	}
}

// A desk is a judge with the documents of a Reader before it.
type desk struct {
	*judge
	reader fs.Reader
	whole  bool
	page   []byte
}

// take judges the document at name.
func (d *desk) take(name string) checked {
	var kind fs.Doc
	d.facts = nil
	switch {
	case !d.whole:
		kind = placeKind(name)
	case !Judges(name):
		// No document, but a link or a FIFO has no business here either.
		err := d.look(name)
		if err == nil && isFolder(name) {
			err = errNoFolder
		}
		if isGone(d.reader, name, err) {
			return checked{gone: true}
		}
		if errors.Is(err, fs.ErrIrregular) {
			return checked{judged: true, found: unread(name, err, d.severity)}
		}
		return checked{}
	default:
		kind = fs.Place(name)
		if kind != fs.DocSnapshot { // a snapshot is a record of its own day
			d.facts = new(facts)
		}
	}
	if kind == fs.DocState || kind == fs.DocHotContext {
		if src, err := views.Stored(d.reader, name); err == nil && views.Torn(d.reader, name, src) {
			return checked{judged: true, found: torn(name, d.severity)}
		}
	}
	found, err := d.read(name, kind)
	if d.whole && isGone(d.reader, name, err) {
		return checked{gone: true}
	}
	if err != nil {
		found = append(found, unread(name, err, d.severity)...)
	}
	return checked{judged: Judges(name) || len(found) > 0, found: hintView(d.reader, name, found), facts: d.facts}
}

// Readers can be more than fs.Reader asks.
type (
	disk interface { // may be read by several goroutines
		Look(name string) (iofs.FileInfo, error)
		Everything() fs.Reader
	}
	streamer interface {
		Stream(name string) (io.ReadCloser, error)
	}
	appender interface {
		ReadAppend(buf []byte, name string) ([]byte, error)
	}
)

// look opens a file and closes it again, or reads it where the reader cannot open it alone.
func (d *desk) look(name string) error {
	s, ok := d.reader.(streamer)
	if !ok {
		_, err := d.reader.Read(name)
		return err
	}
	f, err := s.Stream(name)
	if err == nil {
		f.Close()
	}
	return err
}

// read reads and judges one document: JSONL in pieces where the reader can.
func (d *desk) read(name string, kind fs.Doc) ([]Finding, error) {
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
	if kind == fs.DocState || kind == fs.DocHotContext {
		src, err = views.Stored(d.reader, name)
	} else if a, ok := d.reader.(appender); ok {
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

// unread is the finding for a document that could not be read.
func unread(name string, err error, severity severities) []Finding {
	f := Finding{File: name, Line: 1, Column: 1, Column16: 1, Rule: irregularFile.Name,
		Message: "can't be read: " + cutAt(err.Error(), 200), Hint: "look at its permissions"}
	switch {
	case errors.Is(err, fs.ErrTooLarge), errors.Is(err, git.ErrTooLarge):
		f.Rule, f.Message, f.Hint = tooLarge.Name, largeDocument, largeDocumentHint
		if formOf(name) == formJSONL {
			f.Message = largeLines
		}
	case errors.Is(err, errNoFolder):
		f.Message = "a file stands where a folder should be, so nothing can stand in it"
		f.Hint = "move it away"
	case errors.Is(err, fs.ErrIrregular), errors.Is(err, git.ErrIrregular):
		f.Message = "not a plain file of its own: a link, a second name of another file, a FIFO or a device"
		f.Hint = "replace it by a copy, or remove it"
	}
	if f.Severity = severity[ruleIndex(f.Rule)]; f.Severity == Off {
		return nil
	}
	return []Finding{f}
}

// displaced reports saves that are not live. found is what is wrong with the
// documents.
func displaced(r fs.Reader, found []Finding, severity severities) []Finding {
	s := severity[ruleIndex(displacedSave.Name)]
	log, ok := r.(interface{ Incidents() ([]fs.Incident, error) })
	if !ok || s == Off {
		return nil
	}
	incidents, err := log.Incidents()
	// A folder that is none was found already, and has no `.local/` to look into.
	if err != nil && !slices.ContainsFunc(found, func(f Finding) bool { return f.Rule == irregularFile.Name && isTop(f.File) }) {
		return unread(path.Join(fs.Forgemind, fs.LocalDir), err, severity)
	}
	var out []Finding
	for _, i := range incidents {
		out = append(out, Finding{File: i.Name, Line: 1, Column: 1, Column16: 1, Rule: displacedSave.Name, Severity: s,
			Message: i.What + "; the bytes are kept in " + i.Kept,
			Hint:    "compare them with the document, bring over what is missing, and remove the kept file"})
	}
	return out
}
