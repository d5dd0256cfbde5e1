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
)

// maxContent is how large an artifact's file may be, in bytes.
const maxContent = 8 << 20

// clean is a path as names have it.
func clean(name string) string {
	if name == "" {
		return ""
	}
	return path.Clean(name)
}

// readText returns the bytes of a file of the project that could go into the
// window.
func readText(r fs.Reader, name string) ([]byte, error) {
	if own(name) {
		return nil, fmt.Errorf("%s: %w", quoted(name), ErrOwn)
	}
	if tooLong(name) {
		return nil, fmt.Errorf("%s: %w: it is too long", quoted(name), fs.ErrName)
	}
	content, err := r.Read(name)
	if err != nil {
		return nil, err
	}
	if len(content) > maxContent { // JSONL may be larger than what fs allows others
		return nil, fmt.Errorf("%s: %w: %d bytes, at most %d", name, fs.ErrTooLarge, len(content), maxContent)
	}
	if bytes.IndexByte(content, 0) >= 0 || !utf8.Valid(content) {
		return nil, fmt.Errorf("%s: %w", name, ErrBinary)
	}
	return content, nil
}

// tooLong says whether a system may refuse a path for its length alone.
func tooLong(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > 255 {
			return true
		}
	}
	return len(name) > 1024
}

// own says whether a file is none that an agent is given: git's, the write
// protocol's, or the State, which would change by being loaded.
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

// unfit says whether err is the file's own fault, rather than the disk's.
func unfit(err error) bool {
	for _, fault := range []error{iofs.ErrNotExist, fs.ErrTooLarge, fs.ErrIrregular, fs.ErrName, ErrBinary, ErrOwn} {
		if errors.Is(err, fault) {
			return true
		}
	}
	return false
}

// line is a stranger's text on one line, without control characters, and not
// longer than most characters.
func line(text string, most int) string {
	text = strings.Join(strings.Fields(printable(text)), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}

// printable is text without what a terminal would act on: control characters
// but tabs and line ends, and those that turn the direction of writing.
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
