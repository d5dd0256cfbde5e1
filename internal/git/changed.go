package git

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"iter"
	"os/exec"
	"slices"
	"strings"
)

// A Reader reads the files of a working tree, as package fs does.
type Reader interface {
	Read(name string) ([]byte, error)
	Names(dir string) iter.Seq2[string, error]
}

// Changed returns the names below `.forgemind` and `.quaid` of the tree at root that
// differ from HEAD, are untracked and not ignored, or were removed, sorted. Before the
// first commit it returns every name that is not ignored. Files that cannot be read,
// and files that git converts on checkout, count as changed. Errors are
// ErrNoRepository, ErrNotInstalled and those of git.
func Changed(ctx context.Context, root string, r Reader) ([]string, error) {
	committed, err := head(ctx, root)
	if err != nil {
		return nil, err
	}
	var changed, fresh []string
	for name, err := range r.Names(".") {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		e, known := committed[name]
		delete(committed, name)
		switch {
		case err != nil:
			changed = append(changed, name)
		case !known:
			fresh = append(fresh, name)
		case !holds(e, r, name):
			changed = append(changed, name)
		}
	}
	for name := range committed {
		changed = append(changed, name)
	}
	ignored, err := ignored(ctx, root, fresh)
	if err != nil {
		return nil, err
	}
	for _, name := range fresh {
		if !ignored[name] {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	return slices.Compact(changed), nil
}

// head returns the files of HEAD; none before the first commit.
func head(ctx context.Context, root string) (map[string]entry, error) {
	objects, err := openObjects(ctx, place{dir: root})
	if err != nil {
		return nil, err
	}
	defer objects.close()
	found, err := objects.ask("HEAD", maxFile)
	if errors.Is(err, errMissing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return list(ctx, place{dir: root}, found.id)
}

// holds reports whether the file name has the content that git stores as e.
func holds(e entry, r Reader, name string) bool {
	if !e.regular() {
		return false
	}
	content, err := r.Read(name)
	return err == nil && blobID(content, len(e.id)) == e.id
}

// blobID returns the id of a blob with that content; digits is the length of the ids of
// the repository.
func blobID(content []byte, digits int) string {
	var h hash.Hash
	if digits == 2*sha256.Size {
		h = sha256.New()
	} else {
		h = sha1.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(content))
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}

// ignored returns those of names that git ignores. Names in the index are never
// ignored.
func ignored(ctx context.Context, root string, names []string) (map[string]bool, error) {
	if len(names) == 0 {
		return nil, nil
	}
	out, err := run(ctx, root, strings.NewReader(strings.Join(names, "\x00")+"\x00"), "check-ignore", "-z", "--stdin")
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1: none is ignored
		return nil, err
	}
	list := map[string]bool{}
	for name := range bytes.SplitSeq(out, []byte{0}) {
		list[string(name)] = true
	}
	return list, nil
}
