package git

import "context"

// Ancestor returns what both sides of the file called name come from, a slash path
// relative to root, while a merge has left it in conflict. It returns nil where git does
// not say.
func Ancestor(ctx context.Context, root, name string) []byte {
	out, err := run(ctx, root, nil, "cat-file", "blob", ":1:./"+name)
	if err != nil {
		return nil
	}
	return out
}
