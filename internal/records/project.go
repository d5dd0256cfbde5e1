package records

import (
	"encoding/json"
	"errors"
	"fmt"
	iofs "io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// Project is the kind of the one record of the project: its name, its layer, its
// clarity. Its file is fs.ProjectFile; its changes have a folder of their own, because
// there are many and their names tell their order: fs.Progress.
//
// The members of the record are named by where the State has them: those of its section
// `project` by their own names, "progress/2" for the progress of a layer, "/role" for
// a member of the document, "/notes/x" for a member of an object of the document.
var Project = Kind{Name: "project", Dir: "context", Text: "name", Needed: []string{Layer, "clarity", "/role"}}

const projectID = "project"

// Exists reports whether the record, or a change of it, has a file.
func (r Record) Exists() bool { return r.Base != nil || len(r.Changes) > 0 }

// ReadProject returns the record of the project with its changes. In a tree that has
// none it does not exist; changes may be there all the same.
func ReadProject(r fs.Reader) (Record, []Fault) {
	record := Record{Kind: Project, ID: projectID, Name: fs.ProjectFile}
	var faults []Fault
	fault := func(name string, err error) {
		if err != nil && !errors.Is(err, iofs.ErrNotExist) {
			faults = append(faults, Fault{name, err})
		}
	}
	src, err := r.Read(fs.ProjectFile)
	if err == nil {
		record.Base, err = Project.members(src)
	}
	fault(fs.ProjectFile, err)
	var changes []Change
	for c := range texts.open(r, fs.Progress).contents() {
		if fs.Place(c.name) != fs.DocChange {
			continue
		}
		err := c.err
		if err == nil {
			var change Change
			if change, err = decodeChange(c.value, c.name, strings.TrimSuffix(path.Base(c.name), ".json")); err == nil {
				changes = append(changes, change)
			}
		}
		fault(c.name, err)
	}
	record = record.with(changes)
	record.Members = record.Members.NameLayer()
	return record, faults
}

// ofWorkingCopy are the members of a State that belong to the working copy, or are views
// of other records.
var ofWorkingCopy = []string{
	"$schema", "version", "schema", "metadata", "project", "context_window", "loaded_artifacts", "recent_decisions",
	"pending_actions", "open_questions", "available_commands", "session_stats",
}

// ProjectPath returns where the State has a member of the project's record, as the names
// that lead there; false for a member that no project has, because the State shows
// something else in its place.
func ProjectPath(name string) (names []string, ok bool) {
	if layer, found := strings.CutPrefix(name, "progress/"); found {
		return []string{"project", "progress", layer}, true
	}
	rest, found := strings.CutPrefix(name, "/")
	if !found {
		return []string{"project", name}, name != "progress"
	}
	top, member, within := strings.Cut(rest, "/")
	if slices.Contains(ofWorkingCopy, top) {
		return nil, false
	}
	if within {
		return []string{top, member}, true
	}
	return []string{top}, true
}

// The layer is one fact, which the State shows by two members of its section project.
const (
	Layer     = "current_layer" // the number, which decides
	LayerName = "layer_name"
)

// NameLayer returns members of a project with the name that the number of their layer
// has; those without a number as they are.
func (m Members) NameLayer() Members {
	n, isNumber := m.Number(Layer) // 2.0 is 2
	name, ok := schema.LayerName(int(n))
	if !isNumber || !ok || n != float64(int(n)) || m.Text(LayerName) == name {
		return m
	}
	m = maps.Clone(m)
	m[LayerName] = json.RawMessage(strconv.Quote(name))
	return m
}

// AddProject stages the record of the project, with the name of its layer. A file that is
// there stays as it is: if it holds no record, that is a finding.
func AddProject(tx *fs.Tx, m Members) error {
	if _, err := tx.Read(fs.ProjectFile); !errors.Is(err, iofs.ErrNotExist) {
		return err
	}
	text, err := marshal(m.NameLayer())
	if err != nil {
		return fmt.Errorf("%s: %w", fs.ProjectFile, err)
	}
	tx.Write(fs.ProjectFile, text)
	return nil
}

// ChangeProject stages a change of the project; see [Record.Change].
func ChangeProject(tx *fs.Tx, record Record, c Change, set map[string]any) error {
	_, err := stageChange(tx, record, c, set)
	return err
}

// SetBy returns the change that the value of a member comes from; false where no change set it.
func (r Record) SetBy(name string) (Change, bool) {
	for _, c := range slices.Backward(r.order) {
		if value, ok := c.Set[name]; ok && Same(value, r.Members[name]) {
			return c, true
		}
	}
	return Change{}, false
}

// marshal writes members in the order of their names.
func marshal(m Members) ([]byte, error) {
	out := []byte("{")
	for i, name := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			out = append(out, ',')
		}
		quoted, err := jsonedit.Value(name)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, quoted...), ':'), m[name]...)
	}
	return jsonedit.Marshal(json.RawMessage(append(out, '}')))
}
