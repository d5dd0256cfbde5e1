package git

import (
	"context"
	"errors"
	"strings"
)

// Ancestor returns what both sides of the file called name come from, a slash path
// relative to root, while a merge has left it in conflict. It returns nil where git does
// not say.
func Ancestor(ctx context.Context, root, name string) []byte {
	return blob(ctx, root, ":1:./"+name)
}

// Committed returns what the last commit holds of those of names, slash paths relative to root,
// that it has as files of at most 8 MiB. Errors are ErrNoRepository, ErrNotInstalled and what git says.
func Committed(ctx context.Context, root string, names ...string) (map[string][]byte, error) {
	objects, err := openObjects(ctx, root)
	if err != nil {
		return nil, err
	}
	defer objects.close()
	held := map[string][]byte{}
	for _, name := range names {
		if strings.ContainsAny(name, "\n\x00") {
			continue // no question that it could be asked with
		}
		found, err := objects.ask("HEAD:./"+name, maxFile)
		switch {
		case err == nil && found.kind == "blob":
			held[name] = found.content
		case err != nil && !errors.Is(err, errMissing) && !errors.Is(err, ErrTooLarge):
			return nil, err
		}
	}
	return held, nil
}

// blob returns the content of an object; nil where git does not say.
func blob(ctx context.Context, root, object string) []byte {
	out, err := run(ctx, root, nil, "cat-file", "blob", object)
	if err != nil {
		return nil
	}
	return out
}
