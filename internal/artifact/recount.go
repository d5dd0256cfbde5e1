package artifact

import (
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// A Recounted is a loaded artifact whose file changed since it was loaded.
type Recounted struct {
	ID            string
	Before, After int // tokens
}

// Recount counts the loaded artifacts again whose files changed since the program loaded them, and
// records the time at which it saw that. What cannot be read is left out.
func Recount(tx *fs.Tx, e Edge) ([]Recounted, error) {
	s, err := readRoster(tx)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(s.list, func(a schema.Artifact) bool { return a.Loaded && a.Path != "" }) {
		return nil, nil
	}
	var all []Recounted
	c := openCache(tx, s, e)
	for i, a := range s.list {
		if !a.Loaded || a.Path == "" || c.find(a.ID) < 0 || a.Counter != e.Counter {
			continue // somebody else loaded it, and counted it in another way
		}
		found, err := s.resolve(tx, a.ID, e.Loader)
		if err != nil || found.at != i || found.content == nil {
			continue
		}
		if _, proven := c.proves(found.artifact, found.content, e.Counter); proven {
			continue
		}
		a.Tokens, a.SizeKB, a.LastModified = schema.Int(e.Count(string(found.content))), kilobytes(found.content), schema.FormatTime(e.Now)
		all = append(all, Recounted{a.ID, int(s.list[i].Tokens), int(a.Tokens)})
		if err := s.put(i, a); err != nil {
			return nil, err
		}
		c.put(tx, a, found.content)
	}
	if len(all) == 0 {
		return nil, nil
	}
	s.write(tx)
	return all, c.write(tx)
}
