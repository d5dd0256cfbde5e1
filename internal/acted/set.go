package acted

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// heading begins the file of a Set. Behind it stand a line of JSON, the head, and the ids, each on
// a line.
const heading = "forgemind acted 1\n"

// A Set holds the decisions that a working copy has acted on. The zero Set is of one that never looked.
type Set struct {
	head
	ids string // each on a line, with a newline before the first
}

type head struct {
	Since   string   `json:"since"`             // when the working copy looked first; UTC
	Folders string   `json:"folders,omitempty"` // the Stamp of the folders when all that they hold was looked at; "" if it could not be believed
	Waiting []string `json:"waiting,omitempty"` // Names of files in them that hold no decision in force
}

// homes are the folders that may hold a Set, the one that is written first.
var homes = [...]string{fs.Forgemind, fs.Quaid}

// SetName returns the Name of the file of the Set in a home.
func SetName(home string) string { return fs.LocalName(home, "acted", fs.DecisionsDir) }

// Read returns the Set of a working copy. A file that is torn, or of another version, is none.
func Read(r fs.Reader) Set {
	for _, home := range homes {
		src, err := r.Read(SetName(home))
		if err != nil {
			continue
		}
		var s Set
		text, ok := strings.CutPrefix(string(src), heading)
		line, ids, whole := strings.Cut(text, "\n")
		if ok && whole && json.Unmarshal([]byte(line), &s.head) == nil && s.Since != "" {
			s.ids = "\n" + ids
			return s
		}
	}
	return Set{}
}

// Known reports whether the working copy has looked before.
func (s *Set) Known() bool { return s.Since != "" }

// Has reports whether a decision was acted on.
func (s *Set) Has(id string) bool { return strings.Contains(s.ids, "\n"+id+"\n") }

// index returns the ids, for those who ask for many.
func (s *Set) index() map[string]bool {
	ids := make(map[string]bool, len(s.ids)/8)
	for id := range strings.SplitSeq(s.ids, "\n") {
		ids[id] = true
	}
	return ids
}

// Add adds decisions.
func (s *Set) Add(ids ...string) {
	s.ids = cmp.Or(s.ids, "\n")
	if len(ids) < 10 {
		for _, id := range ids {
			if !s.Has(id) {
				s.ids += id + "\n"
			}
		}
		return
	}
	known, all := s.index(), []byte(s.ids)
	for _, id := range ids {
		if !known[id] {
			known[id] = true
			all = append(append(all, id...), '\n')
		}
	}
	s.ids = string(all)
}

// Lacking returns how many of decisions the Set has not, but for those that wait to be mended; 0 if the
// working copy never looked.
func (s *Set) Lacking(all []schema.Decision) (n int) {
	if !s.Known() {
		return 0
	}
	known := s.index()
	for _, name := range s.Waiting {
		known[ID(name)] = true
	}
	for i := range all {
		if !known[all[i].ID] {
			n++
		}
	}
	return n
}

// Differs reports whether s says something else than t, but for the Stamp of the folders.
func (s *Set) Differs(t Set) bool {
	return s.ids != t.ids || s.Since != t.Since || !slices.Equal(s.Waiting, t.Waiting)
}

// Text returns the file of the Set.
func (s *Set) Text() ([]byte, error) {
	line, err := json.Marshal(s.head)
	if err != nil {
		return nil, err
	}
	return []byte(heading + string(line) + "\n" + strings.TrimPrefix(s.ids, "\n")), nil
}

// New returns the Names of the decision files of a tree that the Set has not, sorted, but for those
// that wait. It reads none of them. It returns nothing where the folders are as the Set saw them last.
func (s *Set) New(tree *fs.Tree, stamp string) (names []string, err error) {
	if stamp != "" && stamp == s.Folders {
		return nil, nil
	}
	known := s.index()
	for _, home := range homes {
		dir := home + "/" + fs.DecisionsDir
		bases, err := tree.Bases(dir)
		if err != nil {
			return nil, err
		}
		for _, base := range bases {
			if known[ID(base)] {
				continue
			}
			name := dir + "/" + base
			if fs.Place(name) != fs.DocDecision || slices.Contains(s.Waiting, name) {
				continue
			}
			if _, over := fs.PassedOver(tree, name); !over {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names, nil
}

// Touched returns the files that wait and were written since the file of the Set was, or just before.
func (s *Set) Touched(tree *fs.Tree) (names []string) {
	if len(s.Waiting) == 0 {
		return nil
	}
	var kept time.Time
	for _, home := range homes {
		if fi, err := tree.Look(SetName(home)); err == nil && fi.ModTime().After(kept) {
			kept = fi.ModTime()
		}
	}
	for _, name := range s.Waiting {
		if fi, err := tree.Look(name); err != nil || fi.ModTime().After(kept.Add(-grain)) {
			names = append(names, name)
		}
	}
	return names
}

// grain bounds how far the clocks of file systems tick apart.
const grain = 2 * time.Second

// ID returns the id of the decision in the file called name.
func ID(name string) string {
	return strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], ".json")
}
