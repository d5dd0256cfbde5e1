package schema

import (
	"embed"
	"slices"
	"strings"
)

const suffix = ".schema.json"

//go:embed *.schema.json
var sources embed.FS

// Source returns the text of the JSON Schema called name, such as "decision".
// False: there is none of that name.
func Source(name string) ([]byte, bool) {
	text, err := sources.ReadFile(name + suffix)
	return text, err == nil
}

// Names lists the names of the schemas, sorted.
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
