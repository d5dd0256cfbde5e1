package engine

import (
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/session"
)

// A coldIDs knows the ids of messages that left for cold storage.
type coldIDs struct {
	texts [][]byte        // of the files
	asked int             // how often
	ids   map[string]bool // of all of them; nil while few are asked for
}

// fewAsked bounds the ids that are looked for in the texts; for more all of them are decoded. An
// answer has one or two, an import thousands.
const fewAsked = 8

// has reports whether the message of that id left.
func (c *coldIDs) has(id string) bool {
	if c.asked++; c.asked > fewAsked {
		if c.ids == nil {
			c.ids = map[string]bool{}
			c.each("", func(id string) { c.ids[id] = true })
		}
		return c.ids[id]
	}
	found := false
	c.each(id, func(other string) { found = found || other == id })
	return found
}

// each calls do with the ids of the messages in whose chunks id may stand.
func (c *coldIDs) each(id string, do func(id string)) {
	for _, text := range c.texts {
		for chunk := range cold.Naming(text, id) {
			if m, ok := session.Left(chunk); ok && m.ID != "" {
				do(m.ID)
			}
		}
	}
}
