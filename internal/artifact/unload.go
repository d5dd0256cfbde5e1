package artifact

import (
	"fmt"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// Unload removes an artifact, given by its id or path, from the window and caches it. It does
// nothing if the artifact is not loaded. The error is ErrEssential for an artifact of load layer 1,
// and can be an *UnknownError.
func Unload(tx *fs.Tx, id string, e Edge) error {
	s, err := readRoster(tx)
	if err != nil {
		return err
	}
	i := s.byID(id)
	if i < 0 {
		i = s.byPath(clean(id))
	}
	if i < 0 {
		return &UnknownError{ID: id, Nearest: s.nearest(tx, id, e.Loader)}
	}
	if s.list[i].Loaded && s.list[i].LoadLayer == 1 {
		return fmt.Errorf("artifact %s: %w", text.QuoteBytes(s.list[i].ID, maxQuoted), ErrEssential)
	}
	return s.unload(tx, []int{i}, e)
}

// unload removes the artifacts at these indexes from the window.
func (s *stateArtifacts) unload(tx *fs.Tx, indexes []int, e Edge) error {
	var c *cache
	for _, i := range indexes {
		a := s.list[i]
		if !a.Loaded {
			continue
		}
		if c == nil {
			c = openCache(tx, s, e)
		}
		if a.Path != "" {
			content, err := readText(tx, clean(a.Path))
			if err != nil && !isAboutFile(err) {
				return err
			}
			if err == nil {
				c.keep(tx, a, content, e)
			}
		}
		a.Loaded = false
		if err := s.put(i, a); err != nil {
			return err
		}
	}
	if c == nil {
		return nil
	}
	s.write(tx)
	return c.write(tx)
}

// keep caches an artifact that is unloaded, unless it is cached already. Its tokens are known only
// if the content is still the one that was loaded.
func (c *cache) keep(tx *fs.Tx, a schema.Artifact, content []byte, e Edge) {
	if _, proven := c.proves(a, content, e.Counter); proven && c.holds(tx, a.ID, content) {
		return
	}
	a.Tokens, a.Counter = schema.Int(e.Count(string(content))), e.Counter
	c.put(tx, a, content)
}

// Stale returns the ids of loaded artifacts that were not used for threshold_minutes, except those
// of load layer 1. An artifact without a time counts as used at the State's last checkpoint.
func Stale(r fs.Reader, e Edge) ([]string, error) {
	s, err := readRoster(r)
	if err != nil {
		return nil, err
	}
	threshold := DefaultThreshold
	if l := e.Loader; l != nil && l.ThresholdMinutes > 0 {
		threshold = time.Duration(min(l.ThresholdMinutes, 1e6) * float64(time.Minute))
	}
	touches := readTouches(r)
	var ids []string
	for _, a := range s.list {
		if !a.Loaded || a.LoadLayer == 1 || slices.Contains(ids, a.ID) {
			continue
		}
		used := latest(a.LoadTime, a.LastAccessed, touches[a.ID].Last)
		if used.IsZero() {
			used = latest(s.text("/metadata/timestamp"))
		}
		if !used.IsZero() && e.Now.Sub(used) > threshold {
			ids = append(ids, a.ID)
		}
	}
	return ids, nil
}

// UnloadLayer unloads and caches the artifacts of a layer, and its template. It keeps those of load
// layer 1.
func UnloadLayer(tx *fs.Tx, layer int, e Edge) error {
	s, err := readRoster(tx)
	if err != nil {
		return err
	}
	template, _, _ := templates.LayerTemplate(layer)
	var leaving []int
	for i, a := range s.list {
		if a.LoadLayer != 1 && (a.ID == template || slices.Contains(kindsOfLayer(layer), kindOf(a))) {
			leaving = append(leaving, i)
		}
	}
	return s.unload(tx, leaving, e)
}
