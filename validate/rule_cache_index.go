package validate

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

var cacheIndex = Rule{
	Name:     "cache-index",
	Severity: Warning,
	Summary:  "The index of the cache disagrees with what is cached.",
	Help: `.forgemind/cache/cache-index.json names an artifact whose cached file is not there, or
holds something else than when it was cached.

Nothing is lost: the cache is derived from the artifacts, and an entry that does not fit
is not used.

Wrong:

    { "id": "IDEA-001", … }        with no .forgemind/cache/artifacts/IDEA-001.cache

Right: a file for every entry, with the SHA-256 that the entry says.

To mend it, remove the index: it is not committed, and the next artifact that is loaded
writes it again.
`,
	record: func(d *document) {
		if d.kind != fs.DocCacheIndex || d.facts == nil || !d.parsed() {
			return
		}
		entries := d.tape.Member(0, "entries")
		for e := d.first(entries); e >= 0; e = d.next(e) {
			if id := d.tape.Member(e, "id"); d.kindOf(id) == jsonedit.String && !d.broken(e) {
				d.facts.cached = append(d.facts.cached, cached{d.spot(id), d.str(id), d.str(d.tape.Member(e, "sha256"))})
			}
		}
	},
	across: func(c *treeFacts) { c.cachedFiles() },
}

// A cached is an entry of the cache's index.
type cached struct {
	spot
	id, sha256 string
}

func (c *treeFacts) cachedFiles() {
	const hint = "remove the index: the next artifact that is loaded writes it again"
	seen := map[string]bool{} // duplicate-id reports a repeated entry
	for _, e := range c.cached {
		if seen[e.id] {
			continue
		}
		seen[e.id] = true
		name := fs.CacheArtifacts + "/" + e.id + ".cache"
		if !c.has(name) { // an id that is not a valid file name has a derived one
			name = fs.CacheArtifacts + "/" + schema.DerivedID("id-", []byte(e.id)) + ".cache"
		}
		if !c.has(name) {
			c.at(e.spot, "the cached file of "+plain(e.id)+" is not there", hint)
			continue
		}
		src, err := c.reader.Read(name)
		if err != nil || e.sha256 == "" {
			continue // another rule reports an unreadable file
		}
		if sum := sha256.Sum256(src); hex.EncodeToString(sum[:]) != e.sha256 {
			c.at(e.spot, "the cached file of "+plain(e.id)+" holds something else than when it was cached", hint)
		}
	}
}

// has reports whether the tree has a file. In the names, as in a walk, a directory
// sorts by its name with the slash.
func (c *treeFacts) has(name string) bool {
	_, ok := slices.BinarySearchFunc(c.names, name, strings.Compare)
	return ok
}
