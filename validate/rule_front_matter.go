package validate

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/internal/yaml"
	"github.com/forgemind/forgemind/schema"
)

var frontMatter = Rule{
	Name:     "front-matter",
	Severity: Warning,
	Summary:  "A fragment of memory whose front matter is missing or can't be used.",
	Help: `A fragment, a file under memory/fragments/ of either folder, begins with front
matter: YAML between two lines of three dashes that says what it is. It is missing or
can't be read, lacks its id, title, type or created, or one of its values is of no use: an
importance that is no number from 0 to 1, a created that is no time.

Search by type, tag and time does not find such a fragment, and nothing can refer to it.

Wrong:

    ---
    id: frag-rs256
    importance: high
    ---

Right:

    ---
    id: frag-rs256
    title: RS256 rather than HS256
    type: decision
    tags: [jwt, authentication]
    importance: 0.9
    created: 2025-11-09T04:45:00Z
    ---

To mend it, correct what the finding names. Types are listed by unknown-word.
`,
	whole: func(d *document) {
		f, ok := d.fragment()
		if !ok {
			if f.wrong == "" { // not a fragment, or reported by conflict-marker
				return
			}
			d.report(f.fault, "", f.wrong, "begin the file with front matter; forgemind explain front-matter shows one")
			return
		}
		if id, ok := f.text("id"); ok && d.facts != nil {
			d.facts.fragments = append(d.facts.fragments, reference{spot: spot{name: d.name, offset: f.at("id")}, id: id})
		}
		if missing := f.missing(); len(missing) > 0 {
			d.report(0, "", "the front matter has no "+strings.Join(missing, ", no "), "add what is missing; forgemind explain front-matter shows a whole one")
		}
		if v := f.members["importance"]; v != nil && !isRatio(v) {
			d.report(f.at("importance"), "", "importance is "+shownYAML(v)+", no number from 0 to 1", "write a number from 0 to 1, such as 0.7")
		}
		if v := f.members["created"]; v != nil && !isTime(v) {
			d.report(f.at("created"), "", "created is "+shownYAML(v)+", no time", "write an RFC 3339 time, such as 2025-11-09T04:45:00Z")
		}
	},
}

// isFragment reports whether name is a fragment of memory.
func isFragment(name string) bool {
	_, rest, ok := strings.Cut(name, fs.MemoryDir+"/fragments/")
	return ok && path.Ext(rest) == ".md" && !strings.Contains(rest, "/") && (strings.HasPrefix(name, fs.Quaid+"/") || strings.HasPrefix(name, fs.Forgemind+"/") || inTree(name))
}

func inTree(name string) bool {
	_, _, ok := treeName(name)
	return ok
}

// A fragment is the front matter of a fragment of memory.
type fragment struct {
	src     []byte
	end     int            // end of the front matter in src
	members map[string]any // as decoded from YAML
	fault   int            // offset of the error
	wrong   string         // the error; "" if there is none
	merging bool           // it contains both sides of a merge
}

// fragment returns the front matter of d, false if d is not a fragment or cannot be
// read.
func (d *document) fragment() (fragment, bool) {
	if d.form != formText || !isFragment(d.name) || len(d.src) > maxSize {
		return fragment{}, false
	}
	if d.front == nil {
		f := readFragment(d.src)
		d.front = &f
	}
	return *d.front, d.front.wrong == "" && !d.front.merging
}

func readFragment(src []byte) (f fragment) {
	const line = 2 // the first line of front matter
	front, _, _ := yaml.Split(src)
	if front == nil {
		f.wrong = "there is no front matter"
		if bytes.HasPrefix(src, []byte("---")) {
			f.wrong = "the front matter has no end: a line of three dashes"
		}
		return f
	}
	f.src, f.end = src, bytes.IndexByte(src, '\n')+1+len(front)
	err := yaml.Decode(front, line, &f.members)
	if at, ok := errors.AsType[*yaml.Error](err); ok {
		f.fault = lineStart(src, at.Line)
		err = errors.New(at.Msg)
	}
	if f.merging = err != nil && hasMarker(front); f.merging {
		return f
	}
	if err != nil {
		f.wrong = "the front matter can't be read: " + text.Limit(err.Error(), 200)
	}
	return f
}

// text returns a member that is not empty, as text.
func (f fragment) text(name string) (string, bool) {
	switch v := f.members[name].(type) {
	case nil:
		return "", false
	case string:
		return v, v != ""
	default:
		return fmt.Sprint(v), true
	}
}

// missing returns the required members that are missing.
func (f fragment) missing() (names []string) {
	for _, name := range []string{"id", "title", "type", "created"} {
		if _, ok := f.text(name); !ok {
			names = append(names, name)
		}
	}
	return names
}

// at returns the offset of a member.
func (f fragment) at(name string) int {
	offset := 0
	for line := range bytes.Lines(f.src[:f.end]) {
		if rest, ok := bytes.CutPrefix(line, []byte(name)); ok && bytes.HasPrefix(bytes.TrimLeft(rest, " "), []byte(":")) {
			return offset
		}
		offset += len(line)
	}
	return 0
}

// lineStart returns the offset of a line, counted from 1.
func lineStart(src []byte, line int) (offset int) {
	for text := range bytes.Lines(src) {
		if line--; line < 1 {
			break
		}
		offset += len(text)
	}
	return offset
}

func isRatio(v any) bool {
	switch n := v.(type) {
	case int:
		return n == 0 || n == 1
	case float64:
		return n >= 0 && n <= 1
	}
	return false
}

func isTime(v any) bool {
	switch t := v.(type) {
	case time.Time:
		return true
	case string:
		_, err := schema.ParseTime(t)
		_, noDay := time.Parse(time.DateOnly, t)
		return err == nil || noDay == nil
	}
	return false
}

func shownYAML(v any) string { return quoted(fmt.Sprint(v)) }
