package hook

import (
	"bytes"
	"path/filepath"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A ground is where an agent works on a tree. A session may go from one project to
// another; what was said there is not to stand here.
type ground struct {
	root string
	all  bool // whoever ran the hook named the tree
	seen map[string]bool
}

func (g *ground) holds(dir string) bool {
	if g.all || dir == "" {
		return true
	}
	is, known := g.seen[dir]
	if !known {
		is = filepath.IsAbs(dir) && fs.Holds(g.root, dir)
		g.seen[dir] = is
	}
	return is
}

// here blanks the lines of a transcript that were written while the agent worked
// elsewhere; those that do not say where follow the one before. away says it of the
// line before the first, and then of the last.
func (g *ground) here(src []byte, away bool) (_ []byte, awayNow bool) {
	var kept []byte // a copy, as soon as one is needed
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

// begins says whether a transcript that begins with head begins elsewhere.
func (g *ground) begins(head []byte) (away bool) {
	for line := range bytes.Lines(head) {
		if dir := dirOf(line); dir != "" {
			return !g.holds(dir)
		}
	}
	return false
}

// dirOf is the directory that the agent worked in as it wrote a line; "" where the
// line does not say.
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
