package views

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Renderings are how a view was rendered lately, the last one first. They belong to the
// working copy. Of two the texts are kept: a save that came while the last was to be
// written is made from the one before.
type Renderings struct {
	sums  []string
	texts [][]byte // of the first sums
}

// knownRenderings is how many renderings of a view are known by their sums.
const knownRenderings = 64

// LastRenderings returns how a view was rendered lately. A document that is no view was
// not.
func LastRenderings(r fs.Reader, name string) Renderings {
	src, err := r.Read(renderingName(name))
	if err != nil {
		return Renderings{} // what was edited is not known then
	}
	var b Renderings
	head, rest, _ := bytes.Cut(src, []byte("\n"))
	whole := true // no text before is damaged
	for field := range strings.FieldsSeq(string(head)) {
		if len(b.sums) == knownRenderings {
			break
		}
		sum, size, _ := strings.Cut(field, ":")
		b.sums = append(b.sums, sum)
		n, err := strconv.Atoi(size)
		if whole = whole && err == nil && n >= 0 && n <= len(rest) && renderingSum(rest[:n]) == sum; whole {
			b.texts = append(b.texts, rest[:n:n])
			rest = rest[n:]
		}
	}
	return b
}

// Knows reports whether text is one of the renderings.
func (b Renderings) Knows(text []byte) bool { return slices.Contains(b.sums, renderingSum(text)) }

// Last returns the last rendering; nil where there is none.
func (b Renderings) Last() []byte {
	if len(b.texts) == 0 {
		return nil
	}
	return b.texts[0]
}

// A Past knows which texts were replaced lately; an [fs.Tree] and an [fs.Tx] do.
type Past interface {
	fs.Reader
	// Displaced yields them, the newest first.
	Displaced(name string) iter.Seq[[]byte]
}

// mostBases is how many renderings an edit is compared with, of those that were replaced.
const mostBases = 16

// Base returns the rendering of the view called name that somebody edited to get text,
// for people save what they opened a while ago: the nearest to it, of equally near ones
// the last. It returns nil where no rendering is known.
func (b Renderings) Base(p Past, name string, text []byte) []byte {
	edited := leaves(text)
	var base []byte
	least := 0
	consider := func(rendering []byte) {
		values := leaves(rendering)
		if d := surplus(values, edited) + surplus(edited, values); base == nil || d < least {
			base, least = rendering, d
		}
	}
	for _, rendering := range b.texts {
		consider(rendering)
	}
	compared := 0
	for rendering := range p.Displaced(name) {
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
		if len(now.sums) == 2 && i < len(b.texts) {
			now.texts = append(now.texts, b.texts[i])
		}
	}
	return now
}

// Keep notes the renderings of the view called name.
func (b Renderings) Keep(tx *fs.Tx, name string) {
	var head strings.Builder
	for i, sum := range b.sums {
		head.WriteString(sum)
		if i < len(b.texts) {
			head.WriteString(":" + strconv.Itoa(len(b.texts[i])))
		}
		head.WriteByte(' ')
	}
	head.WriteByte('\n')
	tx.Jot(renderingName(name), append([]byte(head.String()), bytes.Join(b.texts, nil)...))
}

func renderingSum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// renderingName returns where the last renderings of a view are kept: in one line the
// sums, then the texts. That is no JSON, and must not be taken for JSON that is being saved.
func renderingName(name string) string {
	folder, rest, _ := strings.Cut(name, "/")
	return fs.LocalName(folder, "rendered", strings.ReplaceAll(rest, "/", "%2F")+".view")
}

// leaves counts the values of a JSON document by where they stand, without their places
// in lists, and the lines of any other text.
func leaves(src []byte) map[string]int {
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
			all[path+"="+string(doc.Raw(node))]++
		}
	}
	walk(0, "")
	return all
}

// surplus counts the values that a document has and another has not.
func surplus(document, other map[string]int) int {
	n := 0
	for value, times := range document {
		n += max(times-other[value], 0)
	}
	return n
}

// Edited returns a view that somebody edited since it was rendered, as src now. False:
// src is a rendering, and be it an older one that git or an editor put there. Where nobody
// knows a rendering, nobody knows what was edited.
func Edited(r Past, name string, src []byte) (Document, bool) {
	known := LastRenderings(r, name)
	if known.Knows(src) {
		return Document{}, false
	}
	base := known.Base(r, name, src)
	if base == nil {
		base = src
	}
	return Document{Name: name, Before: base, After: src}, true
}
