package views

import (
	"bytes"
	"errors"
	iofs "io/fs"
	"strings"
	"sync"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// Attach has readers of tree see the State and the hot contexts as the records have
// them, whatever stands on the disk: in a clone that has no views, on a disk that
// cannot be written, and after a pull.
func Attach(tree *fs.Tree) {
	s := &source{tree: tree}
	tree.View = s.view
}

// A source keeps the records while no folder of theirs changes.
type source struct {
	tree  *fs.Tree
	mu    sync.Mutex
	stamp string
	facts *Facts
}

func (s *source) view(name string, src []byte) ([]byte, error) {
	facts, err := s.read()
	if err != nil {
		return nil, err
	}
	made := name == fs.State && src == nil
	if made {
		if src, err = NewState(facts, s.tree.Now(), "none"); err != nil || src == nil {
			return nil, err
		}
	}
	if _, wrong := jsonedit.Parse(src); src == nil || wrong != nil {
		return nil, nil // as it stands: nothing, or a finding
	}
	if d, edited := Edited(s.tree, name, src); edited && !made {
		set := CompareProject(d, facts).Set
		facts = facts.With(Compare([]Document{d}, facts)).WithProject(set)
	}
	return Render(name, src, LastRenderings(s.tree, name).Last(), facts)
}

func (s *source) read() (*Facts, error) {
	stamp, err := s.stamps()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.facts == nil || stamp == "" || stamp != s.stamp {
		s.facts, _ = Read(s.tree) // what cannot be read is for validate to report
		s.stamp = stamp
	}
	return s.facts, nil
}

// recent is how long a folder must have been left alone for its time to be believed:
// the clocks of file systems tick in up to two seconds.
const recent = 2 * time.Second

// stamps returns the times of the folders of records; "" where one changed just now.
func (s *source) stamps() (string, error) {
	var all strings.Builder
	for _, dir := range recordFolders() {
		info, err := s.tree.Look(dir)
		if errors.Is(err, iofs.ErrNotExist) {
			all.WriteString("- ")
			continue
		}
		if err != nil {
			return "", err
		}
		if s.tree.Now().Sub(info.ModTime()) < recent {
			return "", nil
		}
		all.WriteString(info.ModTime().String() + " ")
	}
	return all.String(), nil
}

func recordFolders() []string {
	dirs := []string{fs.Forgemind + "/context", fs.Progress}
	for _, k := range kinds {
		dirs = append(dirs, k.In(fs.Forgemind).Dir, k.In(fs.Quaid).Dir)
	}
	return dirs
}

// Blank reports whether a document has no content: the system writes such a file when the
// power is cut, and people do.
func Blank(src []byte) bool { return len(bytes.Trim(src, " \t\r\n\x00")) == 0 }

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
