package validate

import (
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// stateSchema is the value of a State's member "schema".
const stateSchema = "forgemind-context-v1"

// formOf returns the format of the file name, by its extension.
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

// Judges reports whether there are rules for the file name, by its extension.
func Judges(name string) bool { return formOf(name) != formNone }

// baseNames are file names that identify a document without a folder.
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

// treeName splits the slash path of a file in a tree into the project directory and the
// Name. It returns false for other paths.
func treeName(file string) (root, name string, ok bool) {
	parts := strings.Split(file, "/")
	for i := len(parts) - 2; i >= 0; i-- {
		if parts[i] == fs.Forgemind || parts[i] == fs.Quaid {
			return strings.Join(parts[:i], "/"), strings.Join(parts[i:], "/"), true
		}
	}
	return "", "", false
}

// placeKind returns the kind of a single document, by its place in a tree or else its
// base name.
func placeKind(file string) fs.Doc {
	if _, name, ok := treeName(file); ok {
		if kind := fs.Place(name); kind != fs.NoDoc {
			return kind
		}
	}
	return baseNames[path.Base(file)]
}

// contentKind returns the kind that a JSON text declares.
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
