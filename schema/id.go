package schema

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// crockford is the alphabet of base 32 without letters that look like others.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const (
	newDigits     = 6  // of a new id, 30 bits
	maxDigits     = 26 // of a new id after clashes
	derivedDigits = 12 // of a derived id, 60 bits
)

// NewID returns prefix and six random characters of Crockford base 32, more
// after a clash: an id that taken does not know. They are upper case where the
// prefix holds an upper case letter ("DEC-7F3K2Q"), else lower case
// ("conv-2026-11-20-7f3k2q"). A nil taken knows none.
func NewID(prefix string, random io.Reader, taken func(id string) bool) (string, error) {
	var bytes [maxDigits]byte
	for n := newDigits; n <= maxDigits; n++ {
		if _, err := io.ReadFull(random, bytes[:n]); err != nil {
			return "", fmt.Errorf("new id %s…: %w", prefix, err)
		}
		if id := prefix + digits(prefix, bytes[:n]); taken == nil || !taken(id) {
			return id, nil
		}
	}
	return "", fmt.Errorf("new id %s…: %w", prefix, errors.New("every id is taken"))
}

// DerivedID returns the id of a record that is made from others: prefix and
// twelve characters, the same for the same bytes.
func DerivedID(prefix string, from []byte) string {
	sum := sha256.Sum256(from)
	return prefix + digits(prefix, sum[:derivedDigits])
}

// digits turns each byte into one character.
func digits(prefix string, bytes []byte) string {
	out := make([]byte, len(bytes))
	for i, b := range bytes {
		out[i] = crockford[b&31]
	}
	if strings.ToLower(prefix) == prefix {
		return strings.ToLower(string(out))
	}
	return string(out)
}

// ValidID reports whether s is an id: ASCII letters, digits, `-`, `_` and `.`, the
// first of them a letter, a digit or `_`, so that an id is neither a flag, nor a
// hidden file, nor a way up.
func ValidID(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_':
		case i > 0 && (c == '-' || c == '.'):
		default:
			return false
		}
	}
	return s != ""
}

// NamesFile reports whether s is an id by which a record's file, and those of its
// changes, can be named on every system: it is no device of Windows, and short enough.
func NamesFile(s string) bool {
	const most = 200 // bytes, of 255
	return ValidID(s) && len(s)+2*strings.Count(s, ".") <= most && !isDevice(s)
}

// isDevice reports whether Windows takes a file of that name for a device, whatever its
// extension.
func isDevice(s string) bool {
	stem, _, _ := strings.Cut(s, ".")
	switch len(stem) {
	case 3:
		return slices.Contains([]string{"CON", "PRN", "AUX", "NUL"}, strings.ToUpper(stem))
	case 4:
		return slices.Contains([]string{"COM", "LPT"}, strings.ToUpper(stem[:3])) && stem[3] >= '0' && stem[3] <= '9'
	}
	return false
}

// MadeID reports whether s is an id that NewID or DerivedID gives for an upper case
// prefix. Of digits alone it is none: people count so.
func MadeID(prefix, s string) bool {
	rest, ok := strings.CutPrefix(s, prefix)
	return ok && len(rest) >= newDigits && len(rest) <= maxDigits && strings.Trim(rest, crockford) == "" && strings.Trim(rest, "0123456789") != ""
}

// CanBeTaken reports whether a program may take an id again that it took before: one that counts its ids by the
// length of a list does. It is none that NewID or DerivedID gave.
func CanBeTaken(id string) bool {
	digits := strings.ToUpper(id[strings.LastIndexByte(id, '-')+1:])
	return id != "" && !MadeID("", digits)
}

// TakenAgain reports whether two decisions of one id are two: they say other words, and were made at other times.
// What does not say when it was made may have been edited.
func TakenAgain(id, words, at, otherWords, otherAt string) bool {
	return strings.TrimSpace(words) != strings.TrimSpace(otherWords) && OtherTimes(at, otherAt) && CanBeTaken(id)
}

// OwnID returns the id of a record whose id was taken again. It follows from that, from the time at which the
// record was made, and from its words if they are given.
func OwnID(prefix, id, at, words string) string {
	if t, err := ParseTime(at); err == nil {
		at = t.UTC().Format(time.RFC3339Nano)
	}
	return DerivedID(prefix, []byte(id+"\n"+at+"\n"+words))
}

// AdoptedID returns the id by which the Ledger takes in a decision that stands in a
// view: its own, or one that follows from what it says where no file can be named by it.
func AdoptedID(id, timestamp, decision string) string {
	if NamesFile(id) {
		return id
	}
	return DerivedID("DEC-", []byte(timestamp+"\n"+decision))
}
