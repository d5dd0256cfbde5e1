package sync

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"maps"
	"path"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/validate"
)

// maxShared is the largest file that is sent or taken, in bytes.
const maxShared = 1 << 20

// scan returns the files of a tree that are exchanged.
func scan(tree *fs.Tree) (Blobs, error) {
	here := Blobs{}
	for name, err := range tree.Names(".") {
		if err != nil {
			return nil, err
		}
		if !IsShared(name) {
			continue
		}
		src, err := tree.ReadStored(name)
		if errors.Is(err, iofs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		here[name] = git.BlobID(src)
	}
	return here, nil
}

// take writes what the remote has and this side lacks, and joins what both sides edited.
func (e *exchange) take(ctx context.Context, p Plan) error {
	writes, rejected := map[string][]byte{}, []Rejected{}
	for _, name := range p.Take {
		src, why := e.admit(name)
		if why != "" {
			rejected = append(rejected, Rejected{name, e.there[name], why})
			continue
		}
		writes[name] = src
	}
	for _, name := range p.Different {
		rejected = append(rejected, Rejected{name, e.there[name], "other contents than the file here, which is written once"})
	}
	joined, err := e.join(p.Merge)
	if err != nil {
		return err
	}
	for name, src := range joined {
		if why := e.judge(name, src); why != "" {
			rejected = append(rejected, Rejected{name, e.there[name], why})
			delete(joined, name)
			continue
		}
		writes[name] = src
	}
	e.merged = joined
	if !e.options.DryRun {
		if rejected, err = e.write(ctx, writes, rejected); err != nil {
			return err
		}
	}
	for name := range writes {
		if !slices.Contains(e.report.Taken, name) && e.merged[name] == nil {
			e.report.Taken = append(e.report.Taken, name)
		}
	}
	slices.Sort(e.report.Taken)
	e.report.Rejected = append(e.report.Rejected, e.remote.reject(rejected)...)
	return nil
}

// admit reads a file of the remote. It returns the reason why it is not taken, or "".
func (e *exchange) admit(name string) (src []byte, why string) {
	src, err := e.theirs.Read(name)
	if err != nil {
		return nil, err.Error()
	}
	return src, e.judge(name, src)
}

// judge returns the first reason why a file of a stranger is refused, or "".
func (e *exchange) judge(name string, src []byte) string {
	if len(src) > maxShared {
		return fmt.Sprintf("%d bytes, more than %d", len(src), maxShared)
	}
	for _, f := range validate.In(e.tree, name, src) {
		if f.Severity == validate.Error {
			return fmt.Sprintf("line %d: %s [%s]", f.Line, f.Message, f.Rule)
		}
	}
	return ""
}

// join merges files that both sides edited. What cannot be merged stays as it is here; the bytes of
// the remote are kept in the attic.
func (e *exchange) join(names []string) (map[string][]byte, error) {
	joined := map[string][]byte{}
	for _, name := range names {
		ours, err := e.tree.ReadStored(name)
		if err != nil {
			return nil, err
		}
		theirs, why := e.admit(name)
		if why != "" {
			e.report.Conflicts = append(e.report.Conflicts, name)
			continue
		}
		var base []byte
		if e.base != nil {
			base, _ = e.base.Read(name) // a file that both sides added has none
		}
		if base == nil {
			base = []byte("{}")
		}
		merged, conflicts, ok := mergeJSON(base, ours, theirs)
		if path.Ext(name) != ".json" || !ok {
			merged, conflicts = ours, []string{""}
		}
		for _, pointer := range conflicts {
			where := name
			if pointer != "" {
				where += "#" + pointer
			}
			if !slices.Contains(e.report.Conflicts, where) {
				e.report.Conflicts = append(e.report.Conflicts, where)
			}
		}
		if !slices.Contains(e.report.Merged, name) {
			e.report.Merged = append(e.report.Merged, name)
		}
		joined[name] = merged
	}
	return joined, nil
}

// write writes files in one transaction and renders the views. What the transaction refuses is
// removed from writes and added to rejected.
func (e *exchange) write(ctx context.Context, writes map[string][]byte, rejected []Rejected) ([]Rejected, error) {
	for len(writes)+len(rejected)+len(e.merged) > 0 {
		_, err := e.tree.Transaction(ctx, func(tx *fs.Tx) error { return e.stage(tx, writes, rejected) })
		var refused *validate.RefusedError
		if !errors.As(err, &refused) {
			if err != nil {
				return nil, err
			}
			break
		}
		before := len(writes)
		for _, f := range refused.Findings {
			if writes[f.File] != nil {
				delete(writes, f.File)
				delete(e.merged, f.File)
				rejected = append(rejected, Rejected{f.File, e.there[f.File], fmt.Sprintf("line %d: %s [%s]", f.Line, f.Message, f.Rule)})
			}
		}
		if len(writes) == before { // nothing that arrived is the reason
			return nil, err
		}
	}
	if len(writes) == 0 {
		return rejected, nil
	}
	_, err := e.tree.RenderViews(ctx)
	return rejected, err
}

// stage stages files that are still as the scan found them, and keeps the bytes that are not taken.
func (e *exchange) stage(tx *fs.Tx, writes map[string][]byte, rejected []Rejected) error {
	for name, src := range writes {
		now, err := tx.Read(name)
		switch {
		case errors.Is(err, iofs.ErrNotExist) && e.here[name] == "":
		case err != nil:
			return err
		case git.BlobID(now) != e.here[name]:
			continue // somebody changed it meanwhile; the next sync compares it
		case bytes.Equal(now, src):
			continue
		default:
			tx.Keep(name, now, "replaced by a sync")
		}
		tx.Restore(name, src)
	}
	for _, name := range append(namesOf(rejected), slices.Collect(maps.Keys(e.merged))...) {
		if src, err := e.theirs.Read(name); err == nil {
			tx.KeepAlways(name, src, "from the remote of a sync, and not taken")
		}
	}
	return nil
}

func namesOf(rejected []Rejected) (names []string) {
	for _, r := range rejected {
		names = append(names, r.File)
	}
	return names
}

// outgoing returns the contents of the files to send. Those that stay at home are in the report.
func (e *exchange) outgoing(p Plan) (map[string][]byte, error) {
	files := map[string][]byte{}
	e.report.Held = e.report.Held[:0]
	for _, name := range p.Publish {
		src, err := e.tree.ReadStored(name)
		if errors.Is(err, iofs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if why := e.hold(name, src); why != "" {
			e.report.Held = append(e.report.Held, Rejected{name, git.BlobID(src), why})
			continue
		}
		files[name] = src
	}
	for name, src := range e.merged {
		if git.BlobID(src) != e.there[name] {
			files[name] = src
		}
	}
	return files, nil
}

// compose returns the files of Options.Compose.
func (e *exchange) compose() (map[string][]byte, error) {
	if e.options.Compose == nil {
		return nil, nil
	}
	files, err := e.options.Compose()
	for name, src := range files {
		if why := e.hold(name, src); why != "" {
			return nil, fmt.Errorf("%s cannot be sent: %s", name, why)
		}
	}
	return files, err
}

// keep writes files that were sent before they were written here.
func (e *exchange) keep(ctx context.Context, files map[string][]byte) error {
	if len(files) == 0 {
		return nil
	}
	_, err := e.tree.Transaction(ctx, func(tx *fs.Tx) error {
		for name, src := range files {
			tx.Write(name, src)
		}
		return nil
	})
	if err == nil {
		_, err = e.tree.RenderViews(ctx)
	}
	return err
}

// hold returns the reason why a file stays at home, or "".
func (e *exchange) hold(name string, src []byte) string {
	for _, f := range validate.Bytes(name, src, validate.Options{}) { // whatever severity the tree gives it
		if f.Rule == "secret" {
			return fmt.Sprintf("line %d: %s [%s]", f.Line, f.Message, f.Rule)
		}
	}
	return e.judge(name, src)
}
