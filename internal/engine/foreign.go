package engine

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/state"
)

// foreignFile is the name in `.local/` of the file with the versions of the documents
// that people and other programs write: condensations, and views of threads. A document
// whose version differs from the stored one is new, and gets the effects of the
// command.
const foreignFile = "foreign.json"

// A foreignSet holds what people and other programs wrote since the last transaction.
type foreignSet struct {
	Files     map[string]string `json:"files"`     // name → version
	Decisions int               `json:"decisions"` // number of files of the Ledger

	changed []string // names whose version is not known
	added   []string // names of the files of the Ledger that no view showed
	known   bool     // an earlier transaction looked
	before  []byte
}

// findForeign finds what people and other programs wrote. The first call in a tree
// takes everything for known.
func (r *WorkingSet) findForeign() error {
	var before foreignSet
	src, err := r.readIfExists(fs.LocalName(r.home, foreignFile))
	if err != nil {
		return err
	}
	f := &r.foreign
	f.before, f.known = src, src != nil && jsonedit.Decode(src, &before) == nil
	f.Files, f.Decisions = map[string]string{}, before.Decisions
	for name, err := range namesIn(r.tx, fs.ThreadsDir, condense.Folder) {
		if err != nil {
			return err
		}
		if fs.Place(name) != fs.DocThread && !condense.IsCondensation(name) {
			continue
		}
		is, err := r.tree.Look(name)
		if err != nil || !is.Mode().IsRegular() {
			continue
		}
		version := versionOf(is)
		if f.known && before.Files[name] != version {
			f.changed = append(f.changed, name)
		}
		if r.at.Sub(is.ModTime()).Abs() > 2*time.Second { // otherwise it may change again within the clock's resolution
			f.Files[name] = version
		}
	}
	return nil
}

// versionOf returns the version of a file.
func versionOf(is iofs.FileInfo) string {
	return fmt.Sprintf("%d-%d", is.Size(), is.ModTime().UnixNano())
}

// adoptForeign gives documents that people and other programs wrote the effects of the
// command.
func (r *WorkingSet) adoptForeign() error {
	for _, name := range r.foreign.changed {
		err := r.tx.Try(func(*fs.Tx) error {
			if condense.IsCondensation(name) {
				return r.adoptFound(name)
			}
			t, ok := condense.ResolvedByHand(r.tx, name)
			if !ok {
				return nil
			}
			before := r.tx.Staged()
			_, condensed, err := r.condenseRequest(Discussion{Thread: t.ID, Agent: r.event.Agent}, name)
			if condensed {
				r.noteFired(CondenseTrigger, "somebody resolved the thread in "+name, "condense_discussion", changedNames(before, r.tx.Staged())...)
			}
			return err
		})
		switch {
		case errors.Is(err, fs.ErrUnsettled), fs.IsUnread(err):
			return err
		case err != nil:
			r.addNote(fmt.Sprintf("%s was not adopted: %v", name, err))
		}
	}
	return r.showForeign()
}

// showForeign adds decisions whose files other programs added to the views, and unpins
// what they supersede.
func (r *WorkingSet) showForeign() error {
	n := r.countDecisions()
	if n == r.foreign.Decisions {
		return nil
	}
	r.foreign.Decisions = n
	src, err := r.readIfExists(fs.State)
	if err != nil || src == nil || !r.foreign.known || !r.config.LocalViews() { // git merges tracked views
		return err
	}
	all, err := ledger.Staged(r.tree.Tree, r.tx)
	if err != nil {
		return err
	}
	shown := map[string]bool{}
	raws, err := state.ShownDecisions(src)
	if err != nil {
		return nil // a finding
	}
	for _, raw := range raws {
		shown[idOf(raw)] = true
	}
	staged := r.tx.Staged()
	for _, d := range all[max(0, len(all)-state.KeepRecent):] {
		name := path.Join(r.home, fs.DecisionsDir, d.ID+".json")
		if _, own := staged[name]; own || shown[d.ID] {
			continue
		}
		r.foreign.added = append(r.foreign.added, name)
		if err := r.showDecision(d); err != nil {
			return err
		}
		if err := r.announceSuperseded(d); err != nil {
			return err
		}
	}
	return nil
}

// countDecisions returns the number of files of the Ledger.
func (r *WorkingSet) countDecisions() (n int) {
	for _, err := range namesIn(r.tx, fs.DecisionsDir) {
		if err == nil {
			n++
		}
	}
	return n
}

// keepForeign stages the versions that are known now. The next transaction checks the
// files that this one writes.
func (r *WorkingSet) keepForeign() error {
	staged := r.tx.Staged()
	maps.DeleteFunc(r.foreign.Files, func(name, _ string) bool { _, wrote := staged[name]; return wrote })
	r.foreign.Decisions = r.countDecisions()
	text, err := jsonedit.Marshal(r.foreign)
	if err == nil && !slices.Equal(text, r.foreign.before) {
		r.tx.Write(fs.LocalName(r.home, foreignFile), text)
	}
	return err
}
