package query

import (
	"time"

	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// moment returns a time of a document, which may be a day; zero if the text is no time.
func moment(text string) time.Time {
	at, err := schema.ParseTime(text)
	if err != nil {
		at, _ = time.Parse(time.DateOnly, text)
	}
	return at
}

// compareTimes compares times of documents. A text that is no time comes first.
func compareTimes(a, b string) int { return moment(a).Compare(moment(b)) }

// IsSince reports whether a time of a document is not before since. A day is not before since
// if it is the day of since.
func IsSince(text string, since time.Time) bool {
	if len(text) == len(time.DateOnly) {
		since = since.UTC().Truncate(24 * time.Hour)
	}
	at := moment(text)
	return !at.IsZero() && !at.Before(since)
}

// masked returns a text with its secrets masked.
func masked(text string) string {
	out, _ := secret.Mask(text)
	return out
}
