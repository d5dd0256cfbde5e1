package query

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/session"
)

// sources finds the files and lines of texts in a tree. It reads each file once.
type sources struct {
	tree  *fs.Tree
	files map[string][]byte
}

func newSources(tree *fs.Tree) *sources { return &sources{tree, map[string][]byte{}} }

// line returns the number of the line in a file that has the first of the texts that the file
// has, from 1; 0 if it has none of them.
func (s *sources) line(name string, texts ...string) int {
	src, known := s.files[name]
	if !known {
		src, _ = s.tree.Read(name)
		s.files[name] = src
	}
	for _, text := range texts {
		if text == "" {
			continue
		}
		if at := bytes.Index(src, []byte(text)); at >= 0 {
			return 1 + bytes.Count(src[:at], []byte("\n"))
		}
	}
	return 0
}

// place returns the file and the line of a thing: the line of text, which is a part of it, or
// the line that names it. They are "" and 0 if neither is known.
func (s *sources) place(t *Thing, text string) (file string, line int) {
	switch id := quoted(t.ID); {
	case t.Kind == kindDecision:
		file = s.decisionFile(t.ID)
		line = s.line(file, unquoted(text), id)
	case t.Kind == kindChunk:
		return s.chunkPlace(t)
	case t.Kind == kindMessage:
		file = t.File
		line = s.line(file, id, unquoted(text))
	default:
		file = t.File
		line = s.line(file, unquoted(text), text, id)
	}
	if file != "" {
		line = max(1, line)
	}
	return file, line
}

// decisionFile returns the file of a decision or, without one, the view that shows it.
func (s *sources) decisionFile(id string) string {
	if at, ok, err := ledger.Find(s.tree, id); err == nil && ok {
		return at
	}
	names := []string{fs.State}
	if active, err := session.Active(s.tree); err == nil && active != "" {
		names = append(names, session.HotContext(active))
	}
	for _, name := range names {
		if s.line(name, quoted(id)) > 0 {
			return name
		}
	}
	return ""
}

// chunkPlace returns the file of cold storage that holds a chunk, and its line.
func (s *sources) chunkPlace(t *Thing) (file string, line int) {
	for _, home := range homes {
		for name, err := range s.tree.Names(home + "/" + fs.ColdDir + "/" + t.Session) {
			if err != nil || fs.Place(name) != fs.DocChunk {
				continue
			}
			if line := s.line(name, quoted(t.ID)); line > 0 {
				return name, line
			}
		}
	}
	return "", 0
}

// quoted returns a text as a JSON string.
func quoted(text string) string {
	value, err := jsonedit.Value(text)
	if err != nil {
		value, _ = json.Marshal(text) // a text
	}
	return string(value)
}

// unquoted returns a text as a JSON string without its quotes.
func unquoted(text string) string { return strings.Trim(quoted(text), `"`) }

// A rawJSON is an unparsed document.
type rawJSON []byte

// MarshalJSON returns the document; null if it is not JSON.
func (r rawJSON) MarshalJSON() ([]byte, error) {
	if _, err := jsonedit.Parse(r); err != nil {
		return []byte("null"), nil
	}
	return r, nil
}
