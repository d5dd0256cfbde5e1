package schema

import (
	"embed"
	"slices"
	"strings"
)

const suffix = ".schema.json"

//go:embed *.schema.json
var sources embed.FS

// Source returns the text of the JSON Schema with the given name, such as "decision".
// It returns false if there is none.
func Source(name string) ([]byte, bool) {
	text, err := sources.ReadFile(name + suffix)
	return text, err == nil
}

// Names returns the names of the schemas, sorted.
func Names() []string {
	entries, err := sources.ReadDir(".")
	if err != nil {
		panic(err) // embedded
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), suffix)
	}
	slices.Sort(names)
	return names
}
