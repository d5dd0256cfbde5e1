package copies

import (
	"context"
	"slices"

	"github.com/forgemind/forgemind/fs"
)

// A Status describes the copies of a tree.
type Status struct {
	Dir    string   // folder for the copies, whether or not it exists
	Origin Origin   // At is "" if no copy was made yet
	Files  int      // number of copies
	Bytes  int64    // total size of the copies
	Lost   []string // names of files that the copy has and the tree lacks, wholly or in part
	Behind int      // number of files of the tree without a copy
	Former []Found  // copies of the same project whose tree was moved or removed
	Err    error    // why the folder cannot be read or written
}

// A Found is a folder with copies of another path.
type Found struct {
	Dir    string
	Origin Origin
}

// Look examines the copies of a tree below home and changes nothing. The returned error is one of
// package git. A problem with the folder is in Status.Err.
func Look(ctx context.Context, tree *fs.Tree, home string) (Status, error) {
	origin, err := originOf(tree)
	if err != nil {
		return Status{}, err
	}
	s := Status{Dir: origin.dir(home)}
	list, err := names(ctx, tree)
	if err != nil {
		return s, err
	}
	s.Behind = len(list)
	s.Err = s.look(ctx, tree, list)
	if s.Err == nil {
		s.Err = fs.WritableDir(s.Dir)
	}
	if s.Files == 0 {
		s.Former = former(home, origin)
	}
	return s, nil
}

// look examines the folder. The argument list has the names of the files to copy.
func (s *Status) look(ctx context.Context, tree *fs.Tree, list []string) error {
	dir, err := fs.OpenCopyDir(s.Dir)
	if isMissing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	if s.Origin, err = readOrigin(dir); err != nil && !isMissing(err) {
		return err
	}
	all, err := dir.Copies()
	if err != nil {
		return err
	}
	for _, c := range all {
		if !Kept(c.Name) {
			continue
		}
		s.Files, s.Bytes = s.Files+1, s.Bytes+c.Size
		if slices.Contains(list, c.Name) {
			s.Behind--
		}
		relation, err := dir.Compare(ctx, tree, c.Name)
		if err != nil {
			return err
		}
		if relation == fs.CopyMissing || relation == fs.CopyAhead {
			s.Lost = append(s.Lost, c.Name)
		}
	}
	return nil
}

// former returns the copies below home that are of the same project and whose tree is no longer at
// its path.
func former(home string, origin Origin) (all []Found) {
	for _, path := range fs.CopyDirs(home) {
		dir, err := fs.OpenCopyDir(path)
		if err != nil {
			continue
		}
		o, err := readOrigin(dir)
		dir.Close()
		if err != nil || o.Tree == origin.Tree || !o.sameProject(origin) {
			continue
		}
		if root, err := fs.Find(o.Tree); err != nil || root != o.Tree {
			all = append(all, Found{path, o})
		}
	}
	return all
}
