package session

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// TallyFile is where the figures of the live conversation are kept in `.local/`
// of the folder that holds it.
const TallyFile = "conversation.json"

// A Tally is the figures of a conversation, so that nobody has to read it all to
// know them.
type Tally struct {
	Name       string `json:"name"`
	Size       int64  `json:"size"` // bytes
	Messages   int    `json:"messages"`
	Tokens     int    `json:"tokens"`
	Summaries  int    `json:"summaries"`           // of Tokens, what messages cost that are summaries of others
	Counter    string `json:"counter"`             // what counted the tokens
	Compaction string `json:"compaction,omitzero"` // the id of the compaction at its head

	Archive *Shelved `json:"archive,omitempty"` // of its session, if that is long
}

// ReadTally reads the figures of the live conversation. They hold as long as its
// file has the size that it had then; false where they do not, or where there
// are none, and Count has to be asked. A conversation without a file is empty.
func ReadTally(tree *fs.Tree) (Tally, bool) {
	name, err := LiveName(tree)
	if err != nil {
		return Tally{}, false
	}
	is, err := tree.Look(name)
	if errors.Is(err, iofs.ErrNotExist) {
		return Tally{Name: name}, true
	}
	var t struct {
		Tally
		Summaries *int `json:"summaries"` // nil: an older version counted
	}
	src, unread := tree.Read(tallyName(name))
	if err != nil || unread != nil || jsonedit.Decode(src, &t) != nil || t.Name != name || t.Size != is.Size() || t.Summaries == nil {
		return Tally{}, false
	}
	t.Tally.Summaries = *t.Summaries
	return t.Tally, true
}

// enough is how much text is counted that nobody has counted yet, in bytes: more
// than any window holds. What is behind it is taken to cost as much, by length.
const enough = 4 << 20

// maxTallied and maxCounted are how long a file may be that Recount reads, and
// how long a line in it that it looks at, in bytes.
const (
	maxTallied = 1 << 30
	maxCounted = 64 << 20
)

// Count is the figures of the conversation src, which stands at name. A count
// that a message holds is taken where counter made it.
func Count(name string, src []byte, count func(text string) int, counter string) Tally {
	t := Tally{Name: name, Size: int64(len(src)), Counter: counter}
	count = sparing(count)
	lines := Read(src)
	t.head(lines)
	for _, line := range lines {
		if line.Err == nil {
			t.add(*line.Message, count)
		}
	}
	return t
}

// head notes the compaction that the first line tells of.
func (t *Tally) head(lines []Line) {
	if c, ok := LastCompaction(lines); ok {
		t.Compaction = c.ID
	}
}

// Recount is Count of the file at name, which is never in memory as a whole. A
// file that is not there is empty; one that is larger than any that is read
// elsewhere is fs.ErrTooLarge.
func Recount(tree *fs.Tree, name string, count func(text string) int, counter string) (Tally, error) {
	t := Tally{Name: name, Counter: counter}
	is, err := tree.Look(name)
	if errors.Is(err, iofs.ErrNotExist) {
		return t, nil
	}
	if err == nil && is.Size() > maxTallied {
		err = fmt.Errorf("%s: %w: %d bytes, at most %d", name, fs.ErrTooLarge, is.Size(), maxTallied)
	}
	if err != nil {
		return t, err
	}
	file, err := tree.Stream(name)
	if err != nil {
		return t, err
	}
	defer file.Close()
	count = sparing(count)
	var line []byte
	for lines := bufio.NewReaderSize(file, 1<<16); ; {
		piece, err := lines.ReadSlice('\n')
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return t, fmt.Errorf("read %s: %w", name, err)
		}
		t.Size += int64(len(piece))
		if len(line) <= maxCounted {
			line = append(line, piece...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if len(line) <= maxCounted {
			lines := Read(line)
			if t.Size == int64(len(line)) { // the first
				t.head(lines)
			}
			for _, line := range lines {
				if line.Err == nil {
					t.add(*line.Message, count)
				}
			}
		}
		if line = line[:0]; err == io.EOF {
			return t, nil
		}
	}
}

// sparing is count, with estimates once it has counted enough.
func sparing(count func(text string) int) func(text string) int {
	length, tokens := 0, 0
	return func(text string) int {
		exact := text[:min(len(text), enough-length)]
		n := 0
		if exact != "" {
			n = count(exact)
		}
		length, tokens = length+len(exact), tokens+n
		if rest := len(text) - len(exact); rest > 0 {
			n += int(float64(rest) * float64(tokens) / float64(length))
		}
		return n
	}
}

// Plus is t after messages were added in so many bytes.
func (t Tally) Plus(messages []schema.Message, size int64, count func(text string) int) Tally {
	t.Size += size
	for _, m := range messages {
		t.add(m, count)
	}
	return t
}

func (t *Tally) add(m schema.Message, count func(text string) int) {
	t.Messages++
	tokens := int(m.Tokens)
	if tokens <= 0 || m.Counter != t.Counter {
		tokens = count(m.Content)
	}
	t.Tokens += tokens
	if m.Kind == "summary" {
		t.Summaries += tokens
	}
}

// Keep keeps t for ReadTally, once what tx stages is written.
func (t Tally) Keep(tx *fs.Tx) error {
	text, err := jsonedit.Marshal(t.withArchive(tx))
	if err != nil {
		return err
	}
	tx.Jot(tallyName(t.Name), text)
	return nil
}

// KeepIn keeps t for ReadTally at once, for who only reads the tree.
func (t Tally) KeepIn(tree *fs.Tree) error {
	text, err := jsonedit.Marshal(t.withArchive(tree))
	if err != nil {
		return err
	}
	return tree.Jot(tallyName(t.Name), text)
}

// withArchive returns t with what is kept of the archive, unless t tells of it.
func (t Tally) withArchive(r fs.Reader) Tally {
	if t.Archive == nil {
		t.Archive = keptTally(r, t.Name).Archive
	}
	return t
}

// keptTally returns what is kept of a conversation, whether it holds or not.
func keptTally(r fs.Reader, conversation string) Tally {
	var t Tally
	if src, err := r.Read(tallyName(conversation)); err != nil || jsonedit.Decode(src, &t) != nil || t.Name != conversation {
		return Tally{Name: conversation}
	}
	return t
}

func tallyName(conversation string) string {
	folder, _, _ := strings.Cut(conversation, "/")
	return fs.LocalName(folder, TallyFile)
}
