package artifact

import (
	"fmt"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// Unload takes an artifact, named by its id or its path, out of the window; it
// is cached first. One that is not loaded stays as it is; one of load layer 1
// is refused with ErrEssential. Another error is *Unknown.
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
		return &Unknown{ID: id, Nearest: s.nearest(tx, id, e.Loader)}
	}
	if s.list[i].Loaded && s.list[i].LoadLayer == 1 {
		return fmt.Errorf("artifact %s: %w", quoted(s.list[i].ID), ErrEssential)
	}
	return s.unload(tx, []int{i}, e)
}

// unload takes the artifacts at these indexes out of the window.
func (s *roster) unload(tx *fs.Tx, indexes []int, e Edge) error {
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
			if err != nil && !unfit(err) {
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

// keep caches an artifact that leaves the window, unless it is there already.
// What it costs is known only if it is still what was loaded.
func (c *cache) keep(tx *fs.Tx, a schema.Artifact, content []byte, e Edge) {
	if _, proven := c.proves(a, content, e.Counter); proven && c.holds(tx, a.ID, content) {
		return
	}
	a.Tokens, a.Counter = schema.Int(e.Count(string(content))), e.Counter
	c.put(tx, a, content)
}

// Stale returns the ids of loaded artifacts that nobody used for
// threshold_minutes, those of load layer 1 left out. One without any time was
// last used, as far as is known, at the State's last checkpoint.
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

// UnloadLayer unloads what belongs to a layer that was left, its template too;
// it is cached. What is of load layer 1 stays.
func UnloadLayer(tx *fs.Tx, layer int, e Edge) error {
	s, err := readRoster(tx)
	if err != nil {
		return err
	}
	template, _, _ := templates.LayerTemplate(layer)
	var leaving []int
	for i, a := range s.list {
		if a.LoadLayer != 1 && (a.ID == template || slices.Contains(kinds(layer), kindOf(a))) {
			leaving = append(leaving, i)
		}
	}
	return s.unload(tx, leaving, e)
}
