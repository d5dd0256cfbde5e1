package git

import "context"

// Ancestor returns the common ancestor of both sides of a file that a merge left in
// conflict. name is a slash path relative to root. It returns nil if git has none.
func Ancestor(ctx context.Context, root, name string) []byte {
	out, err := run(ctx, root, nil, "cat-file", "blob", ":1:./"+name)
	if err != nil {
		return nil
	}
	return out
}
