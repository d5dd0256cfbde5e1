package artifact

import (
	"path"
	"strings"

	"github.com/forgemind/forgemind/internal/yaml"
	"github.com/forgemind/forgemind/schema"
)

// Longest texts that are copied from an artifact's file, in characters.
const (
	maxName    = 120
	maxSummary = 300
)

// A frontMatter holds the front matter of a file. It is empty if the front matter cannot be read.
type frontMatter map[string]any

func readFront(content []byte) (f frontMatter, body []byte) {
	head, body, _ := yaml.Split(content)
	if yaml.Decode(head, 2, &f) != nil {
		return nil, body
	}
	return f, body
}

// text returns a text of the front matter on one line.
func (f frontMatter) text(most int, keys ...string) string {
	for _, key := range keys {
		if s, ok := f[key].(string); ok && s != "" {
			return line(s, most)
		}
	}
	return ""
}

// describe fills in members of a that the State lacks from the content of its file.
func describe(a schema.Artifact, content []byte) schema.Artifact {
	f, body := readFront(content)
	if a.Type == "" {
		a.Type = f.text(maxName, "type")
	}
	if a.Type == "" && strings.ContainsAny(a.ID, "0123456789") {
		if kind := kindByID(a.ID); layerRank(kind) < len(schema.LayerNames()) {
			a.Type = kind
		}
	}
	if a.Type == "" {
		a.Type = kindByPath(a.Path)
	}
	if a.Name == "" {
		a.Name = f.text(maxName, "title", "name")
	}
	if a.Name == "" && markdown(a.Path) {
		a.Name = heading(body)
	}
	if a.Name == "" {
		a.Name = line(path.Base(a.Path), maxName)
	}
	if a.Summary == "" {
		a.Summary = f.text(maxSummary, "summary", "description")
	}
	return a
}

func markdown(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".md" || ext == ".markdown"
}

// heading returns the first heading of a markdown text.
func heading(body []byte) string {
	for text := range strings.Lines(string(body)) {
		rest := strings.TrimLeft(text, "#")
		if level := len(text) - len(rest); level < 1 || level > 6 || !strings.HasPrefix(rest, " ") {
			continue
		}
		if name := line(strings.TrimRight(rest, "# \r\n"), maxName); name != "" {
			return name
		}
	}
	return ""
}
