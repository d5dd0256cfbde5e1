package artifact

import (
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// accessFile holds the uses since the last checkpoint.
const accessFile = "access.json"

// An use counts the uses of a loaded artifact and holds the time of the last one.
type use struct {
	Count int    `json:"count"`
	Last  string `json:"last"`
}

// touches holds the uses since the last checkpoint, by artifact id.
type touches map[string]use

// readTouches reads the uses. It returns none if they cannot be read.
func readTouches(r fs.Reader) touches {
	var t touches
	src, err := r.Read(fs.LocalName(fs.Forgemind, accessFile))
	if err != nil || jsonedit.Decode(src, &t) != nil {
		return nil
	}
	return t
}

func (t touches) write(tx *fs.Tx) error {
	text, err := jsonedit.Marshal(t)
	if err != nil {
		return err
	}
	tx.Write(fs.LocalName(fs.Forgemind, accessFile), text)
	return nil
}

// into updates an artifact's times and counts.
func (t touches) into(a *schema.Artifact) {
	was, ok := t[a.ID]
	if !ok || was.Count <= 0 {
		return
	}
	a.AccessCount += schema.Int(was.Count)
	if at := latest(a.LastAccessed, was.Last); !at.IsZero() {
		a.LastAccessed = schema.FormatTime(at)
	}
}

// latest returns the latest of some times and ignores invalid ones.
func latest(times ...string) time.Time {
	var last time.Time
	for _, text := range times {
		if at, err := schema.ParseTime(text); err == nil && at.After(last) {
			last = at
		}
	}
	return last
}

// note records a use of a loaded artifact.
func note(tx *fs.Tx, id string, now time.Time) error {
	t := readTouches(tx)
	if t == nil {
		t = touches{}
	}
	t[id] = use{t[id].Count + 1, schema.FormatTime(now)}
	return t.write(tx)
}

// WasUsed reports whether an artifact was used since the last checkpoint.
func WasUsed(r fs.Reader) bool { return len(readTouches(r)) > 0 }

// WriteUses writes the uses since the last checkpoint to the State.
func WriteUses(tx *fs.Tx) error {
	t := readTouches(tx)
	if len(t) == 0 {
		return nil
	}
	s, err := readRoster(tx)
	if err != nil {
		return err
	}
	for i, a := range s.list {
		t.into(&a)
		if err := s.put(i, a); err != nil {
			return err
		}
	}
	s.write(tx)
	return touches{}.write(tx)
}
