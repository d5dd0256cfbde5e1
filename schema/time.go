package schema

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

var errTime = errors.New("not a time by RFC 3339, such as 2026-11-20T09:30:00Z")

// ParseTime reads a time by RFC 3339, strictly: `T` and `Z` are upper case, the
// fraction follows a point, the offset is at most 23:59. Digits of the fraction
// beyond nanoseconds are dropped. A leap second becomes the last nanosecond of
// the second before it. As the class of the Quaid document writes times, a blank
// may stand for `T`, and a time without a zone is UTC; see IsRFC3339.
func ParseTime(s string) (time.Time, error) {
	p := timeText{rest: s}
	year := p.number(4, 0, 9999)
	p.skip('-')
	month := p.number(2, 1, 12)
	p.skip('-')
	day := p.number(2, 1, 31)
	if c := p.next(); c != 'T' && c != ' ' {
		p.bad = true
	}
	hour := p.number(2, 0, 23)
	p.skip(':')
	minute := p.number(2, 0, 59)
	p.skip(':')
	second := p.number(2, 0, 60)
	nanos := p.fraction()
	zone := p.zone()
	leap := second == 60
	if leap {
		second, nanos = 59, int(time.Second-1)
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, nanos, zone)
	utc := t.UTC()
	switch {
	case p.bad || p.rest != "", t.Day() != day, leap && (utc.Hour() != 23 || utc.Minute() != 59):
		return time.Time{}, fmt.Errorf("%s: %w", quote(s), errTime)
	}
	return t, nil
}

// SameTime reports whether two times are the same as far as both say it: one may be less precise.
func SameTime(a, b string) bool {
	x, err := ParseTime(a)
	y, err2 := ParseTime(b)
	return err == nil && err2 == nil && same(x, y)
}

// OtherTimes reports whether two texts are times, and not the same; see [SameTime].
func OtherTimes(a, b string) bool {
	x, err := ParseTime(a)
	y, err2 := ParseTime(b)
	return err == nil && err2 == nil && !same(x, y)
}

func same(x, y time.Time) bool {
	for _, unit := range []time.Duration{time.Nanosecond, time.Microsecond, time.Millisecond, time.Second} {
		u, v := x.Truncate(unit), y.Truncate(unit)
		if u.Equal(v) && (u.Equal(x) || v.Equal(y)) {
			return true
		}
	}
	return false
}

// HasZone reports whether a time says its zone.
func HasZone(at string) bool {
	const date = len("2025-10-27")
	return len(at) > date && strings.ContainsAny(at[date:], "Zz+-")
}

// AsRFC3339 returns a time that ParseTime reads as documents of ours hold it: as it is if it is by RFC 3339, else
// in UTC; "" for what is no time.
func AsRFC3339(s string) string {
	t, err := ParseTime(s)
	switch {
	case err != nil:
		return ""
	case IsRFC3339(s):
		return s
	}
	return FormatTime(t)
}

// IsRFC3339 reports whether a time that ParseTime reads is by RFC 3339. One that says no zone may be hours off: its
// writer may have meant local time.
func IsRFC3339(s string) bool {
	const day = len(time.DateOnly)
	return len(s) > day && s[day] == 'T' && strings.ContainsAny(s[day:], "Z+-")
}

// FormatTime is t as documents hold it: UTC, with milliseconds.
func FormatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// timeText reads a time from the front of rest. After the first fault it is
// bad and reads nothing more.
type timeText struct {
	rest string
	bad  bool
}

// next takes one byte; 0 at the end.
func (p *timeText) next() byte {
	if p.bad || p.rest == "" {
		return 0
	}
	c := p.rest[0]
	p.rest = p.rest[1:]
	return c
}

func (p *timeText) skip(c byte) {
	if p.next() != c {
		p.bad = true
	}
}

// number reads so many digits.
func (p *timeText) number(digits, low, high int) int {
	n := 0
	for range digits {
		c := p.next()
		if c < '0' || c > '9' {
			p.bad = true
			return low
		}
		n = 10*n + int(c-'0')
	}
	if n < low || n > high {
		p.bad = true
	}
	return n
}

// fraction reads a point and digits, if they are there, as nanoseconds.
func (p *timeText) fraction() int {
	if p.rest == "" || p.rest[0] != '.' {
		return 0
	}
	p.next()
	digits, nanos := 0, 0
	for ; p.rest != "" && p.rest[0] >= '0' && p.rest[0] <= '9'; digits++ {
		if c := p.next(); digits < 9 {
			nanos = 10*nanos + int(c-'0')
		}
	}
	if digits == 0 {
		p.bad = true
	}
	for ; digits < 9; digits++ {
		nanos *= 10
	}
	return nanos
}

// zone reads `Z`, an offset, or nothing.
func (p *timeText) zone() *time.Location {
	if p.rest == "" {
		return time.UTC
	}
	sign := 0
	switch p.next() {
	case 'Z':
		return time.UTC
	case '+':
		sign = 1
	case '-':
		sign = -1
	default:
		p.bad = true
		return time.UTC
	}
	hours := p.number(2, 0, 23)
	p.skip(':')
	return time.FixedZone("", sign*(3600*hours+60*p.number(2, 0, 59)))
}

// quote is a stranger's text for a message: escaped, and cut when long.
func quote(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.QuoteToASCII(s[:most]) + "…"
	}
	return strconv.QuoteToASCII(s)
}
