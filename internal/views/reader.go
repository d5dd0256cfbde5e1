package views

import (
	"bytes"
	"errors"
	iofs "io/fs"
	"slices"
	"sync"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// Attach has readers of tree see the State and the hot contexts as the records have
// them, whatever stands on the disk: in a clone that has no views, on a disk that
// cannot be written, and after a pull.
func Attach(tree *fs.Tree) {
	s := &source{tree: tree, rendered: map[string]renderedView{}}
	tree.View = s.view
}

// A source keeps the records while no folder of theirs changes, and the views that it
// rendered of them.
type source struct {
	tree     *fs.Tree
	mu       sync.Mutex
	stamps   []fs.Stamp
	facts    *Facts
	rendered map[string]renderedView
}

// A renderedView is a view as it stood and as readers see it, by the facts of its time.
type renderedView struct {
	facts    *Facts
	src, out []byte
}

func (s *source) view(name string, src []byte) ([]byte, error) {
	facts, err := s.read()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	last := s.rendered[name]
	s.mu.Unlock()
	if last.facts == facts && src != nil && bytes.Equal(last.src, src) {
		return last.out, nil
	}
	out, err := s.render(name, src, facts)
	if err == nil && out != nil {
		s.mu.Lock()
		s.rendered[name] = renderedView{facts, bytes.Clone(src), out}
		s.mu.Unlock()
	}
	return out, err
}

// render returns what readers see of a view that stands as stored; nil for what stands there. Where that cannot be
// read it is what was rendered last.
func (s *source) render(name string, stored []byte, facts *Facts) (out []byte, err error) {
	last, torn := LastRenderings(s.tree, name).Last(), Torn(s.tree, name, stored)
	var src []byte
	if stored != nil && !torn {
		src, _ = Sound(name, stored) // why something is missing is for FindUnread to tell
	}
	made := src == nil
	if made && stored != nil {
		src, _ = Sound(name, last)
	}
	if src == nil {
		if src, err = s.begin(name, facts); err != nil || src == nil {
			return nil, err
		}
	}
	if d, edited := Edited(s.tree, name, stored); edited && !made {
		set := CompareProject(d, facts).Set
		if facts, err = facts.With(Compare([]Document{d}, facts)); err != nil {
			return nil, err
		}
		if facts, err = facts.Then(records.Change{}, set, nil); err != nil {
			return nil, err
		}
	}
	if out, err = Render(name, src, last, facts); err != nil || stored == nil || torn || !isActive(s.tree, name) {
		return out, err
	}
	return WithVersion(out, Version(s.tree, name, stored))
}

// begin returns a view without content for the records to be shown in, nil where none is
// to be seen: of the State, and of the hot context of the active session.
func (s *source) begin(name string, facts *Facts) ([]byte, error) {
	if name == fs.State {
		return NewState(facts, s.tree.Now(), "none")
	}
	if !isActive(s.tree, name) || !facts.only && !facts.any() {
		return nil, nil
	}
	return []byte("{}"), nil
}

// read returns the records as they are.
func (s *source) read() (*Facts, error) {
	stamps, err := s.look()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.facts == nil || stamps == nil || !slices.Equal(stamps, s.stamps) {
		s.facts, _ = Read(s.tree) // what cannot be read is for validate to report
		s.stamps = stamps
	}
	return s.facts, nil
}

// look returns the stamps of the folders of records; nil where one changed just now.
func (s *source) look() ([]fs.Stamp, error) {
	stamps := []fs.Stamp{}
	decisions := []string{fs.Forgemind + "/" + fs.DecisionsDir, fs.Quaid + "/" + fs.DecisionsDir}
	for _, dir := range append(RecordFolders(), decisions...) {
		info, err := s.tree.Look(dir)
		if errors.Is(err, iofs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		stamp := fs.Stamp{Name: dir, Written: info.ModTime().UnixNano()}
		if !s.tree.Settled(stamp) {
			return nil, nil
		}
		stamps = append(stamps, stamp)
	}
	return stamps, nil
}

// RecordFolders returns the folders of the records that views show, and of their changes.
// A file in them is written once, so that the time of a folder tells of what is new in it.
func RecordFolders() []string {
	dirs := []string{fs.Forgemind + "/context", fs.Progress, fs.Forgemind + "/" + fs.ClarificationsDir, fs.Quaid + "/" + fs.ClarificationsDir}
	for _, k := range kinds {
		dirs = append(dirs, k.In(fs.Forgemind).Dir, k.In(fs.Quaid).Dir)
	}
	return dirs
}

// NewState returns the State of a working copy that has none, or nil where the tree has
// no record of a project. session is its session, which begins at a time.
func NewState(f *Facts, at time.Time, session string) ([]byte, error) {
	if !f.project.Exists() {
		return nil, nil
	}
	return state.New(f.project.Members.Text("name"), session, at)
}

// Project returns what is in force in the project, as a hot context of no session shows
// it.
func Project(r fs.Reader) (schema.HotContext, error) {
	var hot schema.HotContext
	facts, _ := Read(r) // what cannot be read is for validate to report
	src, err := Render(fs.Sessions+"/none/hot_context.json", []byte("{}"), nil, facts)
	if err == nil {
		err = jsonedit.Decode(src, &hot)
	}
	return hot, err
}
