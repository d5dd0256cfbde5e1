package validate

import (
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

var artifactPath = Rule{
	Name:     "artifact-path",
	Severity: Error,
	Summary:  "A path that leads out of the project directory.",
	Help: `The path of an artifact, of a cache entry or of the loader's configuration is
absolute, climbs out with .., or is no path at all.

Such a path means another file on every machine, and in a tree from a stranger it is
how one reads what is none of its business. Nothing outside is ever opened.

Wrong:

    "path": "/home/ann/notes.md"
    "path": "../secrets.md"
    "path": "docs\\idea.md"

Right:

    "path": "docs/idea.md"

To mend it, move the file into the project and write its path relative to the
project directory, with slashes.
`,
	record: func(d *document) {
		if !d.parsed() {
			return
		}
		switch d.kind {
		case fs.DocState, fs.DocSnapshot:
			d.pathsIn(d.tape.Member(0, "loaded_artifacts"))
		case fs.DocCacheIndex:
			d.pathsIn(d.tape.Member(0, "entries"))
		case fs.DocConfig:
			paths := d.member(0, "loader", "paths")
			for c := d.first(paths); c >= 0; c = d.next(c) {
				d.insidePath(c)
			}
		}
	},
}

func (d *document) pathsIn(array int) {
	for e := d.first(array); e >= 0; e = d.next(e) {
		d.insidePath(d.tape.Member(e, "path"))
	}
}

func (d *document) insidePath(node int) {
	if d.kindOf(node) != jsonedit.String {
		return
	}
	text := d.text(node)
	if plainPath(text) {
		return
	}
	if why := outside(d.str(node)); why != "" {
		d.at(node, "the path "+quoted(d.str(node))+" "+why, "write it relative to the project directory, with slashes, and inside it")
	}
}

// plainPath reports quickly that a path is valid: letters, digits, - and _, single
// slashes between them, and no two dots in a row. It returns false for other valid
// paths.
func plainPath(s []byte) bool {
	before := byte('/')
	for _, c := range s {
		if !idByte(c) && c != '/' || (c == '/' || c == '.') && c == before {
			return false
		}
		before = c
	}
	return len(s) > 0
}

// outside returns the reason why a path is not inside the project directory, "" if it
// is inside.
func outside(p string) string {
	switch {
	case p == "":
		return "is empty"
	case strings.IndexFunc(p, func(r rune) bool { return r < ' ' || r == 0x7F }) >= 0:
		return "holds control characters"
	case strings.Contains(p, `\`):
		return "holds backslashes"
	case strings.HasPrefix(p, "/") || len(p) > 1 && p[1] == ':' || strings.Contains(p, "://"):
		return "is absolute"
	case strings.HasPrefix(p, "~"):
		return "begins with a home directory"
	case path.Clean(p) == ".." || strings.HasPrefix(path.Clean(p), "../"):
		return "leads out of the project directory"
	}
	return ""
}
