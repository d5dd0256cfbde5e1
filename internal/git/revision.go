package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
)

// The reasons why a revision cannot be read.
var (
	ErrUnknown = errors.New("not a revision that git knows")
	ErrShallow = errors.New("this clone is shallow: a CI checkout of depth 1 lacks older commits and other branches; fetch more")
)

// Limits for reading into memory, in bytes. They are those of package fs.
const (
	maxFile  = 8 << 20
	maxJSONL = 1 << 30
)

// A Revision is the content of the folders `.forgemind` and `.quaid` of a tree at a
// revision. Its methods may be called from several goroutines.
type Revision struct {
	objects *objects
	entries map[string]entry
	names   []string // the keys of entries, sorted
}

// At opens the tree at root, which may be anywhere in a repository, at the revision
// rev: a commit, a tag or a tree in any notation of git. The error is ErrUnknown if git
// does not know rev, with ErrShallow if the reason may be a shallow clone, or
// ErrNoRepository or ErrNotInstalled. A folder that the revision does not have is
// empty. The Revision can be used until ctx ends.
func At(ctx context.Context, root, rev string) (*Revision, error) {
	return at(ctx, place{dir: root}, rev)
}

// A place is a directory in a repository, or a bare repository, which git then takes without
// looking for one: safe.bareRepository may forbid that.
type place struct {
	dir  string
	bare bool
}

// args returns the arguments of a git command for the place.
func (p place) args(args ...string) []string {
	if p.bare {
		return append([]string{"--git-dir", p.dir}, args...)
	}
	return args
}

func at(ctx context.Context, where place, rev string) (*Revision, error) {
	if err := admit(rev); err != nil {
		return nil, err
	}
	objects, err := openObjects(ctx, where)
	if err != nil {
		return nil, err
	}
	entries, err := resolve(ctx, where, rev, objects)
	if err != nil {
		objects.close()
		return nil, err
	}
	return &Revision{objects: objects, entries: entries, names: slices.Sorted(maps.Keys(entries))}, nil
}

// resolve returns the entries of rev.
func resolve(ctx context.Context, where place, rev string, objects *objects) (map[string]entry, error) {
	found, err := objects.ask(rev, maxFile)
	switch {
	case errors.Is(err, errMissing):
		return nil, unknown(ctx, where, rev)
	case found.kind == "blob":
		return nil, fmt.Errorf("%s: %w: it names a file", echo(rev), ErrUnknown)
	case err != nil:
		return nil, err
	}
	entries, err := list(ctx, where, found.id)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", echo(rev), err)
	}
	return entries, nil
}

// admit refuses revisions that git could take for an option or for two revisions.
func admit(rev string) error {
	switch {
	case rev == "":
		return fmt.Errorf("%q: %w: it is empty", rev, ErrUnknown)
	case rev[0] == '-':
		return fmt.Errorf("%s: %w: none begins with '-'", echo(rev), ErrUnknown)
	case strings.ContainsFunc(rev, func(r rune) bool { return r < 0x20 || r == 0x7f }):
		return fmt.Errorf("%s: %w: control character", echo(rev), ErrUnknown)
	case len(rev) > 4<<10:
		return fmt.Errorf("%s: %w: too long", echo(rev), ErrUnknown)
	}
	return nil
}

func unknown(ctx context.Context, where place, rev string) error {
	out, err := run(ctx, where.dir, nil, where.args("rev-parse", "--is-shallow-repository")...)
	if err == nil && string(bytes.TrimSpace(out)) == "true" {
		return fmt.Errorf("%s: %w; %w", echo(rev), ErrUnknown, ErrShallow)
	}
	return fmt.Errorf("%s: %w", echo(rev), ErrUnknown)
}

// An entry is an entry of a git tree.
type entry struct {
	mode string // 100644 and 100755 are regular files
	id   string
}

func (e entry) regular() bool { return strings.HasPrefix(e.mode, "100") }

// list returns the entries of the two folders at a place in a tree, a commit or a tag.
func list(ctx context.Context, where place, id string) (map[string]entry, error) {
	out, err := run(ctx, where.dir, nil, where.args("ls-tree", "-r", "-z", id, "--", ".forgemind", ".quaid")...)
	if err != nil {
		return nil, err
	}
	entries := map[string]entry{}
	for record := range bytes.SplitSeq(out, []byte{0}) {
		if len(record) == 0 {
			continue
		}
		// <mode> SP <kind> SP <id> TAB <name>
		facts, name, ok := strings.Cut(string(record), "\t")
		fields := strings.Fields(facts)
		if !ok || len(fields) != 3 {
			return nil, fmt.Errorf("git ls-tree: unexpected answer %s", echo(string(record)))
		}
		if !isLocal(name) {
			entries[name] = entry{fields[0], fields[2]}
		}
	}
	return entries, nil
}

// isLocal reports whether name is in a `.local/` folder, which revisions do not
// contain.
func isLocal(name string) bool {
	_, rest, _ := strings.Cut(name, "/")
	return rest == ".local" || strings.HasPrefix(rest, ".local/")
}

// Read returns the bytes at name as stored, without filters. The error is
// io/fs.ErrNotExist if the revision does not have name, and for names outside the two
// folders. Links and submodules, more than 8 MiB (1 GiB of JSONL) and contents that a
// partial clone lacks are errors.
func (r *Revision) Read(name string) ([]byte, error) {
	e, ok := r.entries[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", echo(name), iofs.ErrNotExist)
	}
	if !e.regular() {
		return nil, fmt.Errorf("%s: not a regular file at that revision", echo(name))
	}
	limit := int64(maxFile)
	if strings.HasSuffix(name, ".jsonl") {
		limit = maxJSONL
	}
	found, err := r.objects.ask(e.id, limit)
	if errors.Is(err, errMissing) {
		err = fmt.Errorf("its content is %w, which is a partial clone or broken", errMissing)
	}
	if err == nil && found.kind != "blob" {
		err = fmt.Errorf("a %s, not a file", found.kind)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", echo(name), err)
	}
	return found.content, nil
}

// Names yields the names below dir, "." for both folders, sorted and without `.local/`.
// It also yields links and submodules, which Read refuses. If dir is a file, its name
// is yielded. The errors are always nil.
func (r *Revision) Names(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		prefix := dir + "/"
		if dir == "." {
			prefix = ""
		} else if _, file := r.entries[dir]; file && !yield(dir, nil) {
			return
		}
		from, _ := slices.BinarySearch(r.names, prefix)
		for _, name := range r.names[from:] {
			if !strings.HasPrefix(name, prefix) || !yield(name, nil) {
				return
			}
		}
	}
}

// Close ends the git process of the Revision. It may be called twice.
func (r *Revision) Close() error {
	r.objects.close()
	return nil
}
