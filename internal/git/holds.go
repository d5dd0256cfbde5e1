package git

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"strings"
)

// Holds says whether the repository at root stores a file of exactly that
// content, in whatever commit or in the index. Without a repository it does not.
func Holds(ctx context.Context, root string, content []byte) bool {
	ids := blobID(content, 2*sha1.Size) + "\n" + blobID(content, 2*sha256.Size) + "\n" // a repository knows one kind
	out, err := run(ctx, root, strings.NewReader(ids), "cat-file", "--batch-check=%(objecttype)")
	return err == nil && bytes.Contains(out, []byte("blob\n"))
}
