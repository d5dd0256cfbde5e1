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
	"github.com/forgemind/forgemind/internal/transcript"
)

const (
	tailPiece = 256 << 10 // bytes of a transcript that are taken in at once
	mostTries = 4         // to take in what was not done in time, each time less of it
	dearLine  = 64 << 10  // and of a line that is left out then: what is shorter did not take the time itself
	longLine  = 16 << 20  // and of a line that is read at all
	headPiece = 16 << 10  // that hold its first line
	headSize  = 256       // that stand for how a transcript begins
)

// growing are the tools whose transcripts grow line by line, so that what is new in
// one can be read by itself. What the others say stands in their payloads.
var growing = []string{"claude-code", "codex", "copilot"}

// writes says whether the agent writes down what is said, where it says that it does.
// Of a file that is not there yet, or that the system does not give, the agent's name
// tells.
func (r *running) writes() bool {
	if !filepath.IsAbs(r.payload.transcript) {
		return false
	}
	is, there, err := isTranscript(r.payload.transcript)
	if there {
		return is
	}
	return r.call.Agent == "claude" || r.call.Agent == "codex" || r.call.Agent == "copilot" && err != nil
}

// A transcriptFile is a conversation that an agent writes down, line by line.
type transcriptFile struct {
	io.ReadSeeker
	close func() error
	size  int64
	head  string // stands for how it begins
}

// openTranscript opens a file that an agent names. The path is a stranger's word:
// only a regular file is read. ok is false for one that is not there, or not yet.
func openTranscript(file string) (t transcriptFile, ok bool, err error) {
	dir, err := fs.Open(filepath.Dir(file))
	if err != nil {
		return t, false, present(err)
	}
	defer dir.Close()
	stream, err := dir.Stream(filepath.Base(file))
	if err != nil {
		return t, false, present(err)
	}
	t = transcriptFile{close: stream.Close}
	if t.ReadSeeker, ok = stream.(io.ReadSeeker); !ok {
		stream.Close()
		return t, false, errors.New("it cannot be read from the middle")
	}
	head := make([]byte, headSize)
	n, _ := io.ReadFull(t, head)
	switch first := bytes.IndexByte(head[:n], '\n'); {
	case first > 0: // of a short line no more: it is there from the beginning
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

// tool returns who wrote the transcript, one of growing, or "" for none of these. It need
// not be the agent that is named: some run the hooks of others. It is not known before the
// first line is written.
func (t transcriptFile) tool() (tool string, known bool) {
	head, _, err := wholeLines(t, 0, headPiece)
	if err != nil || len(head) == 0 {
		return "", false
	}
	im, err := transcript.Read(head)
	if err != nil || !slices.Contains(growing, im.Tool) {
		return "", true
	}
	return im.Tool, true
}

// isTranscript reports whether a file is a transcript of one of growing, and whether it is
// there: not if it cannot be read.
func isTranscript(file string) (is, there bool, err error) {
	t, ok, err := openTranscript(file)
	if !ok || err != nil {
		return false, false, err
	}
	defer t.close()
	tool, _ := t.tool()
	return tool != "", true, nil
}

// present is an error, unless it says that something is not there.
func present(err error) error {
	if errors.Is(err, iofs.ErrNotExist) {
		return nil
	}
	return err
}

// A taking is what was taken in of a transcript.
type taking struct {
	hearing
	was    progress // as it stands in the session's memory
	whole  bool     // nothing more stands there, but perhaps a line that is being written
	faults []error
}

func (t *taking) fault(format string, args ...any) {
	t.faults = append(t.faults, fmt.Errorf("transcript: "+format, args...))
}

// takeIn takes what is new in a session's transcript, as m names it, into the tree;
// nothing but conversation comes of it. No part of it is begun after a time: what is left
// then, or is not written yet, waits for the next event, or for another session to begin.
func (r *running) takeIn(ctx context.Context, tree *engine.Tree, m *memory, until time.Time) (t taking) {
	t.was = m.progress
	if m.Transcript == "" {
		return t
	}
	own := m.Session == r.payload.session
	file, ok, err := openTranscript(m.Transcript)
	if err != nil && own { // at each of its events, and not at each start of another session
		t.fault("%w", err)
	}
	if !ok {
		return t
	}
	defer file.close()
	if m.Head == file.head && m.Offset == file.size {
		t.whole = true
		return t
	}
	tool, known := file.tool()
	if tool == "" {
		if known {
			m.progress = progress{}
		}
		return t
	}
	if m.Head != file.head || m.Offset > file.size {
		m.progress = progress{Transcript: m.Transcript, Named: m.Named, Pending: m.Pending, Head: file.head}
	}
	rd := &reading{file, tool, tree, m, &ground{tree.Root(), m.Named, map[string]bool{}}, own}
	if head, _, err := wholeLines(file, 0, headPiece); err == nil && m.Offset == 0 {
		m.Away = rd.ground.begins(head)
	}
	for m.Offset < file.size {
		if ctx.Err() != nil || time.Now().After(until) || !r.takeNext(ctx, rd, &t) {
			return t
		}
	}
	t.whole = true
	return t
}

// takeNext takes in the next piece, and reports whether another may follow.
func (r *running) takeNext(ctx context.Context, rd *reading, t *taking) bool {
	m := rd.m
	piece, skip, err := wholeLines(rd, m.Offset, tailPiece>>(3*m.Tried))
	switch {
	case err != nil:
		t.fault("%w", err)
		return false
	case skip > 0:
		t.fault("a line of more than %d bytes was left out", longLine)
		m.Offset += skip
		return true
	case len(piece) == 0: // the last line is being written
		t.whole = true
		return false
	case m.Tried >= mostTries && len(piece) > dearLine:
		t.fault("%d bytes at %d were left out: they take too long", len(piece), m.Offset)
	default:
		im, done := r.takePiece(ctx, rd, t, piece)
		if !done {
			return false
		}
		t.hear(im.Messages)
	}
	_, m.Away = rd.ground.here(piece, m.Away)
	m.Offset, m.Tried = m.Offset+int64(len(piece)), 0
	return true
}

// wholeLines reads whole lines from an offset on: about as many as most bytes hold,
// and at least one. skip is how much is to be passed over of a line that nobody reads.
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
			if whole(buf) { // its end is not written yet, or never will be
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
