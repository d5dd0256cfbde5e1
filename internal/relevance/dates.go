package relevance

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// A date is a month in a prompt, or a day. Its year is 0 if the prompt has none, its day
// is 0 if the prompt has only a month.
type date struct {
	year  int
	month time.Month
	day   int
}

// contains reports whether t is in the month.
func (d date) contains(t time.Time) bool {
	return !t.IsZero() && t.Month() == d.month && (d.year == 0 || t.Year() == d.year)
}

// daysUntil returns the number of days from the date to t, up to a week; ok is false for
// other times, and for a date without a day. The day before counts as the same day,
// because of time zones.
func (d date) daysUntil(t time.Time) (days float64, ok bool) {
	if d.day == 0 || t.IsZero() {
		return 0, false
	}
	begin := time.Date(cmp.Or(d.year, t.Year()), d.month, d.day, 0, 0, 0, 0, time.UTC)
	days = math.Floor(t.Sub(begin).Hours() / 24)
	return max(0, days), days >= -1 && days <= 7
}

// dateScore returns what the dates of the prompt add to the score of a text of time t. A
// day also adds to texts of the days after it, which tell what happened.
func (q *question) dateScore(t time.Time) float64 {
	month, day := 0.0, 0.0
	for _, d := range q.dates {
		if d.contains(t) {
			month = dateBonus
		}
		if n, ok := d.daysUntil(t); ok {
			day = max(day, dayBonus*math.Pow(dayDecay, n))
		}
	}
	return month + day
}

// parseDates returns the dates in a prompt: May 2023, the 8th of May, 2023-05-08. The
// words may and march count only with a number beside them, or with a capital letter
// after the first word of the prompt.
func parseDates(prompt string) (dates []date) {
	words := strings.FieldsFunc(truncate(prompt, 4<<10), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	number := func(i int) int {
		if i < 0 || i >= len(words) {
			return 0
		}
		n, _ := strconv.Atoi(strings.TrimRight(words[i], "stndrh"))
		return max(0, n)
	}
	year := func(i int) int {
		if n := number(i); n >= 1900 && n < 2200 {
			return n
		}
		return 0
	}
	for i, word := range words {
		if y, m := year(i), number(i+1); y > 0 && m >= 1 && m <= 12 && len(words[i+1]) == 2 {
			dates = append(dates, date{y, time.Month(m), dayOf(number(i + 2))})
			continue
		}
		m, ok := parseMonth(word)
		if !ok {
			continue
		}
		certain := number(i-1) > 0 || number(i+1) > 0 || i > 0 && word[0] <= 'Z'
		if !certain && (m == time.May || m == time.March) {
			continue
		}
		y := year(i + 1)
		if y == 0 && number(i+1) > 0 {
			y = year(i + 2)
		}
		day := cmp.Or(dayOf(number(i+1)), dayOf(number(i-1)))
		if day == 0 && i > 1 && words[i-1] == "of" {
			day = dayOf(number(i - 2))
		}
		dates = append(dates, date{y, m, day})
	}
	return dates
}

// dayOf returns n if it can be the day of a month, else 0.
func dayOf(n int) int {
	if n > 31 {
		return 0
	}
	return n
}

// newestBonus is the share of its score that the newest text gains if the prompt asks for
// the present state. The oldest gains nothing.
const newestBonus = 0.2

// presentWords ask for the present state.
var presentWords = []string{"now", "nowadays", "current", "currently", "latest", "newest", "anymore", "today"}

// asksForPresent reports whether the prompt asks for the present state.
func (q *question) asksForPresent() bool {
	return slices.ContainsFunc(nameWords(q.prompt), func(word string) bool { return slices.Contains(presentWords, word) })
}

// preferNewer raises the scores of texts by their times if the prompt asks for the present
// state, so that of two statements the newer one comes first.
func (q *question) preferNewer(texts []rankedText) {
	if !q.asksForPresent() {
		return
	}
	var first, last time.Time
	for i := range texts {
		t := texts[i].time
		if !t.IsZero() && (first.IsZero() || t.Before(first)) {
			first = t
		}
		if t.After(last) {
			last = t
		}
	}
	for i := range texts {
		if t := &texts[i]; !t.time.IsZero() && last.After(first) {
			t.Score *= 1 + newestBonus*float64(t.time.Sub(first))/float64(last.Sub(first))
		}
	}
}

// parseMonth returns the month with the given name, or with these first three letters.
func parseMonth(word string) (time.Month, bool) {
	for m := time.January; m <= time.December; m++ {
		if name := m.String(); strings.EqualFold(word, name) || strings.EqualFold(word, name[:3]) {
			return m, true
		}
	}
	return 0, false
}

// truncate returns at most the first n bytes of text, without a partial character.
func truncate(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}
