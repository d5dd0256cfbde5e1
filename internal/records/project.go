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

// Project is the kind of the single record of the project: its name, its layer, its clarity. Its
// file is fs.ProjectFile. Its changes are in a folder of their own, fs.Progress, because there are
// many and their names are sorted by time.
var Project = Kind{Name: "project", Dir: "context"}

const projectID = "project"

// Exists reports whether the record has a file or a change.
func (r Record) Exists() bool { return r.Base != nil || len(r.Changes) > 0 }

// ReadProject returns the record of the project with its changes. A tree may have changes without a
// record.
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

// ChangeProject stages a change of the project. The argument by names its author. ChangeProject
// writes nothing if no member differs.
func ChangeProject(tx *fs.Tx, record Record, at time.Time, by string, set map[string]any) error {
	_, err := stageChange(tx, record, Change{At: schema.FormatTime(at), By: by}, set)
	return err
}

// marshal encodes members sorted by name.
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
