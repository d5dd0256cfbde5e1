package operation

import (
	"context"
	"errors"
	iofs "io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

// InitOptions describes a new tree. The zero value is a tree with the folder
// `.forgemind/` whose views git ignores.
type InitOptions struct {
	Layout       string // forgemind, quaid or both; "" is forgemind
	FullState    bool   // the State has all documented members, not only the required ones
	TrackedViews bool   // git tracks the views
}

// folders returns the folders of the layout.
func (o InitOptions) folders() []string {
	switch o.Layout {
	case "quaid":
		return []string{fs.Quaid}
	case "both":
		return []string{fs.Forgemind, fs.Quaid}
	}
	return []string{fs.Forgemind}
}

// InitReport lists the documents that Init made or kept.
type InitReport struct {
	Created []string // names, sorted
	Kept    []string // names of those that existed before
}

// Init writes the missing documents of a new tree, in one transaction. It first finishes an
// interrupted Init, whose documents count as existing.
func Init(ctx context.Context, tree *engine.Tree, o InitOptions) (InitReport, engine.Outcome, error) {
	report := InitReport{Created: []string{}, Kept: []string{}}
	if !tree.DryRun {
		if err := tree.Create(o.folders()...); err != nil {
			return report, engine.Outcome{}, err
		}
	}
	project := newProject{name: filepath.Base(tree.Root()), edge: tree.Edge(), options: o}
	out, err := tree.Init(ctx, slices.Contains(o.folders(), fs.Quaid), func(tx *fs.Tx) (err error) {
		report.Kept, err = writeMissing(tx, project)
		return err
	})
	for _, change := range out.Changes {
		if change.Before == nil {
			report.Created = append(report.Created, change.Name)
		}
	}
	slices.Sort(report.Created)
	return report, out, err
}

// writeMissing writes the missing documents of a project, and returns the names of the
// others.
func writeMissing(tx *fs.Tx, project newProject) (kept []string, err error) {
	kept = []string{}
	wanted, err := project.documents(tx)
	if err != nil {
		return kept, err
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		switch _, err := tx.Read(name); {
		case errors.Is(err, iofs.ErrNotExist):
			tx.Write(name, wanted[name])
		case err != nil:
			return kept, err
		default:
			kept = append(kept, name)
		}
	}
	return kept, nil
}

// viewsSetting returns the value of `views` in config.json; "" is the default.
func (o InitOptions) viewsSetting() string {
	if o.TrackedViews {
		return schema.TrackedViews
	}
	return ""
}
