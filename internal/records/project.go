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
	"time"

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
var Project = Kind{Name: "project", Dir: "context", Text: "name", Needed: []string{"current_layer", "clarity", "/role"}}

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
		if record.Base, err = members(src); err == nil {
			record.Base.CompleteLayer()
		}
	}
	fault(fs.ProjectFile, err)
	var changes []Change
	for c := range contents(r, fs.Progress) {
		if fs.Place(c.name) != fs.DocChange {
			continue
		}
		err := c.err
		if err == nil {
			var change Change
			if change, err = decodeChange(c.src, c.name, strings.TrimSuffix(path.Base(c.name), ".json")); err == nil {
				change.Set.CompleteLayer()
				changes = append(changes, change)
			}
		}
		fault(c.name, err)
	}
	record = record.with(changes)
	record.Members.CompleteLayer() // whatever changes say of the name alone
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

// CompleteLayer gives members that have the number of a layer its name, and those that
// have a name alone the number: they are one fact.
func (m Members) CompleteLayer() {
	const number, name = "current_layer", "layer_name"
	if raw, ok := m[number]; ok {
		n, err := strconv.ParseFloat(string(raw), 64) // 2.0 is 2
		if word, ok := schema.LayerName(int(n)); ok && err == nil && n == float64(int(n)) {
			m[name] = json.RawMessage(strconv.Quote(word))
		}
	} else if n := slices.Index(schema.LayerNames(), m.Text(name)); n >= 0 {
		m[number] = json.RawMessage(strconv.Itoa(n))
	}
}

// AddProject stages the record of the project.
func AddProject(tx *fs.Tx, m Members) error {
	text, err := marshal(m)
	if err != nil {
		return fmt.Errorf("%s: %w", fs.ProjectFile, err)
	}
	tx.Write(fs.ProjectFile, text)
	return nil
}

// ChangeProject stages a change of the project, made at a time by somebody. One that
// sets nothing is not written.
func ChangeProject(tx *fs.Tx, record Record, at time.Time, by string, set map[string]any) error {
	_, err := stageChange(tx, record, Change{At: schema.FormatTime(at), By: by}, set)
	return err
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
