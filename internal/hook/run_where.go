package hook

import (
	"bytes"
	"path/filepath"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A workPlace identifies where an agent works in a tree. A session can change between projects;
// messages from another project must not be imported.
type workPlace struct {
	root string
	all  bool // the caller named the tree
	seen map[string]bool
}

func (r *hookCall) ground(root string) *workPlace {
	return &workPlace{root, r.call.Tree != "", map[string]bool{}}
}

func (g *workPlace) holds(dir string) bool {
	if g.all || dir == "" {
		return true
	}
	is, known := g.seen[dir]
	if !known {
		is = filepath.IsAbs(dir) && fs.Contains(g.root, dir)
		g.seen[dir] = is
	}
	return is
}

// here blanks the lines of a transcript that were written while the agent worked elsewhere. A line
// without a directory is treated like the one before. The argument away is true if the agent worked
// elsewhere before the first line; the result awayNow is the same for the last line.
func (g *workPlace) here(src []byte, away bool) (_ []byte, awayNow bool) {
	var kept []byte // a copy, made when needed
	at := 0
	for line := range bytes.Lines(src) {
		if dir := dirOf(line); dir != "" {
			away = !g.holds(dir)
		}
		if away {
			if kept == nil {
				kept = bytes.Clone(src)
			}
			for i := range line {
				if line[i] != '\n' {
					kept[at+i] = ' '
				}
			}
		}
		at += len(line)
	}
	if kept == nil {
		kept = src
	}
	return kept, away
}

// begins reports whether the agent works elsewhere at the beginning of a transcript with the first
// bytes head.
func (g *workPlace) begins(head []byte) (away bool) {
	for line := range bytes.Lines(head) {
		if dir := dirOf(line); dir != "" {
			return !g.holds(dir)
		}
	}
	return false
}

// dirOf returns the agent's directory in a line, or "".
func dirOf(line []byte) string {
	if !bytes.Contains(line, []byte(`"cwd"`)) {
		return ""
	}
	doc, err := jsonedit.Parse(bytes.TrimSpace(line))
	if err != nil {
		return ""
	}
	return firstText(doc, "/cwd", "/payload/cwd", "/data/context/cwd", "/data/cwd")
}
