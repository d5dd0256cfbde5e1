package git

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"strings"
)

// Stores reports whether the repository at root stores a file with exactly that content,
// in any commit or in the index. It returns false without a repository.
func Stores(ctx context.Context, root string, content []byte) bool {
	ids := blobID(content, 2*sha1.Size) + "\n" + blobID(content, 2*sha256.Size) + "\n" // a repository uses one of the two hashes
	out, err := run(ctx, root, strings.NewReader(ids), "cat-file", "--batch-check=%(objecttype)")
	return err == nil && bytes.Contains(out, []byte("blob\n"))
}
