package artifact

import (
	"bytes"
	"errors"
	iofs "io/fs"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Seen tells how the files of loaded artifacts stood when a working copy looked at them last.
type Seen struct {
	Version int        `json:"version"`
	Files   []fs.Stamp `json:"files"` // without a time: nobody knows
}

const seenVersion = 1

func seenName(home string) string { return fs.LocalName(home, "acted", "artifacts.json") }

// ReadSeen returns what a working copy saw; nothing if its file is torn or of another version.
func ReadSeen(r fs.Reader) Seen {
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		var s Seen
		if src, err := r.Read(seenName(home)); err == nil && jsonedit.Decode(src, &s) == nil && s.Version == seenVersion {
			return s
		}
	}
	return Seen{}
}

// See returns how the files of the loaded artifacts among list stand.
func See(tree *fs.Tree, list []schema.Artifact) Seen {
	s := Seen{Version: seenVersion}
	for _, a := range list {
		if name := clean(a.Path); a.Loaded && name != "" && !own(name) && s.of(name) < 0 {
			s.Files = append(s.Files, stampOf(tree, name))
		}
	}
	return s
}

// stampOf returns the stamp of a file, without a time if that is not known.
func stampOf(tree *fs.Tree, name string) fs.Stamp {
	s, err := tree.StampOf(name)
	if err != nil {
		return fs.Stamp{Name: name, Size: -1}
	}
	return s
}

func (s Seen) of(name string) int {
	return slices.IndexFunc(s.Files, func(f fs.Stamp) bool { return f.Name == name })
}

// Moved returns the Names of the files of now that may not be as s says: true for those that were written since,
// false for those of which s tells too little.
func (s Seen) Moved(now Seen) map[string]bool {
	moved := map[string]bool{}
	for _, f := range now.Files {
		if i := s.of(f.Name); i < 0 || s.Files[i] != f || f.Written == 0 {
			moved[f.Name] = i >= 0 && s.Files[i].Size >= 0 && (s.Files[i].Written != 0 || s.Files[i].Size != f.Size)
		}
	}
	return moved
}

// Again returns how the files that s tells of stand now.
func (s Seen) Again(tree *fs.Tree) Seen {
	now := Seen{Version: seenVersion}
	for _, f := range s.Files {
		now.Files = append(now.Files, stampOf(tree, f.Name))
	}
	return now
}

// Changed returns the Names of the files that s tells of and that changed since, as far as the cache knows what
// was loaded, or that are gone.
func (s Seen) Changed(tree *fs.Tree) (names []string) {
	moved := s.Moved(s.Again(tree))
	if len(moved) == 0 {
		return nil
	}
	roster, err := readRoster(tree)
	if err != nil {
		return nil // that is for validate to report
	}
	c := openCache(tree, roster, Edge{})
	for _, a := range roster.list {
		name := clean(a.Path)
		written, is := moved[name]
		if !is || !a.Loaded {
			continue
		}
		content, err := readText(tree, name)
		gone := errors.Is(err, iofs.ErrNotExist) && written
		if i := c.find(a.ID); gone || err == nil && i >= 0 && c.entries[i].SHA256 != sum(content) {
			names = append(names, name)
		}
	}
	return names
}

// Keep stages s in a home, if it is new, as what may be lost in a crash.
func (s Seen) Keep(tx *fs.Tx, home string) error {
	text, err := jsonedit.Marshal(s)
	if err != nil {
		return err
	}
	if kept, err := tx.Read(seenName(home)); err != nil && len(s.Files) > 0 || err == nil && !bytes.Equal(kept, text) {
		tx.Jot(seenName(home), text)
	}
	return nil
}
