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
	Path         string `json:"path,omitzero"` // of the artifact's file
	SHA256       string `json:"sha256,omitzero"`
	SizeBytes    Int    `json:"size_bytes"`
	Tokens       Int    `json:"tokens,omitzero"`
	CachedAt     string `json:"cached_at,omitzero"`
	LastAccessed string `json:"last_accessed,omitzero"`
}
