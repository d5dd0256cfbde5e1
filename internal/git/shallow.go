package git

import (
	"bytes"
	"context"
)

// Shallow reports whether the history of the repository of root is cut: older commits are
// not in it, as in a CI checkout of depth 1. Errors are ErrNoRepository, ErrNotInstalled
// and what git says.
func Shallow(ctx context.Context, root string) (bool, error) {
	out, err := run(ctx, root, nil, "rev-parse", "--is-shallow-repository")
	return string(bytes.TrimSpace(out)) == "true", err
}
