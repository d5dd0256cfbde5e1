package schema

// A CacheIndex lists the cached artifacts.
type CacheIndex struct {
	Version    Int          `json:"version"`
	Entries    []CacheEntry `json:"entries"`
	TotalBytes Int          `json:"total_bytes"`
}

// A CacheEntry is one cached artifact.
type CacheEntry struct {
	ID           string `json:"id"`
	Path         string `json:"path,omitzero"`   // the file of the artifact
	SHA256       string `json:"sha256,omitzero"` // of the cached content
	SizeBytes    Int    `json:"size_bytes"`
	Tokens       Int    `json:"tokens,omitzero"`
	Counter      string `json:"counter,omitzero"` // the name of the token counter
	CachedAt     string `json:"cached_at,omitzero"`
	LastAccessed string `json:"last_accessed,omitzero"`
}
