package git

import (
	"context"
	"strings"
)

// Head returns the id of the commit of HEAD, "" before the first one. Errors are
// ErrNoRepository, ErrNotInstalled and those of git.
func Head(ctx context.Context, root string) (string, error) {
	out, err := run(ctx, root, nil, "rev-parse", "--quiet", "--verify", "HEAD")
	if err != nil && hasNoCommit(ctx, root) {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}
