package records

import (
	"encoding/json"
	"errors"
	"fmt"
	iofs "io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// Project is the kind of the one record of the project: its name, its layer, its
// clarity. Its file is fs.ProjectFile; its changes have a folder of their own, because
// there are many and their names tell their order: fs.Progress.
var Project = Kind{Name: "project", Dir: "context"}

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
		record.Base, err = members(src)
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
				changes = append(changes, change)
			}
		}
		fault(c.name, err)
	}
	return record.with(changes), faults
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
