package importer

import (
	"strconv"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

var (
	isoDay     = lazyregexp.New(`\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?`)
	asianDay   = lazyregexp.New(`(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]`)
	europeDay  = lazyregexp.New(`\b(\d{1,2})([./-])(\d{1,2})[./-](\d{4})\b`)
	dayInWords = lazyregexp.New(`\b(\d{1,2})(?:st|nd|rd|th|\.|er)?\s+(?:de\s+|of\s+)?(\p{L}{3,})\.?,?\s+(?:de\s+)?(\d{4})\b`)
	monthFirst = lazyregexp.New(`\b(\p{L}{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b`)
)

// months lists the beginnings of the names of months.
var months = [12][]string{
	{"jan", "jän", "ene", "gen", "янв"}, {"feb", "fév", "fev", "фев"}, {"mar", "mär", "maerz", "мар"}, {"apr", "avr", "abr", "апр"}, {"may", "mai", "mag", "май", "мая"},
	{"jun", "juin", "giu", "июн"}, {"jul", "juil", "lug", "июл"}, {"aug", "août", "aout", "ago", "авг"}, {"sep", "set", "сен"}, {"oct", "okt", "out", "ott", "окт"},
	{"nov", "ноя"}, {"dec", "dez", "déc", "dic", "дек"},
}

// dateIn returns the first date in a text as a time of documents; "" if there is none that is certain.
func dateIn(s string) string {
	if m := isoDay.FindStringSubmatch(s); m != nil {
		if m[4] != "" {
			if t, err := schema.ParseTime(m[0]); err == nil {
				return schema.FormatTime(t)
			}
		}
		return day(m[1], m[2], m[3])
	}
	if m := asianDay.FindStringSubmatch(s); m != nil {
		return day(m[1], m[2], m[3])
	}
	if m := europeDay.FindStringSubmatch(s); m != nil {
		first, _ := strconv.Atoi(m[1])
		second, _ := strconv.Atoi(m[3])
		switch {
		case m[2] == "." || first > 12 || first == second:
			return day(m[4], m[3], m[1])
		case second > 12:
			return day(m[4], m[1], m[3])
		}
		return "" // the day or the month may be first
	}
	if m := dayInWords.FindStringSubmatch(s); m != nil {
		if month := monthOf(m[2]); month != "" {
			return day(m[3], month, m[1])
		}
	}
	if m := monthFirst.FindStringSubmatch(s); m != nil {
		if month := monthOf(m[1]); month != "" {
			return day(m[3], month, m[2])
		}
	}
	return ""
}

// parseDate returns a date such as 2026-11-20 as a time of documents; "" if it is none.
func parseDate(s string) string {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil || t.Year() < 1970 || t.Year() > 2200 {
		return ""
	}
	return schema.FormatTime(t)
}

// day returns the time of documents for a day in numbers.
func day(year, month, day string) string {
	if len(month) == 1 {
		month = "0" + month
	}
	if len(day) == 1 {
		day = "0" + day
	}
	return parseDate(year + "-" + month + "-" + day)
}

// monthOf returns the number of the month that a word names; "" if it names none.
func monthOf(word string) string {
	word = strings.ToLower(word)
	if strings.HasPrefix(word, "juil") {
		return "7"
	}
	for i, names := range months {
		for _, name := range names {
			if strings.HasPrefix(word, name) {
				return strconv.Itoa(i + 1)
			}
		}
	}
	return ""
}
