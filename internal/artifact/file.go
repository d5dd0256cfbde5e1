package artifact

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/text"
)

// maxContent is the largest size of an artifact's file, in bytes.
const maxContent = 8 << 20

// clean returns a path as a name of the tree.
func clean(name string) string {
	if name == "" {
		return ""
	}
	return path.Clean(name)
}

// readText returns the contents of a file of the project if it is text that could be loaded.
func readText(r fs.Reader, name string) ([]byte, error) {
	if own(name) {
		return nil, fmt.Errorf("%s: %w", text.QuoteBytes(name, maxQuoted), ErrOwn)
	}
	if tooLong(name) {
		return nil, fmt.Errorf("%s: %w: it is too long", text.QuoteBytes(name, maxQuoted), fs.ErrName)
	}
	content, err := r.Read(name)
	if err != nil {
		return nil, err
	}
	if len(content) > maxContent { // fs accepts larger JSONL files
		return nil, fmt.Errorf("%s: %w: %d bytes, at most %d", name, fs.ErrTooLarge, len(content), maxContent)
	}
	if bytes.IndexByte(content, 0) >= 0 || !utf8.Valid(content) {
		return nil, fmt.Errorf("%s: %w", name, ErrBinary)
	}
	return content, nil
}

// tooLong reports whether a system may refuse a path because of its length.
func tooLong(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > 255 {
			return true
		}
	}
	return len(name) > 1024
}

// own reports whether a file is never given to an agent: files of git and of the write protocol,
// and the State, which loading would change.
func own(name string) bool {
	if name == fs.State || fs.IsLocal(name) || strings.HasPrefix(name, fs.Cache+"/") {
		return true
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.EqualFold(part, ".git") {
			return true
		}
	}
	return false
}

// isAboutFile reports whether err is about the file itself and not about the disk.
func isAboutFile(err error) bool {
	for _, fault := range []error{iofs.ErrNotExist, fs.ErrTooLarge, fs.ErrIrregular, fs.ErrName, ErrBinary, ErrOwn} {
		if errors.Is(err, fault) {
			return true
		}
	}
	return false
}

// line is a stranger's text on one line, without control characters, and not
// longer than most characters.
func line(s string, most int) string { return text.Head(text.OneLine(printable(s)), most) }

// printable returns text without control characters, except tabs and line ends, and without
// characters that change the direction of writing.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r', r < ' ', r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return -1
		}
		return r
	}, text)
}
