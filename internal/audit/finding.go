package audit

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// A Finding is a stale part of a document.
type Finding struct {
	ID       string     `json:"id"` // stays the same while the same thing is stale, even if its line moves
	Kind     string     `json:"kind"`
	Score    int        `json:"score"` // 0 to 100: how certain and how harmful it is
	File     string     `json:"file"`  // the Name
	Line     int        `json:"line"`  // 1-based
	Column   int        `json:"column"`
	About    string     `json:"about"` // the id or the name of the stale item
	Message  string     `json:"message"`
	Hint     string     `json:"hint"` // what to do
	Evidence []Evidence `json:"evidence"`
}

// Evidence is a place where a Finding can be checked.
type Evidence struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Commit string `json:"commit,omitempty"`
	At     string `json:"at,omitempty"`
	Text   string `json:"text,omitempty"` // the text there: untrusted, cut
}

// String returns e as one line for people.
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

// compare orders findings by score, highest first, then by place.
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

// identify returns the ID of a Finding: a hash of its kind, its file, its item and its
// number nth among equal ones.
func identify(f Finding, nth int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d", f.Kind, f.File, f.About, nth))
	return "stale-" + hex.EncodeToString(sum[:6])
}

const (
	longQuote = 160 // the maximum length of quoted evidence, in characters
	longName  = 80  // the maximum length of a name in a message, in bytes
)

// quote is a stranger's text as evidence: one line, cut, without secrets.
func quote(s string) string {
	if len(s) > 16*longQuote {
		s = s[:16*longQuote]
	}
	s, _ = secret.Mask(strings.ToValidUTF8(s, "\uFFFD"))
	return text.Limit(text.OneLine(s), longQuote)
}

// plain returns an id or a name for use in a message.
func plain(id string) string {
	if len(id) <= longName && schema.ValidID(id) {
		return id
	}
	return fmt.Sprintf("%q", quote(id))
}

// day formats a time for messages.
func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// days is a span as messages show it: "1 day", "12 days".
func days(d time.Duration) string { return text.Count(int(d/(24*time.Hour)), "day") }

// aged returns a score that grows from low to high over the given number of days.
func aged(low, high int, age time.Duration, over int) int {
	n := int(age / (24 * time.Hour))
	return low + (high-low)*min(max(n, 0), over)/over
}

// plainPath returns a path for use in a message.
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
