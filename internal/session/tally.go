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

// TallyFile is the name in `.local/` of the file with the figures of the live conversation.
const TallyFile = "conversation.json"

// A Tally holds figures of a conversation, so that it need not be read to know them.
type Tally struct {
	Name       string `json:"name"`
	Size       int64  `json:"size"` // bytes
	Messages   int    `json:"messages"`
	Tokens     int    `json:"tokens"`
	Summaries  int    `json:"summaries"`           // of Tokens, those of summaries
	Counter    string `json:"counter"`             // name of the method that counted the tokens
	Compaction string `json:"compaction,omitzero"` // id of the compaction at the beginning of the conversation
}

// ReadTally returns the stored figures of the live conversation. It reports false if there are none
// or the file has another size by now; then use Count. A conversation without a file is empty.
func ReadTally(tree *fs.Tree) (Tally, bool) {
	name, err := Conversation(tree)
	if err != nil {
		return Tally{}, false
	}
	is, err := tree.Look(name)
	if errors.Is(err, iofs.ErrNotExist) {
		return Tally{Name: name}, true
	}
	var t struct {
		Tally
		Summaries *int `json:"summaries"` // nil if an older version counted
	}
	src, unread := tree.Read(tallyName(name))
	if err != nil || unread != nil || jsonedit.Decode(src, &t) != nil || t.Name != name || t.Size != is.Size() || t.Summaries == nil {
		return Tally{}, false
	}
	t.Tally.Summaries = *t.Summaries
	return t.Tally, true
}

// enough is the number of bytes after which Count estimates the tokens of messages without a count.
// It is more than any window holds. The estimate is proportional to the length.
const enough = 4 << 20

// maxTallied is the largest file that Recount reads, maxCounted the longest line in it that it
// decodes, in bytes.
const (
	maxTallied = 1 << 30
	maxCounted = 64 << 20
)

// Count returns the figures of the conversation src, whose file is name. It uses the tokens in a
// message if the same counter counted them.
func Count(name string, src []byte, count func(text string) int, counter string) Tally {
	t := Tally{Name: name, Size: int64(len(src)), Counter: counter}
	count = countLimited(count)
	lines := Read(src)
	t.head(lines)
	for _, line := range lines {
		if line.Err == nil {
			t.add(*line.Message, count)
		}
	}
	return t
}

// head records the compaction in the first line.
func (t *Tally) head(lines []Line) {
	if c, ok := LastCompaction(lines); ok {
		t.Compaction = c.ID
	}
}

// Recount is like Count for the file at name, which it does not load into memory as a whole. A
// missing file is empty. The error is fs.ErrTooLarge for a file larger than others can read.
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
	count = countLimited(count)
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
			if t.Size == int64(len(line)) { // the first line
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

// countLimited returns a function that calls count until it has counted enough, and then estimates.
func countLimited(count func(text string) int) func(text string) int {
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

// Plus returns t after messages were added that take size bytes.
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

// Keep stages t for ReadTally.
func (t Tally) Keep(tx *fs.Tx) error {
	text, err := jsonedit.Marshal(t)
	if err != nil {
		return err
	}
	tx.WriteLocal(tallyName(t.Name), text)
	return nil
}

// KeepIn stores t for ReadTally at once, for callers that only read the tree.
func (t Tally) KeepIn(tree *fs.Tree) error {
	text, err := jsonedit.Marshal(t)
	if err != nil {
		return err
	}
	return tree.WriteLocal(tallyName(t.Name), text)
}

func tallyName(conversation string) string {
	folder, _, _ := strings.Cut(conversation, "/")
	return fs.LocalName(folder, TallyFile)
}
