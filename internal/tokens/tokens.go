package tokens

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
)

// Default is the name of the Counter that New returns for "".
const Default = "o200k"

// Claude is the name of the Counter for Claude models.
const Claude = "claude"

// A Counter counts the tokens of texts. It is safe for concurrent use.
type Counter struct {
	name  string
	count func(text string) int
}

// Names returns the names of the counters, sorted.
func Names() []string { return []string{"chars4", Claude, Default} }

// New returns the Counter with the given name; "" means Default. The first count
// allocates the counter's cache.
func New(name string) (*Counter, error) {
	load := sync.OnceValue(newBPE)
	o200k := func(text string) int { return load().count(text) }
	switch name {
	case "", Default:
		return &Counter{Default, o200k}, nil
	case Claude:
		return &Counter{name, func(text string) int { return ceilDiv(78*o200k(text)+11*utf8.RuneCountInString(text), 100) }}, nil
	case "chars4":
		return &Counter{name, func(text string) int { return ceilDiv(utf8.RuneCountInString(text), 4) }}, nil
	}
	return nil, fmt.Errorf("unknown token counter %.60q; expected one of %s", name, strings.Join(Names(), ", "))
}

// Name returns the counter's name, which is stored beside its counts.
func (c *Counter) Name() string { return c.name }

// Exchange returns the number of tokens that a request costs for each exchange of a
// user's message and its answer, beyond their texts; 0 if the counter knows none.
func (c *Counter) Exchange() int {
	if c.name == Claude {
		return 74
	}
	return 0
}

// Count returns the number of tokens of text, 0 for an empty text. Its time is
// linear in the length of text, for every text.
func (c *Counter) Count(text string) int {
	if text == "" {
		return 0
	}
	return c.count(text)
}

// ceilDiv returns n / by, rounded up.
func ceilDiv(n, by int) int { return (n + by - 1) / by }
