package condense

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// longestForm is the number of bytes of a file that are read.
const longestForm = 1 << 20

// ReadCondensation reads a condensation that people may have edited: with another topic, with
// missing or repeated labels or labels in other case, with lists or paragraphs, with additional
// sections, with CRLF. Text that belongs to no label goes to Extra. A text without any label of the
// form is an error.
func ReadCondensation(name string, src []byte) (Condensation, error) {
	c := Condensation{Name: name}
	switch {
	case len(src) > longestForm:
		return c, fmt.Errorf("condensation %q: longer than 1 MiB", name)
	case !utf8.Valid(src):
		return c, fmt.Errorf("condensation %q: not UTF-8", name)
	}
	f := form{values: map[string]*strings.Builder{}}
	for line := range strings.Lines(strings.TrimPrefix(string(src), "\uFEFF")) {
		f.line(visible(line))
	}
	if len(f.values) == 0 || len(f.values) == 1 && f.values[labelTopic] != nil && !f.titled {
		return c, fmt.Errorf("condensation %q: %w", name, errNoForm)
	}
	c.take(&f)
	return c, nil
}

var errNoForm = errors.New("no label of a condensation in it, such as **Decision:**")

// A form holds the state of reading a condensation line by line.
type form struct {
	values map[string]*strings.Builder
	under  string // label for the next text; "" for none
	extra  strings.Builder
	begun  bool // a label other than the heading was read
	deep   int  // nesting of labels
	titled bool // the heading calls it a condensation
}

var (
	titleLine = lazyregexp.New(`(?i)^#{1,6}[ \t]+(?:📝[ \t]*)?condensation[ \t]*[:：–—-][ \t]*(.*?)[ \t#]*$`)
	headLine  = lazyregexp.New(`^(#{1,6})[ \t]+(.*?)[ \t#]*$`)
	bold      = lazyregexp.New(`^[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)[ \t]*([\p{L}][\p{L} ]{1,20}?)[ \t]*(?:[:：][ \t]*(?:\*\*|__)|(?:\*\*|__)[ \t]*[:：])[ \t]*(.*)$`)
	bare      = lazyregexp.New(`^([\p{L}][\p{L} ]{1,20}?)[ \t]*:[ \t]*(.*)$`)
)

// labelOf returns the label for a word in any case, or "".
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
	case "rejected", "rejected alternatives", "alternatives rejected":
		return labelRejected
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

func (f *form) line(line string) {
	if m := titleLine.FindStringSubmatch(line); m != nil && !f.titled {
		f.titled = true
		if f.values[labelTopic] != nil { // the text above the label was no topic
			f.extra.WriteString("# " + f.values[labelTopic].String() + "\n")
			delete(f.values, labelTopic)
		}
		f.begin(labelTopic, m[1])
		f.under = ""
		return
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
		return
	}
	m := bold.FindStringSubmatch(line)
	if m == nil {
		if m = bare.FindStringSubmatch(line); f.under == "" && f.begun {
			m = nil // a line of prose in added text
		}
	}
	if m != nil {
		switch label := labelOf(m[1]); {
		case label == "":
		case f.values[label] == nil:
			f.begin(label, m[2])
			return
		case f.under != "":
			f.again(label, m[2], line)
			return
		}
		if bold.MatchString(line) && labelOf(m[1]) == "" && !bulleted.MatchString(line) { // a label that somebody added
			f.under = ""
		}
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

// ended reports whether a line no longer belongs to the current value. A date is one line, a list
// ends at a paragraph, and only sentences continue after a blank line.
func (f *form) ended(line string) bool {
	value := f.values[f.under].String()
	if strings.TrimSpace(value) == "" {
		return false
	}
	blank := strings.HasSuffix(value, "\n") && strings.TrimSpace(line) != ""
	switch f.under {
	case labelContext, labelDecision, labelRationale:
		return false
	case labelActions, labelRejected:
		return blank && !bulleted.MatchString(line)
	case labelSupersedes, labelWho:
		return strings.TrimSpace(line) == ""
	}
	return true
}

// again reads a repeated label. Sentences are added to the former ones; the value of a field with
// one line goes to Extra.
func (f *form) again(label, value, line string) {
	switch label {
	case labelContext, labelDecision, labelRationale, labelActions:
		if f.under = label; f.deep < 4 {
			f.deep++
			f.line(value) // it may contain a label
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

// value returns the text of a label, or "" if it is a placeholder.
func (f *form) value(label string) string {
	b := f.values[label]
	if b == nil {
		return ""
	}
	text := block(b.String())
	switch strings.ToLower(strings.Trim(text, "_*. ")) {
	case "not found in the discussion", "none named", "none", "n/a", "-", "–", "—", "":
		return ""
	}
	return text
}

// take sets the fields of c.
func (c *Condensation) take(f *form) {
	c.Topic = single(f.value(labelTopic))
	c.Date = dateOf(single(f.value(labelDate)))
	c.Channel = channelName(f.value(labelChannel))
	c.Participants = names(strings.FieldsFunc(strings.ReplaceAll(strings.Join(listed(f.value(labelWho)), ","), ";", ","), func(r rune) bool { return r == ',' || r == '、' }))
	c.Context, c.Decision, c.Rationale = f.value(labelContext), f.value(labelDecision), f.value(labelRationale)
	c.Rejected = listed(f.value(labelRejected))
	c.ActionItems = listed(f.value(labelActions))
	c.Supersedes = idsOr(listed(f.value(labelSupersedes)))
	c.Thread, c.DecisionID = single(f.value(labelThread)), single(f.value(labelLedger))
	c.Extra = block(f.extra.String())
	c.Missing = c.missing()
}

// missing returns the labels of empty fields. The superseded decisions are optional.
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

// dateOf returns a date as yyyy-mm-dd if it can be parsed, and else text.
func dateOf(text string) string {
	for _, layout := range []string{time.DateOnly, time.RFC3339, "2006-01-02 15:04", "January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006", "2006/01/02", "02.01.2006"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.Format(time.DateOnly)
		}
	}
	return text
}

var bulleted = lazyregexp.New(`^[ \t]*(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+)(?:\[[ xX]\][ \t]+)?(.*)$`)

// listed returns the items of a list, each on one line. A text without a list is one item.
func listed(text string) (all []string) {
	var items [][]string // lines of each item
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

// idsOr splits a line that consists of ids.
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
