package tokens

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
)

// Default is the Counter that counts where nobody chose another.
const Default = "o200k"

// A Counter counts the tokens of texts. It may be used by several goroutines.
type Counter struct {
	name  string
	count func(text string) int
}

// Names lists the names of the counters: "chars4", "claude", "o200k".
func Names() []string { return []string{"chars4", "claude", "o200k"} }

// New returns the Counter of that name; "" is the Default. Nothing is loaded
// before the first count.
func New(name string) (*Counter, error) {
	switch name {
	case "", Default:
		load := sync.OnceValue(newBPE)
		return &Counter{Default, func(text string) int { return load().count(text) }}, nil
	case "claude":
		return &Counter{name, func(text string) int { return upTo(100*utf8.RuneCountInString(text), 287) }}, nil
	case "chars4":
		return &Counter{name, func(text string) int { return upTo(utf8.RuneCountInString(text), 4) }}, nil
	}
	return nil, fmt.Errorf("token counter %.60q: there is none; the counters are %s", name, strings.Join(Names(), ", "))
}

// Name is what a stored count names.
func (c *Counter) Name() string { return c.name }

// Count returns how many tokens text costs. It is 0 for an empty text, and its
// time is linear in the length of text, whatever text is.
func (c *Counter) Count(text string) int {
	if text == "" {
		return 0
	}
	return c.count(text)
}

// upTo is n / by, rounded up.
func upTo(n, by int) int { return (n + by - 1) / by }
