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

// Why a revision cannot be read.
var (
	ErrUnknown = errors.New("not a revision that git knows")
	ErrShallow = errors.New("this clone is shallow: a CI checkout of depth 1 lacks older commits and other branches; fetch more")
)

// Limits of what is read into memory, in bytes: those of package fs.
const (
	maxFile  = 8 << 20
	maxJSONL = 1 << 30
)

// A Revision is what the folders `.forgemind` and `.quaid` of a tree held at a
// revision. Its methods may be called from several goroutines.
type Revision struct {
	objects *objects
	entries map[string]entry
	names   []string // the keys of entries, sorted
}

// At opens the tree at root, which may lie anywhere in a repository, as it was
// at rev: a commit, a tag or a tree, named in any way git knows. It is
// ErrUnknown if git does not know rev, with ErrShallow if that may be because
// of a shallow clone; ErrNoRepository or ErrNotInstalled. A folder that the
// revision does not have holds nothing. The Revision ends with ctx.
func At(ctx context.Context, root, rev string) (*Revision, error) {
	objects, err := openObjects(ctx, root)
	if err != nil {
		return nil, err
	}
	entries, err := resolve(ctx, root, rev, objects)
	if err != nil {
		objects.close()
		return nil, err
	}
	return &Revision{objects: objects, entries: entries, names: slices.Sorted(maps.Keys(entries))}, nil
}

// resolve lists what rev held. Before the first commit HEAD holds nothing.
func resolve(ctx context.Context, root, rev string, objects *objects) (map[string]entry, error) {
	if err := admit(rev); err != nil {
		return nil, err
	}
	found, err := objects.ask(rev, maxFile)
	switch {
	case errors.Is(err, errMissing) && rev == "HEAD" && unborn(ctx, root):
		return nil, nil
	case errors.Is(err, errMissing):
		return nil, unknown(ctx, root, rev)
	case found.kind == "blob":
		return nil, fmt.Errorf("%s: %w: it names a file", echo(rev), ErrUnknown)
	case err != nil:
		return nil, err
	}
	entries, err := list(ctx, root, found.id)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", echo(rev), err)
	}
	return entries, nil
}

// admit refuses what git could take for an option or for two revisions.
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

func unknown(ctx context.Context, root, rev string) error {
	if shallow, err := Shallow(ctx, root); err == nil && shallow {
		return fmt.Errorf("%s: %w; %w", echo(rev), ErrUnknown, ErrShallow)
	}
	return fmt.Errorf("%s: %w", echo(rev), ErrUnknown)
}

// An entry is what a tree of git's says of a name.
type entry struct {
	mode string // 100644 and 100755 are regular files
	id   string
}

func (e entry) regular() bool { return strings.HasPrefix(e.mode, "100") }

// list lists the two folders of root in a tree, a commit or a tag.
func list(ctx context.Context, root, id string) (map[string]entry, error) {
	out, err := run(ctx, root, nil, "ls-tree", "-r", "-z", id, "--", ".forgemind", ".quaid")
	if err != nil {
		return nil, err
	}
	entries := map[string]entry{}
	return entries, eachEntry(out, func(name string, facts []string) { // mode, kind and id
		entries[name] = entry{facts[0], facts[2]}
	})
}

// eachEntry calls take with each name of a list of git's, but those in `.local/`, and with the
// three facts that stand before it.
func eachEntry(list []byte, take func(name string, facts []string)) error {
	for record := range bytes.SplitSeq(list, []byte{0}) {
		if len(record) == 0 {
			continue
		}
		facts, name, ok := strings.Cut(string(record), "\t")
		fields := strings.Fields(facts)
		if !ok || len(fields) != 3 {
			return fmt.Errorf("git: unexpected answer %s", echo(string(record)))
		}
		if !isLocal(name) {
			take(name, fields)
		}
	}
	return nil
}

// isLocal says whether name stands in a `.local/` folder, which no revision
// has a say in.
func isLocal(name string) bool {
	_, rest, _ := strings.Cut(name, "/")
	return rest == ".local" || strings.HasPrefix(rest, ".local/")
}

// Read returns the bytes at name, as stored: no filter is applied. A name that
// the revision does not have is io/fs.ErrNotExist; so is every name outside
// the two folders. Links and submodules, more than 8 MiB (1 GiB of JSONL) and
// contents that a partial clone lacks are errors.
func (r *Revision) Read(name string) ([]byte, error) {
	e, ok := r.entries[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", echo(name), iofs.ErrNotExist)
	}
	if !e.regular() {
		return nil, fmt.Errorf("%s: %w", echo(name), ErrIrregular)
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

// Names yields the names below dir, "." for both folders, sorted and without
// `.local/`. Links and submodules are yielded too, for Read to refuse. Of a
// name that is a file itself, that name is yielded. There are no errors.
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

// Close ends the git process that reads. It may be called twice.
func (r *Revision) Close() error {
	r.objects.close()
	return nil
}
