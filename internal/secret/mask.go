package secret

import (
	"bytes"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Mask replaces each secret in text by `[masked:<kind>]` and returns the kinds, one
// for each secret. Masking a masked text changes nothing.
func Mask(text string) (masked string, kinds []string) {
	var m Masker
	return m.Text(text), m.Kinds()
}

// MaskJSON masks the strings of a JSON text; see Masker.JSON.
func MaskJSON(src []byte) (masked []byte, kinds []string) {
	var m Masker
	return m.JSON(src), m.Kinds()
}

// A Masker masks texts and counts the secrets, each one once. The zero Masker masks
// every secret.
type Masker struct {
	// Known reports whether a secret is not to be masked. It may be nil.
	Known func(secret string) bool

	counted map[string]bool // secrets
	kinds   []string
}

// Kinds returns the kind of each secret that was masked, in the order of the texts.
func (m *Masker) Kinds() []string { return m.kinds }

// Text masks the secrets in text.
func (m *Masker) Text(text string) string { return m.replace(text, Find(text)) }

func (m *Masker) replace(text string, found []Found) string {
	if m.Known != nil {
		found = slices.DeleteFunc(found, func(f Found) bool { return m.Known(text[f.Start:f.End]) })
	}
	if len(found) == 0 {
		return text
	}
	if m.counted == nil {
		m.counted = map[string]bool{}
	}
	var b strings.Builder
	at := 0
	for _, f := range found {
		b.WriteString(text[at:f.Start])
		b.WriteString("[masked:" + f.Kind + "]")
		at = f.End
		if value := text[f.Start:f.End]; !m.counted[value] {
			m.counted[value] = true
			m.kinds = append(m.kinds, f.Kind)
		}
	}
	b.WriteString(text[at:])
	return b.String()
}

// JSON masks the secrets in the strings and member names of a JSON text. It judges a
// value together with its name, so that the value of {"password": …} is a secret. It
// masks src as text if it is not JSON.
func (m *Masker) JSON(src []byte) []byte {
	if !Possible(src) && !hasEscape(src) {
		return src
	}
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return []byte(m.Text(string(src)))
	}
	var out []byte
	at := 0
	put := func(start, end int32, text string, found []Found) {
		masked := m.replace(text, found)
		if masked == text {
			return
		}
		value, err := jsonedit.Value(masked)
		if err != nil {
			return
		}
		out = append(append(out, src[at:start]...), value...)
		at = int(end)
	}
	for i, node := range doc.Nodes {
		name := doc.Key(i)
		if name != "" {
			put(node.KeyStart, node.KeyEnd, name, Find(name))
		}
		if text, ok := doc.Str(i); ok {
			put(node.Start, node.End, text, FindValue(name, text))
		}
	}
	if at == 0 {
		return src
	}
	return append(out, src[at:]...)
}

// JSONLines masks each line of src as JSON.
func (m *Masker) JSONLines(src []byte) []byte {
	if !Possible(src) && !hasEscape(src) {
		return src
	}
	var out []byte
	for line := range bytes.Lines(src) {
		body := bytes.TrimRight(line, "\r\n")
		out = append(append(out, m.JSON(body)...), line[len(body):]...)
	}
	return out
}
