package mcp

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// pathIn is a path that a client gave, from the project directory root on: agents
// name files in full as well, and the line. What leads out of it is refused; a
// slash at the end, which says that it is a folder, stays.
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

// lineOf is what names a line of a file, and the column.
var lineOf = lazyregexp.New(`(:[0-9]+)+$|#L[0-9]+(-L[0-9]+)?$`)
