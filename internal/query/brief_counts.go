package query

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/tokens"
)

// A lineCounter counts the tokens of texts line by line, and remembers the counts of lines,
// because loading the tokenizer takes longer than the rest of a brief. A line feed ends a
// token of o200k, unless white space or a slash follows, with which no line of a brief
// begins: so the sum of the lines is the count of the text.
type lineCounter struct {
	tree  *fs.Tree
	count func(text string) int
	name  string         // name of the file with the counts
	kept  counted        // the counts in that file
	used  map[string]int // the counts that this brief needed
	news  bool           // some of them are not stored yet
}

// counted stores the counts of lines. They derive from the lines alone.
type counted struct {
	Version int            `json:"version"`
	Counter string         `json:"counter"`
	Views   string         `json:"views"` // hash of the documents that show what is new
	Lines   map[string]int `json:"lines"` // tokens, by the hash of the line
	Sum     string         `json:"sum"`   // checksum of the lines: damaged counts are not used
}

// countedVersion is the version of the counting and of the file.
const countedVersion = 1

// sum returns the value that Sum must have.
func (c *counted) sum() string {
	sum := sha256.New()
	for _, key := range slices.Sorted(maps.Keys(c.Lines)) {
		fmt.Fprintf(sum, "%s %d\n", key, c.Lines[key])
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// linesFile is the name of the file below `.local/`.
const linesFile = "brief-lines.json"

// newLineCounter reads the stored counts.
func newLineCounter(tree *fs.Tree, counter *tokens.Counter) *lineCounter {
	l := &lineCounter{tree: tree, count: counter.Count, used: map[string]int{}}
	folder := fs.Forgemind
	if _, err := tree.Look(folder); err != nil {
		folder = fs.Quaid
	}
	l.name = fs.LocalName(folder, "index", linesFile)
	src, err := tree.Read(l.name)
	if err != nil || jsonedit.Decode(src, &l.kept) != nil || l.kept.Version != countedVersion || l.kept.Counter != counter.Name() || l.kept.Sum != l.kept.sum() {
		l.kept = counted{Version: countedVersion, Counter: counter.Name()}
	}
	if views := viewsHash(tree); views != l.kept.Views || len(l.kept.Lines) == 0 {
		l.kept.Views, l.news = views, true
	}
	return l
}

// viewsHash returns the hash of the documents that nearly every change affects.
func viewsHash(tree *fs.Tree) string {
	sum := sha256.New()
	id, _ := session.Active(tree) // the brief reports an invalid name
	for _, name := range []string{fs.State, session.HotContext(id)} {
		src, _ := tree.Read(name)
		fmt.Fprintf(sum, "%d\n", len(src))
		sum.Write(src)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// Count returns the tokens of text.
func (l *lineCounter) Count(text string) (tokens int) {
	for line := range strings.Lines(text) {
		sum := sha256.Sum256([]byte(line))
		key := hex.EncodeToString(sum[:12])
		n, known := l.used[key]
		if !known {
			if n, known = l.kept.Lines[key]; !known || n < 1 || n > len(line) {
				n, l.news = l.count(line), true
			}
			l.used[key] = n
		}
		tokens += n
	}
	return tokens
}

// mostLines limits the lines that are stored to those of a few briefs.
const mostLines = 1000

// keep stores the counts, if some are new. Without them, the next brief only takes longer.
func (l *lineCounter) keep() {
	if !l.news || l.tree.DryRun {
		return
	}
	for key, n := range l.kept.Lines { // lines of another budget, or of a project
		if _, asked := l.used[key]; !asked && len(l.used) < mostLines {
			l.used[key] = n
		}
	}
	l.kept.Lines = l.used
	l.kept.Sum = l.kept.sum()
	if text, err := jsonedit.Marshal(l.kept); err == nil {
		_ = l.tree.WriteDerived(l.name, text)
	}
}
