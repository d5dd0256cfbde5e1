package state

import (
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// Counters holds the numbers of events since the last checkpoint. They change with every command,
// so they are stored in `.local/` and not in the State.
type Counters struct {
	Messages       int `json:"messages_exchanged"`
	Clarifications int `json:"clarifications_made"`
	Decisions      int `json:"decisions_recorded"`
	Files          int `json:"files_updated"`
	Commands       int `json:"commands_executed"`
	Errors         int `json:"errors_encountered"`
}

// IsZero reports whether all counters are zero.
func (c Counters) IsZero() bool { return c == Counters{} }

// Plus returns the sums of both counters.
func (c Counters) Plus(d Counters) Counters {
	return Counters{
		Messages:       c.Messages + d.Messages,
		Clarifications: c.Clarifications + d.Clarifications,
		Decisions:      c.Decisions + d.Decisions,
		Files:          c.Files + d.Files,
		Commands:       c.Commands + d.Commands,
		Errors:         c.Errors + d.Errors,
	}
}

// ReadCounters returns the counters of a tree. Counters that cannot be read are zero.
func ReadCounters(r fs.Reader) Counters {
	src, err := r.Read(fs.LocalName(fs.Forgemind, fs.CountersFile))
	if err != nil {
		return Counters{}
	}
	return DecodeCounters(src)
}

// DecodeCounters returns the counters in src, or zero if they cannot be read.
func DecodeCounters(src []byte) (c Counters) {
	if jsonedit.Decode(src, &c) != nil {
		return Counters{}
	}
	return c
}

// Checkpoint writes values to the State that change too often to be written each time: the time,
// the session's duration, the last author (unless by is empty), and the counters, which it adds to
// session_stats.
func Checkpoint(src []byte, c Counters, now time.Time, by string) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	changes := []member{{"/metadata/timestamp", schema.FormatTime(now)}}
	if start, err := schema.ParseTime(stringAt(doc, "/metadata/session_start")); err == nil && !now.Before(start) {
		changes = append(changes, member{"/metadata/session_duration_minutes", int(now.Sub(start).Minutes())})
	}
	if by != "" {
		changes = append(changes, member{"/metadata/last_updated_by", by})
	}
	for _, s := range []struct {
		name  string
		count int
	}{
		{"messages_exchanged", c.Messages},
		{"clarifications_made", c.Clarifications},
		{"decisions_recorded", c.Decisions},
		{"files_updated", c.Files},
		{"commands_executed", c.Commands},
		{"errors_encountered", c.Errors},
	} {
		if s.count > 0 {
			before, _ := figure(doc, "/session_stats/"+s.name)
			changes = append(changes, member{"/session_stats/" + s.name, before + float64(s.count)})
		}
	}
	return put(src, changes...)
}
