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
	t, ok, err := openTranscript(r.payload.transcript)
	if ok && err == nil {
		defer t.close()
		return t.tool() != ""
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

// tool is who wrote the transcript, one of growing; "" for none of these. It need not
// be the agent that is named: some run the hooks of others.
func (t transcriptFile) tool() string {
	head, _, err := wholeLines(t, 0, headPiece)
	if err != nil || len(head) == 0 {
		return ""
	}
	im, err := transcript.Read(head)
	if err != nil || !slices.Contains(growing, im.Tool) {
		return ""
	}
	return im.Tool
}

// present is an error, unless it says that something is not there.
func present(err error) error {
	if errors.Is(err, iofs.ErrNotExist) {
		return nil
	}
	return err
}

// takeIn takes what is new in a session's transcript, as m names it, into the tree;
// nothing but conversation comes of it. What is too much for the time that there is, and
// what is not written yet, waits for the next event, or for another session to begin.
func (r *running) takeIn(ctx context.Context, tree *engine.Tree, m *memory, within time.Duration) (heard hearing, faults []error) {
	if m.Transcript == "" {
		return heard, nil
	}
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("transcript: "+format, args...))
	}
	t, ok, err := openTranscript(m.Transcript)
	if err != nil {
		fault("%w", err)
	}
	if !ok {
		return heard, faults
	}
	defer t.close()
	if m.Head == t.head && m.Offset == t.size { // nothing is new
		return heard, faults
	}
	tool := t.tool()
	if tool == "" {
		m.progress = progress{}
		return heard, faults
	}
	if m.Head != t.head || m.Offset > t.size {
		m.progress = progress{Transcript: m.Transcript, Pending: m.Pending, Head: t.head}
	}
	rd := &reading{t, tool, tree, m, r.ground(tree.Root()), m.Session == r.payload.session}
	if head, _, err := wholeLines(t, 0, headPiece); err == nil && m.Offset == 0 {
		m.Away = rd.ground.begins(head)
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
		case len(piece) == 0: // the last line is being written
			return heard, faults
		case m.Tried >= mostTries && len(piece) > dearLine:
			fault("%d bytes at %d were left out: they take too long", len(piece), m.Offset)
		default:
			im, left, done := r.takePiece(ctx, rd, piece)
			faults = append(faults, left...)
			if !done {
				return heard, faults
			}
			heard.hear(im.Messages)
		}
		_, m.Away = rd.ground.here(piece, m.Away)
		m.Offset, m.Tried = m.Offset+int64(len(piece)), 0
	}
	return heard, faults
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
