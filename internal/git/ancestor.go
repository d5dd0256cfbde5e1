package git

import "context"

// Ancestor returns what both sides of the file called name come from, a slash path
// relative to root, while a merge has left it in conflict. It returns nil where git does
// not say.
func Ancestor(ctx context.Context, root, name string) []byte {
	return blob(ctx, root, ":1:./"+name)
}

// Committed returns what the last commit holds of the file called name, a slash path relative
// to root. It returns nil where git does not say.
func Committed(ctx context.Context, root, name string) []byte {
	return blob(ctx, root, "HEAD:./"+name)
}

// blob returns the content of an object; nil where git does not say.
func blob(ctx context.Context, root, object string) []byte {
	out, err := run(ctx, root, nil, "cat-file", "blob", object)
	if err != nil {
		return nil
	}
	return out
}
