package schema

// A CacheIndex lists what is in the cache of artifacts.
type CacheIndex struct {
	Version    Int          `json:"version"`
	Entries    []CacheEntry `json:"entries"`
	TotalBytes Int          `json:"total_bytes"`
}

// A CacheEntry is one cached artifact.
type CacheEntry struct {
	ID           string `json:"id"`
	Path         string `json:"path,omitzero"`   // of the artifact's file
	SHA256       string `json:"sha256,omitzero"` // of what is cached
	SizeBytes    Int    `json:"size_bytes"`
	Tokens       Int    `json:"tokens,omitzero"`
	Counter      string `json:"counter,omitzero"` // what counted the tokens
	CachedAt     string `json:"cached_at,omitzero"`
	LastAccessed string `json:"last_accessed,omitzero"`
}
