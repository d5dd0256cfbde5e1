package validate

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// TestALineThatIsTooLargeMayEndAnywhere: where a piece ends, too.
func TestALineThatIsTooLargeMayEndAnywhere(t *testing.T) {
	const cutAt = maxSize + pieceSize // so much is held of a line before it is skipped
	for _, c := range []struct {
		size int
		end  string
	}{
		{cutAt, ""},                         // with the piece that shows that it is too large
		{cutAt, "\nno\n"},                   // as the next one begins
		{cutAt + 2*pieceSize - 1, "\nno\n"}, // with a later one
	} {
		src := []byte(record + "\n" + strings.Repeat("x", c.size-len(record)-1) + c.end)
		whole := newJudge(newSeverities()).one(messages, fs.DocMessage, false, src)
		streamed, err := newJudge(newSeverities()).stream(messages, fs.DocMessage, bytes.NewReader(src))
		if err != nil || text(streamed) != text(whole) || !strings.Contains(text(whole), "[too-large]") {
			t.Errorf("%d bytes and %q: %v, found\n%swanted\n%s", c.size, c.end, err, text(streamed), text(whole))
		}
	}
}

// endless is a file that grows while it is read.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	clear(p)
	return len(p), nil
}

func TestAStreamHasAnEnd(t *testing.T) {
	var file endless
	got, err := newJudge(newSeverities()).stream(messages, fs.DocMessage, &file)
	if !errors.Is(err, fs.ErrTooLarge) || file.read > maxLines+pieceSize {
		t.Errorf("%v after %d bytes", err, file.read)
	}
	expect(t, "zeros", got, messages+`:1:1: error: the line is larger than the 8 MiB that are read [too-large]`)
}

func TestAFileThatIsTooLargeIsNotReadAtAll(t *testing.T) {
	tree := onDisk(t, pages{messages: ""})
	if err := os.Truncate(filepath.Join(tree.Root(), filepath.FromSlash(messages)), 1<<40); err != nil {
		t.Skip("no sparse files here: ", err)
	}
	expect(t, "1 TiB of nothing", judgeTree(t, tree), messages+`:1:1: error: the document is larger than the 1 GiB that is read [too-large]`)
}

// TestMoreValuesThanAnybodyNeeds: a few megabytes of {} would take a hundred
// times the memory.
func TestMoreValuesThanAnybodyNeeds(t *testing.T) {
	actions := strings.Repeat("{},\n", jsonedit.MaxValues)
	src := change(t, state, `"pending_actions": [`, "\"pending_actions\": [\n"+actions)
	got := judgeTree(t, pages{fs.State: src, messages: record + "\n{\"a\": [" + strings.Repeat("0,", jsonedit.MaxValues) + "0]}\n"})
	if len(got) != 2 {
		t.Fatalf("%d findings, such as %s", len(got), text(got[:1]))
	}
	doc, err := jsonedit.Parse([]byte(state))
	if err != nil {
		t.Fatal(err)
	}
	before := doc.Find("/pending_actions/0") // values that stand before the first action, on line 9
	expect(t, "values", got,
		fmt.Sprintf(`%s:%d:1: error: the text holds more than 500000 values [too-large]`, fs.State, 9+jsonedit.MaxValues-before),
		fmt.Sprintf(`%s:2:%d: error: the text holds more than 500000 values [too-large]`, messages, len(`{"a": [`)+1+2*(jsonedit.MaxValues-2)))
}
