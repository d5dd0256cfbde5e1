package views

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Renderings holds the recent renderings of a view in this working copy, latest first. It keeps the
// texts of the last three: the rendering, the edit that it replaced, and the rendering that was
// edited. An editor that does not read the file again saves a further edit of that one.
type Renderings struct {
	sums  []string
	texts [][]byte // texts of the first sums
}

const (
	knownRenderings = 64 // the number of renderings of a view that are known by their sums
	keptTexts       = 3  // the number of renderings of a view that are kept as texts
)

// LastRenderings returns the recent renderings of a view. It returns none for other documents.
func LastRenderings(r fs.Reader, name string) Renderings {
	src, err := r.Read(renderingName(name))
	if err != nil {
		return Renderings{} // without renderings the edit is unknown
	}
	var b Renderings
	head, rest, _ := bytes.Cut(src, []byte("\n"))
	for _, field := range strings.Fields(string(head)) {
		sum, size, kept := strings.Cut(field, ":")
		b.sums = append(b.sums, sum)
		if n, err := strconv.Atoi(size); kept && err == nil && n >= 0 && n <= len(rest) {
			b.texts = append(b.texts, rest[:n:n])
			rest = rest[n:]
		}
	}
	return b
}

// Knows reports whether text is one of the renderings.
func (b Renderings) Knows(text []byte) bool { return slices.Contains(b.sums, renderingSum(text)) }

// Last returns the last rendering, or nil.
func (b Renderings) Last() []byte {
	if len(b.texts) == 0 {
		return nil
	}
	return b.texts[0]
}

// A ReplacedTexts gives access to texts that were replaced recently. [fs.Tree] and [fs.Tx] implement it.
type ReplacedTexts interface {
	fs.Reader
	// Displaced yields the replaced texts of a file, newest first.
	ReplacedContents(name string) iter.Seq[[]byte]
}

// mostBases is the largest number of replaced renderings with which an edit is compared.
const mostBases = 16

// Base returns the rendering of the view called name that somebody edited to get text. People save
// what they opened a while ago, so Base returns the most similar rendering, and of equally similar
// ones the latest. It returns nil if no rendering is known.
func (b Renderings) Base(p ReplacedTexts, name string, text []byte) []byte {
	edited := countValues(text)
	var base []byte
	least := 0
	consider := func(rendering []byte) {
		values := countValues(rendering)
		if d := extraValues(values, edited) + extraValues(edited, values); base == nil || d < least {
			base, least = rendering, d
		}
	}
	for _, rendering := range b.texts {
		consider(rendering)
	}
	compared := 0
	for rendering := range p.ReplacedContents(name) {
		if !b.Knows(rendering) {
			continue
		}
		if consider(rendering); compared == mostBases {
			break
		}
		compared++
	}
	return base
}

// With returns the renderings with text as the last one.
func (b Renderings) With(text []byte) Renderings {
	sum := renderingSum(text)
	now := Renderings{sums: []string{sum}, texts: [][]byte{text}}
	for i, s := range b.sums {
		if s == sum || len(now.sums) == knownRenderings {
			continue
		}
		now.sums = append(now.sums, s)
		if len(now.sums) <= keptTexts && len(now.texts) == len(now.sums)-1 && i < len(b.texts) {
			now.texts = append(now.texts, b.texts[i])
		}
	}
	return now
}

// Keep stores the renderings of the view called name.
func (b Renderings) Keep(tx *fs.Tx, name string) { tx.WriteLocal(renderingName(name), b.text()) }

// text returns the renderings in the form that LastRenderings reads.
func (b Renderings) text() []byte {
	var head strings.Builder
	for i, sum := range b.sums {
		head.WriteString(sum)
		if i < len(b.texts) {
			head.WriteString(":" + strconv.Itoa(len(b.texts[i])))
		}
		head.WriteByte(' ')
	}
	head.WriteByte('\n')
	return append([]byte(head.String()), bytes.Join(b.texts, nil)...)
}

func renderingSum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// renderingName returns the name of the file with the last renderings of a view. Its first line has
// the sums; the texts follow. The name does not end in .json because the file is not JSON.
func renderingName(name string) string {
	folder, rest, _ := strings.Cut(name, "/")
	return fs.LocalName(folder, "rendered", strings.ReplaceAll(rest, "/", "%2F")+".view")
}

// countValues counts the values of a JSON document by their place, without indexes of lists, and the
// lines of any other text.
func countValues(src []byte) map[string]int {
	all := map[string]int{}
	doc, err := jsonedit.Parse(src)
	if err != nil {
		for line := range bytes.Lines(src) {
			all[string(bytes.TrimSpace(line))]++
		}
		return all
	}
	var walk func(node int, path string)
	walk = func(node int, path string) {
		switch kind := doc.Nodes[node].Kind; kind {
		case jsonedit.Object, jsonedit.Array:
			for child := range doc.Children(node) {
				if kind == jsonedit.Object {
					walk(child, path+"/"+doc.Key(child))
				} else {
					walk(child, path+"/-")
				}
			}
		default:
			if path != stampPointer {
				all[path+"="+string(doc.Raw(node))]++
			}
		}
	}
	walk(0, "")
	return all
}

// extraValues counts the values that document has and other lacks.
func extraValues(document, other map[string]int) int {
	n := 0
	for value, times := range document {
		n += max(times-other[value], 0)
	}
	return n
}

// stamped returns the rendering with a stamp, or nil if it is no longer known.
func (b Renderings) stamped(p ReplacedTexts, name, stamp string) []byte {
	const most = 64 // texts; a program that saves constantly can leave thousands
	is := func(text []byte) bool {
		if !bytes.Contains(text, []byte(`"`+stamp+`"`)) { // faster than parsing it
			return false
		}
		carried, rendering := stampIn(text)
		return rendering && carried == stamp
	}
	for _, text := range b.texts {
		if is(text) {
			return text
		}
	}
	looked := 0
	for text := range p.ReplacedContents(name) {
		if is(text) {
			return text
		}
		if looked++; looked == most {
			break
		}
	}
	return nil
}

// Edited returns a view with contents src that somebody edited after it was rendered. It reports
// false if src is a rendering, including an older one that git or an editor restored. If no
// rendering is known, the edit is unknown.
func Edited(r ReplacedTexts, name string, src []byte) (Document, bool) {
	known := LastRenderings(r, name)
	stamp, rendering := stampIn(src)
	if rendering || known.Knows(src) {
		return Document{}, false
	}
	d := Document{Name: name, After: src}
	if stamp != "" {
		d.Before = known.stamped(r, name, stamp)
		d.Unknown = d.Before == nil
	} else {
		d.Before = known.Base(r, name, src)
	}
	if d.Before == nil {
		d.Before = src
	}
	return d, true
}

// A Found is a view on the disk that is no known rendering.
type Found struct {
	Document
	ByGit  bool // git wrote it, by a checkout, a pull or a rebase
	Edited bool // somebody edited it, here or in a commit that is new here
}

// Find examines src, the current contents of the view called name. It reports false if src is a
// rendering, see [Edited]. Bytes that git wrote are no edit, because the commit has the records as
// well. The exception is a commit that is new to the working copy: somebody without forgemind may
// have edited the view.
func Find(p ReplacedTexts, tree *fs.Tree, name string, src []byte) (Found, bool) {
	d, ok := Edited(p, name, src)
	if !ok {
		return Found{}, false
	}
	w := git.Written{Name: name, Content: src}
	if fi, err := tree.Look(renderingName(name)); err == nil {
		w.Since = fi.ModTime()
	}
	ctx := context.Background()
	if !git.WroteFile(ctx, tree.Root(), w) {
		return Found{Document: d, Edited: true}, true
	}
	base, news := git.BaseVersion(ctx, tree.Root(), w, LastRenderings(p, name).Knows)
	if news {
		d.Before = base
	}
	return Found{Document: d, ByGit: true, Edited: news}, true
}

// CountDropped counts the values of an edited document that are neither in the text before the edit nor
// in now, which replaced it. The text before the edit is unknown if Before is After.
func CountDropped(d Document, now []byte) int {
	before := countValues([]byte("{}"))
	if !bytes.Equal(d.Before, d.After) {
		before = countValues(d.Before)
	}
	for value, times := range countValues(now) {
		before[value] = max(before[value], times)
	}
	return extraValues(countValues(d.After), before)
}
