package validate

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// A RefusedError reports a write that would add errors to the tree.
type RefusedError struct {
	Findings []Finding // sorted
}

func (e *RefusedError) Error() string {
	f := e.Findings[0]
	msg := fmt.Sprintf("refused: %s:%d:%d: %s [%s]", plainFile(f.File), f.Line, f.Column, f.Message, f.Rule)
	if more := len(e.Findings) - 1; more > 0 {
		msg += fmt.Sprintf(" and %d more", more)
	}
	return msg
}

// plainFile returns a Name for use in messages.
func plainFile(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
		return quoted(name)
	}
	return name
}

// CheckWrite checks a write: it validates the documents at names as they are in after, each
// by itself, and refuses errors that before does not have. An error is the same if it
// has the same rule and the same pointer, in JSONL in a line of the same content. If a
// JSONL document only grew, only the new lines are validated.
//
// Gate also checks rule set 3 for these documents: no file of the ledger is removed or
// changed, no decision is removed from a view unless the ledger has it, and none is
// changed in a view unless the ledger has the new content. The error is a *RefusedError.
func CheckWrite(before, after fs.Reader, names []string) error {
	policy := PolicyOf(before)
	j := newJudgeOf(policy, newSeverities())
	var found []Finding
	var configured severities
	for _, name := range names {
		if soundLines(j, after, name) {
			continue
		}
		src, err := after.Read(name)
		if errors.Is(err, iofs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("judge %s: %w", plainFile(name), err)
		}
		grown := newLines(before, name, src)
		faults := j.one(name, fs.Place(name), false, src[grown:])
		if len(faults) == 0 {
			continue
		}
		if configured == nil {
			configured = policy.running(policy.severities())
		}
		faults = worse(faults, src[grown:], nil, configured)
		faults, _ = policy.settle(after, faults, j.comments, []string{name})
		faults = slices.DeleteFunc(faults, func(f Finding) bool { return f.Severity != Error || f.File != name })
		slices.SortFunc(faults, Compare)
		if len(faults) == 0 {
			continue
		}
		if old, err := before.Read(predecessor(before, name)); err == nil && grown == 0 {
			faults = worse(faults, src, slices.Clone(j.one(name, fs.Place(name), false, old)), configured, old)
		}
		above := bytes.Count(src[:grown], []byte("\n"))
		for i := range faults {
			faults[i].Line += above
		}
		found = append(found, faults...)
	}
	g := &changeChecker{after: after, weights: weightsOf(newSeverities())}
	if err := g.decisions(before, names); err != nil {
		return err
	}
	if found = append(found, g.out...); len(found) == 0 {
		return nil
	}
	slices.SortFunc(found, Compare)
	return &RefusedError{found}
}

// soundLines reports whether the write only appends valid lines to a document. The rest
// of it, which may be large, is then not read.
func soundLines(j *judge, after fs.Reader, name string) bool {
	tx, ok := after.(interface {
		Appended(name string) ([]byte, bool)
	})
	if !ok || formOf(name) != formJSONL {
		return false
	}
	lines, ok := tx.Appended(name)
	return ok && len(j.one(name, fs.Place(name), false, lines)) == 0
}

// predecessor returns the document whose faults the one at name may have. It is the
// document itself; for a new snapshot it is the State, because a copy has the faults of
// the original.
func predecessor(before fs.Reader, name string) string {
	if fs.Place(name) == fs.DocSnapshot {
		if _, err := before.Read(name); errors.Is(err, iofs.ErrNotExist) {
			return fs.State
		}
	}
	return name
}

// newLines returns the offset of the lines that a JSONL document did not have before.
// It returns 0 for other documents and for other changes.
func newLines(before fs.Reader, name string, src []byte) int {
	if formOf(name) != formJSONL {
		return 0
	}
	old, err := before.Read(name)
	if err != nil || !bytes.HasPrefix(src, old) {
		return 0
	}
	return bytes.LastIndexByte(old, '\n') + 1
}

// worse returns the errors among faults, with the given severities, that are not among
// had.
func worse(faults []Finding, src []byte, had []Finding, severity severities, old ...[]byte) (out []Finding) {
	known := map[string]int{}
	for i, key := range keys(had, old...) {
		if had[i].Severity != Off {
			known[key]++
		}
	}
	for i, key := range keys(faults, src) {
		f := faults[i]
		f.Severity = severity[ruleIndex(f.Rule)]
		switch {
		case f.Severity != Error:
		case known[key] > 0:
			known[key]--
		default:
			out = append(out, f)
		}
	}
	return out
}

// keys returns a key for each finding of one document, sorted by line. A fault has the
// same key before and after an edit elsewhere in the document.
func keys(findings []Finding, src ...[]byte) []string {
	out := make([]string, len(findings))
	var rest []byte
	if len(src) > 0 {
		rest = src[0]
	}
	line := 1
	for i, f := range findings {
		out[i] = f.Rule + " " + f.Pointer
		if formOf(f.File) != formJSONL {
			continue
		}
		for ; line < f.Line; line++ {
			_, rest, _ = bytes.Cut(rest, []byte("\n"))
		}
		text, _, _ := bytes.Cut(rest, []byte("\n"))
		out[i] += " " + string(text)
	}
	return out
}

// decisions checks the decisions that documents at names contained before.
func (g *changeChecker) decisions(before fs.Reader, names []string) error {
	var ledger *memory // of after; read when first needed
	recall := func() (*memory, error) {
		if ledger != nil {
			return ledger, nil
		}
		ledger = newMemory()
		for _, folder := range []string{fs.Forgemind, fs.Quaid} {
			if err := ledger.remember(g.after, folder+"/"+fs.DecisionsDir); err != nil {
				return nil, err
			}
		}
		return ledger, nil
	}
	for _, name := range names {
		kind := fs.Place(name)
		if kind != fs.DocDecision && viewList(kind) == "" {
			continue
		}
		old, err := before.Read(name)
		if err != nil {
			continue // new, or unreadable before
		}
		now, err := g.after.Read(name)
		if err != nil && !errors.Is(err, iofs.ErrNotExist) {
			return fmt.Errorf("judge %s: %w", plainFile(name), err)
		}
		gone := err != nil
		if bytes.Equal(old, now) && !gone {
			continue
		}
		if kind == fs.DocDecision {
			id := heldIn(&g.doc, name, old)[0].id
			if gone {
				g.reportLost(name, []string{id})
			} else {
				g.reportChanged(name, id, old, now)
			}
			continue
		}
		if err := g.view(name, heldIn(&g.doc, name, old), heldIn(&g.doc, name, now), recall); err != nil {
			return err
		}
	}
	return nil
}

// view compares the decisions of one view before and after.
func (g *changeChecker) view(name string, old, now []shownDecision, ledger func() (*memory, error)) error {
	here := newMemory()
	here.add(now...)
	var lost []string
	for _, h := range old {
		entries := here.inView(h)
		if slices.ContainsFunc(entries, func(n shownDecision) bool { return n.says(h) }) {
			continue
		}
		known := g.recorded(h.id)
		if known == nil {
			all, err := ledger()
			if err != nil {
				return fmt.Errorf("read the decisions: %w", err)
			}
			known = all.recorded(h)
		}
		switch {
		case len(entries) == 0 && len(known) == 0:
			lost = append(lost, h.title())
		case len(entries) > 0 && !slices.ContainsFunc(known, func(k shownDecision) bool { return len(Differing(entries[0].raw, k.raw)) == 0 }):
			g.reportEntry(entries[0], h, entries[0].changes(h))
		}
	}
	if len(lost) > 0 {
		g.reportLost(name, lost)
	}
	return nil
}

// recorded returns the decision in the ledger's file for id, nil if there is none.
func (g *changeChecker) recorded(id string) []shownDecision {
	if name, src, err := ledgerFile(g.after, id); err == nil {
		return heldIn(&g.doc, name, src)
	}
	return nil
}

// ledgerFile reads the file of the ledger with the name of a decision. The error is
// io/fs.ErrNotExist if no folder has one.
func ledgerFile(r fs.Reader, id string) (name string, src []byte, err error) {
	err = iofs.ErrNotExist
	for _, name := range ledgerNames(id) {
		if src, err = r.Read(name); !errors.Is(err, iofs.ErrNotExist) {
			return name, src, err
		}
	}
	return "", nil, err
}

// ledgerNames returns the possible names of a decision's file, none if id is not valid.
func ledgerNames(id string) (names []string) {
	if isID(id) {
		for _, folder := range []string{fs.Forgemind, fs.Quaid} {
			names = append(names, folder+"/"+fs.DecisionsDir+"/"+id+".json")
		}
	}
	return names
}
