package schema

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
)

// crockford is the base 32 alphabet of Crockford, without letters that look alike.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const (
	newDigits     = 6  // of a new id, 30 bits
	maxDigits     = 26 // of a new id after clashes
	derivedDigits = 12 // of a derived id, 60 bits
)

// NewID returns an id that taken does not report: prefix and six random characters of
// Crockford base 32, more after a clash. They are upper case if the prefix contains an
// upper case letter ("DEC-7F3K2Q"), else lower case ("conv-2026-11-20-7f3k2q"). If
// taken is nil, every id is free.
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

// DerivedID returns the id of a record that is derived from others: prefix and twelve
// characters, which are the same for the same bytes.
func DerivedID(prefix string, from []byte) string {
	sum := sha256.Sum256(from)
	return prefix + digits(prefix, sum[:derivedDigits])
}

// digits appends one base 32 character for each byte to prefix.
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

// ValidID reports whether s is a valid id: ASCII letters, digits, `-`, `_` and `.`,
// beginning with a letter, a digit or `_`. So an id cannot be a flag, a hidden file or
// a parent directory.
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

// MadeID reports whether s has the form of an id of NewID or DerivedID with an upper
// case prefix. It is false for digits only, because people number that way.
func MadeID(prefix, s string) bool {
	rest, ok := strings.CutPrefix(s, prefix)
	return ok && len(rest) >= newDigits && len(rest) <= maxDigits && strings.Trim(rest, crockford) == "" && strings.Trim(rest, "0123456789") != ""
}

// AdoptedID returns the id for a decision that is in a view without an id and is copied
// into the ledger.
func AdoptedID(timestamp, decision string) string {
	return DerivedID("DEC-", []byte(timestamp+"\n"+decision))
}
