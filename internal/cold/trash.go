package cold

import (
	"fmt"
	"iter"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A GoneError reports that the file of a chunk or a compaction was moved from cold storage to the
// trash, because it expired or because its chunks are in the conversation again. It wraps
// ErrUnknown.
type GoneError struct {
	What  string    // "chunk ID", "compaction ID"
	Name  string    // former name of the file
	Trash string    // name of the file in the trash
	At    time.Time // when it was moved
	Until time.Time // when the last chunk expires; zero if never
}

// expired reports whether the file was moved because it had expired.
func (g *GoneError) expired() bool { return !g.Until.IsZero() && !g.At.Before(g.Until) }

func (g *GoneError) Error() string {
	why := "was taken out of cold storage"
	if g.expired() {
		why = "expired"
	}
	return fmt.Sprintf("%s %s on %s; its file is %s", g.What, why, schema.FormatTime(g.At), g.Trash)
}

// Unwrap returns ErrUnknown.
func (g *GoneError) Unwrap() error { return ErrUnknown }

// A trashFile is a file of chunks in the trash.
type trashFile struct {
	trash string
	name  string // former name; the middle of a very long one is left out
	at    time.Time
}

// goneError returns the error for what, whose file has the contents src.
func (d trashFile) goneError(what string, src []byte) *GoneError {
	until, _ := latest(src)
	return &GoneError{What: what, Name: d.name, Trash: d.trash, At: d.at, Until: until}
}

// trashed yields the files of chunks in the trash of both folders, oldest first. It yields none
// where the system has no file stamps.
func trashed(tree *fs.Tree) iter.Seq[trashFile] {
	return func(yield func(trashFile) bool) {
		for _, home := range homes {
			stamps, _, err := tree.Stamps(fs.LocalName(home, "trash"))
			if err != nil {
				continue
			}
			for _, s := range stamps {
				if d, ok := discardedFile(s.Name); ok && strings.HasPrefix(d.name, home+"/"+fs.ColdDir+"/") && !yield(d) {
					return
				}
			}
		}
	}
}

// discardedFile parses the name of a file in the trash. It consists of the time of the move, a
// random number and the former name.
func discardedFile(name string) (d trashFile, ok bool) {
	parts := strings.SplitN(path.Base(name), "-", 3)
	if len(parts) != 3 {
		return d, false
	}
	at, err := strconv.ParseInt(parts[0], 16, 64)
	stood := strings.NewReplacer("%2F", "/", "%25", "%").Replace(parts[2])
	return trashFile{name, stood, time.Unix(0, at).UTC()}, err == nil && strings.HasSuffix(stood, ".jsonl")
}

// Trash returns the name that the file of chunks formerly called name has in the trash. If there
// are several, it returns the latest. It reports false if there is none.
func Trash(tree *fs.Tree, name string) (trash string, ok bool) {
	for d := range trashed(tree) {
		if d.name == name {
			trash, ok = d.trash, true
		}
	}
	return trash, ok
}

// findInTrash returns the latest file in the trash that has a chunk, or nil.
func findInTrash(tree *fs.Tree, id string) (found *GoneError) {
	for d := range trashed(tree) {
		src, err := tree.Read(d.trash)
		if err != nil {
			continue
		}
		for line := range jsonedit.Lines(src) {
			if !mayHold(line.Text, id) {
				continue
			}
			if c, err := decode(line.Text); err == nil && c.ChunkID == id {
				found = d.goneError("chunk "+id, src)
				break
			}
		}
	}
	return found
}

// latest returns the time at which the last chunk of a file expires, and the number of chunks. The
// time is zero if a chunk never expires or a line holds no chunk.
func latest(src []byte) (until time.Time, chunks int) {
	for line := range jsonedit.Lines(src) {
		c, err := decode(line.Text)
		if err != nil {
			return time.Time{}, 0
		}
		t, err := schema.ParseTime(c.RecoverableUntil)
		if err != nil {
			return time.Time{}, 0
		}
		if t.After(until) {
			until = t
		}
		chunks++
	}
	return until, chunks
}
