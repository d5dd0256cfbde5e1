package fs

import (
	iofs "io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// NFC returns text in Unicode normalization form C. Systems store names in different forms,
// which look the same; paths and ids are compared in this one.
func NFC(text string) string { return norm.NFC.String(text) }

// Fold returns a path, or a text that names some, as paths are compared in t: in NFC, and
// in lower case where the file system does not tell upper case from it.
func (t *Tree) Fold(text string) string {
	t.caseOnce.Do(func() { t.foldsCase = t.looksFolded() })
	if text = NFC(text); t.foldsCase {
		text = strings.ToLower(text)
	}
	return text
}

// looksFolded reports whether a folder of the tree is found by its name in upper case, though
// the directory does not list it so.
func (t *Tree) looksFolded() bool {
	for _, folder := range folders {
		upper := strings.ToUpper(folder)
		other, err := t.root.Lstat(upper)
		if err != nil {
			continue
		}
		is, err := t.root.Lstat(folder)
		return err == nil && (os.SameFile(is, other) || !slices.Contains(t.entries("."), upper))
	}
	return false
}

// called returns the name of the file of the project that is called name in another Unicode
// form; name itself where there is none, or no other form of it. Documents are called by
// the name that they have.
func (t *Tree) called(name string) string {
	if folderOf(name) != "" || !strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return name
	}
	at := ""
	for part := range strings.SplitSeq(name, "/") {
		next := path.Join(at, part)
		if _, err := t.root.Lstat(next); isNotExist(err) {
			entries := t.entries(at)
			same := slices.IndexFunc(entries, func(e string) bool { return NFC(e) == NFC(part) })
			if same < 0 {
				return name
			}
			next = path.Join(at, entries[same])
		}
		at = next
	}
	return at
}

// entries returns the names of what stands in a directory of the project; none if it cannot
// be read.
func (t *Tree) entries(dir string) []string {
	list, _ := iofs.ReadDir(t.root.FS(), path.Clean(dir))
	names := make([]string, len(list))
	for i, e := range list {
		names[i] = e.Name()
	}
	return names
}
