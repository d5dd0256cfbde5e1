package exporter

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	iofs "io/fs"
	"path/filepath"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/present"
)

// What becomes of a file.
const (
	Created   = "created"
	Updated   = "updated"
	Unchanged = "unchanged"
)

// A Change is a file that was compared with the one that stands in its place.
type Change struct {
	File
	What string // Created, Updated or Unchanged
	old  []byte
}

// A RefusedError is a file that is not overwritten.
type RefusedError struct {
	Name string
	Msg  string
	Tip  string // what to do; "" for nothing in particular
}

func (e *RefusedError) Error() string { return e.Name + ": " + e.Msg }

// Hint implements present.Hinted.
func (e *RefusedError) Hint() string { return e.Tip }

// Problem implements present.Classified.
func (e *RefusedError) Problem() present.Problem {
	return present.Problem{Kind: present.Conflict, Unmet: true, Hint: e.Tip}
}

// Plan compares files with those in a directory and writes nothing. The error is a
// *RefusedError if a file stands there that forgemind did not write, or that was changed
// since; with force such files are updated as well.
func Plan(out *fs.Outside, files []File, force bool) ([]Change, error) {
	changes := make([]Change, 0, len(files))
	for _, f := range files {
		real, err := out.Path(f.Name)
		if err == nil && fs.KeptBy(real) != "" {
			return nil, &RefusedError{f.Name, "this is where " + fs.KeptBy(real) + " keeps its files", "choose a place outside of it"}
		}
		var old []byte
		if err == nil {
			old, err = out.Read(f.Name)
		}
		c := Change{f, Updated, old}
		switch {
		case errors.Is(err, iofs.ErrNotExist):
			c.What, c.old = Created, nil
		case err != nil:
			return nil, unreadable(f.Name, err)
		case bytes.Equal(old, f.Data):
			c.What = Unchanged
		case !force:
			if err := mayReplace(f.Name, old); err != nil {
				return nil, err
			}
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// unreadable returns the error for a file that cannot be compared.
func unreadable(name string, err error) error {
	msg, _ := strings.CutPrefix(err.Error(), name+": ")
	switch {
	case errors.Is(err, fs.ErrTooLarge):
		return &RefusedError{name, "the file there is larger than 8 MiB", "move it away, or redirect standard output"}
	case errors.Is(err, fs.ErrIrregular):
		return &RefusedError{name, "it is not a regular file with one name", "name a file, or move away what is there"}
	case errors.Is(err, fs.ErrLeaves):
		return &RefusedError{name, msg, "name the file that the link leads to"}
	}
	return err
}

// mayReplace returns an error unless old was written by an export and not changed since.
func mayReplace(name string, old []byte) error {
	id, intact := readStamp(old)
	switch {
	case intact, bytes.HasPrefix(old, []byte(linePrefix)):
		return nil
	case id == "":
		return &RefusedError{name, "forgemind did not write this file", "--force overwrites it; --output names another place"}
	}
	return &RefusedError{name, "the file was changed since forgemind wrote it", "--force overwrites the changes"}
}

// linePrefix begins each line of an export in JSON.
const linePrefix = `{"version":1,"kind":"`

// Write writes the changes of a Plan. The error names a file that changed meanwhile;
// files before it are written.
func Write(out *fs.Outside, changes []Change) error {
	for _, c := range changes {
		if c.What == Unchanged {
			continue
		}
		if _, err := out.Replace(filepath.ToSlash(c.Name), c.old, c.Data, 0o644); err != nil {
			return unreadable(c.Name, err)
		}
	}
	return nil
}

// Stamp returns a text with a last line by which a later export knows it: a comment with
// what it shows, an id, and the hash of the text. The text ends in a line feed.
func Stamp(text []byte, id string) []byte {
	return fmt.Appendf(text, "<!-- forgemind %s sha256:%x -->\n", id, sha256.Sum256(text))
}

// stampLine matches the last line of a stamped text. People may have added lines below.
var stampLine = lazyregexp.New(`(?m)^<!-- forgemind ([A-Za-z0-9._-]+) sha256:([0-9a-f]{64}) -->$`)

// readStamp returns what a text shows by its stamp, "" if it has none, and whether the text
// is unchanged. Line endings do not count, because git may change them.
func readStamp(src []byte) (id string, intact bool) {
	src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	all := stampLine.FindAllSubmatchIndex(src, -1)
	if len(all) == 0 {
		return "", false
	}
	at := all[len(all)-1]
	sum := fmt.Sprintf("%x", sha256.Sum256(src[:at[0]]))
	return string(src[at[2]:at[3]]), sum == string(src[at[4]:at[5]]) && len(bytes.TrimSpace(src[at[1]:])) == 0
}
