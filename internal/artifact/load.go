package artifact

import (
	"errors"
	"math"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// Load loads the artifact of that id or path: its content comes from the cache
// where that is unchanged on disk, else from disk, and is then cached. The
// State says loaded; its window counts the tokens. A second load touches; where
// the file has changed since, it loads anew. Errors are *Unknown, *Unusable and
// what the disk and the State have to say.
func Load(tx *fs.Tx, id string, e Edge) (Loaded, error) {
	s, err := readRoster(tx)
	if err != nil {
		return Loaded{}, err
	}
	found, err := s.resolve(tx, id, e.Loader)
	var unusable *Unusable
	if errors.As(err, &unusable) {
		if failed := s.withhold(tx, id); failed != nil {
			return Loaded{}, errors.Join(err, failed)
		}
	}
	if err != nil {
		return Loaded{}, s.suggest(tx, err, e.Loader)
	}
	if found.artifact.Path == "" {
		if s.unchanged(found, e) {
			return s.touch(tx, found, e)
		}
		return s.enter(tx, found, e.cost(found), FromProgram, e)
	}
	return s.loadFile(tx, found, e)
}

// loadFile is Load of what stands in a file.
func (s *roster) loadFile(tx *fs.Tx, found target, e Edge) (loaded Loaded, err error) {
	c := openCache(tx, s, e)
	tokens, proven := c.proves(found.artifact, found.content, e.Counter)
	from := FromDisk
	if proven && c.holds(tx, found.artifact.ID, found.content) {
		from = FromCache
	}
	switch {
	case found.artifact.Loaded && !found.artifact.Changed() && (proven || s.unchanged(found, e)):
		if loaded, err = s.touch(tx, found, e); err != nil || from == FromCache {
			return loaded, err
		}
	default:
		if found.artifact.Loaded && !found.artifact.Changed() {
			found.artifact.LastModified = schema.FormatTime(e.Now)
		}
		if tokens == 0 {
			tokens = e.Count(string(found.content))
		}
		if loaded, err = s.enter(tx, found, tokens, from, e); err != nil {
			return loaded, err
		}
	}
	c.put(tx, loaded.Artifact, found.content)
	return loaded, c.write(tx)
}

// unchanged says whether an artifact is loaded with the content that was found,
// by what the State says that it costs.
func (s *roster) unchanged(found target, e Edge) bool {
	a := found.artifact
	return a.Loaded && a.Counter == e.Counter && a.SizeKB == kilobytes(found.content) && int(a.Tokens) == e.cost(found)
}

// touch notes that a loaded artifact was asked for.
func (s *roster) touch(tx *fs.Tx, found target, e Edge) (Loaded, error) {
	if a := found.artifact; !a.Available { // its file is there again
		a.Available = true
		if err := s.put(found.at, a); err != nil {
			return Loaded{}, err
		}
		s.write(tx)
		found.artifact = a
	}
	return Loaded{found.artifact, found.content, FromContext}, note(tx, found.artifact.ID, e.Now)
}

// enter writes to the State that an artifact was loaded.
func (s *roster) enter(tx *fs.Tx, found target, tokens int, from string, e Edge) (Loaded, error) {
	a, at := found.artifact, schema.FormatTime(e.Now)
	if found.at == len(s.list) {
		a.LoadLayer = 2
	}
	a.Loaded, a.Available = true, true
	a.SizeKB, a.Tokens, a.Counter = kilobytes(found.content), schema.Int(tokens), e.Counter
	a.LoadTime, a.LastAccessed = at, at
	a.AccessCount++
	if err := s.put(found.at, a); err != nil {
		return Loaded{}, err
	}
	s.write(tx)
	return Loaded{a, found.content, from}, nil
}

// kilobytes is a size as the State has it, with one decimal.
func kilobytes(content []byte) float64 {
	return math.Ceil(float64(len(content))/1024*10) / 10
}

// withhold notes that an artifact that the State has cannot be loaded.
func (s *roster) withhold(tx *fs.Tx, id string) error {
	i := s.byID(id)
	if i < 0 {
		i = s.byPath(clean(id))
	}
	if i < 0 || !s.list[i].Available {
		return nil
	}
	a := s.list[i]
	a.Available = false
	if err := s.put(i, a); err != nil {
		return err
	}
	s.write(tx)
	return nil
}

// LoadTemplate loads the template of a layer, an artifact of type template that
// the program holds. One that is loaded stays as it is.
func LoadTemplate(tx *fs.Tx, layer int, e Edge) error {
	id, _, _ := templates.LayerTemplate(layer)
	if id == "" {
		return &Unknown{ID: "TEMPLATE-"}
	}
	s, err := readRoster(tx)
	if err != nil {
		return err
	}
	if found, ok := s.template(id); ok && s.unchanged(found, e) {
		return nil
	}
	_, err = Load(tx, id, e)
	return err
}
