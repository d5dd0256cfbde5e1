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

// mostChecked is how large a document may be that is looked at behind an event, in
// bytes. What grows for ever is nothing that an agent writes by hand.
const mostChecked = 256 << 10

// check looks at the documents that change while an agent works: the State and the
// hot context when it has answered, all that changed since it began when the session
// ends. How they stand to one another 'forgemind validate' tells.
func (r *running) check(tree *fs.Tree, m *memory) {
	names := []string{fs.State}
	if id, err := session.Active(tree); err == nil && id != "" {
		names = append(names, session.HotContext(id))
	}
	if since, err := schema.ParseTime(m.Since); err == nil && r.at == ends {
		names = append(names, changedSince(tree, since.Add(-time.Second))...) // file systems round
	}
	n, first := 0, ""
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		src, err := tree.ReadStored(name)
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

// changedSince are the documents of a tree that changed since then, but for large
// ones; none where nobody can tell.
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
