package git

import (
	"context"
	"path/filepath"
	"strings"
)

// HooksDir returns the directory of the hooks of root's repository, which need not
// exist, and the top of its working tree. It reports in own whether the hooks belong to
// this repository only. Errors are ErrNoRepository, ErrNotInstalled and those of git.
func HooksDir(ctx context.Context, root string) (hooks, top string, own bool, err error) {
	said, err := run(ctx, root, nil, "rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir")
	if err != nil {
		return "", "", false, err
	}
	lines := strings.Split(strings.TrimSuffix(string(said), "\n"), "\n")
	top = filepath.FromSlash(lines[0])
	hooks, own = filepath.Join(filepath.FromSlash(lines[len(lines)-1]), "hooks"), true
	// The last value is the one that command sets.
	configured, err := run(ctx, root, nil, "config", "--type=path", "--get-all", "core.hooksPath")
	if err != nil {
		return "", "", false, err
	}
	if all := strings.Split(strings.TrimSuffix(string(configured), "\n"), "\n"); len(all) > 1 {
		if hooks = filepath.FromSlash(all[len(all)-2]); !filepath.IsAbs(hooks) {
			hooks = filepath.Join(top, hooks)
		}
		within, err := filepath.Rel(top, hooks)
		own = err == nil && filepath.IsLocal(within)
	}
	return hooks, top, own, nil
}
