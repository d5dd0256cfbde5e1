package session

import (
	"slices"
	"time"

	"github.com/forgemind/forgemind/schema"
)

// InOrder sorts messages by time; those of one time stay as they are, and one
// without a readable time stays behind the one before it.
func InOrder(messages []schema.Message) {
	type timed struct {
		at time.Time
		m  schema.Message
	}
	all := make([]timed, len(messages))
	var last time.Time
	for i, m := range messages {
		if at, err := schema.ParseTime(m.Timestamp); err == nil {
			last = at
		}
		all[i] = timed{last, m}
	}
	slices.SortStableFunc(all, func(a, b timed) int { return a.at.Compare(b.at) })
	for i, t := range all {
		messages[i] = t.m
	}
}

// Later returns the later of two times as documents write them, a if that is as late or b is none.
func Later(a, b string) string {
	at, err := schema.ParseTime(b)
	if err != nil {
		return a
	}
	if before, err := schema.ParseTime(a); err == nil && !at.After(before) {
		return a
	}
	return b
}
