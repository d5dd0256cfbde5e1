package transcript

import (
	"strconv"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A codexFork tells which lines of a rollout are another session's: older versions of Codex
// begin the rollout of a session that was forked with a copy of its parent's, all at once and
// with new times.
type codexFork struct {
	id     string    // of the session
	began  time.Time // when the session began
	last   time.Time // when the line before was written; zero where none says
	ended  bool      // what follows is the session's own
	copies bool      // the line at work is a copy
}

// copiedElsewhere is why a message of a fork is left out.
const copiedElsewhere = "copied from another session"

const (
	// codexPause is the least time between the last line that is copied and the first that is not.
	codexPause = time.Second
	// codexBurst bounds the time between the first line of a rollout and copies in a part of it.
	codexBurst = 10 * time.Second
)

// begin begins with the line of the session itself.
func (f *codexFork) begin(l *codexLine) {
	f.id, f.ended = l.Payload.ID, str(l.Payload.Forked) == ""
	f.last, _ = schema.ParseTime(timeIn(l.Timestamp)) // where it has none, those behind it do
	f.began = f.last
	if minted, ok := mintedAt(f.id); ok { // the line may be written later
		f.began = minted
	}
}

// beginPart is like begin, but for a part of a rollout; records are the lines that follow. They
// are copies if they were written soon and the first turn that they name is older than the
// session; else they are taken for its own, for to read a message twice is better than to
// lose one.
func (f *codexFork) beginPart(l *codexLine, records []record) {
	f.begin(l)
	f.copies = !f.ended && f.isOlder(records)
	f.ended = !f.copies
	f.last = time.Time{}
}

// isOlder reports whether the first turn that records name began before the session, and no
// line of them up to there was written long after it, or before.
func (f *codexFork) isOlder(records []record) bool {
	for _, r := range records {
		var l codexLine
		if jsonedit.Decode(r.raw, &l) != nil {
			continue
		}
		if at, err := schema.ParseTime(timeIn(l.Timestamp)); err == nil && at.Sub(f.last).Abs() > codexBurst {
			return false
		}
		if turn, ok := mintedAt(str(l.Payload.Turn)); ok {
			return turn.Before(f.began)
		}
	}
	return false
}

// next reads a line that follows, and reports whether it is a copy. The copies begin with the
// line of the parent, or with a turn that is older than the session, and end with a turn that is
// not, or with a pause.
func (f *codexFork) next(l *codexLine) bool {
	at, err := schema.ParseTime(timeIn(l.Timestamp))
	turn, ok := mintedAt(str(l.Payload.Turn))
	switch {
	case f.ended:
	case ok && !turn.Before(f.began), err == nil && !f.last.IsZero() && at.Sub(f.last) >= codexPause:
		f.ended, f.copies = true, false
	case ok, l.Type == "session_meta" && l.Payload.ID != f.id:
		f.copies = true
	}
	if err == nil {
		f.last = at
	}
	return f.copies
}

// mintedAt returns the time that a UUID of version 7 holds, see RFC 9562, and false for
// another id.
func mintedAt(id string) (time.Time, bool) {
	hex := strings.ReplaceAll(id, "-", "")
	if len(hex) != 32 || hex[12] != '7' {
		return time.Time{}, false
	}
	ms, err := strconv.ParseInt(hex[:12], 16, 64)
	return time.UnixMilli(ms), err == nil
}
