package copies

import (
	"context"
	"fmt"

	"github.com/forgemind/forgemind/fs"
)

// A Plan describes the work of restoring copies.
type Plan struct {
	Dir   string // folder with the copies
	Files []File // files that are restored, sorted by name
	Stays []Stay // files that are left alone
}

// A Stay is a file of the tree that is left alone: it differs from its copy, and neither is the
// beginning of the other.
type Stay struct {
	Name string `json:"id"`
	Copy string `json:"copy"` // absolute path
}

// MakePlan returns the plan for restoring the copies in the folder from. If from is "", it is the
// folder of this tree below home. MakePlan changes nothing. The error is io/fs.ErrNotExist if there
// are no copies.
func MakePlan(ctx context.Context, tree *fs.Tree, home, from string) (Plan, error) {
	plan := Plan{Dir: from}
	if from == "" {
		origin, err := originOf(tree)
		if err != nil {
			return plan, err
		}
		plan.Dir = origin.dir(home)
	}
	dir, err := fs.OpenCopyDir(plan.Dir)
	if err != nil {
		return plan, err
	}
	defer dir.Close()
	if o, err := readOrigin(dir); err != nil {
		return plan, fmt.Errorf("%s has no copies of forgemind: %w", plan.Dir, err)
	} else if o.Format != format {
		return plan, fmt.Errorf("%s is of format %d; this forgemind reads format %d", plan.Dir, o.Format, format)
	}
	all, err := dir.Copies()
	if err != nil {
		return plan, err
	}
	for _, c := range all {
		if !Kept(c.Name) {
			continue
		}
		relation, err := dir.Compare(ctx, tree, c.Name)
		switch {
		case err != nil:
			return plan, err
		case relation == fs.CopyMissing:
			plan.Files = append(plan.Files, File{c.Name, Made, c.Size})
		case relation == fs.CopyAhead:
			plan.Files = append(plan.Files, File{c.Name, Extended, c.Size})
		case relation == fs.CopyDiffers:
			plan.Stays = append(plan.Stays, Stay{c.Name, dir.PathOf(c.Name)})
		}
	}
	return plan, nil
}
