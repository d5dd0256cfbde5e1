package session

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// ErrBlank is the Err of a blank line.
var ErrBlank = errors.New("a blank line")

// A Line is one line of a conversation.
type Line struct {
	Raw     []byte          // without the newline, but with a carriage return
	Message *schema.Message // nil if the line holds no message
	Err     error           // why the line is no message; ErrBlank for a blank one
	At      int             // index of the line
}

// maxLine is the length of the longest line that is decoded, in bytes.
const maxLine = 8 << 20

const bom = "\xEF\xBB\xBF"

// Read returns every line of a conversation in order. Text after the last newline is a line. A byte
// order mark at the beginning is not part of a line. The lines share the memory of src.
func Read(src []byte) []Line {
	src = bytes.TrimPrefix(src, []byte(bom))
	lines := make([]Line, 0, bytes.Count(src, []byte("\n"))+1)
	var doc jsonedit.Doc
	for at := 0; len(src) > 0; at++ {
		raw, rest, _ := bytes.Cut(src, []byte("\n"))
		line := Line{Raw: raw[:len(raw):len(raw)], At: at}
		if len(bytes.TrimSpace(raw)) == 0 {
			line.Err = ErrBlank
		} else if len(raw) > maxLine {
			line.Err = fmt.Errorf("%d bytes in one line, at most %d", len(raw), maxLine)
		} else if err := doc.Parse(line.Raw); err != nil {
			line.Err = err
		} else if m, err := transcript.DecodeMessage(&doc); err != nil {
			line.Err = err
		} else {
			line.Message = &m
		}
		lines = append(lines, line)
		src = rest
	}
	return lines
}

// Messages returns the messages among lines in order.
func Messages(lines []Line) []schema.Message {
	var messages []schema.Message
	for _, line := range lines {
		if line.Err == nil {
			messages = append(messages, *line.Message)
		}
	}
	return messages
}

// Encode returns m as a line of a conversation, without a newline.
func Encode(m schema.Message) ([]byte, error) {
	line, err := jsonedit.Value(m)
	if err != nil {
		return nil, fmt.Errorf("message %s: %w", text.Quote(m.ID, maxQuoted), err)
	}
	return line, nil
}

// maxQuoted is the number of characters of a text that messages quote.
const maxQuoted = 40
