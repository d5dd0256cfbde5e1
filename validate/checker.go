package validate

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
)

// A Checker judges a tree whose documents change. It keeps what was found in each of them,
// so that a change costs no more than judging the documents that changed, and holding what
// is known of all against one another. It must not be used by several goroutines at once.
type Checker struct {
	reader   fs.Reader
	options  Options
	severity severities
	workers  int                // goroutines that judge; 0: as many as there are processors, at most maxWorkers
	docs     map[string]checked // by the names of all files that are there and that readers do not pass over
	copies   map[string]string  // what each copy of a file is a copy of, by their names
	doubtful map[string]bool    // names of files of which other files say whether they are copies
	unlisted map[string]error   // folders that could not be listed, and why
	had      map[string]bool    // ids of decisions whose files the Ledger was seen to have
}

// NewChecker returns a Checker of the tree in r that knows no document yet. Of o it heeds
// Severity and Progress.
func NewChecker(r fs.Reader, o Options) *Checker {
	return &Checker{
		reader: r, options: o, severity: newSeverities(o.Severity), docs: map[string]checked{}, copies: map[string]string{},
		doubtful: map[string]bool{}, unlisted: map[string]error{}, had: map[string]bool{},
	}
}

// CheckAll judges all documents of the tree as they are now. The error is that of listing
// them.
func (c *Checker) CheckAll() error {
	c.severity = newSeverities(Configured(c.reader), c.options.Severity)
	clear(c.docs)
	clear(c.copies)
	return c.checkFolder(".")
}

// checkFolder judges the documents below dir.
func (c *Checker) checkFolder(dir string) error {
	names, copies := documents(c.reader, dir)
	for name, of := range copies {
		c.doubtful[name], c.copies[name] = true, of
	}
	var listed []string
	for _, n := range names {
		switch {
		case n.err == nil:
			listed = append(listed, n.name)
		case n.name == "":
			return fmt.Errorf("list the documents: %w", n.err)
		default:
			c.unlisted[n.name] = n.err
		}
	}
	c.judge(listed)
	return nil
}

// Check judges the documents at names as they are now. Names outside the tree are passed
// over, and a document that is gone is forgotten.
func (c *Checker) Check(names ...string) {
	var read []string
	for _, name := range names {
		if top, _, _ := strings.Cut(name, "/"); !isTop(top) {
			continue
		}
		c.forget(name)
		switch of, over := fs.PassedOver(c.reader, name); {
		case !over:
			read = append(read, name)
		case of != "":
			c.doubtful[name], c.copies[name] = true, of
		}
	}
	c.judge(read)
}

// judge judges the documents at names, which are no copies.
func (c *Checker) judge(names []string) {
	crew := &crew{reader: c.reader, names: names, severity: c.severity, progress: c.options.Progress, workers: c.workers, whole: true}
	for i, d := range crew.judge() {
		name := names[i]
		if file, ok := records.FileOf(name); ok {
			d.file = &file
			if file.Folder.Kind.Name == records.Decision.Name && file.Change == "" {
				c.had[file.Record] = c.had[file.Record] || !d.gone
			}
		}
		if d.gone {
			c.forget(name)
			continue
		}
		c.docs[name] = d
		if len(fs.Originals(name)) > 0 {
			c.doubtful[name] = true
		}
	}
}

// Report returns what is wrong in the tree, as far as the Checker was told of its changes.
// What config.json says of severities holds for documents that did not change, too.
func (c *Checker) Report() Report {
	if now := newSeverities(Configured(c.reader), c.options.Severity); !slices.Equal(now, c.severity) {
		c.severity = now
		c.judge(slices.Collect(maps.Keys(c.docs)))
	}
	c.checkDoubtful()
	for _, dir := range slices.Collect(maps.Keys(c.unlisted)) {
		delete(c.unlisted, dir)
		c.checkFolder(dir) // an error names the folder, which is kept then
	}
	census := c.census()
	var report Report
	for _, name := range census.names {
		if d := c.docs[name]; d.judged {
			report.Add(name, d.found...)
		}
	}
	for dir, err := range c.unlisted {
		report.Add(dir, unread(dir, err, c.severity)...)
	}
	report.Findings = append(report.Findings, census.findings()...)
	report.Findings = append(report.Findings, strayCopies(c.reader, c.copies, c.severity)...)
	report.Findings = append(report.Findings, displaced(c.reader, report.Findings, c.severity)...)
	report.Finish()
	return report
}

// checkDoubtful judges anew what became a copy of another file, or is none any more.
func (c *Checker) checkDoubtful() {
	for _, name := range slices.Collect(maps.Keys(c.doubtful)) {
		if !exists(c.reader, name) {
			c.forget(name)
			continue
		}
		_, known := c.docs[name]
		if of, over := fs.PassedOver(c.reader, name); over == known || of != c.copies[name] {
			c.Check(name)
		}
	}
}

// forget drops what is known of the file at name.
func (c *Checker) forget(name string) {
	delete(c.docs, name)
	delete(c.copies, name)
	delete(c.doubtful, name)
}

// census returns what is known of all documents.
func (c *Checker) census() *census {
	names := slices.Sorted(maps.Keys(c.docs))
	var all facts
	for _, name := range names {
		if f := c.docs[name].facts; f != nil {
			all.join(f)
		}
	}
	return newCensus(c, names, all)
}

// recordFile returns which record, or change of one, the file at name is to hold. It
// returns false if it is to hold none.
func (c *Checker) recordFile(name string) (records.File, bool) {
	if file := c.docs[name].file; file != nil {
		return *file, true
	}
	return records.File{}, false
}

// isGone reports whether a file that err is about is not there: it is a folder by now, or one
// that it was in is none any more.
func isGone(r fs.Reader, name string, err error) bool {
	if errors.Is(err, iofs.ErrNotExist) {
		return true
	}
	disk, ok := r.(disk)
	if err == nil || !ok {
		return false
	}
	if fi, err := disk.Look(name); err == nil && fi.IsDir() {
		return true
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if fi, err := disk.Look(dir); err == nil && !fi.IsDir() {
			return true
		}
	}
	return false
}
