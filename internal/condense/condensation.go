package condense

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// A Condensation is what a discussion came to.
type Condensation struct {
	Name         string // of its file, without the folder
	Topic        string
	Date         string // yyyy-mm-dd
	Channel      string // without the "#"
	Participants []string
	Context      string
	Decision     string
	Rationale    string
	ActionItems  []string // "ann: I'll write the migration."
	Supersedes   []string // ids of decisions, and what names none in words
	DecisionID   string   // of the Ledger, "" while it has none
	Thread       string   // the id of the thread, "" for a stretch of a channel
	Missing      []string // the fields that were not found, by their labels, in the order of the form
	Extra        string   // what people added that is no part of the form
}

// The labels of the form, in its order. A condensation that has been recorded
// says so below them.
const (
	labelTopic      = "Topic"
	labelDate       = "Date"
	labelChannel    = "Channel"
	labelWho        = "Participants"
	labelContext    = "Context"
	labelDecision   = "Decision"
	labelRationale  = "Rationale"
	labelActions    = "Action items"
	labelSupersedes = "Supersedes"
	labelThread     = "Thread"
	labelLedger     = "Ledger"
)

// What stands where nothing was found.
const (
	notFound  = "_not found in the discussion_"
	noneNamed = "_none named_"
)

const heading = "## 📝 Condensation: "

// Markdown is the document in its form, one label a line. ReadCondensation reads
// it back, but for Name.
func (c Condensation) Markdown() []byte {
	var b bytes.Buffer
	b.WriteString(heading + field(single(c.Topic)) + "\n")
	line := func(label, value string) { b.WriteString(labelled(label, value)) }
	line(labelDate, field(single(c.Date)))
	channel := channelName(c.Channel)
	if channel != "" {
		channel = "#" + channel
	}
	line(labelChannel, field(channel))
	line(labelWho, field(strings.Join(names(c.Participants), ", ")))
	line(labelContext, field(paragraphs(c.Context)))
	line(labelDecision, field(paragraphs(c.Decision)))
	line(labelRationale, field(paragraphs(c.Rationale)))
	line(labelActions, field(items(c.ActionItems)))
	if actions := items(c.ActionItems); actions != "" {
		b.WriteByte('\n') // else what follows would be a part of the list
	}
	superseded := c.superseded()
	line(labelSupersedes, superseded)
	if strings.HasPrefix(superseded, "- ") && single(c.Thread)+single(c.DecisionID) != "" {
		b.WriteByte('\n')
	}
	if thread := single(c.Thread); thread != "" {
		line(labelThread, thread)
	}
	if id := single(c.DecisionID); id != "" {
		line(labelLedger, id)
	}
	if extra := paragraphs(c.Extra); extra != "" {
		b.WriteString("\n" + extra + "\n")
	}
	return b.Bytes()
}

// superseded is the value of its label: ids on one line, anything else as a list.
func (c Condensation) superseded() string {
	if !slices.ContainsFunc(c.Supersedes, func(s string) bool { return !plainID(s) }) {
		if ids := strings.Join(c.Supersedes, ", "); ids != "" {
			return ids
		}
	}
	if list := items(c.Supersedes); list != "" {
		return list
	}
	return noneNamed
}

// labelled is a line of the form; a list stands below its label.
func labelled(label, value string) string {
	if first, _, _ := strings.Cut(value, "\n"); strings.HasPrefix(first, "- ") && !bold.MatchString(first) {
		return fmt.Sprintf("**%s:**\n%s\n", label, value)
	}
	return fmt.Sprintf("**%s:** %s\n", label, value)
}

func field(value string) string {
	if value == "" {
		return notFound
	}
	return value
}

// single is text on one line, without what steers terminals.
func single(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// paragraphs returns text with LF as the end of its lines, and no blanks at the ends of any.
func paragraphs(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = visible(line)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// visible is a line without what steers terminals, and without blanks at its end.
func visible(line string) string {
	line = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return -1
		}
		return r
	}, line)
	return strings.TrimRightFunc(line, unicode.IsSpace)
}

func names(all []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, name := range all {
		if name = unlisted(single(strings.NewReplacer(",", " ", ";", " ", "、", " ").Replace(name))); name != "" && !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}

// unlisted is a name without the marks of a list or of emphasis.
func unlisted(name string) string {
	for {
		was := name
		if m := bulleted.FindStringSubmatch(name); m != nil {
			name = m[1]
		}
		if name = strings.Trim(name, "*_ "); name == was {
			return name
		}
	}
}

func channelName(name string) string { return strings.TrimSpace(strings.TrimLeft(single(name), "# ")) }

// items is a list, a line each.
func items(all []string) string {
	var b strings.Builder
	for _, item := range all {
		if item = single(item); item != "" {
			b.WriteString("- " + item + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// plainID says whether s is an id and no word: it holds a digit, or begins as those
// of decisions do, for not every one that is drawn has a digit.
func plainID(s string) bool {
	return schema.ValidID(s) && (strings.ContainsAny(s, "0123456789") || strings.HasPrefix(s, "DEC-")) && len(s) <= 100
}

// longestSlug is in bytes.
const longestSlug = 60

// fileName returns the name of a new condensation's file, <date>-<topic>-<id>.md, that taken does not know,
// whatever the case of its letters. The id derives from the text, so that what two clones write on a day of one topic
// are two files unless it is the same. at stands in where c has no date.
func fileName(c Condensation, at time.Time, taken func(name string) bool) string {
	date := c.Date
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		date = at.UTC().Format(time.DateOnly)
	}
	stem := date + "-" + topicSlug(c.Topic) + "-" + schema.DerivedID("", c.Markdown())[:6]
	name := stem + ".md"
	for n := 2; taken != nil && taken(name); n++ {
		name = fmt.Sprintf("%s-%d.md", stem, n)
	}
	return name
}

// topicSlug is a topic in ASCII letters of lower case, digits and hyphens, cut
// between words. Where that says too little, or not all, it ends in what comes
// from the whole topic.
func topicSlug(topic string) string {
	var b strings.Builder
	lost := 0 // letters of other scripts
	for _, r := range relevance.StripDiacritics(strings.ToLower(topic)) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case r == '\'' || r == '’':
		default:
			if unicode.IsLetter(r) || r == utf8.RuneError {
				lost++
			}
			b.WriteByte('-')
		}
	}
	slug := strings.Join(strings.FieldsFunc(b.String(), func(r rune) bool { return r == '-' }), "-")
	whole := len(slug) <= longestSlug
	if !whole {
		slug = slug[:longestSlug+1]
		if i := strings.LastIndexByte(slug, '-'); i > longestSlug/2 {
			slug = slug[:i]
		} else {
			slug = slug[:longestSlug]
		}
	}
	if slug == "" || lost > 0 || !whole {
		slug = strings.Trim(slug+"-"+schema.DerivedID("", []byte(topic))[:6], "-")
	}
	return strings.ToLower(slug)
}
