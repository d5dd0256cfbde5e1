package relevance

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

// A date is a month in a prompt. Its year is 0 if the prompt has none.
type date struct {
	year  int
	month time.Month
}

// contains reports whether t is in the month.
func (d date) contains(t time.Time) bool {
	return !t.IsZero() && t.Month() == d.month && (d.year == 0 || t.Year() == d.year)
}

// parseDates returns the months in a prompt: May 2023, the 8th of May, 2023-05-08. The
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
			dates = append(dates, date{y, time.Month(m)})
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
		dates = append(dates, date{y, m})
	}
	return dates
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
