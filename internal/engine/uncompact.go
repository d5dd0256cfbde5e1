package engine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// Uncompact undoes the newest compaction of the live conversation: it restores the
// former lines exactly, including those that moved to the session's archive since, and
// keeps newer messages after them. It returns the compaction's id and the number of
// restored messages. The error is ErrNotCompacted if there is nothing to undo.
func (t *Tree) Uncompact(ctx context.Context) (id string, messages int, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) error {
		name, src, err := r.conversation()
		if err != nil {
			return err
		}
		last, ok := session.LastCompaction(session.Read(src))
		if !ok {
			return r.nothingToUndo()
		}
		undone, err := r.undo(name, src, last)
		if err != nil {
			return err
		}
		id, messages = last.ID, undone.Messages
		before := undone.Conversation
		for _, home := range []string{fs.Forgemind, fs.Quaid} {
			kept := cold.Name(home, last.Session, last.ID)
			if src, err := r.tx.Read(kept); err == nil {
				before = withoutRecovered(before, src)
				r.tx.Remove(kept) // its content is in the conversation again
				break
			}
		}
		r.tx.Restore(name, before) // including its errors
		// After an undo, the next compaction is not due at once.
		r.memory.Floor, r.compacted, r.copies = 0, true, true
		return r.countTokens()
	})
	return id, messages, out, err
}

// undo undoes the compaction last of the conversation src, and removes the restored
// lines from the archive of its session.
func (r *WorkingSet) undo(name string, src []byte, last session.Compaction) (session.Undone, error) {
	chunks, err := cold.CompactionChunks(r.tx, last.Session, last.ID)
	if err != nil {
		return session.Undone{}, err
	}
	id, err := r.liveSessionID()
	if err != nil {
		return session.Undone{}, err
	}
	var archive []byte
	if id != "" {
		if archive, err = r.readIfExists(session.ArchiveFile(id)); err != nil {
			return session.Undone{}, err
		}
	}
	undone, err := session.Undo(src, archive, chunks)
	if err != nil {
		return undone, wrapName(name, err)
	}
	switch {
	case len(undone.Archive) == len(archive):
	case len(undone.Archive) == 0:
		r.tx.Remove(session.ArchiveFile(id)) // an empty file looks like an unfinished save
	default:
		r.tx.Restore(session.ArchiveFile(id), undone.Archive)
	}
	return undone, nil
}

// nothingToUndo returns the reason why there is nothing to undo: the live session was
// never compacted, or the compaction is of the session before it, which is not active.
func (r *WorkingSet) nothingToUndo() error {
	id, err := r.liveSessionID()
	if err != nil || id == "" {
		return cmp.Or(err, ErrNotCompacted)
	}
	for seen := map[string]bool{}; id != "" && !seen[id]; {
		seen[id] = true
		_, about, err := r.readSession(id)
		if err != nil {
			return err
		}
		id = about.Continues
		if !schema.ValidID(id) {
			break
		}
		src, err := r.readIfExists(session.Window(id))
		if err != nil {
			return err
		}
		if last, ok := session.LastCompaction(session.Read(src)); ok {
			return &EndedCompactionError{Compaction: last.ID, Session: id}
		}
	}
	return ErrNotCompacted
}

// An EndedCompactionError reports that the newest compaction is of a session that the
// live one continues. It can be undone once that session is active again.
type EndedCompactionError struct{ Compaction, Session string }

func (e *EndedCompactionError) Error() string {
	return fmt.Sprintf("the session has no compaction to undo; the newest, %s, is of session %s, which ended", e.Compaction, e.Session)
}

// Is reports whether target is ErrNotCompacted.
func (e *EndedCompactionError) Is(target error) bool { return target == ErrNotCompacted }

// withoutRecovered returns a conversation without the messages that recovered chunks of
// an undone compaction, because the original messages are back.
func withoutRecovered(src, chunks []byte) []byte {
	out := make([]byte, 0, len(src))
	for raw := range bytes.Lines(src) {
		if bytes.Contains(raw, []byte(`"recovered"`)) { // most lines need not be decoded
			line := session.Read(raw)[0]
			if line.Err == nil && bytes.Contains(chunks, []byte(`"chunk_id":"`+recoveredChunk(*line.Message)+`"`)) {
				continue
			}
		}
		out = append(out, raw...)
	}
	return out
}

// ErrNotCompacted reports that Uncompact found no compaction.
var ErrNotCompacted = errors.New("the conversation has no compaction to undo")
