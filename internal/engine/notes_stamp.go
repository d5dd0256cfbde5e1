package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A notesStamp identifies the versions of the files on disk that agents' notes are made
// from.
type notesStamp struct {
	notes   string // of the notes and their records; "" if file times are not reliable
	folders string // of the folders of decisions; "" likewise
	names   uint64 // of the decisions, independent of their order
}

func notesStampName() string { return fs.LocalName(fs.Forgemind, "index", "notes") }

// lastNotesStamp returns the stamp of the files when the notes were rendered last.
func (r *WorkingSet) lastNotesStamp() (s notesStamp) {
	src, err := r.tx.Read(notesStampName())
	if err != nil {
		return s
	}
	if n, err := fmt.Sscanf(string(src), "%s %s %x", &s.notes, &s.folders, &s.names); n != 3 || err != nil {
		return notesStamp{}
	}
	return s
}

func (r *WorkingSet) keepNotesStamp(s notesStamp) {
	folders := s.folders
	if folders == "" {
		folders = "-"
	}
	r.tx.WriteLocal(notesStampName(), fmt.Appendf(nil, "%s %s %x\n", s.notes, folders, s.names))
}

// notesAreCurrent reports whether nothing that notes show changed since they were
// rendered last. staged are the decisions of this transaction that no note shows.
func (r *WorkingSet) notesAreCurrent(staged []string) bool {
	now, last := r.notesStamp(), r.lastNotesStamp()
	if now.notes == "" || now.notes != last.notes {
		return false
	}
	if now.folders == "" || now.folders != last.folders {
		if now.names = r.decisionNames(); now.names != last.names {
			return false
		}
	} else {
		now.names = last.names
	}
	for _, name := range staged {
		now.names += nameSum(name)
	}
	if now != last {
		r.keepNotesStamp(now)
	}
	return true
}

// notesStamp returns the stamp of the files on disk, without the names of decisions.
func (r *WorkingSet) notesStamp() (s notesStamp) {
	notes, folders := sha256.New(), sha256.New()
	settled, quiet := true, true
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		stamps, other, err := r.tree.Stamps(home + "/" + fs.NotesDir)
		if err != nil || len(other) > 0 {
			return notesStamp{}
		}
		entries, _ := r.tree.Entries(home + "/" + fs.MemoryDir)
		for _, e := range entries {
			if !e.Dir {
				stamps = append(stamps, r.stampOf(e.Name))
			}
		}
		for _, stamp := range stamps {
			fmt.Fprintln(notes, stamp)
			settled = r.tree.IsSettled(stamp) && settled
		}
		stamp := r.stampOf(home + "/" + fs.DecisionsDir)
		fmt.Fprintln(folders, stamp)
		quiet = r.tree.IsSettled(stamp) && quiet
	}
	if settled {
		s.notes = hex.EncodeToString(notes.Sum(nil))
	}
	if quiet {
		s.folders = hex.EncodeToString(folders.Sum(nil))
	}
	return s
}

// stampOf returns the stamp of a file or a folder; the stamp of a missing one has no
// time.
func (r *WorkingSet) stampOf(name string) fs.Stamp {
	fi, err := r.tree.Look(name)
	if err != nil {
		return fs.Stamp{Name: name}
	}
	return fs.Stamp{Name: name, Size: fi.Size(), Written: fi.ModTime().UnixNano()}
}

// decisionNames returns the sum of the names of the decisions on disk.
func (r *WorkingSet) decisionNames() (sum uint64) {
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		entries, _ := r.tree.Entries(home + "/" + fs.DecisionsDir)
		for _, e := range entries {
			if !e.Dir && strings.HasSuffix(e.Name, ".json") {
				sum += nameSum(e.Name)
			}
		}
	}
	return sum
}

// nameSum returns a hash of a name. Sums of them do not depend on the order.
func nameSum(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}

// mayNote reports whether notes may show a decision: it names an agent, or supersedes one,
// or cannot be read.
func (r *WorkingSet) mayNote(name string) bool {
	src, err := r.tx.Read(name)
	var d schema.Decision
	if err != nil || jsonedit.Decode(src, &d) != nil {
		return true
	}
	return len(d.NotedBy) > 0 || len(d.Supersedes) > 0
}

// isNote reports whether a file is one of agents' notes, or a record of them.
func isNote(name string) bool {
	doc := fs.Place(name)
	return doc == fs.DocNote || doc == fs.DocChange && path.Base(path.Dir(name)) == fs.NotesDir
}

// isNotePage reports whether a file is the markdown of an agent's notes.
func isNotePage(name string) bool {
	return path.Ext(name) == ".md" && path.Base(path.Dir(name)) == fs.MemoryDir
}

// stagesNotes reports whether this transaction stages notes, or records of them.
func (r *WorkingSet) stagesNotes() bool {
	for name := range r.tx.Staged() {
		if isNote(name) || isNotePage(name) {
			return true
		}
	}
	return false
}
