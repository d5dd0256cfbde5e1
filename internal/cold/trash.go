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

// A Gone is a chunk, or a compaction, whose file was taken out of cold storage:
// it expired, or it stands in the conversation again. It is ErrUnknown.
type Gone struct {
	What  string    // "chunk ID", "compaction ID"
	Name  string    // where the file stood
	Trash string    // where it is
	At    time.Time // when it was taken away
	Until time.Time // until when all of it was to be recoverable; zero: for ever
}

// expired says that the file was taken away because its time was over.
func (g *Gone) expired() bool { return !g.Until.IsZero() && !g.At.Before(g.Until) }

func (g *Gone) Error() string {
	why := "was taken out of cold storage"
	if g.expired() {
		why = "expired"
	}
	return fmt.Sprintf("%s %s on %s; its file is %s", g.What, why, schema.FormatTime(g.At), g.Trash)
}

// Unwrap makes it an ErrUnknown.
func (g *Gone) Unwrap() error { return ErrUnknown }

// A discarded is a file of chunks in the trash.
type discarded struct {
	trash string
	name  string // where it stood; of a very long one the middle is left out
	at    time.Time
}

// gone tells of what, which is in the file of these bytes.
func (d discarded) gone(what string, src []byte) *Gone {
	until, _ := latest(src)
	return &Gone{What: what, Name: d.name, Trash: d.trash, At: d.at, Until: until}
}

// trashed yields the files of chunks in the trash of both folders, the oldest
// first. None where the system gives no stamps.
func trashed(tree *fs.Tree) iter.Seq[discarded] {
	return func(yield func(discarded) bool) {
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

// discardedFile reads the name of a file in the trash: when it came there, a
// random number, and where it stood.
func discardedFile(name string) (d discarded, ok bool) {
	parts := strings.SplitN(path.Base(name), "-", 3)
	if len(parts) != 3 {
		return d, false
	}
	at, err := strconv.ParseInt(parts[0], 16, 64)
	stood := strings.NewReplacer("%2F", "/", "%25", "%").Replace(parts[2])
	return discarded{name, stood, time.Unix(0, at).UTC()}, err == nil && strings.HasSuffix(stood, ".jsonl")
}

// Trash is where the file of chunks that stood at name is in the trash, the
// latest if there are several; false where it is not there.
func Trash(tree *fs.Tree, name string) (trash string, ok bool) {
	for d := range trashed(tree) {
		if d.name == name {
			trash, ok = d.trash, true
		}
	}
	return trash, ok
}

// gone is where the trash has a chunk that is not in cold storage, the latest;
// nil where it has none.
func gone(tree *fs.Tree, id string) (found *Gone) {
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
				found = d.gone("chunk "+id, src)
				break
			}
		}
	}
	return found
}

// latest is until when all chunks of a file are to be recoverable, and how many
// there are; zero where one of them is for ever, or a line holds none.
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
