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

// A lineCounter counts texts by their lines, and knows what lines cost that were
// counted before: to load the tokenizer takes longer than all else that a brief
// takes. A line feed ends a token of o200k, unless white space or a slash
// follows, which begin no line of a brief: so the lines cost together what the
// text does.
type lineCounter struct {
	tree  *fs.Tree
	count func(text string) int
	name  string         // where the costs are kept
	kept  counted        // as they were
	used  map[string]int // that this brief asked for
	news  bool           // something is not kept yet
}

// counted is what is kept of lines that were counted: derived, and true of a
// line whatever else changes.
type counted struct {
	Version int            `json:"version"`
	Counter string         `json:"counter"`
	Views   string         `json:"views"` // the hash of the documents that tell of what is new
	Lines   map[string]int `json:"lines"` // by their hashes, tokens
	Sum     string         `json:"sum"`   // of the lines: a count that is damaged is not believed
}

// countedVersion is that of the way in which lines are counted and kept.
const countedVersion = 1

// sum is what Sum must be.
func (c *counted) sum() string {
	sum := sha256.New()
	for _, key := range slices.Sorted(maps.Keys(c.Lines)) {
		fmt.Fprintf(sum, "%s %d\n", key, c.Lines[key])
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// linesFile is where it stands below `.local/`.
const linesFile = "brief-lines.json"

// newLineCounter reads what was counted before.
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

// viewsHash is the hash of the documents that nearly every change shows in.
func viewsHash(tree *fs.Tree) string {
	sum := sha256.New()
	id, _ := session.Active(tree) // of a name that is none the brief tells
	for _, name := range []string{fs.State, session.HotContext(id)} {
		src, _ := tree.Read(name)
		fmt.Fprintf(sum, "%d\n", len(src))
		sum.Write(src)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// Count is what text costs.
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

// mostLines is how many lines are kept: those of a few briefs.
const mostLines = 1000

// keep keeps what was counted, if that is not kept already. Without it the next
// brief takes longer, that is all.
func (l *lineCounter) keep() {
	if !l.news || l.tree.DryRun {
		return
	}
	for key, n := range l.kept.Lines { // of another budget, or a project
		if _, asked := l.used[key]; !asked && len(l.used) < mostLines {
			l.used[key] = n
		}
	}
	l.kept.Lines = l.used
	l.kept.Sum = l.kept.sum()
	if text, err := jsonedit.Marshal(l.kept); err == nil {
		_ = l.tree.Derive(l.name, text)
	}
}
