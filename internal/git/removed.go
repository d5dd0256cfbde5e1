package git

import (
	"bytes"
	"context"
	"strings"
)

// LineRemoved reports whether an ancestor of HEAD other than a merge removed a line
// that contains text from the file path, a slash path relative to root. It returns
// false if git fails.
func LineRemoved(ctx context.Context, root, path, text string) bool {
	if text == "" || strings.ContainsRune(path+text, 0) {
		return false
	}
	out, err := run(ctx, root, nil, "-c", "log.showSignature=false", "--literal-pathspecs", "log", "--no-show-signature", "--no-merges", "--no-renames",
		"--no-color", "--no-ext-diff", "--no-textconv", "--format=", "--unified=0", "--patch", "-S"+text, "HEAD", "--", path)
	if err != nil {
		return false
	}
	for line := range bytes.Lines(out) {
		if rest, ok := bytes.CutPrefix(line, []byte("-")); ok && !bytes.HasPrefix(rest, []byte("-- ")) && bytes.Contains(rest, []byte(text)) {
			return true
		}
	}
	return false
}
