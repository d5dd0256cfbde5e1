package hook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/forgemind/forgemind/internal/engine"
	transcripts "github.com/forgemind/forgemind/internal/transcript"
)

// overlap is the number of bytes before a piece that are read again, because an answer needs its
// question.
const overlap = 64 << 10

// before returns the whole lines before an offset, and the first line of the transcript, which may
// name its conversation.
func (t transcript) before(offset int64, most int) ([]byte, error) {
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
	buf = buf[bytes.IndexByte(buf, '\n')+1:] // there may be none: the middle of a line
	if n > 0 && len(buf) == n {
		buf = nil
	}
	head, _, err := wholeLines(t, 0, headPiece)
	if err != nil {
		return nil, err
	}
	return ended(slices.Concat(head[:bytes.IndexByte(head, '\n')+1], buf)), nil
}

// ended returns text with a newline at the end.
func ended(text []byte) []byte {
	if len(text) > 0 && text[len(text)-1] != '\n' {
		return append(text, '\n')
	}
	return text
}

// takePiece imports a piece of the transcript into the tree. It returns the content of the piece and
// the parts that were left out, and reports whether the piece is done; if not, it is read again.
func (r *hookCall) takePiece(ctx context.Context, tree *engine.Tree, t transcript, tool string, m *memory, g *workPlace, piece []byte) (im transcripts.Transcript, faults []error, done bool) {
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("transcript: "+format, args...))
	}
	last := m.Tried >= mostTries // the piece is as small as possible
	m.Tried = min(m.Tried+1, mostTries)
	r.memories.keepPlace(m) // so that a hook that is killed here does not retry forever
	here, _ := g.here(piece, m.Away)
	im, refused, err := t.piece(ctx, tree, tool, m, here)
	for _, err := range refused {
		fault("%w", err)
	}
	if im.Unread > 0 {
		fault("lines that could not be read: %d", im.Unread)
	}
	switch {
	case err == nil:
		return im, faults, true
	case ctx.Err() == nil && passing(err):
		m.Tried-- // the piece is not the cause
	case ctx.Err() == nil && last:
		fault("%d bytes at %d were left out: %w", len(piece), m.Offset, err)
		return im, faults, true
	}
	fault("%w", err)
	return im, faults, false
}

// piece imports a piece of the transcript into the tree, and returns its content. A message that no
// conversation can hold is left out.
func (t transcript) piece(ctx context.Context, tree *engine.Tree, tool string, m *memory, src []byte) (im transcripts.Transcript, refused []error, err error) {
	if len(bytes.TrimSpace(src)) == 0 {
		return im, nil, nil
	}
	before, err := t.before(m.Offset, overlap>>(3*(m.Tried-1)))
	if err != nil {
		return im, nil, err
	}
	if im, err = transcripts.ReadPart(tool, before, src); err != nil {
		return transcripts.Transcript{Unread: 1}, nil, nil // no line is from the agent
	}
	if len(im.Messages) == 0 {
		return im, nil, nil
	}
	if _, _, err = tree.ImportPart(ctx, im); err == nil || passing(err) {
		return im, nil, err
	}
	rest, refused := admissible(im.Messages)
	if len(refused) == 0 {
		return im, nil, err
	}
	im.Messages, im.Usage, im.Stated, err = rest, nil, 0, nil
	if len(rest) > 0 {
		_, _, err = tree.ImportPart(ctx, im)
	}
	return im, refused, err
}
