package condense

import (
	"strconv"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// ItemOf returns who should do an action item, and what: "ann: write the migration". who is
// "" if the item names none of participants.
func ItemOf(item string, participants []string) (who, text string) {
	item = single(item)
	before, after, ok := strings.Cut(item, ": ")
	switch {
	case !ok:
	case before == nobody:
		return "", after
	default:
		for _, p := range participants {
			if strings.EqualFold(p, before) {
				return p, after
			}
		}
	}
	return "", item
}

const (
	monthNames = `(january|february|march|april|may|june|july|august|september|october|november|december)`
	dayNames   = `(monday|tuesday|wednesday|thursday|friday|saturday|sunday)`
)

var (
	isoDay   = lazyregexp.New(`\b(\d{4}-\d{2}-\d{2})\b`)
	dayMonth = lazyregexp.New(`\b(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?` + monthNames + `\b,?(?: (\d{4}))?`)
	monthDay = lazyregexp.New(`\b` + monthNames + ` (\d{1,2})(?:st|nd|rd|th)?\b(?:,? (\d{4}))?`)
	weekday  = lazyregexp.New(`\b(?:by|before|until|on|this|next|is|for) ` + dayNames + `\b`)
	tomorrow = lazyregexp.New(`\btomorrow\b`)
)

// DueOf returns the end of the day, in UTC, on which text says that something is due; said is
// the time of the text. It is zero if text names no day, or a day before said.
func DueOf(text string, said time.Time) time.Time {
	low, said := lower(text), said.UTC()
	today := time.Date(said.Year(), said.Month(), said.Day(), 0, 0, 0, 0, time.UTC)
	var day time.Time
	if m := isoDay.FindStringSubmatch(low); m != nil {
		day, _ = time.Parse(time.DateOnly, m[1])
	} else if m := dayMonth.FindStringSubmatch(low); m != nil {
		day = dayOf(m[1], m[2], m[3], today)
	} else if m := monthDay.FindStringSubmatch(low); m != nil {
		day = dayOf(m[2], m[1], m[3], today)
	} else if m := weekday.FindStringSubmatch(low); m != nil {
		for day = today.AddDate(0, 0, 1); strings.ToLower(day.Weekday().String()) != m[1]; {
			day = day.AddDate(0, 0, 1)
		}
	} else if tomorrow.MatchString(low) {
		day = today.AddDate(0, 0, 1)
	}
	if day.Before(today) {
		return time.Time{}
	}
	return day.Add(24*time.Hour - time.Second)
}

// dayOf returns a day of a month; without a year, of the next such month. It is zero if no
// month has the day.
func dayOf(number, month, year string, today time.Time) time.Time {
	if year == "" {
		year = strconv.Itoa(today.Year())
		if day := dayOf(number, month, year, today); day.Before(today) {
			year = strconv.Itoa(today.Year() + 1)
		}
	}
	day, err := time.Parse("2 January 2006", number+" "+strings.ToUpper(month[:1])+month[1:]+" "+year)
	if err != nil {
		return time.Time{}
	}
	return day
}
