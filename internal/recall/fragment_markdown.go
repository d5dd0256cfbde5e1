package recall

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// Markdown returns the text of a fragment, front matter first. It returns an error if
// the id, title, type, importance, creation or session is invalid. White space in
// single-line texts becomes a space, and control characters are left out.
func (f Fragment) Markdown() ([]byte, error) {
	f = f.normal()
	if _, msg := f.wrong(); msg != "" {
		return nil, fmt.Errorf("fragment %s: %s", cut(f.ID), msg)
	}
	var b bytes.Buffer
	b.WriteString("---\n")
	fmt.Fprintf(&b, "id: %s\ntitle: %s\ntype: %s\ntags: %s\n", scalar(f.ID), scalar(f.Title), f.Type, flow(f.Tags))
	if len(f.Entities) > 0 {
		fmt.Fprintf(&b, "entities: %s\n", flow(f.Entities))
	}
	fmt.Fprintf(&b, "importance: %s\ncreated: %s\n", strconv.FormatFloat(f.Importance, 'f', -1, 64), f.Created)
	if f.Session != "" {
		fmt.Fprintf(&b, "session: %s\n", scalar(f.Session))
	}
	b.WriteString("---\n")
	if f.Body != "" {
		b.WriteString("\n" + f.Body + "\n")
	}
	return b.Bytes(), nil
}

// flow returns a list as YAML on one line.
func flow(list []string) string {
	texts := make([]string, len(list))
	for i, text := range list {
		texts[i] = scalar(text)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// plainScalar matches text that YAML reads as a string without quotes, at any place.
var plainScalar = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*$`)

// notText are words that some YAML reader takes for another type than string.
var notText = []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}

// scalar returns a text as YAML. Go's escapes are valid in YAML.
func scalar(text string) string {
	if plainScalar.MatchString(text) && !slices.Contains(notText, strings.ToLower(text)) {
		return text
	}
	return strconv.Quote(text)
}
