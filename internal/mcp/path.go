package mcp

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// pathIn returns a path that a client gave, relative to the project directory root. The client may
// give an absolute path, and a line number. It returns an error for a path outside root. A trailing
// slash, which marks a folder, is kept.
func pathIn(root, given string) (string, error) {
	at := strings.ReplaceAll(given, `\`, "/")
	at = lineOf.ReplaceAllString(at, "")
	root = filepath.ToSlash(root)
	if strings.HasPrefix(at+"/", root+"/") {
		at = "." + strings.TrimPrefix(at, root)
	}
	folder := strings.HasSuffix(at, "/")
	at = path.Clean(at)
	if path.IsAbs(at) || at == ".." || strings.HasPrefix(at, "../") || filepath.VolumeName(at) != "" {
		return "", misused("%s leads out of the project directory %s; a path is relative to it, or below it", quoted(given), quoted(root))
	}
	if folder && at != "." {
		at += "/"
	}
	return at, nil
}

// lineOf matches the line and column at the end of a path.
var lineOf = lazyregexp.New(`(:[0-9]+)+$|#L[0-9]+(-L[0-9]+)?$`)
