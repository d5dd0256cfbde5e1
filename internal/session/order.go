package session

import (
	"slices"
	"time"

	"github.com/forgemind/forgemind/schema"
)

// InOrder sorts messages by time. Messages with equal times keep their order, and one without a
// valid time stays behind the one before it.
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
