package validate

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/fs"
)

// sameID reports whether two ids are one where letter case and Unicode form do not
// count, as in the file names of macOS and Windows.
func sameID(a, b []byte) bool {
	for i := range min(len(a), len(b)) {
		switch x, y := a[i], b[i]; {
		case x|y >= utf8.RuneSelf:
			return foldID(string(a)) == foldID(string(b))
		case x != y && (x|0x20 != y|0x20 || x|0x20 < 'a' || x|0x20 > 'z'):
			return false
		}
	}
	return len(a) == len(b) || foldID(string(a)) == foldID(string(b))
}

// foldID returns the form of an id that is the same for all that sameID takes for
// one.
func foldID(id string) string { return strings.ToLower(fs.NFC(id)) }

// differ says of two ids that sameID takes for one how they differ.
func differ(id, other string) string {
	return fmt.Sprintf("the ids %s and %s differ only in letter case or Unicode form", plain(id), plain(other))
}

// isNamedByID reports whether the name of a file, or of its folder, is an id.
func (c *census) isNamedByID(name string) bool {
	if _, ok := c.recordFile(name); ok || isFragment(name) {
		return true
	}
	switch fs.Place(name) {
	case fs.DocThread, fs.DocProject, fs.DocSessionMeta:
		return true
	}
	return false
}

// sameNames reports files whose names differ only in letter case or Unicode form.
func (c *census) sameNames() {
	first := map[string]string{}
	for _, name := range c.names {
		if !c.isNamedByID(name) {
			continue
		}
		key := foldID(name)
		if other, double := first[key]; double {
			c.at(spot{name: name}, "its name and "+plainFile(other)+" differ only in letter case or Unicode form: on macOS and Windows they are one file", giveOwn)
			continue
		}
		first[key] = name
	}
}
