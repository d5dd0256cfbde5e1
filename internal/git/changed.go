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

// A Reader shows the files of a working tree, as package fs does.
type Reader interface {
	Read(name string) ([]byte, error)
	Names(dir string) iter.Seq2[string, error]
}

// Changed returns the names below `.forgemind` and `.quaid` of the tree at root
// that differ from rev, as At takes it, or are untracked and not ignored, or are gone,
// sorted. "" is HEAD: before the first commit that is every name that is not ignored. What
// cannot be read counts as changed; so does what git converts on checkout. Errors are
// those of At, and ErrIgnore.
func Changed(ctx context.Context, root, rev string, r Reader) ([]string, error) {
	objects, err := openObjects(ctx, root)
	if err != nil {
		return nil, err
	}
	defer objects.close()
	committed, err := committed(objects, root, rev)
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
	if len(fresh) > 0 {
		if err := ignoresAreSmall(root, r); err != nil {
			return nil, err
		}
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

// committed lists what rev held; "" is HEAD, which holds nothing before the first commit.
func committed(objects *objects, root, rev string) (map[string]entry, error) {
	if rev != "" {
		if err := admit(rev); err != nil {
			return nil, err
		}
		return resolve(objects.ctx, root, rev, objects)
	}
	found, err := objects.ask("HEAD", maxFile)
	if errors.Is(err, errMissing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return list(objects.ctx, root, found.id)
}

// holds says whether the file at name is what git stores as e.
func holds(e entry, r Reader, name string) bool {
	if !e.regular() {
		return false
	}
	content, err := r.Read(name)
	return err == nil && blobID(content, len(e.id)) == e.id
}

// blobID is the id of a file of that content; digits is how long the ids of
// the repository are.
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

// ignored says which of names git ignores. What is in the index never is.
func ignored(ctx context.Context, root string, names []string) (map[string]bool, error) {
	if len(names) == 0 {
		return nil, nil
	}
	out, err := run(ctx, root, strings.NewReader(strings.Join(names, "\x00")+"\x00"), "check-ignore", "-z", "--stdin")
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1: none is
		return nil, err
	}
	list := map[string]bool{}
	for name := range bytes.SplitSeq(out, []byte{0}) {
		list[string(name)] = true
	}
	return list, nil
}
