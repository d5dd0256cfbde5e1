package main

import (
	"strings"
	"testing"
)

func TestWrapTerminal(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"short\n", "short\n"},
		{"exactly twenty chars\n", "exactly twenty chars\n"},
		{"one two three four five six\n", "one two three four\nfive six\n"},
		{"- one two three four five\n", "- one two three four\n  five\n"},
		{"    one two three four five\n", "    one two three\n    four five\n"},
		{"Decisions:  one two three\n", "Decisions:  one two\nthree\n"},
		{"http://example.org/a/long/address\n", "http://example.org/a/long/address\n"},
		{"see http://example.org/a/long/address\n", "see\nhttp://example.org/a/long/address\n"},
		{"äöü äöü äöü äöü äöü äöü\n", "äöü äöü äöü äöü äöü\näöü\n"},
		{"no line feed here, it goes on", "no line feed here,\nit goes on"},
	} {
		l := lineWrapper{width: 20}
		if got := string(l.wrap([]byte(test.text))); got != test.want {
			t.Errorf("%q is wrapped as %q, want %q", test.text, got, test.want)
		}
	}
}

// A line may be written in parts, such as a painted word and what follows it.
func TestWrapTerminalParts(t *testing.T) {
	t.Parallel()
	l, got := lineWrapper{width: 20}, strings.Builder{}
	for _, part := range []string{"- ", "one two", " three ", "four", " five\nsix\n"} {
		got.Write(l.wrap([]byte(part)))
	}
	if want := "- one two three four\n  five\nsix\n"; got.String() != want {
		t.Errorf("the parts are wrapped as %q, want %q", got.String(), want)
	}
}
