package artifact

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A cache is the index of the files in cache/artifacts.
type cache struct {
	entries []schema.CacheEntry
	orphans []string // files without an entry, known if the index was rebuilt
	bytes   int64    // limits of the cache
	most    int
	touches touches
	now     time.Time
}

// openCache reads the index. If it is missing or invalid, openCache rebuilds it from the cached
// files.
func openCache(r fs.Reader, s *stateArtifacts, e Edge) *cache {
	c := &cache{bytes: DefaultCacheBytes, most: DefaultCacheEntries, touches: readTouches(r), now: e.Now}
	if l := e.Loader; l != nil && l.CacheMaxBytes > 0 {
		c.bytes = int64(l.CacheMaxBytes)
	}
	if l := e.Loader; l != nil && l.CacheMaxEntries > 0 {
		c.most = int(l.CacheMaxEntries)
	}
	if src, err := r.Read(fs.CacheIndex); err == nil {
		var index schema.CacheIndex
		if jsonedit.Decode(src, &index) == nil && isValid(index) {
			c.entries = index.Entries
			return c
		}
	}
	c.rebuild(r, s)
	return c
}

// isValid reports whether an index can have been written by this package.
func isValid(index schema.CacheIndex) bool {
	seen := map[string]bool{}
	var total int64
	for _, e := range index.Entries {
		if !schema.ValidID(e.ID) || seen[e.ID] || len(e.SHA256) != 2*sha256.Size || e.SizeBytes < 0 || e.Path == "" {
			return false
		}
		seen[e.ID] = true
		total += int64(e.SizeBytes)
	}
	return total == int64(index.TotalBytes)
}

// rebuild creates an entry for each cached file of an artifact in the State.
func (c *cache) rebuild(r fs.Reader, s *stateArtifacts) {
	owners := map[string]schema.Artifact{}
	for _, a := range s.list {
		if schema.ValidID(a.ID) && a.Path != "" {
			owners[cacheName(r, a.ID)] = a
		}
	}
	at := schema.FormatTime(c.now)
	for name, err := range r.Names(fs.CacheArtifacts) {
		if err != nil {
			continue
		}
		content, err := r.Read(name)
		if err != nil {
			continue
		}
		a, ok := owners[name]
		if !ok {
			c.orphans = append(c.orphans, name)
			continue
		}
		c.entries = append(c.entries, schema.CacheEntry{
			ID: a.ID, Path: clean(a.Path), SHA256: sum(content), SizeBytes: schema.Int(len(content)), CachedAt: at, LastAccessed: at,
		})
	}
}

// cacheName returns the name of the file in which an artifact is cached. If an id cannot be a file
// name on every system, the name is derived from it.
func cacheName(r fs.Reader, id string) string {
	name := fs.CacheArtifacts + "/" + id + ".cache"
	if len(id) <= maxName {
		if _, err := r.Read(name); !errors.Is(err, fs.ErrName) {
			return name
		}
	}
	return fs.CacheArtifacts + "/" + schema.DerivedID("id-", []byte(id)) + ".cache"
}

func sum(content []byte) string {
	digest := sha256.Sum256(content)
	return hex.EncodeToString(digest[:])
}

// find returns the index of an artifact's entry, or -1.
func (c *cache) find(id string) int {
	return slices.IndexFunc(c.entries, func(e schema.CacheEntry) bool { return e.ID == id })
}

// proves reports whether content equals what the artifact's file held when it was cached, and
// returns its tokens. They are 0 if another counter counted them.
func (c *cache) proves(a schema.Artifact, content []byte, counter string) (tokens int, ok bool) {
	i := c.find(a.ID)
	if i < 0 || c.entries[i].Path != clean(a.Path) || c.entries[i].SHA256 != sum(content) {
		return 0, false
	}
	if c.entries[i].Counter != counter {
		return 0, true
	}
	return int(c.entries[i].Tokens), true
}

// holds reports whether the cached file exists and has that content.
func (c *cache) holds(r fs.Reader, id string, content []byte) bool {
	cached, err := r.Read(cacheName(r, id))
	return err == nil && bytes.Equal(cached, content)
}

// put caches content. If the cache grows too large, it evicts the least recently used entries.
func (c *cache) put(tx *fs.Tx, a schema.Artifact, content []byte) {
	if !schema.ValidID(a.ID) || int64(len(content)) > c.bytes {
		return
	}
	name := cacheName(tx, a.ID)
	if _, err := tx.Read(name); err != nil && !errors.Is(err, iofs.ErrNotExist) {
		return // the file is not one that forgemind can replace
	}
	at := schema.FormatTime(c.now)
	entry := schema.CacheEntry{
		ID: a.ID, Path: clean(a.Path), SHA256: sum(content), SizeBytes: schema.Int(len(content)),
		Tokens: a.Tokens, Counter: a.Counter, CachedAt: at, LastAccessed: at,
	}
	tx.Write(name, content)
	i := c.find(a.ID)
	if i < 0 {
		c.entries = append(c.entries, entry)
	} else {
		if old := c.entries[i]; old.SHA256 == entry.SHA256 {
			entry.CachedAt = old.CachedAt
		}
		c.entries[i] = entry
	}
	c.evict(tx, a.ID)
}

// evict removes the least recently used entries until the limits are met. It keeps the entry keep.
func (c *cache) evict(tx *fs.Tx, keep string) {
	left, bytes := len(c.entries), c.total()
	if left <= c.most && bytes <= c.bytes {
		return
	}
	type entry struct {
		schema.CacheEntry
		used time.Time
	}
	order := make([]entry, 0, left)
	for _, e := range c.entries {
		order = append(order, entry{e, c.used(e)})
	}
	slices.SortFunc(order, func(a, b entry) int { return cmp.Or(a.used.Compare(b.used), strings.Compare(a.ID, b.ID)) })
	gone := map[string]bool{}
	for _, e := range order {
		if left <= 1 || left <= c.most && bytes <= c.bytes {
			break
		}
		if e.ID == keep {
			continue
		}
		gone[e.ID] = true
		left, bytes = left-1, bytes-int64(e.SizeBytes)
	}
	c.drop(tx, gone)
}

func (c *cache) total() (bytes int64) {
	for _, e := range c.entries {
		bytes += int64(e.SizeBytes)
	}
	return bytes
}

// used returns the time of the last use of an entry.
func (c *cache) used(e schema.CacheEntry) time.Time {
	return latest(e.CachedAt, e.LastAccessed, c.touches[e.ID].Last)
}

// drop removes the entries of the artifacts in gone, and their files.
func (c *cache) drop(tx *fs.Tx, gone map[string]bool) {
	c.entries = slices.DeleteFunc(c.entries, func(e schema.CacheEntry) bool {
		if !gone[e.ID] {
			return false
		}
		name := cacheName(tx, e.ID)
		if _, err := tx.Read(name); err == nil {
			tx.Remove(name)
		}
		return true
	})
}

// write stages the index, sorted by id, and removes files without an entry.
func (c *cache) write(tx *fs.Tx) error {
	for _, name := range c.orphans {
		if _, kept := tx.Staged()[name]; !kept {
			tx.Remove(name)
		}
	}
	old, err := tx.Read(fs.CacheIndex)
	if err != nil && !errors.Is(err, iofs.ErrNotExist) {
		return nil // the file is no index; it is left alone
	}
	if err != nil && len(c.entries) == 0 {
		return nil
	}
	slices.SortFunc(c.entries, func(a, b schema.CacheEntry) int { return strings.Compare(a.ID, b.ID) })
	text, err := jsonedit.Marshal(schema.CacheIndex{Version: 1, Entries: c.entries, TotalBytes: schema.Int(c.total())})
	if err != nil {
		return fmt.Errorf("%s: %w", fs.CacheIndex, err)
	}
	if !bytes.Equal(old, text) {
		tx.Write(fs.CacheIndex, text)
	}
	return nil
}

// DropStaleCache removes the entries of files that were changed or removed, and rebuilds a missing
// or invalid index.
func DropStaleCache(tx *fs.Tx, e Edge) error {
	s, err := readRoster(tx)
	if err != nil {
		return err
	}
	c := openCache(tx, s, e)
	stale := map[string]bool{}
	for _, entry := range c.entries {
		content, err := readText(tx, entry.Path)
		if err != nil && !isAboutFile(err) {
			return err
		}
		stale[entry.ID] = err != nil || sum(content) != entry.SHA256 || !c.holds(tx, entry.ID, content)
	}
	c.drop(tx, stale)
	known := map[string]bool{}
	for _, entry := range c.entries {
		known[cacheName(tx, entry.ID)] = true
	}
	for name, err := range tx.Names(fs.CacheArtifacts) {
		if _, unreadable := tx.Read(name); err == nil && unreadable == nil && !known[name] && !slices.Contains(c.orphans, name) {
			c.orphans = append(c.orphans, name)
		}
	}
	c.evict(tx, "")
	return c.write(tx)
}
