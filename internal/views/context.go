package views

import (
	"bytes"
	"errors"
	iofs "io/fs"
	"path"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/schema"
)

// A ContextPage is the CONTEXT.md of a project in a tree where git ignores it. It is rendered from
// the project's project.json, its about.md and the decisions.
type ContextPage struct {
	Text     condense.Refreshed
	About    []byte // new contents of about.md
	Adopted  bool   // about.md changes
	Conflict bool   // about.md and CONTEXT.md were both edited, so nothing is to be written
}

// Context returns the page for a project. The argument src is the current CONTEXT.md, or nil if
// there is none. Edits that somebody made since it was rendered go to about.md.
func Context(r ReplacedTexts, p condense.Project, src []byte, decisions []schema.Decision) (ContextPage, error) {
	about, err := r.Read(p.About())
	if err != nil && !missing(err) {
		return ContextPage{}, err
	}
	if about == nil {
		about = condense.NewAbout(p.Name)
	}
	if err := errors.Join(condense.EditableContext(about), condense.EditableContext(src)); err != nil {
		return ContextPage{}, err
	}
	page := ContextPage{About: about}
	known := LastRenderings(r, p.Context)
	base := src // src is a rendering that nobody edited
	if !known.Knows(src) {
		base = known.Base(r, p.Context, src)
	}
	cut := bytes.HasPrefix(base, src) && !bytes.HasSuffix(src, []byte("\n"))
	layout := about
	switch {
	case IsBlank(src) || cut:
	case condense.SameAbout(src, about):
		layout = src
	case base != nil && condense.SameAbout(src, base): // about.md is newer
	case base != nil && condense.SameAbout(base, about), base == nil && missing(err):
		page.About, page.Adopted, layout = condense.AboutOf(src), true, src
	default:
		page.Conflict = true
		layout = src
	}
	page.Text, err = condense.RefreshContext(layout, p.Name, condense.ContextOf(p, decisions))
	return page, err
}

// contextOf returns the CONTEXT.md called name as readers see it. The result is nil if they see src
// itself.
func (s *source) contextOf(name string, src []byte) ([]byte, error) {
	if !localViews(s.tree) {
		return nil, nil
	}
	p, err := condense.ReadProject(s.tree, path.Join(path.Dir(name), path.Base(fs.ProjectFile)))
	if err != nil {
		return nil, nil // it belongs to no readable project
	}
	decisions, _ := ledger.All(s.tree)
	page, err := Context(s.tree, p, src, decisions)
	if err != nil || page.Conflict {
		return nil, nil // it is not changed
	}
	return page.Text.Text, nil
}

// localViews reports whether git ignores the views of the tree.
func localViews(r fs.Reader) bool {
	for _, name := range []string{fs.Config, fs.QuaidConfig} {
		var config schema.Config
		if src, err := r.Read(name); err == nil && jsonedit.Decode(src, &config) == nil && config.LocalViews() {
			return true
		}
	}
	return false
}

func missing(err error) bool { return errors.Is(err, iofs.ErrNotExist) }
