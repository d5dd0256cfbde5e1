package hook

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// mostChecked is the size of the largest document that is checked after an event, in bytes. Agents
// do not write the documents that grow without limit.
const mostChecked = 256 << 10

// check validates the documents that change while an agent works: the State and the hot context
// after an answer, and all documents changed since the session began at its end. It does not check
// relations between documents; `forgemind validate` does.
func (r *hookCall) check(tree *fs.Tree, m *memory) {
	names := []string{fs.State}
	if id, err := session.Active(tree); err == nil && id != "" {
		names = append(names, session.HotContext(id))
	}
	if since, err := schema.ParseTime(m.Since); err == nil && r.at == ends {
		names = append(names, changedSince(tree, since.Add(-time.Second))...) // file systems round times
	}
	n, first := 0, ""
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		src, err := tree.Read(name)
		if err != nil {
			continue
		}
		for _, f := range validate.In(tree, name, src) {
			if f.Severity != validate.Error {
				continue
			}
			if n++; n == 1 {
				first = fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message)
			}
		}
	}
	if n > 0 {
		r.fail(fmt.Errorf("the tree has errors (%d); 'forgemind validate' lists them: %s", n, first))
	}
}

// changedSince returns the documents of a tree that changed after a time, without large ones. It
// returns none if that cannot be known.
func changedSince(tree *fs.Tree, since time.Time) (names []string) {
	dirs := map[string]bool{}
	for name, err := range tree.Names(".") {
		if err == nil {
			dirs[path.Dir(name)] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		stamps, _, err := tree.Stamps(dir)
		if err != nil {
			continue
		}
		for _, s := range stamps {
			if s.Written >= since.UnixNano() && s.Size <= mostChecked {
				names = append(names, s.Name)
			}
		}
	}
	return names
}
