package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Staged is what the index of a repository holds of a tree: what the next commit records
// of it. It reads other files of the project too.
type Staged struct {
	*Revision
	root string
	file string // of the index; "" is the repository's own
	// Unmerged are the names that a merge left in conflict, sorted: git records nothing
	// before they are resolved.
	Unmerged []string
}

// Index opens the index of the repository of root. file is what GIT_INDEX_FILE says, as git
// sets it for the hooks of a commit, seen from the top of the working tree; "", the index of
// another repository and a file that is not there say nothing. Errors
// are ErrNoRepository, ErrNotInstalled and what git says. It ends with ctx.
func Index(ctx context.Context, root, file string) (*Staged, error) {
	file, err := indexOf(ctx, root, file)
	if err != nil {
		return nil, err
	}
	s := &Staged{root: root, file: file}
	entries, err := s.list(ctx, ".forgemind", ".quaid")
	if err != nil {
		return nil, err
	}
	if err := s.dropIntended(ctx, entries); err != nil {
		return nil, err
	}
	objects, err := openObjects(ctx, root)
	if err != nil {
		return nil, err
	}
	s.Revision = &Revision{objects: objects, entries: entries, names: slices.Sorted(maps.Keys(entries))}
	return s, nil
}

// indexOf returns file where it may be an index of the repository of root: git keeps that
// one with the repository, and a script may keep one in a place of its own.
func indexOf(ctx context.Context, root, file string) (string, error) {
	if file == "" {
		return "", nil
	}
	said, err := run(ctx, root, nil, "rev-parse", "--absolute-git-dir", "--show-toplevel")
	if err != nil {
		return "", err
	}
	own, top, _ := strings.Cut(strings.TrimSuffix(string(said), "\n"), "\n")
	if !filepath.IsAbs(file) {
		file = filepath.Join(filepath.FromSlash(top), file)
	}
	ours, err := os.Stat(filepath.FromSlash(own))
	dir, unknown := os.Stat(filepath.Dir(file))
	another := err == nil && unknown == nil && !os.SameFile(ours, dir) && stands(filepath.Join(filepath.Dir(file), "HEAD"))
	if another || !stands(file) {
		return "", nil
	}
	return file, nil
}

// list lists entries of the index at paths and below, without conflicts.
func (s *Staged) list(ctx context.Context, paths ...string) (map[string]entry, error) {
	out, err := s.run(ctx, append([]string{"--literal-pathspecs", "ls-files", "--stage", "-z", "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	entries := map[string]entry{}
	err = eachEntry(out, func(name string, facts []string) { // mode, id and stage
		if facts[2] == "0" {
			entries[name] = entry{facts[0], facts[1]}
		} else {
			s.Unmerged = append(s.Unmerged, name)
		}
	})
	s.Unmerged = slices.Compact(s.Unmerged)
	return entries, err
}

// dropIntended takes out what is only marked as intended to be added: no commit records
// it. Git lists it as an empty file.
func (s *Staged) dropIntended(ctx context.Context, entries map[string]entry) error {
	empty := func(e entry) bool { return e.id == blobID(nil, len(e.id)) }
	if !slices.ContainsFunc(slices.Collect(maps.Values(entries)), empty) {
		return nil
	}
	out, err := s.run(ctx, "diff-files", "-z", "--name-only", "--diff-filter=A", "--relative", "--ignore-submodules=all", "--", ".forgemind", ".quaid")
	for name := range bytes.SplitSeq(out, []byte{0}) {
		delete(entries, string(name))
	}
	return err
}

// run is the function run, on this index.
func (s *Staged) run(ctx context.Context, args ...string) ([]byte, error) {
	if s.file == "" {
		return run(ctx, s.root, nil, args...)
	}
	return runWith(ctx, s.root, []string{"GIT_INDEX_FILE=" + s.file}, nil, args...)
}

// Read is that of a Revision; it also reads files outside the two folders.
func (s *Staged) Read(name string) ([]byte, error) {
	content, err := s.Revision.Read(name)
	folder, _, _ := strings.Cut(name, "/")
	if !errors.Is(err, iofs.ErrNotExist) || folder == ".forgemind" || folder == ".quaid" || !filepath.IsLocal(filepath.FromSlash(name)) {
		return content, err
	}
	found, asked := s.list(s.objects.ctx, name)
	switch _, is := found[name]; {
	case asked != nil:
		return nil, asked
	case !is && len(found) > 0:
		return nil, fmt.Errorf("%s: a folder", echo(name))
	case !is:
		return nil, err
	}
	return (&Revision{objects: s.objects, entries: found}).Read(name)
}

// Changed returns the names of which the index holds something else than rev, as At takes
// it, or nothing, sorted; "" is HEAD.
func (s *Staged) Changed(rev string) ([]string, error) {
	committed, err := resolve(s.objects.ctx, s.root, cmp.Or(rev, "HEAD"), s.objects)
	if err != nil {
		return nil, err
	}
	var changed []string
	for name, e := range s.entries {
		if committed[name] != e {
			changed = append(changed, name)
		}
		delete(committed, name)
	}
	changed = slices.AppendSeq(changed, maps.Keys(committed))
	slices.Sort(changed)
	return changed, nil
}

// Hidden returns the names of Changed("") of which r shows something else than the index
// holds: what git will record of them is not what a reader of r sees.
func (s *Staged) Hidden(r Reader) ([]string, error) {
	changed, err := s.Changed("")
	return slices.DeleteFunc(changed, func(name string) bool {
		e, staged := s.entries[name]
		if staged {
			return holds(e, r, name)
		}
		_, err := r.Read(name)
		return errors.Is(err, iofs.ErrNotExist)
	}), err
}
