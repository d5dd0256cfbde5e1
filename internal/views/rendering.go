package views

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// A Rendering is how a view was rendered last, with the sums of that and of renderings
// before it. It belongs to the working copy.
type Rendering struct {
	sums []string
	text []byte
}

// knownRenderings is how many renderings of a view are known by their sums.
const knownRenderings = 64

// LastRendering returns how a view was rendered last. A document that is no view was not.
func LastRendering(r fs.Reader, name string) Rendering {
	src, err := r.Read(renderingName(name))
	if err != nil {
		return Rendering{} // what was edited is not known then
	}
	sums, text, _ := bytes.Cut(src, []byte("\n"))
	return Rendering{strings.Fields(string(sums)), text}
}

// Knows reports whether text is one of the renderings.
func (b Rendering) Knows(text []byte) bool { return slices.Contains(b.sums, renderingSum(text)) }

// Text returns the last rendering; nil where there is none.
func (b Rendering) Text() []byte { return b.text }

// Keep notes that the view called name is rendered as text now.
func (b Rendering) Keep(tx *fs.Tx, name string, text []byte) {
	sum := renderingSum(text)
	if len(b.sums) > 0 && b.sums[0] == sum {
		return
	}
	sums := append([]string{sum}, slices.DeleteFunc(b.sums, func(s string) bool { return s == sum })...)
	line := strings.Join(sums[:min(len(sums), knownRenderings)], " ") + "\n"
	tx.Jot(renderingName(name), append([]byte(line), text...))
}

func renderingSum(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// renderingName returns where the last rendering of a view is kept: in one line the sums,
// then the text. That is no JSON, and must not be taken for JSON that is being saved.
func renderingName(name string) string {
	folder, rest, _ := strings.Cut(name, "/")
	return fs.LocalName(folder, "rendered", strings.ReplaceAll(rest, "/", "%2F")+".view")
}

// Edited returns a view that somebody edited since it was rendered last, as src now. False:
// src is a rendering, and be it an older one that git or an editor put there. Where nobody
// knows the last rendering, nobody knows what was edited.
func Edited(r fs.Reader, name string, src []byte) (Document, bool) {
	base := LastRendering(r, name)
	if base.Knows(src) {
		return Document{}, false
	}
	if base.text == nil {
		base.text = src
	}
	return Document{Name: name, Before: base.text, After: src}, true
}
