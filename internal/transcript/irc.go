package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// ircForms are what the lines of logs look like.
type ircForms struct {
	stamp   *lazyregexp.Regexp // day, clock, the rest
	said    *lazyregexp.Regexp // nick, text
	tabbed  *lazyregexp.Regexp // weechat: nick, text
	did     *lazyregexp.Regexp // nick and what it did
	day     *lazyregexp.Regexp // irssi: "--- Day changed Tue May 02 2023"
	control *lazyregexp.Regexp // colours and the like
}

var irc = ircForms{
	stamp:   lazyregexp.New(`^\[?(?:(\d{4}-\d\d-\d\d)[ T])?(\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?\]?[ \t]+(.*)$`),
	said:    lazyregexp.New(`^[ \t]*<[ @+%&~!]?([^<>\s]{1,64})>[ \t](.*)$`),
	tabbed:  lazyregexp.New(`^[@+%&~]?([^\s<>*]{1,64})\t(.*)$`),
	did:     lazyregexp.New(`^[ \t]*\*[ \t]+([^\s*]{1,64})[ \t]+(.*)$`),
	day:     lazyregexp.New(`^(?:---|\*\*\*\*)\s+(?:Log opened|Day changed(?: to)?|BEGIN LOGGING AT)\s+\w{3}[a-z]*,?\s+(.*)$`),
	control: lazyregexp.New("\x03(?:\\d{1,2}(?:,\\d{1,2})?)?|[\x00-\x08\x0b-\x1f\x7f]"),
}

// ircLike says whether one of the first lines of a text is one of a log.
func ircLike(head []byte) bool {
	lines := 0
	for line := range bytes.Lines(head) {
		text := ircText(line)
		m := irc.stamp.FindStringSubmatch(text)
		if m != nil && (irc.said.MatchString(m[4]) || strings.Contains(m[4], "\t") || irc.did.MatchString(m[4]) || ircNotice(m[4])) || irc.day.MatchString(text) {
			return true
		}
		if lines++; lines == 100 {
			break
		}
	}
	return false
}

// irc reads a log, a line at a time. Times have the zone of the options, the day
// of their own line, of the last line that named one, or of the options.
func (x *exporter) irc() {
	day := x.options.Day
	before := time.Duration(-1)
	same := map[string]int{} // how often somebody said the same in one moment
	offset := 0
	for line := range bytes.Lines(x.rd.src) {
		at := offset
		offset += len(line)
		text := ircText(line)
		if text == "" {
			continue
		}
		if m := irc.day.FindStringSubmatch(text); m != nil {
			if d, ok := ircDay(m[1]); ok {
				day, before = d, -1
			}
			x.Left++
			continue
		}
		m := irc.stamp.FindStringSubmatch(text)
		if m == nil {
			x.ircOther(at, text)
			continue
		}
		clock, err := ircClock(m[2])
		if err != nil {
			x.rd.fail(at, err)
			continue
		}
		if m[1] != "" {
			if d, err := time.Parse(time.DateOnly, m[1]); err == nil {
				day, before = d, -1
			}
		} else if before >= 0 && before-clock > 12*time.Hour { // midnight went by unsaid
			day = day.AddDate(0, 0, 1)
		}
		before = clock
		nick, words, ok := ircSaid(m[4])
		if !ok {
			x.ircOther(at, m[4])
			continue
		}
		if day.IsZero() {
			x.rd.fail(at, errors.New("nothing says of which day this is"))
			continue
		}
		x.ircLine(day, clock, m[3], m[2], nick, words, same)
	}
}

// ircLine takes in what nick said.
func (x *exporter) ircLine(day time.Time, clock time.Duration, zone, written, nick, words string, same map[string]int) {
	moment := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, int(clock%time.Second), x.options.Zone)
	moment = time.Date(day.Year(), day.Month(), day.Day(), int(clock/time.Hour), int(clock/time.Minute%60), int(clock/time.Second%60), moment.Nanosecond(), zoneOf(zone, x.options.Zone))
	native := strings.Join([]string{x.options.Channel, day.Format(time.DateOnly), written + zone, nick, words}, "\x00")
	same[native]++
	if n := same[native]; n > 1 {
		native = fmt.Sprintf("%s\x00%d", native, n)
	}
	x.add("", "", native, moment, schema.Message{Agent: nick, Role: "user", Content: words, Metadata: provenance(IRC)})
}

// ircSaid parts a line behind its time into who spoke and what; false for notices
// of the client.
func ircSaid(rest string) (nick, words string, ok bool) {
	if m := irc.said.FindStringSubmatch(rest); m != nil {
		return m[1], m[2], true
	}
	if ircNotice(rest) {
		return "", "", false
	}
	if m := irc.did.FindStringSubmatch(rest); m != nil {
		return m[1], "* " + m[1] + " " + m[2], true
	}
	if m := irc.tabbed.FindStringSubmatch(rest); m != nil {
		return m[1], m[2], true
	}
	return "", "", false
}

// ircNotice says whether the client speaks: somebody came or went.
func ircNotice(rest string) bool {
	rest = strings.TrimLeft(rest, " \t")
	for _, mark := range []string{"-->", "<--", "--", "-!-", "***", "=!=", "* Now talking", "* Joins:", "* Parts:", "* Quits:"} {
		if strings.HasPrefix(rest, mark) {
			return true
		}
	}
	return false
}

// ircOther takes in a line that nobody said, or that cannot be read.
func (x *exporter) ircOther(offset int, text string) {
	trimmed := strings.TrimSpace(text)
	switch {
	case ircNotice(text) || strings.HasPrefix(trimmed, "-") || strings.HasPrefix(trimmed, "*") || trimmed == "":
		x.Left++
	default:
		x.rd.fail(offset, errors.New("no line of a log: a time, <somebody> and a text are wanted"))
	}
}

// ircText is a line without its end and without marks for colours. Old logs are in
// Latin 1.
func ircText(line []byte) string {
	text := string(bytes.TrimRight(line, "\r\n"))
	if !utf8.ValidString(text) {
		letters := make([]rune, len(text))
		for i := range len(text) {
			letters[i] = rune(text[i])
		}
		text = string(letters)
	}
	return irc.control.ReplaceAllString(text, "")
}

// ircClock is a time of day.
func ircClock(text string) (time.Duration, error) {
	text = strings.ReplaceAll(text, ",", ".")
	for _, layout := range []string{"15:04:05.999999999", "15:04"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.Sub(at.Truncate(24 * time.Hour)), nil
		}
	}
	return 0, fmt.Errorf("%q is no time of day", text)
}

// ircDay is the day that a client's line names.
func ircDay(text string) (time.Time, bool) {
	text = strings.Join(strings.Fields(text), " ")
	for _, layout := range []string{"Jan 2 2006", "Jan 2 15:04:05 2006", "2 Jan 2006", "Jan 2, 2006"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.Truncate(24 * time.Hour), true
		}
	}
	return time.Time{}, false
}

// zoneOf is the zone that a line names, else the other one.
func zoneOf(text string, otherwise *time.Location) *time.Location {
	if text == "Z" {
		return time.UTC
	}
	if at, err := time.Parse("-0700", strings.ReplaceAll(text, ":", "")); err == nil {
		_, offset := at.Zone()
		return time.FixedZone("", offset)
	}
	return otherwise
}

// DayIn is the day that the name of a log says, such as "#orchard_20230501.log";
// zero where it says none.
func DayIn(name string) time.Time {
	m := dayInName.FindStringSubmatch(name)
	if m == nil {
		return time.Time{}
	}
	day, err := time.Parse("20060102", m[1]+m[2]+m[3])
	if err != nil {
		return time.Time{}
	}
	return day
}

var dayInName = lazyregexp.New(`(?:^|\D)((?:19|20)\d\d)[-_.]?(\d\d)[-_.]?(\d\d)(?:\D|$)`)
