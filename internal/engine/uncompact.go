package engine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// Uncompact undoes the newest compaction of the live conversation: the lines of
// before are restored exactly, also those that slid to the session's archive since,
// and newer messages are kept after them. It returns the compaction's id and how
// many messages came back. The error is ErrNotCompacted if there is none to undo.
func (t *Tree) Uncompact(ctx context.Context) (id string, messages int, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) error {
		name, src, err := r.conversation()
		if err != nil {
			return err
		}
		last, ok := session.LastCompaction(session.Read(src))
		if !ok {
			return r.notCompacted()
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
				before = withoutBrought(before, src)
				r.tx.Remove(kept) // what it holds is in the conversation again
				break
			}
		}
		r.tx.Restore(name, before) // with the faults that it had
		// Whoever undoes a compaction does not want the next one at once.
		r.memory.Floor, r.memory.Compacted, r.compacted = 0, time.Time{}, true
		return r.tally()
	})
	return id, messages, out, err
}

// undo undoes the compaction last of the conversation src, and stages the archive
// of its session without the lines that the conversation takes back.
func (r *round) undo(name string, src []byte, last session.Compaction) (session.Undone, error) {
	chunks, err := cold.Of(r.tx, last.Session, last.ID)
	if err != nil {
		return session.Undone{}, err
	}
	id, err := r.liveSession()
	if err != nil {
		return session.Undone{}, err
	}
	var archive []byte
	if id != "" {
		if archive, err = r.maybe(session.ArchiveFile(id)); err != nil {
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
		r.tx.Remove(session.ArchiveFile(id)) // an empty file looks like the middle of a save
	default:
		r.tx.Restore(session.ArchiveFile(id), undone.Archive)
	}
	return undone, nil
}

// notCompacted is why nothing is undone: the live session was never compacted, or
// the one before it was, which has to be active for that.
func (r *round) notCompacted() error {
	id, err := r.liveSession()
	if err != nil || id == "" {
		return cmp.Or(err, ErrNotCompacted)
	}
	for seen := map[string]bool{}; id != "" && !seen[id]; {
		seen[id] = true
		_, about, err := r.knownOf(id)
		if err != nil {
			return err
		}
		id = about.Continues
		if !schema.ValidID(id) {
			break
		}
		src, err := r.maybe(session.Window(id))
		if err != nil {
			return err
		}
		if last, ok := session.LastCompaction(session.Read(src)); ok {
			return &EndedCompactionError{Compaction: last.ID, Session: id}
		}
	}
	return ErrNotCompacted
}

// An EndedCompactionError reports that the newest compaction is of a session that
// the live one continues. It can be undone once that session is active again.
type EndedCompactionError struct{ Compaction, Session string }

func (e *EndedCompactionError) Error() string {
	return fmt.Sprintf("the session has no compaction to undo; the newest, %s, is of session %s, which ended", e.Compaction, e.Session)
}

// Is makes it an ErrNotCompacted.
func (e *EndedCompactionError) Is(target error) bool { return target == ErrNotCompacted }

// withoutBrought is a conversation without what prompts had brought back of the
// chunks of a compaction that was taken back: it stands there again as it was said.
func withoutBrought(src, chunks []byte) []byte {
	out := make([]byte, 0, len(src))
	for raw := range bytes.Lines(src) {
		if bytes.Contains(raw, []byte(`"recovered"`)) { // spares nearly all lines the reading
			line := session.Read(raw)[0]
			if line.Err == nil && bytes.Contains(chunks, []byte(`"chunk_id":"`+broughtBack(*line.Message)+`"`)) {
				continue
			}
		}
		out = append(out, raw...)
	}
	return out
}

// ErrNotCompacted is an Uncompact of a conversation that was not compacted.
var ErrNotCompacted = errors.New("the conversation holds no compaction that could be taken back")
