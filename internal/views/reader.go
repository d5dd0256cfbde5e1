package views

import (
	"bytes"
	"errors"
	iofs "io/fs"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// Attach makes readers of tree see the State and the hot contexts as the records define them,
// whatever is on the disk: in a clone without views, on a read-only disk, and after a pull.
func Attach(tree *fs.Tree) { attach(tree, (*source).stampFiles) }

// AttachBriefly is like Attach, for a process or a request that ends soon. It does not notice a
// file that is overwritten in place after it was read. In a tree of thousands of records it takes a
// tenth of the time.
func AttachBriefly(tree *fs.Tree) { attach(tree, (*source).stampFolders) }

func attach(tree *fs.Tree, look func(*source) []fs.Stamp) {
	s := &source{tree: tree, look: look, rendered: map[string]renderedView{}}
	tree.View = s.view
}

// A source caches the records, and the views rendered from them, until one of their files changes.
type source struct {
	tree     *fs.Tree
	look     func(*source) []fs.Stamp // returns the stamps of what holds records, or nil if stamps cannot be trusted
	mu       sync.Mutex
	stamps   []fs.Stamp
	facts    *Facts
	rendered map[string]renderedView
}

// A renderedView is a view as it is on the disk and as readers see it.
type renderedView struct {
	facts    *Facts
	src, out []byte
}

func (s *source) view(name string, src []byte) ([]byte, error) {
	if fs.IsContext(name) {
		return s.contextOf(name, src)
	}
	facts := s.read()
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

// render returns the view src as readers see it. The result is nil if they see src itself.
func (s *source) render(name string, src []byte, facts *Facts) (out []byte, err error) {
	made := name == fs.State && src == nil
	if made {
		if src, err = NewState(facts, s.tree.Now(), "none"); err != nil || src == nil {
			return nil, err
		}
	}
	if doc, wrong := jsonedit.Parse(src); src == nil || wrong != nil || doc.Nodes[0].Kind != jsonedit.Object {
		return nil, nil // unchanged: there is no view, or a finding
	}
	last := LastRenderings(s.tree, name).Last()
	if found, ok := Find(s.tree, s.tree, name, src); ok && !made && found.Edited {
		set := CompareProject(found.Document, facts).Set
		facts = facts.With(Compare([]Document{found.Document}, facts)).WithProject(set)
	} else if ok && !made {
		last = src // the commit has the records of its items
	}
	return Render(name, src, last, facts)
}

// read returns the current records.
func (s *source) read() *Facts {
	stamps := s.look(s)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.facts == nil || stamps == nil || !slices.Equal(stamps, s.stamps) {
		s.facts, _ = Read(s.tree) // validate reports unreadable files
		s.stamps = stamps
	}
	return s.facts
}

// stampFiles returns the stamps of the files that hold records. It returns nil if one changed just
// now, or if stamps cannot be trusted.
func (s *source) stampFiles() []fs.Stamp {
	all := []fs.Stamp{}
	for _, f := range recordFolders() {
		stamps, other, err := s.tree.Stamps(f.dir)
		if err != nil {
			return nil
		}
		if f.only != "" {
			stamps = slices.DeleteFunc(stamps, func(stamp fs.Stamp) bool { return path.Base(stamp.Name) != f.only })
			other = slices.DeleteFunc(other, func(name string) bool { return path.Base(name) != f.only })
		}
		if len(other) > 0 || slices.ContainsFunc(stamps, func(stamp fs.Stamp) bool { return !s.tree.IsSettled(stamp) }) {
			return nil
		}
		all = append(all, stamps...)
	}
	return all
}

// stampFolders returns the stamps of the folders of records. It returns nil if one changed just
// now.
func (s *source) stampFolders() []fs.Stamp {
	stamps := []fs.Stamp{}
	for _, f := range recordFolders() {
		info, err := s.tree.Look(f.name())
		if errors.Is(err, iofs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil
		}
		stamp := fs.Stamp{Name: f.name(), Size: info.Size(), Written: info.ModTime().UnixNano()}
		if !s.tree.IsSettled(stamp) {
			return nil
		}
		stamps = append(stamps, stamp)
	}
	return stamps
}

// A recordFolder is a folder with files that views show. If it has other files as well, only is the
// name of the one that counts.
type recordFolder struct{ dir, only string }

func (f recordFolder) name() string { return path.Join(f.dir, f.only) }

func recordFolders() []recordFolder {
	all := []recordFolder{{fs.Forgemind + "/context", path.Base(fs.ProjectFile)}, {dir: fs.Progress}}
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		all = append(all, recordFolder{home, fs.ConfigFile}, recordFolder{dir: home + "/" + fs.ClarificationsDir})
		for _, k := range kinds {
			all = append(all, recordFolder{dir: k.In(home).Dir})
		}
	}
	return all
}

// IsBlank reports whether a document has no content. A power failure can leave such a file.
func IsBlank(src []byte) bool { return len(bytes.Trim(src, " \t\r\n\x00")) == 0 }

// NewState returns a State for a working copy without one, or nil if the tree has no record of a
// project. The argument session is the id of its session, which begins at at.
func NewState(f *Facts, at time.Time, session string) ([]byte, error) {
	if !f.project.Exists() {
		return nil, nil
	}
	return state.New(f.project.Members.Text("name"), session, at)
}

// Project returns the facts of the project in force, as a hot context without a session.
func Project(r fs.Reader) (schema.HotContext, error) {
	var hot schema.HotContext
	facts, _ := Read(r) // validate reports unreadable files
	src, err := Render(fs.Sessions+"/none/hot_context.json", []byte("{}"), nil, facts)
	if err == nil {
		err = jsonedit.Decode(src, &hot)
	}
	return hot, err
}
