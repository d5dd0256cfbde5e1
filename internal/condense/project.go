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
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

const (
	projectFile   = "project.json"
	contextMDFile = "CONTEXT.md"

	// projectChannel begins the name of the channel that a new project has.
	projectChannel = "proj-"
)

// A Project is a project with a living CONTEXT.md.
type Project struct {
	schema.ProjectRecord
	File    string  // the name of its project.json
	Context string  // of its CONTEXT.md, which need not be there
	Left    []Fault // changes of its settings that cannot be read, and are left out
}

// Slug is what the project's folder is called.
func (p Project) Slug() string { return path.Base(path.Dir(p.File)) }

// Projects returns the projects in the order of their folders, and the
// project.json files that can't be read.
func Projects(r fs.Reader) ([]Project, []Fault, error) {
	var all []Project
	var faults []Fault
	for _, home := range homes {
		for name, err := range r.Names(home + "/" + fs.ProjectsDir) {
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
	record, left, err := p.record(r)
	if err != nil {
		return p, err
	}
	for _, f := range left {
		p.Left = append(p.Left, Fault{Name: f.Name, Err: f.Err})
	}
	if len(record.Changes) > 0 {
		p.ProjectRecord = schema.ProjectRecord{}
		if err := record.Decode(&p.ProjectRecord); err != nil {
			return p, err
		}
	}
	if p.ID == "" {
		p.ID = p.Slug()
	}
	if strings.TrimSpace(p.Name) == "" {
		p.Name = p.Slug()
	}
	return p, nil
}

// record returns the settings of the project with their changes, and the changes that are left out because they hold
// none.
func (p Project) record(r fs.Reader) (record records.Record, left []records.Fault, err error) {
	all, left := records.Folder{Dir: path.Dir(p.File), Kind: records.Settings}.List(r)
	for _, f := range left {
		if len(all) == 0 || fs.Unread(f.Err) || errors.Is(f.Err, fs.ErrUnsettled) {
			return record, nil, f.Err
		}
	}
	if len(all) == 0 {
		return record, nil, fmt.Errorf("%s: %w", p.File, iofs.ErrNotExist)
	}
	return all[0], left, nil
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

// NewProject stages a new project below home: it has the channel proj-NAME before those that rec names. Its
// project.json follows from the name alone, so that two clones may begin the same one; the rest of rec is a change of
// it, by whom by says. A project of that name that is there already is returned instead; false.
func NewProject(tx *fs.Tx, home string, rec schema.ProjectRecord, by string, at time.Time) (Project, bool, error) {
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
	for _, home := range homes {
		for name := range tx.Names(path.Join(home, fs.ProjectsDir)) {
			if file, ok := records.FileOf(name); ok && file.Change != "" { // its project is gone
				taken[path.Base(path.Dir(name))] = true
			}
		}
	}
	base := schema.ProjectRecord{Name: rec.Name, ID: projectSlug(rec.Name, taken), Channels: []string{ChannelID(projectChannel + rec.Name)}}
	text, err := jsonedit.Marshal(base)
	if err != nil {
		return Project{}, false, fmt.Errorf("project %q: %w", rec.Name, err)
	}
	file := path.Join(home, fs.ProjectsDir, base.ID, projectFile)
	tx.Write(file, text)
	p, err := readProject(tx, file)
	if err != nil {
		return Project{}, false, err
	}
	c := ProjectChange{Created: schema.FormatTime(at), Phase: &rec.Phase, Active: &rec.Active, Blocked: &rec.Blocked, Constraints: rec.Constraints}
	for _, channel := range rec.Channels {
		c.Channels = append(c.Channels, ChannelID(channel))
	}
	p, err = p.Change(tx, c, records.Change{What: "begun", At: c.Created, By: by})
	return p, true, err
}

// A ProjectChange says what becomes of the settings of a project; nil and "" leave a member as it is.
type ProjectChange struct {
	Created                string
	Phase, Active, Blocked *string
	Channels, Constraints  []string // that are added
	Lifted                 []string // constraints that are removed
}

// Change stages a change of the settings of the project, and returns the project with it. The error is a
// *session.Unknown where a constraint that is removed is not there.
func (p Project) Change(tx *fs.Tx, c ProjectChange, change records.Change) (Project, error) {
	set := map[string]any{}
	for _, m := range []struct {
		name, old string
		value     *string
	}{{"phase", p.Phase, c.Phase}, {"active", p.Active, c.Active}, {"blocked", p.Blocked, c.Blocked}} {
		if m.value != nil && *m.value != m.old {
			set[m.name] = *m.value
		}
	}
	if c.Created != "" {
		set["created"] = c.Created
	}
	for _, text := range c.Lifted {
		if !slices.Contains(p.Constraints, text) {
			return p, &session.Unknown{What: "constraint", Which: text, Known: p.Constraints}
		}
		if !slices.Contains(c.Constraints, text) {
			set[records.Element("constraints", text)] = false
		}
	}
	addElements(set, "constraints", p.Constraints, c.Constraints)
	addElements(set, "channels", p.Channels, c.Channels)
	record, _, err := p.record(tx)
	if err != nil {
		return p, err
	}
	if _, err = record.Change(tx, change, set); err != nil {
		return p, err
	}
	return readProject(tx, p.File)
}

// addElements sets that texts are added to a list which has some already.
func addElements(set map[string]any, list string, has, texts []string) {
	for i, text := range texts {
		if !slices.Contains(has, text) && strings.TrimSpace(text) != "" {
			set[records.Element(list, text)] = i + 1
		}
	}
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
