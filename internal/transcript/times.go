package transcript

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/schema"
)

// statedTime is the first of some values that can be read as a time, else the first
// that is there, as the transcript states it.
func statedTime(values ...json.RawMessage) (stated string) {
	for _, raw := range values {
		text := strings.TrimSpace(strings.Trim(string(raw), `"`))
		if text == "" || text == "null" {
			continue
		}
		if timeIn(raw) != "" {
			return text
		}
		if stated == "" {
			stated = text
		}
	}
	return stated
}

// preciseTime is a stated time as a message holds it; "" for one that cannot be read and
// for a date, which does not tell one message from another.
func preciseTime(stated string) string {
	if _, err := time.Parse(time.DateOnly, stated); err == nil {
		return ""
	}
	return timeIn(json.RawMessage(stated))
}

// zonedTime returns the time of a text; false for one that says no zone, which is in another notation.
func zonedTime(text string) (time.Time, bool) {
	at, err := schema.ParseTime(text)
	return at, err == nil && schema.IsRFC3339(text)
}

// settleTimes gives each message a time of RFC 3339 by which it keeps its place. A
// time in another notation (a date, seconds or milliseconds since 1970) is used if it
// lies between the times of RFC 3339 around it. A message without a time that can be
// used gets that of the message before it, the first ones that of the next. What
// was stated instead stays in the metadata as stated_time. It returns how many
// messages state a time that cannot be read, and, where others have one, none.
func (rd *reader) settleTimes() (untimed int) {
	limits := rd.nextTimes()
	var least time.Time // of RFC 3339, the last before
	before := rd.time
	some, missing := false, 0
	for i := range rd.messages {
		m := &rd.messages[i]
		if at, ok := zonedTime(m.Timestamp); ok {
			before, least, some = m.Timestamp, at, true
			continue
		}
		stated := m.Timestamp
		read := timeIn(json.RawMessage(stated))
		at, _ := schema.ParseTime(read)
		switch {
		case read == "":
			if m.Timestamp = before; stated == "" {
				missing++
			} else {
				untimed++
			}
		case at.Before(least) || !limits[i].IsZero() && at.After(limits[i]):
			some, m.Timestamp = true, before
		default:
			some, m.Timestamp, before = true, read, read
		}
		if stated != "" && (read == "" || m.Timestamp != read) {
			_ = keepMember(m, "stated_time", stated) // metadata that is no object is refused later
		}
	}
	timeFirst(rd.messages)
	if some && rd.tool != "cursor" { // which states times for the user's words alone
		untimed += missing
	}
	return untimed
}

// nextTimes are for each message the next time of RFC 3339 behind it; the zero time
// where there is none.
func (rd *reader) nextTimes() []time.Time {
	next := make([]time.Time, len(rd.messages))
	var at time.Time
	for i := len(rd.messages) - 1; i >= 0; i-- {
		next[i] = at
		if is, ok := zonedTime(rd.messages[i].Timestamp); ok {
			at = is
		}
	}
	return next
}

// timeFirst gives the first messages, where they have no time, that of the next.
func timeFirst(messages []schema.Message) {
	first := slices.IndexFunc(messages, func(m schema.Message) bool { return m.Timestamp != "" })
	for i := range messages[:max(first, 0)] {
		messages[i].Timestamp = messages[first].Timestamp
	}
}
