package operation

import (
	"errors"
	iofs "io/fs"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
	"github.com/forgemind/forgemind/triggers"
)

// newProject is a project that gets a tree.
type newProject struct {
	name    string
	edge    engine.Edge
	options InitOptions
}

// documents returns the documents of a new tree by name, without its first session. r tells
// which documents exist.
func (p newProject) documents(r fs.Reader) (map[string][]byte, error) {
	wanted := map[string][]byte{}
	folders := p.options.folders()
	for _, folder := range folders {
		if folder == fs.Forgemind {
			if err := p.forgemind(wanted); err != nil {
				return nil, err
			}
			if _, err := r.Read(fs.QuaidConfig); err == nil { // a second config with defaults would take precedence
				delete(wanted, fs.Config)
			}
		}
		wanted[folder+"/.gitignore"] = fs.GitIgnoreViews(folder)
		if p.options.TrackedViews {
			wanted[folder+"/.gitignore"] = fs.GitIgnore(folder)
		}
		wanted[folder+"/.gitattributes"] = templates.GitAttributes(folder)
	}
	return wanted, addKnobs(wanted, r, folders)
}

// addKnobs adds the knobs. A tree has them once: a second file with defaults would take
// precedence over the first.
func addKnobs(wanted map[string][]byte, r fs.Reader, folders []string) error {
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		name := folder + "/" + fs.KnobsFile
		if _, err := r.Read(name); !errors.Is(err, iofs.ErrNotExist) {
			if slices.Contains(folders, folder) {
				wanted[name] = knobs.New()
			}
			return nil
		}
	}
	home, err := engine.Home(r)
	if folders[0] == home || folders[0] == fs.Forgemind {
		wanted[folders[0]+"/"+fs.KnobsFile] = knobs.New()
	}
	return err
}

// forgemind adds the documents of `.forgemind/`.
func (p newProject) forgemind(wanted map[string][]byte) error {
	now := p.edge.Now()
	id, err := schema.NewID("session-"+now.UTC().Format("2006-01-02")+"-", p.edge.Random, func(string) bool { return false })
	if err != nil {
		return err
	}
	begin := state.New
	if p.options.FullState {
		begin = state.NewFull
	}
	if wanted[fs.State], err = begin(p.name, id, now); err != nil {
		return err
	}
	if wanted[fs.Config], err = jsonedit.Marshal(schema.Config{
		Views:             p.options.viewsSetting(),
		Format:            schema.RecordsFormat,
		RefreshTriggers:   triggers.Defaults(),
		AvailableCommands: schema.DefaultCommands(),
	}); err != nil {
		return err
	}
	for _, note := range templates.MemoryNotes() {
		if wanted[fs.Forgemind+"/"+fs.MemoryDir+"/"+note], err = templates.MemoryNote(note); err != nil {
			return err
		}
	}
	return nil
}
