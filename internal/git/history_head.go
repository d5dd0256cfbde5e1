package git

import (
	"context"
	"strings"
)

// Head is the id of the commit that HEAD is at; "" before the first one. Errors
// are ErrNoRepository, ErrNotInstalled and what git says.
func Head(ctx context.Context, root string) (string, error) {
	out, err := run(ctx, root, nil, "rev-parse", "--quiet", "--verify", "HEAD")
	if err != nil && unborn(ctx, root) {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}
