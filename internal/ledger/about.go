package ledger

import (
	"path"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// About reports whether d concerns the file or directory at a path, relative to the project
// directory. That is so if one of the decision's files is that path, a parent or a child of it, or
// a pattern that matches it, and also if the texts of the decision mention the path as a whole
// word.
func About(d *schema.Decision, at string) bool {
	at = plainPath(at)
	for _, f := range d.Files {
		if strings.TrimSpace(f) != "" && covers(plainPath(f), at) {
			return true
		}
	}
	if at == "." {
		return false
	}
	if mentions(d.Decision, at) || mentions(d.Rationale, at) {
		return true
	}
	for _, text := range d.Impact {
		if mentions(text, at) {
			return true
		}
	}
	return false
}

// plainPath returns a path for comparisons: with slashes and in its shortest form.
func plainPath(s string) string {
	return path.Clean(strings.ReplaceAll(strings.TrimSpace(s), "\\", "/"))
}

// covers reports whether file and at are the same path, or one is below the other, or file is a
// pattern that matches at.
func covers(file, at string) bool {
	file = strings.TrimSuffix(file, "/**")
	if file == at || below(file, at) || below(at, file) {
		return true
	}
	ok, err := path.Match(file, at)
	return ok && err == nil
}

// below reports whether name is below dir.
func below(name, dir string) bool {
	return dir == "." && name != ".." && !strings.HasPrefix(name, "../") && !strings.HasPrefix(name, "/") ||
		len(name) > len(dir) && name[len(dir)] == '/' && name[:len(dir)] == dir
}

// mentions reports whether text contains a path, or one below it, as a word.
func mentions(text, at string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], at)
		if i < 0 {
			return false
		}
		i += from
		if starts(text[:i]) && ends(text[i+len(at):]) {
			return true
		}
		from = i + len(at)
	}
}

// starts reports whether a path can begin after the text before, ends whether it can end before the
// text after.
func starts(before string) bool {
	before = strings.TrimSuffix(before, "./")
	return before == "" || !inPath(before[len(before)-1])
}

func ends(after string) bool {
	after = strings.TrimPrefix(after, ".") // a dot ends a sentence or continues a name
	return after == "" || after[0] == '/' || !inPath(after[0])
}

// inPath reports whether c can be part of a path. Bytes of other scripts' letters count.
func inPath(c byte) bool {
	return c >= 0x80 || c == '_' || c == '-' || c == '/' || c == '.' ||
		c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}
