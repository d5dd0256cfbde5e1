package hook

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	transcripts "github.com/forgemind/forgemind/internal/transcript"
)

const (
	tailPiece = 256 << 10 // bytes of a transcript that are imported at a time
	mostTries = 4         // attempts to import a piece, each with a smaller one
	dearLine  = 64 << 10  // bytes from which a line is skipped after these attempts; shorter lines are not the cause
	longLine  = 16 << 20  // bytes of the longest line that is read
	headPiece = 16 << 10  // bytes in which the first line must end
	headSize  = 256       // bytes that identify the beginning of a transcript
)

// growing lists the tools whose transcripts grow line by line, so that new lines can be read alone.
// Other agents give the text in their payloads.
var growing = []string{"claude-code", "codex", "copilot"}

// writes reports whether the agent has a transcript that we can read. If its file is missing or
// unreadable, the agent's name decides.
func (r *hookCall) writes() bool {
	if !filepath.IsAbs(r.payload.transcript) {
		return false
	}
	t, ok, err := openTranscript(r.payload.transcript)
	if ok && err == nil {
		defer t.close()
		return t.tool() != ""
	}
	return r.call.Agent == "claude" || r.call.Agent == "codex" || r.call.Agent == "copilot" && err != nil
}

// A transcript is the file of a conversation that an agent writes line by line.
type transcript struct {
	io.ReadSeeker
	close func() error
	size  int64
	head  string // hash of its beginning
}

// openTranscript opens a file that an agent names. The path is not trusted: only a regular file is
// opened. It reports false if there is no file yet.
func openTranscript(file string) (t transcript, ok bool, err error) {
	dir, err := fs.Open(filepath.Dir(file))
	if err != nil {
		return t, false, present(err)
	}
	defer dir.Close()
	stream, err := dir.Stream(filepath.Base(file))
	if err != nil {
		return t, false, present(err)
	}
	t = transcript{close: stream.Close}
	if t.ReadSeeker, ok = stream.(io.ReadSeeker); !ok {
		stream.Close()
		return t, false, errors.New("it is not seekable")
	}
	head := make([]byte, headSize)
	n, _ := io.ReadFull(t, head)
	switch first := bytes.IndexByte(head[:n], '\n'); {
	case first > 0: // a short first line is complete from the beginning
		n = first
	case n < headSize:
		stream.Close()
		return t, false, nil
	}
	sum := sha256.Sum256(head[:n])
	t.head = hex.EncodeToString(sum[:8])
	if t.size, err = t.Seek(0, io.SeekEnd); err != nil {
		stream.Close()
	}
	return t, err == nil, err
}

// tool returns the tool that wrote the transcript, one of growing, or "". It can differ from the
// named agent, because some agents run the hooks of others.
func (t transcript) tool() string {
	head, _, err := wholeLines(t, 0, headPiece)
	if err != nil || len(head) == 0 {
		return ""
	}
	im, err := transcripts.Read(head)
	if err != nil || !slices.Contains(growing, im.Tool) {
		return ""
	}
	return im.Tool
}

// present returns err, or nil if err means that a file does not exist.
func present(err error) error {
	if errors.Is(err, iofs.ErrNotExist) {
		return nil
	}
	return err
}

// takeIn imports new lines of a session's transcript into the tree, as messages only. What takes too
// long is left for the next event.
func (r *hookCall) takeIn(ctx context.Context, tree *engine.Tree, m *memory, file string, within time.Duration) (heard pieceDecisions, faults []error) {
	if !filepath.IsAbs(file) {
		return heard, nil
	}
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("transcript: "+format, args...))
	}
	t, ok, err := openTranscript(file)
	if err != nil {
		fault("%w", err)
	}
	if !ok {
		if err == nil && m.Transcript != file { // the agent writes it later
			m.progress = progress{Transcript: file}
		}
		return heard, faults
	}
	defer t.close()
	tool := t.tool()
	if tool == "" {
		return heard, faults
	}
	if m.Transcript != file || m.Head != t.head || m.Offset > t.size {
		m.progress = progress{Transcript: file, Head: t.head}
	}
	ground := r.ground(tree.Root())
	if head, _, err := wholeLines(t, 0, headPiece); err == nil && m.Offset == 0 {
		m.Away = ground.begins(head)
	}
	for began := time.Now(); m.Offset < t.size && ctx.Err() == nil && time.Since(began) < within; {
		piece, skip, err := wholeLines(t, m.Offset, tailPiece>>(3*m.Tried))
		switch {
		case err != nil:
			fault("%w", err)
			return heard, faults
		case skip > 0:
			fault("a line of more than %d bytes was left out", longLine)
			m.Offset += skip
			continue
		case len(piece) == 0: // the last line is incomplete
			return heard, faults
		case m.Tried >= mostTries && len(piece) > dearLine:
			fault("%d bytes at %d were left out: they take too long", len(piece), m.Offset)
		default:
			im, left, done := r.takePiece(ctx, tree, t, tool, m, ground, piece)
			faults = append(faults, left...)
			if !done {
				return heard, faults
			}
			heard.hear(im.Messages)
		}
		_, m.Away = ground.here(piece, m.Away)
		m.Offset, m.Tried = m.Offset+int64(len(piece)), 0
	}
	return heard, faults
}

// wholeLines reads whole lines from an offset: about most bytes, and at least one line. The result
// skip is the number of bytes of a line that is too long to be read.
func wholeLines(t io.ReadSeeker, from int64, most int) (piece []byte, skip int64, err error) {
	if _, err := t.Seek(from, io.SeekStart); err != nil {
		return nil, 0, err
	}
	var buf []byte
	for {
		start := len(buf)
		buf = append(buf, make([]byte, max(most, headPiece, start))...)
		n, err := io.ReadFull(t, buf[start:])
		buf = buf[:start+n]
		end := bytes.LastIndexByte(buf[:min(len(buf), max(most, start))], '\n')
		if end < 0 {
			end = bytes.IndexByte(buf, '\n')
		}
		if end >= 0 {
			return buf[:end+1], 0, nil
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			if whole(buf) { // the newline is not written yet, or never will be
				return buf, 0, nil
			}
			return nil, 0, nil
		}
		if err != nil {
			return nil, 0, err
		}
		if len(buf) >= longLine {
			return nil, int64(len(buf)), nil
		}
	}
}
