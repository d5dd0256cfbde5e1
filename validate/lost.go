package validate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// An Unrecorded is a decision that a view shows and that must not be copied into the
// ledger.
type Unrecorded struct {
	ID       string
	Finding  Finding // lost-decision or changed-decision
	Original []byte  // the content of its ledger file in git; nil if there is none
}

// NotToAdopt returns those decisions shown by the views at names, and missing in the
// ledger, that must not be copied into it: git or had, the knowledge of the caller,
// report that the ledger had the decision before, or HEAD or a snapshot has it with
// other content. An entry that forgemind wrote may be copied if nothing else mentions
// it: an editor may have saved the entry of a command that was refused. root is the
// project directory of r. If git fails, its error is returned and none may be copied.
func NotToAdopt(r fs.Reader, root string, names []string, had func(id string) bool) ([]Unrecorded, error) {
	s := newShowing(r, root, weightsOf(newSeverities()), names)
	found, err := s.lost(func(h shownDecision) bool { return had(h.id) })
	if err != nil {
		return found, err
	}
	s.missing = slices.DeleteFunc(s.missing, func(h shownDecision) bool {
		return slices.ContainsFunc(found, func(u Unrecorded) bool { return u.ID == h.id })
	})
	return append(found, s.contradicted()...), nil
}

// FixLost returns the missing files of the ledger whose decisions a document names,
// with their content in git. It leaves out the files of a folder that is missing as a
// whole. root is the project directory of r.
func FixLost(r fs.Reader, root string) (mends []Mend) {
	var names []string
	var named facts
	for name, err := range r.Names(".") {
		if err == nil && viewList(fs.Place(name)) != "" {
			names = append(names, name)
		}
		if err == nil && mayName(name) {
			src, _ := r.Read(name) // an unreadable file is another finding
			for _, id := range decisionsNamedIn(src) {
				named.nameDecision(id, name)
			}
		}
	}
	s := newShowing(r, root, weightsOf(newSeverities()), names)
	s.missNamed(named.named)
	lost, _ := s.lost(isOwnEntry) // without git's answer nothing can be repaired
	for _, u := range lost {
		if u.Original != nil && s.hasFolder(u.Finding.File) {
			m := &mender{name: u.Finding.File, src: u.Original}
			m.did(lostDecision, "", 0, "brought "+plain(u.ID)+" back from git, as it was recorded")
			mends = append(mends, Mend{m.name, m.src, m.done})
		}
	}
	return mends
}

// lost returns the missing decisions that the ledger had before: git has the file, or
// had reports it for the entry. A file that only other branches have is not lost: git
// removed it when it checked out this branch. If git fails, its error is returned.
func (s *showing) lost(had func(shownDecision) bool) (found []Unrecorded, err error) {
	var names []string
	for _, h := range s.missing {
		names = append(names, ledgerNames(h.id)...)
	}
	kept, err := s.ask(names)
	elsewhere := s.elsewhere(kept, names)
	for _, h := range s.missing {
		u := s.unrecorded(h)
		recorded := had(h) && !slices.ContainsFunc(ledgerNames(h.id), func(name string) bool { return elsewhere[name] })
		for _, name := range ledgerNames(h.id) {
			if v, ok := kept[name]; ok && u.Original == nil {
				recorded = true
				u.Original, u.Finding.File, u.Finding.Hint = v.Content, name, checkout(v.Rev, name)+" brings it back"
				if s.hasFolder(name) {
					u.Finding.Hint += "; so does forgemind validate --fix"
				}
			}
		}
		if recorded {
			found = append(found, u)
		}
	}
	return found, err
}

// unrecorded returns the finding for a decision whose file is missing, and that git
// does not have.
func (s *showing) unrecorded(h shownDecision) Unrecorded {
	home := fs.Forgemind
	if !s.hasFolder(home) {
		home = fs.Quaid
	}
	return Unrecorded{ID: h.id, Finding: Finding{
		File: home + "/" + fs.DecisionsDir + "/" + h.id + ".json", Line: 1, Column: 1, Column16: 1,
		Rule: lostName, Severity: Error, Message: "Lost decisions: " + plain(h.id),
		Hint: "git keeps no version of the file: bring it back from a backup; the copy in " + plainFile(h.name) + " may be altered, or lack parts",
	}}
}

// hasFolder reports whether the tree has the folder of name, `.forgemind` or `.quaid`.
func (s *showing) hasFolder(name string) bool {
	folder, _, _ := strings.Cut(name, "/")
	for range s.after.Names(folder) {
		return true
	}
	return false
}

// checkout returns the command that restores a file.
func checkout(rev, name string) string {
	if rev != "" {
		rev += " "
	}
	return "git checkout " + rev + "-- " + name
}

// isOwnEntry reports whether forgemind wrote an entry when it recorded the decision: in the
// State such an entry has an origin, in a session an id made by forgemind and a time in
// milliseconds.
func isOwnEntry(h shownDecision) bool {
	var d schema.Decision
	if jsonedit.Decode(h.raw, &d) != nil {
		return false
	}
	if fs.Place(h.name) == fs.DocState {
		return d.Origin == schema.OriginExplicit || d.Origin == schema.OriginDetected
	}
	at, err := schema.ParseTime(d.Timestamp)
	return err == nil && schema.FormatTime(at) == d.Timestamp && schema.MadeID("DEC-", d.ID)
}

// contradicted returns the missing decisions for which HEAD or a snapshot has other
// content.
func (s *showing) contradicted() (found []Unrecorded) {
	if len(s.missing) == 0 {
		return nil
	}
	others := s.committed()
	for name, unlisted := range s.after.Names(fs.Forgemind) {
		if unlisted != nil || fs.Place(name) != fs.DocSnapshot {
			continue
		}
		if src, err := s.after.Read(name); err == nil {
			others = append(others, entriesOf(&s.doc, name, src)...)
		}
	}
	for _, h := range s.missing {
		for _, o := range others {
			names := h.contradicts(o)
			if o.id != h.id || len(names) == 0 {
				continue
			}
			g := changeChecker{after: s.after, weights: s.weights}
			where := o.name
			if where == h.name {
				where = "HEAD"
			}
			g.report(changedName, h.name, h.pointer(names[0]),
				fmt.Sprintf("Changed decision: %s says otherwise here than in %s: %s", plain(h.id), where, plainList(names)),
				"bring back what was recorded, or give another decision an id of its own")
			found = append(found, Unrecorded{ID: h.id, Finding: g.out[0]})
			break
		}
	}
	return found
}

// committed returns the entries of HEAD in the views that show missing decisions.
func (s *showing) committed() (entries []shownDecision) {
	if s.root == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), gitPatience)
	defer cancel()
	head, err := git.At(ctx, s.root, "HEAD")
	if err != nil { // no repository or no commit: lost asks git too
		return nil
	}
	defer head.Close()
	read := map[string]bool{}
	for _, h := range s.missing {
		if read[h.name] {
			continue
		}
		read[h.name] = true
		if src, err := head.Read(h.name); err == nil {
			entries = append(entries, entriesOf(&s.doc, h.name, src)...)
		}
	}
	return entries
}

// contradicts returns the members in which an entry differs from one of another
// document. A session shows fewer members than the State and its snapshots.
func (h shownDecision) contradicts(o shownDecision) []string {
	names := h.changes(o)
	if (fs.Place(h.name) == fs.DocHotContext) == (fs.Place(o.name) == fs.DocHotContext) {
		return names
	}
	back := Differing(o.raw, h.raw)
	return slices.DeleteFunc(Differing(h.raw, o.raw), func(name string) bool { return !slices.Contains(back, name) })
}
