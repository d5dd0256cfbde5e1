package audit

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// A Finding is something stale in a document.
type Finding struct {
	ID       string     `json:"id"` // the same as long as the same thing is stale, wherever its line moves
	Kind     string     `json:"kind"`
	Score    int        `json:"score"` // 0 to 100: how sure it is, and how harmful
	File     string     `json:"file"`  // the Name
	Line     int        `json:"line"`  // 1-based
	Column   int        `json:"column"`
	About    string     `json:"about"` // the id or the name of what is stale
	Message  string     `json:"message"`
	Hint     string     `json:"hint"` // what to do
	Evidence []Evidence `json:"evidence"`
}

// Evidence is where a Finding can be checked.
type Evidence struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Commit string `json:"commit,omitempty"`
	At     string `json:"at,omitempty"`
	Text   string `json:"text,omitempty"` // what stands there: a stranger's text, cut
}

// String is e in one line for people.
func (e Evidence) String() string {
	var parts []string
	if e.Commit != "" {
		parts = append(parts, "commit "+e.Commit[:min(12, len(e.Commit))])
	}
	if e.File != "" {
		place := e.File
		if e.Line > 0 {
			place = fmt.Sprintf("%s:%d", e.File, e.Line)
		}
		parts = append(parts, place)
	}
	if e.At != "" {
		parts = append(parts, e.At)
	}
	if e.Text != "" {
		parts = append(parts, fmt.Sprintf("%q", e.Text))
	}
	return strings.Join(parts, " ")
}

// compare orders findings: the heaviest first, then by place.
func compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(b.Score, a.Score),
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.About, b.About),
		cmp.Compare(a.Message, b.Message),
	)
}

// identify names a Finding by its kind, its file, what it is about and how many
// alike stand before it.
func identify(f Finding, nth int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d", f.Kind, f.File, f.About, nth))
	return "stale-" + hex.EncodeToString(sum[:6])
}

const (
	longQuote = 160 // characters of a text that is quoted as evidence
	longName  = 80  // bytes of a name in a message
)

// quote is a stranger's text as evidence: one line, cut, without secrets.
func quote(text string) string {
	if len(text) > 16*longQuote {
		text = text[:16*longQuote]
	}
	text, _ = secret.Mask(strings.ToValidUTF8(text, "\uFFFD"))
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > longQuote {
		text = string([]rune(text)[:longQuote-1]) + "…"
	}
	return text
}

// plain is an id or a name within a message.
func plain(id string) string {
	if len(id) <= longName && schema.ValidID(id) {
		return id
	}
	return fmt.Sprintf("%q", quote(id))
}

// day is a time as messages show it.
func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// days is a span as messages show it: "1 day", "12 days".
func days(d time.Duration) string { return many(int(d/(24*time.Hour)), "day") }

func many(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// aged is a score that grows from low to high over so many days.
func aged(low, high int, age time.Duration, over int) int {
	n := int(age / (24 * time.Hour))
	return low + (high-low)*min(max(n, 0), over)/over
}

// plainPath is a path within a message.
func plainPath(file string) string {
	text := quote(file)
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || !strconv.IsPrint(r) || r == '"' || r == '`' }) {
		return strconv.Quote(text)
	}
	return text
}

// subject is the first line of a commit's message.
func subject(c git.Commit) string {
	first, _, _ := strings.Cut(c.Message, "\n")
	return first
}
