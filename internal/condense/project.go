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

	// projectChannel begins the name of the channel that a new project has.
	projectChannel = "proj-"
)

// A Project is a project with a living CONTEXT.md.
type Project struct {
	schema.ProjectRecord
	File    string // the name of its project.json
	Context string // of its CONTEXT.md, which need not be there
}

// Slug is what the project's folder is called.
func (p Project) Slug() string { return path.Base(path.Dir(p.File)) }

// Projects returns the projects in the order of their folders, and the
// project.json files that can't be read.
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
			p, err := readProject(r, name)
			switch {
			case errors.Is(err, iofs.ErrNotExist): // it is gone again
			case err != nil:
				faults = append(faults, Fault{Name: name, Err: err})
			default:
				all = append(all, p)
			}
		}
	}
	return all, faults, nil
}

func readProject(r fs.Reader, name string) (Project, error) {
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

// FindProject returns the project that which names by its folder, its id or its
// name, or by unique text of that. The error is a *session.Unknown or a
// *session.Ambiguous.
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

// Called says whether name is one of the project's, whatever the case.
func (p Project) Called(name string) bool {
	return strings.EqualFold(p.Slug(), name) || strings.EqualFold(p.ID, name) || strings.EqualFold(p.Name, name)
}

// ProjectOf is the project that a channel belongs to; nil where it belongs to none,
// or to several.
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

// NewProject stages the project.json of a new project below home: it has the
// channel proj-NAME before those that rec names. A project of that name that is
// there already is returned instead; false.
func NewProject(tx *fs.Tx, home string, rec schema.ProjectRecord, at time.Time) (Project, bool, error) {
	rec.Name = oneProjectLine(rec.Name)
	if rec.Name == "" {
		return Project{}, false, errors.New("the project has no name")
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

// A ProjectChange says what becomes of a project.json; nil leaves a member as it
// is.
type ProjectChange struct {
	Phase, Active, Blocked *string
	Constraints            []string // that are added
	Lifted                 []string // that are removed
}

// ChangeProject is src, a project.json, with the change.
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
			return nil, &session.Unknown{What: "constraint", Which: text, Known: rec.Constraints}
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

// projectSlug is the name of a new project's folder. What another project has, or
// Windows gives a meaning of its own, ends in what comes from the whole name.
func projectSlug(name string, taken map[string]bool) string {
	slug := topicSlug(name)
	for try, n := slug, 0; device(try) || taken[try]; n++ {
		try = slug + "-" + schema.DerivedID("", fmt.Appendf(nil, "%s\n%d", name, n))[:6]
		if !taken[try] {
			return try
		}
	}
	return slug
}

// oneProjectLine is a name on one line, without what no name holds.
func oneProjectLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// cutText is a text for messages.
func cutText(s string) string {
	if runes := []rune(s); len(runes) > 80 {
		return string(runes[:79]) + "…"
	}
	return s
}
