package engine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// AdoptCondensation gives a condensation that a person or another program wrote the
// effects of Condense: its decision in the Ledger, its pin, its actions. If its
// decision is recorded and differs from the Ledger, the new text is recorded as a
// decision that supersedes it. The error is io/fs.ErrNotExist if no condensation is
// called name.
func (t *Tree) AdoptCondensation(ctx context.Context, name, agent string) (done Condensed, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) (err error) {
		r.event.Agent = agent
		w, err := r.writtenCondensation(name)
		if err != nil {
			return err
		}
		if w.adopted && !w.edited {
			done = Condensed{Condensation: w.Condensation, File: w.File, Already: true}
			return nil
		}
		done, err = r.adoptCondensation(w)
		return err
	})
	return done, out, err
}

// A writtenCondensation is a condensation as it was found in the tree.
type writtenCondensation struct {
	condense.CondensationFile
	src     []byte
	adopted bool // its effects are there
	edited  bool // its decision differs from the Ledger's
}

// adoptFound adopts a condensation that others wrote. If it was adopted before and its
// decision changed since, adoptFound adds a note instead.
func (r *WorkingSet) adoptFound(name string) error {
	w, err := r.writtenCondensation(name)
	switch {
	case fs.IsUnread(err), errors.Is(err, fs.ErrUnsettled):
		return err
	case err != nil:
		return nil // a file without labels is no condensation; validate reports others
	case w.edited:
		if is, err := r.tree.Look(name); err == nil {
			r.foreign.Files[name] = versionOf(is) // the note appears once
		}
		r.addNote(fmt.Sprintf("%s: its decision differs from %s of the Ledger, which is in force; 'forgemind condense --adopt %s' records it as a decision that supersedes that one", name, text.Limit(w.DecisionID, 80), name))
		return nil
	case w.adopted:
		return nil
	}
	before := r.tx.Staged()
	if _, err = r.adoptCondensation(w); err == nil {
		r.noteFired(CondenseTrigger, "somebody wrote "+name, "condense_discussion", changedNames(before, r.tx.Staged())...)
	}
	return err
}

// writtenCondensation reads the condensation called name.
func (r *WorkingSet) writtenCondensation(name string) (w writtenCondensation, err error) {
	w.File = name
	if w.src, err = r.tx.Read(name); err != nil {
		return w, err
	}
	if git.InConflict(w.src) {
		return w, fmt.Errorf("%s: it has conflict markers", name)
	}
	if w.Condensation, err = condense.ReadCondensation(path.Base(name), w.src); err != nil {
		return w, err
	}
	r.maskCondensation(&w.Condensation)
	if w.DecisionID == "" {
		w.adopted = w.Decision == "" && condense.WasPinned(r.tx, w.Name)
		return w, nil
	}
	w.adopted = true
	d, err := ledger.Get(r.tx, w.DecisionID)
	if err != nil { // rule lost-decision reports it
		return w, nil
	}
	w.edited = w.Decision != "" && sameText(w.Decision) != sameText(d.Decision)
	return w, nil
}

// sameText returns s in the form in which texts of decisions are compared.
func sameText(s string) string {
	return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(s), " ")), ".")
}

// adoptCondensation stages the effects of a condensation that others wrote. All of them derive from
// the file, so that two clones write the same.
func (r *WorkingSet) adoptCondensation(w writtenCondensation) (Condensed, error) {
	c := w.Condensation
	s := discussionText{
		channel: c.Channel, written: true, key: "condensation\n" + c.Date + "\n" + c.Topic,
		messages: []schema.Message{{Agent: cmp.Or(append(c.Participants, "")[0], "unknown")}},
	}
	at := r.at
	if day, err := time.Parse(time.DateOnly, c.Date); err == nil {
		at = day
	}
	if t, err := condense.FindThread(r.tx, c.Thread); c.Thread != "" && err == nil && t.Condensation == "" {
		s.thread = &t
	}
	done := Condensed{Condensation: c, File: w.File}
	var decided *schema.Decision
	if c.Decision != "" {
		if w.edited {
			c.Supersedes = append(c.Supersedes, c.DecisionID)
		}
		id := schema.DerivedID("DEC-", []byte(s.key+"\n"+c.Decision))
		r.tx.Write(w.File, withLedger(w.src, c.DecisionID, id)) // first: what it supersedes loses its pin
		var before *Condensed
		var err error
		if decided, before, err = r.recordCondensed(&c, s, at, false); err != nil {
			return done, err
		} else if before == nil {
			done.Condensation = c
		}
		done.DecisionID = id
	}
	if err := r.announce(s, done, at); err != nil {
		return done, err
	}
	if err := r.recordItems(c, s, at, false); err != nil {
		return done, err
	}
	var err error
	if decided != nil {
		done.Noted, err = r.noteCondensed(done.Condensation, *decided)
	}
	return done, err
}

// withLedger returns a condensation that names the decision id of the Ledger. It
// replaces the id former, unless that is "".
func withLedger(src []byte, former, id string) []byte {
	if at := bytes.LastIndex(src, []byte(former)); former != "" && at >= 0 {
		return append(append(bytes.Clone(src[:at]), id...), src[at+len(former):]...)
	}
	end := "\n"
	if bytes.Contains(src, []byte("\r\n")) {
		end = "\r\n"
	}
	out := bytes.Clone(src)
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, end...)
	}
	if i := bytes.LastIndex(bytes.TrimRight(out, "\r\n"), []byte("\n")); !bytes.HasPrefix(bytes.TrimSpace(out[i+1:]), []byte("**")) {
		out = append(out, end...) // separates it from a list or a paragraph
	}
	return append(out, "**Ledger:** "+id+end...)
}

// FindCondensation returns the name of the condensation's file that given denotes: a
// path, a file name, or a part of a file name that no other has. It reports false if
// there is none.
func FindCondensation(r fs.Reader, given string) (string, bool) {
	var similar []string
	for name, err := range namesIn(r, condense.Folder) {
		base := path.Base(name)
		switch {
		case err != nil || !condense.IsCondensation(name):
		case name == given, base == given, strings.TrimSuffix(base, ".md") == given:
			return name, true
		case given != "" && strings.Contains(base, given):
			similar = append(similar, name)
		}
	}
	if len(similar) == 1 {
		return similar[0], true
	}
	return "", false
}
