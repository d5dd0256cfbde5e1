package artifact

import (
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// accessFile holds the touches since the last checkpoint.
const accessFile = "access.json"

// A touch is how often, and when last, an artifact was asked for while it was
// loaded.
type touch struct {
	Count int    `json:"count"`
	Last  string `json:"last"`
}

// Touches are those since the last checkpoint, by the artifacts' ids.
type touches map[string]touch

// readTouches reads them. They are a convenience: those that cannot be read
// are none.
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

// into brings an artifact's times and counts up to date.
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

// latest is the latest of some times; those that are none do not count.
func latest(times ...string) time.Time {
	var last time.Time
	for _, text := range times {
		if at, err := schema.ParseTime(text); err == nil && at.After(last) {
			last = at
		}
	}
	return last
}

// note notes that a loaded artifact was asked for.
func note(tx *fs.Tx, id string, now time.Time) error {
	t := readTouches(tx)
	if t == nil {
		t = touches{}
	}
	t[id] = touch{t[id].Count + 1, schema.FormatTime(now)}
	return t.write(tx)
}

// Touched says whether an artifact was asked for since the last checkpoint.
func Touched(r fs.Reader) bool { return len(readTouches(r)) > 0 }

// Settle brings the touches since the last checkpoint into the State.
func Settle(tx *fs.Tx) error {
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
