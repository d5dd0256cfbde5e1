package transcript

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/schema"
)

// layouts are the notations of times that tools use besides RFC 3339.
var layouts = []string{
	"2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999",
}

// parseTime returns the time that text states in one of layouts or of more; the
// zero time if it states none. A time without a zone is in zone.
func parseTime(text string, zone *time.Location, more ...string) time.Time {
	for _, layout := range slices.Concat(layouts, more) {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil && at.Year() > 1970 {
			return at
		}
	}
	return time.Time{}
}

// statedTime returns the first of the values that can be read as a time, or else the first that is
// present.
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

// preciseTime returns a stated time in the form of a message; "" if it cannot be read, or is a date,
// which does not distinguish messages.
func preciseTime(stated string) string {
	if _, err := time.Parse(time.DateOnly, stated); err == nil {
		return ""
	}
	return timeIn(json.RawMessage(stated))
}

// settleTimes sets the time of each message in RFC 3339, so that the order is kept. A time in
// another notation (a date, seconds or milliseconds since 1970) is used if it lies between the times
// of RFC 3339 around it. A message without a usable time gets that of the message before it; the
// first ones get that of the next. The original text stays in the metadata as stated_time.
// settleTimes returns the number of messages whose time cannot be read, or is missing while others
// have one.
func (im *intake) settleTimes() (untimed int) {
	limits := im.nextTimes()
	var least time.Time // the last time of RFC 3339 so far
	before := im.time
	some, missing := false, 0
	for i := range im.messages {
		m := &im.messages[i]
		if at, err := schema.ParseTime(m.Timestamp); err == nil {
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
			_ = keepMember(m, "stated_time", stated) // metadata that is not an object is refused later
		}
	}
	im.timeFirst()
	if some {
		untimed += missing
	}
	return untimed
}

// nextTimes returns for each message the next time of RFC 3339 after it; the zero time if there is
// none.
func (im *intake) nextTimes() []time.Time {
	next := make([]time.Time, len(im.messages))
	var at time.Time
	for i := len(im.messages) - 1; i >= 0; i-- {
		next[i] = at
		if is, err := schema.ParseTime(im.messages[i].Timestamp); err == nil {
			at = is
		}
	}
	return next
}

// timeFirst gives the first messages, if they have no time, that of the next.
func (im *intake) timeFirst() {
	for i := range im.messages {
		if at := im.messages[i].Timestamp; at != "" {
			for j := range i {
				im.messages[j].Timestamp = at
			}
			return
		}
	}
}
