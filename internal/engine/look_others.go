package engine

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/acted"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// mostCauses bounds the decisions, and the discussions, of others that are acted on one by one. More at
// once come from a program that carries over what was decided elsewhere.
const mostCauses = 100

// newOfOthers returns the decisions that others wrote since this working copy looked last, in order
// of time. While git is in the middle of something there are none: what it writes may be gone again.
func (r *round) newOfOthers() ([]fresh, error) {
	stamp := acted.Stamp(r.tree.Tree)
	if !r.acted.Known() {
		return nil, r.lookFirst(stamp)
	}
	names, err := r.acted.New(r.tree.Tree, stamp)
	if err != nil {
		return nil, err
	}
	waiting := r.acted.Waiting
	if stamp != "" && stamp == r.acted.Folders {
		waiting = r.acted.Touched(r.tree.Tree)
	}
	if len(names)+len(waiting) == 0 {
		r.acted.Folders = stamp
		return nil, nil
	}
	if git.Find(r.tree.Root()).Busy() != "" {
		return nil, nil
	}
	r.acted.Folders = stamp
	all := r.readNew(names, waiting)
	r.tellApart(all)
	sortFresh(all)
	return all, nil
}

// readNew reads files that may hold decisions to act on: new ones, and those that held none when
// they were read before. Those that hold none wait, and are told once, unless nobody would hear.
func (r *round) readNew(names, waiting []string) (all []fresh) {
	var wait []string
	var wrong []error
	for i, name := range slices.Concat(waiting, names) {
		src, err := r.tree.ReadUnsettled(name)
		if missing(err) {
			if _, err := r.tx.Read(name); err == nil { // this round records it, and could not show it
				wait = append(wait, name)
			}
			continue
		}
		d, err := r.fit(name, src, err)
		switch {
		case err == nil && !d.IsProposed():
			if stands, err := r.tx.Read(name); err == nil && bytes.Equal(stands, src) { // else this round wrote it
				all = append(all, fresh{Decision: d, name: name, src: src, waited: i < len(waiting)})
			}
			continue
		case err != nil && i >= len(waiting) && (r.young(name) || r.looks && len(r.event.Heard) == 0):
			r.acted.Folders = "" // it is new to the next look, too; somebody may be in the middle of writing it
			continue
		case err != nil && i >= len(waiting):
			wrong = append(wrong, err)
		}
		wait = append(wait, name)
	}
	if len(r.event.Heard) == 0 { // a watcher tells by itself
		r.tellUnfit(wrong)
	}
	for _, name := range r.acted.Waiting {
		if !slices.Contains(waiting, name) {
			wait = append(wait, name)
		}
	}
	slices.Sort(wait)
	r.acted.Waiting = wait
	return all
}

// young reports whether a file was written a moment ago.
func (r *round) young(name string) bool {
	fi, err := r.tree.Look(name)
	return err == nil && r.tree.Now().Sub(fi.ModTime()).Abs() < time.Second
}

// fit returns the decision in a file as readers see it, or what is wrong with it.
func (r *round) fit(name string, src []byte, unread error) (d schema.Decision, err error) {
	if unread != nil {
		return d, unread
	}
	d, err = records.DecodeDecision(name, src)
	if err == nil && strings.TrimSpace(d.Decision) != "" {
		return d, nil
	}
	for _, f := range validate.In(r.tree.Tree, name, src) {
		if f.Severity == validate.Error {
			return d, fmt.Errorf("%s:%d:%d: %s [%s]", f.File, f.Line, f.Column, f.Message, f.Rule)
		}
	}
	return d, cmp.Or(err, fmt.Errorf("%s: it says nothing", name))
}

// tellUnfit tells of files that hold no decision.
func (r *round) tellUnfit(wrong []error) {
	const most = 3
	for _, err := range wrong[:min(len(wrong), most)] {
		r.tell(err.Error() + "; no decision is taken from it")
	}
	if more := len(wrong) - most; more > 0 {
		r.tell(fmt.Sprintf("no decision is taken from %d more files; 'forgemind validate' tells what is wrong with them", more))
	}
}

// lookFirst takes what stands in a tree for acted on, where nobody noted what was, or an older
// forgemind may have recorded decisions since. It tells of those that no commit has: they may be
// somebody's who expects effects.
func (r *round) lookFirst(stamp string) error {
	names, err := r.acted.New(r.tree.Tree, "")
	if err != nil {
		return err
	}
	taken, proposed, faults := records.Decisions(r.tree.Tree)
	ids := make([]string, len(taken))
	for i, d := range taken {
		ids[i] = d.ID
	}
	r.acted.Waiting = nil
	for _, f := range faults {
		if fs.Unread(f.Err) { // it may be a decision
			ids = append(ids, acted.ID(f.Name))
		} else {
			r.acted.Waiting = append(r.acted.Waiting, f.Name)
		}
	}
	for _, d := range proposed {
		if name, ok, err := records.Decision.Find(r.tree.Tree, d.ID); err == nil && ok {
			r.acted.Waiting = append(r.acted.Waiting, name)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(r.acted.Waiting, name) })
	if held, err := r.committed(names); err == nil && len(names) > len(held) && !r.looks {
		r.tell(fmt.Sprintf("nothing is fired for decisions that were recorded before this working copy noted such: %d", len(names)-len(held)))
	}
	r.acted.Add(ids...)
	slices.Sort(r.acted.Waiting)
	r.acted.Since, r.acted.Folders = schema.FormatTime(r.at), stamp
	return nil
}

// tellApart sets the reach of decisions of others: which of them git brought.
func (r *round) tellApart(all []fresh) {
	names := make([]string, len(all))
	for i, d := range all {
		names[i] = d.name
	}
	held, err := r.committed(names)
	here := 0
	for i, d := range all {
		src, ok := held[d.name]
		if err != nil || ok && bytes.Equal(src, d.src) { // if git does not say, it may have
			all[i].reach = brought
		} else {
			all[i].reach = others
			here++
		}
	}
	for i := range all {
		if here > mostCauses && all[i].reach == others {
			all[i].reach = batch
		}
		if all[i].reach == others {
			r.written = append(r.written, all[i].name)
		} else {
			r.fetched = append(r.fetched, all[i].name)
		}
	}
	if here > mostCauses {
		r.tellBatch(here)
	}
}

// tellBatch tells of so many decisions that others wrote here at once.
func (r *round) tellBatch(n int) {
	r.tell(fmt.Sprintf("%d decisions of others at once: they are shown, and what else would be written for them is due; see 'forgemind status'", n))
}

// committed returns what the last commit holds of files; nothing where there is no repository. The
// error says that git does not tell.
func (r *round) committed(names []string) (map[string][]byte, error) {
	if len(names) == 0 || git.Find(r.tree.Root()) == (git.Repo{}) {
		return nil, nil
	}
	return git.Committed(context.Background(), r.tree.Root(), names...)
}
