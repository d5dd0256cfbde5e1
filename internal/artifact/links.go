package artifact

import (
	iofs "io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// maxLinks is how many links of one artifact are followed.
const maxLinks = 100

// A link leads from an artifact to another one, or to a file of the project.
type link struct {
	label string // how they relate
	to    string // an id or a path
	trace bool   // it says where the artifact comes from, or what comes of it
}

// What a key of the front matter says of its values.
const (
	nothing = iota // they are no links
	related        // there is another
	traced         // where it comes from, or what comes of it
)

func meaning(key string) int {
	switch strings.ToLower(key) {
	case "id", "type", "title", "name", "summary", "description", "status", "priority", "created", "updated", "modified", "date",
		"version", "author", "authors", "owner", "agent", "tags", "clarity", "layer", "importance", "session":
		return nothing
	case "related", "related_artifacts", "related_to", "see_also", "links", "refs", "references", "files":
		return related
	}
	return traced
}

// linksOf are the links of an artifact's text, which stands at name: those of
// its front matter, then those of its markdown, each once.
func linksOf(name string, content []byte) []link {
	f, body := readFront(content)
	var links []link
	add := func(l link) {
		same := func(m link) bool { return m.to == l.to && (m.label == l.label || !l.trace) }
		if len(links) < maxLinks && l.to != name && !slices.ContainsFunc(links, same) {
			links = append(links, l)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(f)) {
		means := meaning(key)
		if means == nothing {
			continue
		}
		for value := range strs(f[key]) {
			if to, ok := destination(value); ok {
				add(link{label: line(key, 40), to: to, trace: means == traced})
			}
		}
	}
	if markdown(name) {
		for to := range pointed(name, body) {
			add(link{label: "link", to: to})
		}
	}
	return links
}

// strs are the texts of a value: itself, or those of its list.
func strs(value any) iter.Seq[string] {
	return func(yield func(string) bool) {
		switch v := value.(type) {
		case string:
			yield(v)
		case []any:
			for _, e := range v {
				if s, ok := e.(string); ok && !yield(s) {
					return
				}
			}
		}
	}
}

// destination is what a value of the front matter leads to: the id of an
// artifact, such as IDEA-001, or a path. Other texts lead nowhere.
func destination(value string) (string, bool) {
	value = strings.TrimSpace(value)
	if schema.ValidID(value) && kindByID(value) != "" && strings.ContainsAny(value, "0123456789") {
		return value, true
	}
	if !strings.Contains(value, "/") || strings.ContainsAny(value, " \\:") {
		return "", false
	}
	return usable(value)
}

// usable is a path in its shortest form; false where it leads out of the
// project directory or to what no agent is given.
func usable(name string) (string, bool) {
	name = path.Clean(name)
	ok := iofs.ValidPath(name) && name != "." && !own(name) && printable(name) == name && !strings.ContainsAny(name, "\n\t")
	return name, ok
}
