package validate

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Formats lists the names that Write knows, the default first.
func Formats() []string {
	return []string{"text", "json", "github", "sarif", "junit", "gitlab"}
}

// Write writes a finished Report in one of the Formats. The same Report gives the same bytes.
//
// Findings quote text of strangers. No format writes a control character, a direction mark or
// an invisible character to a terminal: text, github and junit write them as Go escapes, the
// JSON formats as \u escapes.
func Write(w io.Writer, format string, r Report) error {
	out := bufio.NewWriter(w)
	var err error
	switch format {
	case "text":
		writeText(out, r)
	case "json":
		err = writeReport(out, r)
	case "github":
		writeGitHub(out, r)
	case "sarif":
		err = writeSARIF(out, r, Rules())
	case "junit":
		err = writeJUnit(out, r)
	case "gitlab":
		err = writeGitLab(out, r)
	default:
		return fmt.Errorf("unknown format %q: it is one of %s", format, strings.Join(Formats(), ", "))
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", format, err)
	}
	return out.Flush()
}

// writeReport writes the JSON form of a Report.
func writeReport(w io.Writer, r Report) error {
	if r.Findings == nil {
		r.Findings = []Finding{} // [] is a list without findings; null would be no list
	}
	return writeJSON(w, struct {
		Version int    `json:"version"`
		Kind    string `json:"kind"`
		Report
	}{r.Version, "validation", r})
}

// writeJSON writes v with an indent of two spaces. Characters that visible
// would escape become \u escapes, which mean the same to a reader of JSON.
func writeJSON(w io.Writer, v any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	out := make([]byte, 0, text.Len())
	for _, c := range text.String() {
		switch {
		case c == '\n' || strconv.IsPrint(c):
			out = utf8.AppendRune(out, c)
		case c > 0xffff:
			c -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+c>>10, 0xdc00+c&0x3ff)
		default:
			out = fmt.Appendf(out, `\u%04x`, c)
		}
	}
	_, err := w.Write(out)
	return err
}

// visible returns s with characters that are invisible or control a terminal as escapes
// of a Go string.
func visible(s string) string {
	var b strings.Builder
	for i, size := 0, 0; i < len(s); i += size {
		var c rune
		c, size = utf8.DecodeRuneInString(s[i:])
		switch {
		case c == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case strconv.IsPrint(c):
			b.WriteRune(c)
		default:
			quoted := strconv.QuoteRune(c)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// slashed returns the path of f with slashes and without a leading "./".
func slashed(f Finding) string {
	return path.Clean(filepath.ToSlash(f.File))
}

// fingerprints returns a key for each Finding: its rule, its file, its pointer, and the
// number of equal ones before it. Keys do not depend on lines and values. No two Findings of
// one Report have the same key.
func fingerprints(findings []Finding) []string {
	names := make([]string, len(findings))
	before := make(map[string]int)
	for i, f := range findings {
		key := strings.Join([]string{f.Rule, slashed(f), f.Pointer}, "\x00")
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, before[key]))
		names[i] = hex.EncodeToString(sum[:16])
		before[key]++
	}
	return names
}
