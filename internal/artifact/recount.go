package artifact

import (
	"errors"
	iofs "io/fs"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// A Recounted is a loaded artifact whose file changed on disk.
type Recounted struct {
	schema.Artifact
	Before int  // what it cost before, in tokens
	Gone   bool // there is no file any more: it costs what it did
}

// Recount counts the loaded artifacts anew whose files are among moved and hold something else than what was
// loaded, and marks them: last_modified is after load_time until they are loaded again. Those whose file is gone
// are marked, too. A file that may be the one that was seen, see Seen.Moved, is counted only if the cache proves that
// something else was loaded. skip reports whether a file is left as it is; its content is nil if it is gone.
func Recount(tx *fs.Tx, moved map[string]bool, skip func(name string, content []byte) (bool, error), e Edge) (changed []Recounted, err error) {
	s, err := readRoster(tx)
	if err != nil {
		return nil, err
	}
	c := openCache(tx, s, e)
	for i, a := range s.list {
		name := clean(a.Path)
		written, is := moved[name]
		if !is || !a.Loaded {
			continue
		}
		content, err := readText(tx, name)
		gone := errors.Is(err, iofs.ErrNotExist)
		switch {
		case gone && !written, !gone && unfit(err):
			continue
		case err != nil && !gone:
			return nil, err
		}
		if same, unproven := c.same(a, content, e); !gone && (same || unproven && !written) {
			continue
		}
		if left, err := skip(name, content); err != nil {
			return nil, err
		} else if left {
			continue
		}
		before := int(a.Tokens)
		a.LastModified = schema.FormatTime(e.Now)
		if !gone {
			a.SizeKB, a.Tokens, a.Counter = kilobytes(content), schema.Int(e.Count(string(content))), e.Counter
			c.put(tx, a, content)
		}
		if err := s.put(i, a); err != nil {
			return nil, err
		}
		changed = append(changed, Recounted{a, before, gone})
	}
	if len(changed) == 0 {
		return nil, nil
	}
	s.write(tx)
	return changed, c.write(tx)
}

// same reports whether content is what was loaded of an artifact: by the cache, or, if that does not tell, by
// what the State says that it costs.
func (c *cache) same(a schema.Artifact, content []byte, e Edge) (is, unproven bool) {
	if i := c.find(a.ID); i >= 0 && c.entries[i].Path == clean(a.Path) {
		return c.entries[i].SHA256 == sum(content), false
	}
	return a.SizeKB == kilobytes(content) && a.Counter == e.Counter && int(a.Tokens) == e.Count(string(content)), true
}
