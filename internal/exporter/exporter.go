package exporter

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/internal/text"
)

// A Query selects what is exported.
type Query struct {
	Kinds []string  // see [Kinds]; none is all
	Since time.Time // only what is of that time or later; zero is all
}

// A Fault is a file that could not be exported.
type Fault struct {
	Name string
	Err  error
}

// The kinds of things that are rendered one by one.
const (
	kindDecision     = "decision"
	kindCondensation = "condensation"
	kindFragment     = "fragment"
	kindProject      = "project"
	kindMessage      = "message" // of a channel
)

// Kinds returns the kinds of things that are exported, in the order in which they are
// listed. Sessions, their messages, artifacts and chunks belong to one working copy.
func Kinds() []string {
	return slices.DeleteFunc(query.Kinds(), func(kind string) bool {
		return slices.Contains([]string{"artifact", "session", kindMessage, "chunk"}, kind)
	})
}

// FileKinds returns the kinds of lines that JSON writes: Kinds, and messages of channels.
func FileKinds() []string { return append(Kinds(), kindMessage) }

// kinds returns the kinds that q selects.
func (q Query) kinds() []string {
	if len(q.Kinds) == 0 {
		return Kinds()
	}
	return q.Kinds
}

// wants reports whether q selects a kind.
func (q Query) wants(kind string) bool { return len(q.Kinds) == 0 || slices.Contains(q.Kinds, kind) }

// isNew reports whether a time is one that q selects.
func (q Query) isNew(at string) bool { return q.Since.IsZero() || query.IsSince(at, q.Since) }

// visible returns s with the characters spelled out that a browser or an editor hides.
func visible(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), string(utf8.RuneError))
	if strings.IndexFunc(s, text.Hidden) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if text.Hidden(r) {
			b.WriteString(sanitize.Rune(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// clean returns a text with its secrets masked.
func clean(s string) string {
	s, _ = secret.Mask(s)
	return s
}

// markup escapes what markdown takes for HTML.
var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;")

// inline returns s as text within a line of markdown, with its secrets masked.
func inline(s string) string {
	s = markup.Replace(visible(text.OneLine(clean(s))))
	if s != "" && strings.ContainsRune("#>+*-=~|", rune(s[0])) {
		return `\` + s
	}
	return s
}

// day returns the date of a time of a document.
func day(at string) string { return at[:min(len(at), len(time.DateOnly))] }

// isReached reports whether a goal or an action was finished rather than dropped.
func isReached(t *query.Thing) bool {
	return t.Status == records.Done || t.Status == records.Complete
}
