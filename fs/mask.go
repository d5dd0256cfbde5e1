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
	tracked := !ignored(name)
	holds := func(other string, data []byte) bool {
		return (other == name || !IsLocal(other) && !(tracked && ignored(other))) && bytes.Contains(data, token)
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

// ignored reports whether git ignores the document at name; see GitIgnoreViews.
func ignored(name string) bool {
	folder, rest, _ := strings.Cut(name, "/")
	return isFolder(folder) && ignoredBy(GitIgnoreViews(folder), rest)
}

// Ignores reports whether git ignores the document at name by the .gitignore of its folder, as far
// as that has lines such as GitIgnoreViews writes.
func Ignores(r Reader, name string) bool {
	folder, rest, _ := strings.Cut(name, "/")
	lines, err := r.Read(folder + "/.gitignore")
	return err == nil && ignoredBy(lines, rest)
}

// ignoredBy reports whether git ignores the file called name beside a .gitignore of those lines.
func ignoredBy(lines []byte, name string) (ignores bool) {
	for line := range strings.Lines(string(lines)) {
		pattern, shown := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "!")
		pattern = strings.TrimPrefix(pattern, "/")
		if matches(pattern, name) || strings.HasSuffix(pattern, "/") && strings.HasPrefix(name, pattern) {
			ignores = !shown
		}
	}
	return ignores
}
