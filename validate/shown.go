package validate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// rootOf returns the project directory of a Reader; "" for one that is not on disk.
func rootOf(r fs.Reader) string {
	if t, ok := r.(interface{ Root() string }); ok {
		return t.Root()
	}
	return ""
}

// A showing is what views show of decisions, beside what the Ledger has of them.
type showing struct {
	guard
	root      string          // of the project directory; "" where there is no git to ask
	missing   []held          // what the Ledger lacks, each id once
	others    map[string]bool // those of them whose files only other branches have; see lost
	differing []discrepancy
}

// A discrepancy is an entry of a view and the file of the Ledger that says otherwise.
type discrepancy struct{ entry, file held }

// newShowing reads the views at names, and the files of the Ledger that they are
// about.
func newShowing(r fs.Reader, root string, w weights, names []string) *showing {
	s := &showing{guard: guard{after: r, weights: w}, root: root, others: map[string]bool{}}
	first := map[string]held{} // by id, of what the Ledger lacks
	for _, name := range names {
		src, err := r.Read(name)
		if err != nil {
			continue
		}
		for _, h := range entriesOf(&s.doc, name, src) {
			file, record, err := ledgerFile(r, h.id)
			other, told := first[h.id]
			if err == nil && h.counted {
				other = heldIn(&s.doc, file, record)[0]
			}
			if other.isOther(h) {
				if err == nil { // unless somebody altered the file
					s.differing = append(s.differing, discrepancy{h, other})
				}
				h.id = h.ownID()
				file, record, err = ledgerFile(r, h.id)
				_, told = first[h.id]
			}
			switch {
			case err == nil && len(differing(h.raw, record)) > 0:
				s.differing = append(s.differing, discrepancy{h, held{name: file, ledger: true, id: h.id, raw: record}})
			case errors.Is(err, iofs.ErrNotExist) && !told:
				first[h.id] = h
				s.missing = append(s.missing, h)
			}
		}
	}
	return s
}

// entriesOf returns the decisions that a view or a snapshot shows, each with the id by
// which the Ledger takes it in. What says no decision is left out.
func entriesOf(doc *jsonedit.Doc, name string, src []byte) (entries []held) {
	for _, h := range heldIn(doc, name, bytes.TrimPrefix(src, byteOrderMark)) {
		var k schema.KeyDecision
		if jsonedit.Decode(h.raw, &k) != nil || strings.TrimSpace(k.Decision) == "" {
			continue
		}
		h.id = h.record
		entries = append(entries, h)
	}
	return entries
}

// reportMissing reports the decisions that the Ledger lacks though it had them.
func (s *showing) reportMissing(had func(held) bool) {
	lost, _ := s.lost(had) // what git does not say is not held against the tree
	for _, u := range lost {
		f := u.Finding
		s.report(lostName, f.File, "", f.Message, f.Hint)
	}
}

// reportDiffering reports what says otherwise than the Ledger: the file, where git
// shows that it was altered, else the entry of the view.
func (s *showing) reportDiffering() {
	var names []string
	for _, d := range s.differing {
		names = append(names, d.file.name)
	}
	kept, _ := s.ask(names)
	said := map[string]bool{}
	for _, d := range s.differing {
		record := d.file.raw
		if v, ok := kept[d.file.name]; ok && !bytes.Equal(v.Content, record) {
			if !said[d.file.name] {
				said[d.file.name] = true
				file, _ := records.FileOf(d.file.name)
				s.compare(d.file.name, file, v.Content, record)
			}
			record = v.Content
		}
		if names := s.otherwise(d.entry, d.file.name, record); len(names) > 0 {
			s.report(changedName, d.entry.name, d.entry.pointer(names[0]),
				fmt.Sprintf("Changed decision: %s says otherwise here than in %s: %s", plain(d.entry.id), d.file.name, plainList(names)),
				"the Ledger holds: correct the entry from the file, or record a new decision that supersedes it")
		}
	}
}

// otherwise returns the members in which an entry says otherwise than a file of the Ledger: none if it is another
// decision. One that is said again, by a program that takes ids again, has another time alone.
func (s *showing) otherwise(entry held, file string, record []byte) []string {
	names := differing(entry.raw, record)
	if len(names) == 0 || !entry.counted {
		return names
	}
	recorded := heldIn(&s.doc, file, record)[0]
	if recorded.isOther(entry) {
		return nil
	}
	if schema.OtherTimes(entry.at, recorded.at) {
		names = slices.DeleteFunc(names, func(name string) bool { return name == "timestamp" })
	}
	return names
}

// gitPatience is how long git is waited for when it is asked about decisions.
const gitPatience = 15 * time.Second

// ask asks git for the files at names. Without git, or without a repository, it
// keeps none.
func (s *showing) ask(names []string) (map[string]git.KeptFile, error) {
	if len(names) == 0 || s.root == "" {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), gitPatience)
	defer cancel()
	kept, err := git.Kept(ctx, s.root, names)
	if errors.Is(err, git.ErrNoRepository) || errors.Is(err, git.ErrNotInstalled) {
		err = nil
	}
	return kept, err
}

// elsewhere returns those of names that git keeps on other branches alone. What git
// cannot say is none.
func (s *showing) elsewhere(kept map[string]git.KeptFile, names []string) map[string]bool {
	var missing []string
	for _, name := range names {
		if _, ok := kept[name]; !ok {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 || s.root == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), gitPatience)
	defer cancel()
	elsewhere, err := git.Elsewhere(ctx, s.root, missing)
	if err != nil {
		return nil
	}
	return elsewhere
}
