package fs

import (
	"bytes"
	"path"
	"strings"
)

// mask returns data, which is to be written to name, with new secrets masked. A secret
// is not new if a document that the transaction read already contains it: text of users
// may be moved and copied. But a secret in a document that git ignores counts as new in
// a document that git tracks. `.local/` and the cache contain no documents.
func (tx *Tx) mask(name string, data []byte) []byte {
	if IsLocal(name) || strings.HasPrefix(name, Cache+"/") || bytes.IndexByte(data, 0) >= 0 {
		return data
	}
	tx.masker.Known = func(found string) bool { return tx.wasStored(name, found) }
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

// wasStored reports whether the secret found, which is to be written to name, was already
// in name or in another document that the transaction read.
func (tx *Tx) wasStored(name, found string) bool {
	_, _ = tx.old(name) // adds name to the documents that were read
	token := []byte(longestToken(found))
	markdown := path.Ext(name) == ".md" // git tracks it in former trees: its secrets do not count for other kinds, nor theirs for it
	tracked := !ignored(name) || markdown
	holds := func(other string, data []byte) bool {
		hidden := tracked && ignored(other) && !(markdown && path.Ext(other) == ".md")
		return (other == name || !IsLocal(other) && !hidden) && bytes.Contains(data, token)
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

// longestToken returns the longest part of a secret that is the same in JSON and in
// text: a private key contains line breaks.
func longestToken(found string) (longest string) {
	for part := range strings.FieldsFuncSeq(found, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

// ignored reports whether git ignores the document name; see GitIgnoreViews.
func ignored(name string) bool {
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
