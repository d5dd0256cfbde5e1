package validate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// CheckShown checks the decisions in the views at names, as Tree does: the ledger must have
// the file of each decision that it once had, and each entry must agree with the file.
// had reports whether the caller knows that the ledger had an id.
func CheckShown(r fs.Reader, names []string, had func(id string) bool) []Finding {
	s := newShowing(r, rootOf(r), weightsOf(newSeverities(Configured(r))), names)
	s.reportMissing(func(h shownDecision) bool { return isOwnEntry(h) || had(h.id) })
	s.reportDiffering()
	slices.SortFunc(s.out, Compare)
	return s.out
}

// rootOf returns the project directory of a Reader, "" if it is not on disk.
func rootOf(r fs.Reader) string {
	if t, ok := r.(interface{ Root() string }); ok {
		return t.Root()
	}
	return ""
}

// A showing holds the decisions that views show and those of the ledger.
type showing struct {
	changeChecker
	root      string          // the project directory; "" if git cannot be asked
	missing   []shownDecision // decisions that the ledger lacks, each id once
	differing []discrepancy
}

// A discrepancy is an entry of a view and the file of the ledger that differs from it.
type discrepancy struct{ entry, file shownDecision }

// newShowing reads the views at names, and the files of the ledger for their decisions.
func newShowing(r fs.Reader, root string, w weights, names []string) *showing {
	s := &showing{changeChecker: changeChecker{after: r, weights: w}, root: root}
	seen := map[string]bool{}
	for _, name := range names {
		src, err := r.Read(name)
		if err != nil {
			continue
		}
		for _, h := range entriesOf(&s.doc, name, src) {
			file, record, err := ledgerFile(r, h.id)
			switch {
			case err == nil && len(Differing(h.raw, record)) > 0:
				s.differing = append(s.differing, discrepancy{h, shownDecision{name: file, ledger: true, id: h.id, raw: record}})
			case errors.Is(err, iofs.ErrNotExist) && !seen[h.id]:
				seen[h.id] = true
				s.missing = append(s.missing, h)
			}
		}
	}
	if len(s.missing) == 0 {
		return s
	}
	ledger := newMemory() // the file names may differ from the ids
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		if ledger.remember(r, folder+"/"+fs.DecisionsDir) != nil {
			s.missing = nil // an unreadable folder may contain them
		}
	}
	s.missing = slices.DeleteFunc(s.missing, func(h shownDecision) bool { return len(ledger.ids[h.id]) > 0 })
	return s
}

// entriesOf returns the decisions in a view or a snapshot. An entry without id gets the
// one by which the ledger would adopt it; entries that the ledger cannot contain are
// left out.
func entriesOf(doc *jsonedit.Doc, name string, src []byte) (entries []shownDecision) {
	for _, h := range heldIn(doc, name, bytes.TrimPrefix(src, byteOrderMark)) {
		var k schema.KeyDecision
		if jsonedit.Decode(h.raw, &k) != nil || k.Decision == "" {
			continue
		}
		if h.id == "" {
			h.id = schema.AdoptedID(k.Timestamp, k.Decision)
		}
		if schema.ValidID(h.id) {
			entries = append(entries, h)
		}
	}
	return entries
}

// reportMissing reports the decisions that the ledger lacks although it had them.
func (s *showing) reportMissing(had func(shownDecision) bool) {
	lost, _ := s.lost(had) // an error of git is not a problem of the tree
	for _, u := range lost {
		f := u.Finding
		s.report(lostName, f.File, "", f.Message, f.Hint)
	}
}

// reportDiffering reports differences from the ledger: at the file if git shows that it
// was altered, else at the entry of the view.
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
				s.reportChanged(d.file.name, d.entry.id, v.Content, record)
			}
			record = v.Content
		}
		if names := Differing(d.entry.raw, record); len(names) > 0 {
			s.report(changedName, d.entry.name, d.entry.pointer(names[0]),
				fmt.Sprintf("Changed decision: %s says otherwise here than in %s: %s", plain(d.entry.id), d.file.name, plainList(names)),
				"the Ledger holds: correct the entry from the file, or record a new decision that supersedes it")
		}
	}
}

// gitPatience is the time limit for asking git about decisions.
const gitPatience = 15 * time.Second

// ask returns the versions of the files at names in git. Without git, or without a
// repository, there are none.
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

// elsewhere returns those of names that only other branches have in git. It returns
// none if git fails.
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
	elsewhere, err := git.OnAnyBranch(ctx, s.root, missing)
	if err != nil {
		return nil
	}
	return elsewhere
}
