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

// maxLinks is the largest number of links of one artifact that are followed.
const maxLinks = 100

// A link leads from an artifact to another artifact or to a file of the project.
type link struct {
	label string // name of the relation
	to    string // an id or a path
	trace bool   // the artifact comes from the target, or the target from it
}

// Relations that a key of the front matter can express.
const (
	nothing = iota // no link
	related        // a related artifact
	traced         // a source or a result of the artifact
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

// linksOf returns the links in the text of the file name: those of its front matter, then those of
// its markdown, without duplicates.
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
		for to := range linkedFiles(name, body) {
			add(link{label: "link", to: to})
		}
	}
	return links
}

// strs yields a value that is a string, or the strings of a value that is a list.
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

// destination returns the id, such as IDEA-001, or the path that a value of the front matter names.
// It reports false for other texts.
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

// usable returns a path in its shortest form. It reports false if the path leads out of the project
// directory or to a file that is never given to agents.
func usable(name string) (string, bool) {
	name = path.Clean(name)
	ok := iofs.ValidPath(name) && name != "." && !own(name) && printable(name) == name && !strings.ContainsAny(name, "\n\t")
	return name, ok
}
