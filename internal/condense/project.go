package condense

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

const (
	projectsDir   = "projects"
	projectFile   = "project.json"
	contextMDFile = "CONTEXT.md"

	// projectChannel is the prefix of the channel of a new project.
	projectChannel = "proj-"
)

// A Project is a project with a CONTEXT.md that is kept up to date.
type Project struct {
	schema.ProjectRecord
	File    string // name of its project.json
	Context string // name of its CONTEXT.md, which may be missing
}

// Slug returns the name of the project's folder.
func (p Project) Slug() string { return path.Base(path.Dir(p.File)) }

// Projects returns the projects sorted by folder, and a fault for each project.json that cannot be
// read.
func Projects(r fs.Reader) ([]Project, []Fault, error) {
	var all []Project
	var faults []Fault
	for _, home := range homes {
		for name, err := range r.Names(home + "/" + projectsDir) {
			switch {
			case err != nil:
				return nil, nil, fmt.Errorf("list the projects: %w", err)
			case fs.Place(name) != fs.DocProject:
				continue
			}
			p, err := ReadProject(r, name)
			switch {
			case errors.Is(err, iofs.ErrNotExist): // removed meanwhile
			case err != nil:
				faults = append(faults, Fault{Name: name, Err: err})
			default:
				all = append(all, p)
			}
		}
	}
	return all, faults, nil
}

// ReadProject returns the project of a project.json.
func ReadProject(r fs.Reader, name string) (Project, error) {
	p := Project{File: name, Context: path.Join(path.Dir(name), contextMDFile)}
	src, err := r.Read(name)
	if err != nil {
		return p, err
	}
	if err := jsonedit.Decode(src, &p.ProjectRecord); err != nil {
		return p, fmt.Errorf("%s: %w", name, err)
	}
	if p.ID == "" {
		p.ID = p.Slug()
	}
	if strings.TrimSpace(p.Name) == "" {
		p.Name = p.Slug()
	}
	return p, nil
}

// FindProject returns the project with the folder, the id or the name which, or the only one with
// which in one of these. The error can be a *session.UnknownError or a *session.AmbiguousError.
func FindProject(all []Project, which string) (Project, error) {
	i := slices.IndexFunc(all, func(p Project) bool { return p.ID == which })
	if i >= 0 {
		return all[i], nil
	}
	i, err := session.Find("project", which, all, func(p Project) (id, text string) { return p.Slug(), p.Name })
	if err != nil {
		return Project{}, err
	}
	return all[i], nil
}

// HasName reports whether name is one of the project's names, in any case.
func (p Project) HasName(name string) bool {
	return strings.EqualFold(p.Slug(), name) || strings.EqualFold(p.ID, name) || strings.EqualFold(p.Name, name)
}

// ProjectOf returns the project to which a channel belongs. It returns nil if there is none, or
// several.
func ProjectOf(all []Project, channel string) *Project {
	var found *Project
	for i := range all {
		if channel != "" && all[i].HasChannel(channel) {
			if found != nil {
				return nil
			}
			found = &all[i]
		}
	}
	return found
}

// NewProject stages the project.json of a new project below home. Its first channel is proj-NAME;
// those in rec follow. If a project with that name exists, NewProject returns it and false.
func NewProject(tx *fs.Tx, home string, rec schema.ProjectRecord, at time.Time) (Project, bool, error) {
	rec.Name = oneProjectLine(rec.Name)
	if rec.Name == "" {
		return Project{}, false, errors.New("the name of the project is empty")
	}
	all, faults, err := Projects(tx)
	if err != nil {
		return Project{}, false, err
	}
	taken := map[string]bool{}
	for _, p := range all {
		if strings.EqualFold(p.Name, rec.Name) {
			return p, false, nil
		}
		taken[p.Slug()] = true
	}
	for _, f := range faults {
		taken[path.Base(path.Dir(f.Name))] = true
	}
	rec.ID = projectSlug(rec.Name, taken)
	channels := []string{ChannelID(projectChannel + rec.Name)}
	for _, c := range rec.Channels {
		if c = ChannelID(c); !slices.Contains(channels, c) {
			channels = append(channels, c)
		}
	}
	rec.Channels, rec.Created = channels, schema.FormatTime(at)
	text, err := jsonedit.Marshal(rec)
	if err != nil {
		return Project{}, false, fmt.Errorf("project %q: %w", rec.Name, err)
	}
	dir := path.Join(home, projectsDir, rec.ID)
	p := Project{rec, path.Join(dir, projectFile), path.Join(dir, contextMDFile)}
	tx.Write(p.File, text)
	return p, true, nil
}

// A ProjectChange holds new values for a project.json. Nil changes nothing.
type ProjectChange struct {
	Phase, Active, Blocked *string
	Constraints            []string // added
	Lifted                 []string // removed
}

// ChangeProject returns src, a project.json, with the change.
func ChangeProject(src []byte, c ProjectChange) ([]byte, error) {
	var rec schema.ProjectRecord
	if err := jsonedit.Decode(src, &rec); err != nil {
		return nil, err
	}
	set := func(pointer string, value any) error {
		text, err := jsonedit.Value(value)
		if err == nil {
			src, err = jsonedit.Set(src, pointer, text)
		}
		return err
	}
	for _, m := range []struct {
		pointer string
		old     string
		value   *string
	}{{"/phase", rec.Phase, c.Phase}, {"/active", rec.Active, c.Active}, {"/blocked", rec.Blocked, c.Blocked}} {
		if m.value == nil || *m.value == m.old {
			continue
		}
		if err := set(m.pointer, *m.value); err != nil {
			return nil, err
		}
	}
	for _, text := range c.Lifted {
		i := slices.Index(rec.Constraints, text)
		if i < 0 {
			return nil, &session.UnknownError{What: "constraint", Which: text, Known: rec.Constraints}
		}
		rec.Constraints = slices.Delete(rec.Constraints, i, i+1)
		var err error
		if src, err = jsonedit.Delete(src, fmt.Sprintf("/constraints/%d", i)); err != nil {
			return nil, err
		}
	}
	for _, text := range c.Constraints {
		if slices.Contains(rec.Constraints, text) {
			continue
		}
		if rec.Constraints == nil {
			if err := set("/constraints", []string{}); err != nil {
				return nil, err
			}
		}
		rec.Constraints = append(rec.Constraints, text)
		if err := set("/constraints/-", text); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// projectSlug returns the folder name for a new project. If another project has the name, or
// Windows reserves it, a hash of the whole name is appended.
func projectSlug(name string, taken map[string]bool) string {
	slug := Slug(name)
	for try, n := slug, 0; isWindowsDevice(try) || taken[try]; n++ {
		try = slug + "-" + schema.DerivedID("", fmt.Appendf(nil, "%s\n%d", name, n))[:6]
		if !taken[try] {
			return try
		}
	}
	return slug
}

// oneProjectLine returns a name on one line without control characters.
func oneProjectLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}
