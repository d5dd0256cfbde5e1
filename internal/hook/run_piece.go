package hook

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/transcript"
)

// overlap is how much of what was taken in is read again, for what follows to be
// understood: an answer by its question.
const overlap = 64 << 10

// mostBefore is the most bytes before a piece that are read again.
const mostBefore = 4 << 20

// before is the end of what stands before an offset, by whole lines, at least one, and the
// first line, which may say whose conversation it is.
func (t transcriptFile) before(offset int64, most int) ([]byte, error) {
	from := max(0, offset-int64(most))
	if _, err := t.Seek(from, io.SeekStart); err != nil {
		return nil, err
	}
	buf := make([]byte, offset-from)
	n, err := io.ReadFull(t, buf)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if buf = buf[:n]; from == 0 {
		return ended(buf), nil
	}
	buf = buf[bytes.IndexByte(buf, '\n')+1:]
	if len(buf) == 0 || len(buf) == n { // it is the middle of a line
		if overlap <= most && most < mostBefore {
			return t.before(offset, 8*most)
		}
		buf = nil
	}
	head, _, err := wholeLines(t, 0, headPiece)
	if err != nil {
		return nil, err
	}
	return ended(slices.Concat(head[:bytes.IndexByte(head, '\n')+1], buf)), nil
}

// ended is a text whose last line has an end.
func ended(text []byte) []byte {
	if len(text) > 0 && text[len(text)-1] != '\n' {
		return append(text, '\n')
	}
	return text
}

// A reading is a session's transcript that is being taken into a tree.
type reading struct {
	transcriptFile
	tool   string
	tree   *engine.Tree
	m      *memory // of the session
	ground *ground
	own    bool // the event is of the same session: what that used is the window's
}

// takePiece takes a piece of the transcript into the tree, and returns what it holds and
// whether it is done with: else it is read again. What is left out is a fault.
func (r *running) takePiece(ctx context.Context, rd *reading, t *taking, piece []byte) (im transcript.Transcript, done bool) {
	m := rd.m
	last := m.Tried >= mostTries // it is as small as can be
	m.Tried = min(m.Tried+1, mostTries)
	if !r.keepPlace(ctx, rd, t) { // so that who is stopped in the middle does not stay there
		return im, false
	}
	here, _ := rd.ground.here(piece, m.Away)
	im, refused, err := rd.piece(ctx, here)
	for _, err := range refused {
		t.fault("%w", err)
	}
	if im.Unread > 0 {
		t.fault("lines that could not be read: %d", im.Unread)
	}
	switch {
	case err == nil:
		return im, true
	case ctx.Err() == nil && passing(err):
		m.Tried-- // nothing is wrong with it
	case ctx.Err() == nil && last:
		t.fault("%d bytes at %d were left out: %w", len(piece), m.Offset, err)
		return im, true
	}
	t.fault("%w", err)
	return im, false
}

// keepPlace keeps up to where the transcript is read, and reports whether to read on: not
// if another hook does. What is of another session is kept under the lock, or not at all.
func (r *running) keepPlace(ctx context.Context, rd *reading, t *taking) (on bool) {
	on = true
	change := func(now *memory) {
		if on = now.same(t.was); on {
			now.progress = rd.m.progress
		}
	}
	if rd.own {
		_ = r.memories.remember(ctx, rd.m.Session, change)
	} else if kept, _ := r.memories.change(ctx, rd.m.Session, change); !kept {
		return false
	}
	if on {
		t.was = rd.m.progress
	}
	return on
}

// piece takes a piece of the transcript into the tree, and returns what it holds. A
// message that no conversation can hold is left out.
func (rd *reading) piece(ctx context.Context, src []byte) (im transcript.Transcript, refused []error, err error) {
	m, g := rd.m, rd.ground
	if len(bytes.TrimSpace(src)) == 0 {
		return im, nil, nil
	}
	for most := overlap >> (3 * (m.Tried - 1)); ; most *= 8 {
		before, err := rd.before(m.Offset, most)
		if err != nil {
			return im, nil, err
		}
		if im, err = transcript.ReadPart(rd.tool, before, src); err != nil {
			return transcript.Transcript{Unread: 1}, nil, nil // not a line of it is the agent's
		}
		if kept, _ := g.here(before, g.begins(before)); !bytes.Equal(kept, before) {
			im.Again = nil // some of it was said elsewhere
		}
		if !im.Short || m.Tried > 1 || int64(most) >= m.Offset || most >= mostBefore {
			break
		}
	}
	if len(im.Messages)+len(im.TakenBack)+len(im.Again) == 0 {
		return im, nil, nil
	}
	if !rd.own {
		im.Usage, im.Stated = nil, 0
	}
	if _, _, err = rd.tree.ImportPart(ctx, im); err == nil || passing(err) {
		return im, nil, err
	}
	rest, refused := admissible(im.Messages)
	if len(refused) == 0 {
		return im, nil, err
	}
	im.Messages, im.Usage, im.Stated, err = rest, nil, 0, nil
	if len(rest) > 0 {
		_, _, err = rd.tree.ImportPart(ctx, im)
	}
	return im, refused, err
}
