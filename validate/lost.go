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

// An Unrecorded is a decision that a view shows and that must not be taken into
// the Ledger from there.
type Unrecorded struct {
	ID       string
	Finding  Finding // lost-decision or changed-decision
	Original []byte  // what git keeps of its file in the Ledger; nil for nothing

	Elsewhere bool // only other branches have its file: it is not lost, and has no Finding
}

// NotToAdopt returns those of the decisions that the views at names show, and the
// Ledger lacks, that must not be taken into it from there: git or had, which is what
// the caller knows, say that the Ledger had the decision before, HEAD or a snapshot has it
// with other content, or git has its file on other branches alone. An entry that forgemind
// wrote may be taken in where nothing else tells of it: an editor may have saved what a
// command that was refused had just taken back. root is the project directory of r. The
// error is what git says when it cannot tell: then none is to be adopted.
func NotToAdopt(r fs.Reader, root string, names []string, had func(id string) bool) ([]Unrecorded, error) {
	s := newShowing(r, root, weightsOf(newSeverities()), names)
	found, err := s.lost(func(h held) bool { return had(h.id) })
	if err != nil {
		return found, err
	}
	s.missing = slices.DeleteFunc(s.missing, func(h held) bool {
		return slices.ContainsFunc(found, func(u Unrecorded) bool { return u.ID == h.id })
	})
	for id := range s.others {
		found = append(found, Unrecorded{ID: id, Elsewhere: true})
		s.missing = slices.DeleteFunc(s.missing, func(h held) bool { return h.id == id })
	}
	return append(found, s.contradicted()...), nil
}

// FixLost returns the files of the Ledger that are gone while a view shows their
// decisions, as git keeps them; not those of a folder that is gone as a whole. root is
// the project directory of r.
func FixLost(r fs.Reader, root string) (mends []Mend) {
	var names []string
	for name, err := range r.Names(".") {
		if err == nil && viewList(fs.Place(name)) != "" {
			names = append(names, name)
		}
	}
	s := newShowing(r, root, weightsOf(newSeverities()), names)
	lost, _ := s.lost(ours) // what git does not say cannot be mended
	for _, u := range lost {
		if u.Original != nil && s.hasFolder(u.Finding.File) {
			m := &mender{name: u.Finding.File, src: u.Original}
			m.did(lostDecision, "", 0, "brought "+plain(u.ID)+" back from git, as it was recorded")
			mends = append(mends, Mend{m.name, m.src, m.done})
		}
	}
	return mends
}

// lost returns the missing decisions that the Ledger had before: git keeps the
// file, or had reports it for the entry. A file that only other branches have is not
// lost: git took it away when it checked this one out. The error is what git says when it cannot
// tell.
func (s *showing) lost(had func(held) bool) (found []Unrecorded, err error) {
	var names []string
	for _, h := range s.missing {
		names = append(names, ledgerNames(h.id)...)
	}
	kept, err := s.ask(names)
	elsewhere := s.elsewhere(kept, names)
	for _, h := range s.missing {
		u := s.unrecorded(h)
		there := slices.ContainsFunc(ledgerNames(h.id), func(name string) bool { return elsewhere[name] })
		if there {
			s.others[h.id] = true
		}
		recorded := had(h) && !there
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

// unrecorded is the finding for a decision whose file is gone, and that git does
// not keep.
func (s *showing) unrecorded(h held) Unrecorded {
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

// hasFolder reports whether the tree has the folder, `.forgemind` or `.quaid`, that
// name stands in.
func (s *showing) hasFolder(name string) bool {
	folder, _, _ := strings.Cut(name, "/")
	for range s.after.Names(folder) {
		return true
	}
	return false
}

// checkout is the command that brings a file back.
func checkout(rev, name string) string {
	if rev != "" {
		rev += " "
	}
	return "git checkout " + rev + "-- " + name
}

// ours reports whether forgemind wrote an entry when it recorded the decision: in
// the State that has an origin then, in a session an id that forgemind made and a
// time in milliseconds.
func ours(h held) bool {
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

// contradicted returns the missing decisions that HEAD or a snapshot has with other
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
			g := guard{after: s.after, weights: s.weights}
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

// committed returns what HEAD has in the views that show missing decisions.
func (s *showing) committed() (entries []held) {
	if s.root == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), gitPatience)
	defer cancel()
	head, err := git.At(ctx, s.root, "HEAD")
	if err != nil { // no repository or no commit: lost has asked git as well
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

// contradicts returns the members in which an entry says otherwise than one of
// another document. A session shows less of a decision than the State and its
// snapshots do.
func (h held) contradicts(o held) []string {
	names := h.changes(o)
	if (fs.Place(h.name) == fs.DocHotContext) == (fs.Place(o.name) == fs.DocHotContext) {
		return names
	}
	back := differing(o.raw, h.raw)
	return slices.DeleteFunc(differing(h.raw, o.raw), func(name string) bool { return !slices.Contains(back, name) })
}
