package ledger

import (
	"path"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// About says whether d is about the file or directory at a path relative to
// the project directory: a path among its files is that path, or stands above or
// below it, or is a pattern for it; or what it decides, why, and what follows
// mentions the path as a whole word.
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

// plainPath is a path as both sides are compared: with slashes, in its shortest
// form.
func plainPath(s string) string {
	return path.Clean(strings.ReplaceAll(strings.TrimSpace(s), "\\", "/"))
}

// covers says whether the file that a decision names and a path are one, or one
// stands below the other.
func covers(file, at string) bool {
	file = strings.TrimSuffix(file, "/**")
	if file == at || below(file, at) || below(at, file) {
		return true
	}
	ok, err := path.Match(file, at)
	return ok && err == nil
}

// below says whether name stands somewhere in dir.
func below(name, dir string) bool {
	return dir == "." && name != ".." && !strings.HasPrefix(name, "../") && !strings.HasPrefix(name, "/") ||
		len(name) > len(dir) && name[len(dir)] == '/' && name[:len(dir)] == dir
}

// mentions says whether text holds a path, or one below it, as a word.
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

// starts says whether a path may begin behind before, and ends whether it may
// end in front of after.
func starts(before string) bool {
	before = strings.TrimSuffix(before, "./")
	return before == "" || !inPath(before[len(before)-1])
}

func ends(after string) bool {
	after = strings.TrimPrefix(after, ".") // of the sentence, or of the name
	return after == "" || after[0] == '/' || !inPath(after[0])
}

// inPath says whether c can be part of a path, so that a word goes on with it.
// Letters of other scripts count.
func inPath(c byte) bool {
	return c >= 0x80 || c == '_' || c == '-' || c == '/' || c == '.' ||
		c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}
