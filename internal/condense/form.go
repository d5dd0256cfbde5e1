package condense

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// longestForm is how much of a file is read, in bytes.
const longestForm = 1 << 20

// ReadCondensation reads a condensation as people leave it: with another topic,
// with labels that are missing, twice or of other case, with lists or paragraphs
// behind them, with sections of their own, with CRLF. What belongs to no label is
// Extra. A text without any label of the form is an error.
func ReadCondensation(name string, src []byte) (Condensation, error) {
	c := Condensation{Name: name}
	switch {
	case len(src) > longestForm:
		return c, fmt.Errorf("condensation %q: longer than 1 MiB", name)
	case !utf8.Valid(src):
		return c, fmt.Errorf("condensation %q: not UTF-8", name)
	}
	f := readForm(src)
	if len(f.values) == 0 || len(f.values) == 1 && f.values[labelTopic] != nil && !f.titled {
		return c, fmt.Errorf("condensation %q: %w", name, errNoForm)
	}
	c.take(f)
	return c, nil
}

// readForm reads all lines of a text.
func readForm(src []byte) *form {
	f := &form{values: map[string]*strings.Builder{}}
	lines, code := formLines(src)
	for i, line := range lines {
		f.line(line, code[i])
	}
	return f
}

var errNoForm = errors.New("no label of a condensation in it, such as **Decision:**")

// A form is a condensation being read, line by line.
type form struct {
	values map[string]*strings.Builder
	under  string // the label that text goes to; "" for none
	extra  strings.Builder
	begun  bool // a label was read besides the heading
	deep   int  // labels in labels
	titled bool // the heading says that it is a condensation
}

var (
	titleLine = lazyregexp.New(`(?i)^#{1,6}[ \t]+(?:📝[ \t]*)?condensation[ \t]*[:：–—-][ \t]*(.*?)[ \t#]*$`)
	fence     = lazyregexp.New("^ {0,3}(`{3,}|~{3,})([^`]*)$")
	headLine  = lazyregexp.New(`^(#{1,6})[ \t]+(.*?)[ \t#]*$`)
	bold      = lazyregexp.New(`^[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)[ \t]*([\p{L}][\p{L} ]{1,20}?)[ \t]*(?:[:：][ \t]*(?:\*\*|__)|(?:\*\*|__)[ \t]*[:：])[ \t]*(.*)$`)
	bare      = lazyregexp.New(`^([\p{L}][\p{L} ]{1,20}?)[ \t]*:[ \t]*(.*)$`)
)

// labelOf is the label that a word is, in whatever case; "" for none.
func labelOf(word string) string {
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "date":
		return labelDate
	case "channel":
		return labelChannel
	case "participants", "participant":
		return labelWho
	case "context":
		return labelContext
	case "decision", "decisions":
		return labelDecision
	case "rationale", "reason", "reasons":
		return labelRationale
	case "action items", "action item", "actions":
		return labelActions
	case "supersedes", "superseded":
		return labelSupersedes
	case "thread":
		return labelThread
	case "ledger":
		return labelLedger
	}
	return ""
}

// line reads a line. In code nothing is a label.
func (f *form) line(line string, code bool) {
	if !code && f.label(line) {
		return
	}
	if f.under != "" && f.ended(line) {
		f.under = ""
	}
	if f.under == "" {
		f.extra.WriteString(line + "\n")
		return
	}
	f.values[f.under].WriteString("\n" + line)
}

// formLines returns the lines of a text as forms are read, and which of them are of a block of code that ends.
// Where that is the whole text it counts as none.
func formLines(src []byte) (lines []string, code []bool) {
	begun, mark := -1, ""
	first, last := -1, 0 // lines that are not empty
	for line := range strings.Lines(strings.TrimPrefix(string(src), "\uFEFF")) {
		line = visible(line)
		lines, code = append(lines, line), append(code, false)
		if line != "" {
			if last = len(lines) - 1; first < 0 {
				first = last
			}
		}
		m := fence.FindStringSubmatch(line)
		switch {
		case m == nil:
		case begun < 0:
			begun, mark = len(lines)-1, m[1]
		case mark[0] == m[1][0] && len(m[1]) >= len(mark) && m[2] == "":
			for i := begun; i < len(lines); i++ {
				code[i] = true
			}
			begun = -1
		}
	}
	if first >= 0 && !slices.Contains(code[first:last+1], false) && fence.MatchString(lines[first]) && !slices.ContainsFunc(lines[first+1:last], fence.MatchString) {
		clear(code)
		lines[first], lines[last] = "", ""
	}
	return lines, code
}

// label reads a line that is a heading or begins with a label, and reports whether it was all of it.
func (f *form) label(line string) bool {
	if m := titleLine.FindStringSubmatch(line); m != nil && !f.titled {
		f.titled = true
		if f.values[labelTopic] != nil { // what stood above it was no topic
			f.extra.WriteString("# " + f.values[labelTopic].String() + "\n")
			delete(f.values, labelTopic)
		}
		f.begin(labelTopic, m[1])
		f.under = ""
		return true
	}
	if m := headLine.FindStringSubmatch(line); m != nil {
		switch label := labelOf(strings.Trim(m[2], ":* ")); {
		case label != "" && f.values[label] == nil:
			f.begin(label, "")
		case len(f.values) == 0 && f.extra.Len() == 0:
			f.begin(labelTopic, m[2])
			f.under = ""
		default:
			f.under = ""
			f.extra.WriteString(line + "\n")
		}
		return true
	}
	m := bold.FindStringSubmatch(line)
	if m == nil {
		if m = bare.FindStringSubmatch(line); f.under == "" && f.begun {
			m = nil // a line of prose somewhere in what people wrote
		}
	}
	if m != nil {
		switch label := labelOf(m[1]); {
		case label == "":
		case f.values[label] == nil:
			f.begin(label, m[2])
			return true
		case f.under != "":
			f.again(label, m[2], line)
			return true
		}
		if bold.MatchString(line) && labelOf(m[1]) == "" && !bulleted.MatchString(line) { // a label of somebody's own
			f.under = ""
		}
	}
	return false
}

// ended says whether a line is no longer part of the value before it: a date is
// one line, a list ends where a paragraph begins, and only sentences go on behind
// a blank line.
func (f *form) ended(line string) bool {
	value := f.values[f.under].String()
	if strings.TrimSpace(value) == "" {
		return false
	}
	blank := strings.HasSuffix(value, "\n") && strings.TrimSpace(line) != ""
	switch f.under {
	case labelContext, labelDecision, labelRationale:
		return false
	case labelActions:
		return blank && !bulleted.MatchString(line)
	case labelSupersedes, labelWho:
		return strings.TrimSpace(line) == ""
	}
	return true
}

// again reads a label that stood there before: sentences are added to those, what
// is one line stays with what belongs to no label.
func (f *form) again(label, value, line string) {
	switch label {
	case labelContext, labelDecision, labelRationale, labelActions:
		if f.under = label; f.deep < 4 {
			f.deep++
			f.line(value, false) // which may be a label itself
			f.deep--
			return
		}
	}
	f.under = ""
	f.extra.WriteString(line + "\n")
}

func (f *form) begin(label, value string) {
	b := &strings.Builder{}
	b.WriteString(value)
	f.begun = f.begun || label != labelTopic
	f.values[label] = b
	f.under = label
}

// value is what stands behind a label, "" where that is nothing.
func (f *form) value(label string) string {
	b := f.values[label]
	if b == nil {
		return ""
	}
	text := paragraphs(b.String())
	switch strings.ToLower(strings.Trim(text, "_*. ")) {
	case "not found in the discussion", "none named", "none", "n/a", "-", "–", "—", "":
		return ""
	}
	return text
}

// blank matches what stands in a form that nobody has filled in.
var blank = lazyregexp.New(`(?i)^(?:\[[^\]\[]*\]|<[^<>:@]*>|\{[^{}]*\}|tbd|tba|todo|\?+)$`)

// filled returns what is behind a label, "" if that only holds the place.
func (f *form) filled(label string) string {
	text := f.value(label)
	if blank.MatchString(text) {
		return ""
	}
	return text
}

// ledger returns the ids behind the label of the decision: words that are nothing but ids, or those in a text.
func (f *form) ledger() string {
	if f.values[labelLedger] == nil {
		return ""
	}
	ids := idsOr(listed(f.value(labelLedger)))
	if slices.ContainsFunc(ids, func(id string) bool { return !plainID(id) }) {
		ids = idsIn(f.values[labelLedger].String())
	}
	return strings.Join(ids, ", ")
}

// idsIn returns the ids of decisions that a text names, each once.
func idsIn(text string) (ids []string) {
	words := strings.FieldsFunc(text, func(r rune) bool { return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, word := range words {
		if plainID(word) && strings.ContainsAny(word, "-_") && strings.ContainsFunc(word, unicode.IsLetter) && !slices.Contains(ids, word) {
			ids = append(ids, word)
		}
	}
	return ids
}

// take fills c with what was read.
func (c *Condensation) take(f *form) {
	c.Topic = single(f.value(labelTopic))
	c.Date = dateOf(single(f.filled(labelDate)))
	c.Channel = channelName(f.value(labelChannel))
	c.Participants = names(strings.FieldsFunc(strings.ReplaceAll(strings.Join(listed(f.value(labelWho)), ","), ";", ","), func(r rune) bool { return r == ',' || r == '、' }))
	c.Context, c.Decision, c.Rationale = f.value(labelContext), f.filled(labelDecision), f.filled(labelRationale)
	c.ActionItems = listed(f.value(labelActions))
	c.Supersedes = idsOr(listed(f.value(labelSupersedes)))
	c.Thread = single(f.value(labelThread))
	c.DecisionID = f.ledger()
	c.Extra = paragraphs(f.extra.String())
	c.Missing = c.missing()
}

// missing are the labels of the fields that hold nothing. A condensation need not
// supersede anything.
func (c *Condensation) missing() (labels []string) {
	for _, field := range []struct {
		label string
		has   bool
	}{
		{labelTopic, c.Topic != ""}, {labelDate, c.Date != ""}, {labelChannel, c.Channel != ""}, {labelWho, len(c.Participants) > 0},
		{labelContext, c.Context != ""}, {labelDecision, c.Decision != ""}, {labelRationale, c.Rationale != ""}, {labelActions, len(c.ActionItems) > 0},
	} {
		if !field.has {
			labels = append(labels, field.label)
		}
	}
	return labels
}

// dateOf is a date as yyyy-mm-dd where it can be told, else as it stands.
func dateOf(text string) string {
	for _, layout := range []string{time.DateOnly, time.RFC3339, "2006-01-02 15:04", "January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006", "2006/01/02", "02.01.2006"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.Format(time.DateOnly)
		}
	}
	return text
}

var bulleted = lazyregexp.New(`^[ \t]*(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+)(?:\[[ xX]\][ \t]+)?(.*)$`)

// listed are the items of a list, each on one line; a text without a list is one
// item.
func listed(text string) (all []string) {
	var items [][]string // the lines of each
	fresh := true
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		m := bulleted.FindStringSubmatch(line)
		switch {
		case line == "":
			fresh = true
			continue
		case m != nil:
			items = append(items, []string{m[1]})
		case fresh:
			items = append(items, []string{line})
		default:
			items[len(items)-1] = append(items[len(items)-1], line)
		}
		fresh = false
	}
	for _, lines := range items {
		if item := single(strings.Join(lines, " ")); item != "" {
			all = append(all, item)
		}
	}
	return all
}

// idsOr parts a line that is nothing but ids.
func idsOr(all []string) (out []string) {
	for _, item := range all {
		parts := strings.FieldsFunc(item, func(r rune) bool { return r == ',' || r == ' ' || r == ';' })
		if len(parts) == 0 || slices.ContainsFunc(parts, func(p string) bool { return !plainID(p) }) {
			parts = []string{item}
		}
		for _, p := range parts {
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}
