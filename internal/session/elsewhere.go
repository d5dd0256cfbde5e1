package session

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// Elsewhere returns a function that reports whether another session than here has a message with an
// id, according to r. Usually the answer is no, which is found without parsing messages: tree keeps
// the possible ids of each file until the file changes.
func Elsewhere(r fs.Reader, tree *fs.Tree, here string) (func(id string) bool, error) {
	e := elsewhere{reader: r}
	stamps, other, err := tree.StampsBelow(fs.Sessions, archiveFile, windowFile)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		err = e.readAll(here)
	case err == nil:
		if err = e.readThese(other, here); err == nil {
			err = e.readChanged(tree, stamps, here)
		}
	}
	if err != nil {
		return nil, err
	}
	return e.has, nil
}

const (
	archiveFile = "archive.jsonl"
	windowFile  = "recent_history.jsonl"
)

// An elsewhere holds the messages of the other sessions.
type elsewhere struct {
	reader fs.Reader
	files  []string // files with messages
	may    []string // possible ids of each file; see mayBeIDs
	asked  int
	words  map[string]bool // the words of may, computed after many calls
	are    map[string]bool
}

// has reports whether another session has a message with the id.
func (e *elsewhere) has(id string) bool {
	if !e.mayHave(id) {
		return false
	}
	if e.are == nil {
		e.are = e.ids()
	}
	return e.are[id]
}

func (e *elsewhere) mayHave(id string) bool {
	if e.asked++; e.asked <= few {
		word := " " + id + " "
		return slices.ContainsFunc(e.may, func(words string) bool { return strings.Contains(words, word) })
	}
	if e.words == nil {
		e.words = map[string]bool{}
		for _, words := range e.may {
			for word := range strings.FieldsSeq(words) {
				e.words[word] = true
			}
		}
	}
	return e.words[id]
}

// ids returns the ids of the messages. It ignores files that can no longer be read.
func (e *elsewhere) ids() map[string]bool {
	known := map[string]bool{}
	for _, name := range e.files {
		src, _ := e.reader.Read(name)
		for _, line := range Read(src) {
			if line.Err == nil && line.Message.ID != "" {
				known[line.Message.ID] = true
			}
		}
	}
	return known
}

// readAll reads every file of the other sessions.
func (e *elsewhere) readAll(here string) error {
	var names []string
	for name, err := range e.reader.Names(fs.Sessions) {
		if err != nil {
			return err
		}
		if fs.Place(name) == fs.DocMessage {
			names = append(names, name)
		}
	}
	return e.readThese(names, here)
}

// readThese reads those of the named files that do not belong to the session here.
func (e *elsewhere) readThese(names []string, here string) error {
	for _, name := range names {
		if path.Base(path.Dir(name)) == here {
			continue
		}
		if _, err := e.read(name); err != nil {
			return err
		}
	}
	return nil
}

// read reads one file.
func (e *elsewhere) read(name string) (src []byte, err error) {
	src, err = e.reader.Read(name)
	if errors.Is(err, fs.ErrIrregular) || errors.Is(err, fs.ErrTooLarge) || errors.Is(err, iofs.ErrNotExist) {
		return nil, nil // validate reports files without messages; others may have been removed
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	e.add(name, mayBeIDs(src))
	return src, nil
}

func (e *elsewhere) add(name, may string) {
	e.files, e.may = append(e.files, name), append(e.may, may)
}

// mayBeIDs returns every string in a text that may be the id of a message, including those in
// nested objects, each between blanks.
func mayBeIDs(src []byte) string {
	const blank = " \t"
	end := []byte(`id"`)
	words := []byte(" ")
	for i := bytes.Index(src, end); i >= 0; i = bytes.Index(src, end) {
		name := src[:i]
		src = src[i+len(end):]
		if !bytes.HasSuffix(name, []byte(`"`)) && !bytes.HasSuffix(name, []byte(`"msg_`)) {
			continue
		}
		value, named := bytes.CutPrefix(bytes.TrimLeft(src, blank), []byte(":"))
		value, isText := bytes.CutPrefix(bytes.TrimLeft(value, blank), []byte(`"`))
		at := bytes.IndexByte(value, '"')
		if !named || !isText || at < 0 {
			continue
		}
		id := string(value[:at])
		if strings.IndexByte(id, '\\') >= 0 && jsonedit.Decode([]byte(`"`+id+`"`), &id) != nil { // an id may be written with escapes
			continue
		}
		if schema.ValidID(id) {
			words = append(append(words, id...), ' ')
		}
	}
	return string(words)
}
