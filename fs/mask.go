package fs

import (
	"bytes"
	"path"
	"strings"
)

// mask returns data, which is to be written to name, with the secrets masked that
// are new. What stood in a document that the transaction read is not new: it may be
// moved and copied, and people's text stays theirs. A document that git ignores
// gives no secret to one that git tracks. `.local/` and the cache hold no documents.
func (tx *Tx) mask(name string, data []byte) []byte {
	if IsLocal(name) || strings.HasPrefix(name, Cache+"/") || bytes.IndexByte(data, 0) >= 0 {
		return data
	}
	tx.masker.Known = func(found string) bool { return tx.stood(name, found) }
	switch path.Ext(name) {
	case ".json":
		return tx.masker.JSON(data)
	case ".jsonl":
		return tx.masker.JSONLines(data)
	}
	return []byte(tx.masker.Text(string(data)))
}

// Masked returns the kinds of the secrets that the transaction masked, one for each
// secret.
func (tx *Tx) Masked() []string { return tx.masker.Kinds() }

// stood reports whether a secret that is to be written to name stood before in it,
// or in another document that the transaction read.
func (tx *Tx) stood(name, found string) bool {
	_, _ = tx.old(name) // now it is among those that were seen
	token := []byte(longestToken(found))
	tracked := !IsIgnored(name)
	holds := func(other string, data []byte) bool {
		return (other == name || !IsLocal(other) && !(tracked && IsIgnored(other))) && bytes.Contains(data, token)
	}
	for other, v := range tx.seen {
		if holds(other, v.data) {
			return true
		}
	}
	for other, data := range tx.known {
		if holds(other, data) {
			return true
		}
	}
	if tx.past == nil {
		return false
	}
	for other, v := range tx.past.input {
		if holds(other, v.data) {
			return true
		}
	}
	return false
}

// longestToken returns the longest part of a secret that is written alike in JSON
// and in text: a private key has line breaks.
func longestToken(found string) (longest string) {
	for part := range strings.FieldsFuncSeq(found, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

// IsIgnored reports whether git ignores the document at name in trees in which it tracks records
// and no views of them; see GitIgnoreViews.
func IsIgnored(name string) bool {
	folder, rest, _ := strings.Cut(name, "/")
	if !isFolder(folder) {
		return false
	}
	for line := range strings.Lines(string(GitIgnoreViews(folder))) {
		pattern := strings.TrimSuffix(strings.TrimPrefix(line, "/"), "\n")
		if matches(pattern, rest) || strings.HasSuffix(pattern, "/") && strings.HasPrefix(rest, pattern) {
			return true
		}
	}
	return false
}
