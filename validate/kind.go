package validate

import (
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// stateSchema is what the member "schema" of a State says.
const stateSchema = "forgemind-context-v1"

// formOf says how the file at name is written, by its extension.
func formOf(name string) form {
	base := path.Base(name)
	switch strings.ToLower(path.Ext(base)) {
	case ".json":
		return formJSON
	case ".jsonl":
		return formJSONL
	case ".md", ".markdown", ".yaml", ".yml", ".txt":
		return formText
	}
	return formNone
}

// Judges reports whether there are rules for the file at name, by its extension.
func Judges(name string) bool { return formOf(name) != formNone }

// baseNames are names that say enough without a folder around them.
var baseNames = map[string]fs.Doc{
	"current-context.json": fs.DocState,
	"hot_context.json":     fs.DocHotContext,
	fs.KnobsFile:           fs.DocKnobs,
	"cache-index.json":     fs.DocCacheIndex,
	"recent_history.jsonl": fs.DocMessage,
	"messages.jsonl":       fs.DocMessage,
	"clarifications.jsonl": fs.DocClarification,
	"sessions.jsonl":       fs.DocSessionIndex,
	"active_session.txt":   fs.DocActiveSession,
}

// treeName splits the slash path of a file in a tree into the project
// directory and the Name in it; false for other paths.
func treeName(file string) (root, name string, ok bool) {
	parts := strings.Split(file, "/")
	for i := len(parts) - 2; i >= 0; i-- {
		if parts[i] == fs.Forgemind || parts[i] == fs.Quaid {
			return strings.Join(parts[:i], "/"), strings.Join(parts[i:], "/"), true
		}
	}
	return "", "", false
}

// placeKind says which document a file that is judged by itself is, by its
// place in a tree or else its base name.
func placeKind(file string) fs.Doc {
	if _, name, ok := treeName(file); ok {
		if kind := fs.Place(name); kind != fs.NoDoc {
			return kind
		}
	}
	return baseNames[path.Base(file)]
}

// contentKind says which document a JSON text says it is.
func contentKind(doc *jsonedit.Doc) fs.Doc {
	if s, _ := doc.Str(doc.Member(0, "schema")); s == stateSchema {
		return fs.DocState
	}
	s, ok := doc.Str(doc.Member(0, "$schema"))
	if !ok {
		return fs.NoDoc
	}
	s = strings.TrimSuffix(path.Base(s), ".schema.json")
	if _, ok := schema.Source(s); ok {
		return fs.Doc(s)
	}
	return fs.NoDoc
}
