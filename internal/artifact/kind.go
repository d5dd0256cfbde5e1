package artifact

import (
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// Kinds of artifacts that the loader handles specially. A kind is the member `type` in the State,
// which may be any other word.
const (
	kindTemplate      = "template"
	kindClarification = "clarification"
	kindCode          = "code"
	kindDocument      = "document"
)

// kindsOfLayer returns the kinds that belong to a layer, its own kind first.
func kindsOfLayer(layer int) []string {
	all := [][]string{
		{"idea", kindClarification},
		{"module", "architecture", "diagram"},
		{"domain", "domain-model", "domain-event"},
		{"requirement"},
		{"specification"},
		{kindCode},
	}
	if layer < 0 || layer >= len(all) {
		return nil
	}
	return all[layer]
}

// layerRank returns the layer of a kind, or the number of layers if it has none.
func layerRank(kind string) int {
	for layer := range schema.LayerNames() {
		if slices.Contains(kindsOfLayer(layer), kind) {
			return layer
		}
	}
	return len(schema.LayerNames())
}

// word returns a kind in a form for comparisons: singular, in lower case, without abbreviations.
func word(kind string) string {
	kind = singular(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(kind)), "_", "-"))
	switch kind {
	case "mod":
		return "module"
	case "dom":
		return "domain"
	case "req":
		return "requirement"
	case "spec":
		return "specification"
	case "arch", "architecture-doc", "architecture-document":
		return "architecture"
	case "architecture-diagram":
		return "diagram"
	case "model":
		return "domain-model"
	case "event":
		return "domain-event"
	case "source":
		return kindCode
	}
	return kind
}

func singular(kind string) string {
	if strings.HasSuffix(kind, "ss") {
		return kind
	}
	return strings.TrimSuffix(kind, "s")
}

// kindOf returns the kind of an artifact: its type, or else the prefix of its id.
func kindOf(a schema.Artifact) string {
	if a.Type != "" {
		return word(a.Type)
	}
	return kindByID(a.ID)
}

// kindByID returns the kind for the prefix of an id such as IDEA-001, or "".
func kindByID(id string) string {
	prefix, _, ok := strings.Cut(id, "-")
	if !ok || prefix == "" || strings.ContainsFunc(prefix, func(r rune) bool { return !letter(r) }) {
		return ""
	}
	return word(prefix)
}

func letter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// kindByPath guesses the kind of a file from its folders and its extension.
func kindByPath(name string) string {
	if fs.Place(name) == fs.DocClarification {
		return kindClarification
	}
	parts := strings.Split(name, "/")
	for i := len(parts) - 2; i >= 0; i-- {
		if kind := word(parts[i]); layerRank(kind) < len(schema.LayerNames()) && kind != kindCode {
			return kind
		}
	}
	switch path.Ext(name) {
	case ".md", ".markdown", ".txt", ".rst", ".adoc", "":
		return kindDocument
	case ".json", ".jsonl", ".yaml", ".yml", ".toml", ".ini":
		return "config"
	}
	return kindCode
}
