package transcript

import (
	"cmp"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/text"
)

// A Skipped is a reason why records gave no message, with their number.
type Skipped struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// maxReasons limits the reasons that are listed.
const maxReasons = 20

// A count counts the records of a transcript by their result.
type count struct {
	gave, unread, mended int
	left                 map[string]int
	torn                 int            // pieces that are not records
	added                int            // records inside of others
	under                bool           // there is a current record
	fresh                int            // its new messages
	why                  string         // why it gave none, if that is known
	strange              string         // why it gave none, if its kind is not known
	strangers            map[string]int // number of such records, by the reason
	bad                  bool           // it could not be read
}

// next begins the next record.
func (c *count) next() {
	c.settle()
	c.under = true
}

// settle ends the current record and counts it.
func (c *count) settle() {
	switch {
	case !c.under:
	case c.fresh > 0:
		c.gave++
	case c.bad:
		c.unread++
	default:
		c.left[cmp.Or(c.why, "empty")]++
		if c.strange != "" {
			c.strangers[c.strange]++
		}
	}
	c.under, c.fresh, c.why, c.strange, c.bad = false, 0, "", "", false
}

// leave counts a record that is not read, for the reason why.
func (c *count) leave(why string) {
	c.next()
	c.why = why
}

// ofKind returns the reason for skipping a record of a kind without messages.
func ofKind(parts ...string) string {
	name := strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " ")
	if name == "" {
		return "no kind"
	}
	return "kind " + strings.Trim(text.Quote(name, maxQuoted), `"`)
}

// leftOut returns the reasons, the most frequent first.
func (c *count) leftOut() []Skipped { return byCount(c.left) }

// byCount sorts reasons, the most frequent first.
func byCount(reasons map[string]int) []Skipped {
	var all []Skipped
	for reason, n := range reasons {
		all = append(all, Skipped{reason, n})
	}
	slices.SortFunc(all, func(a, b Skipped) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Reason, b.Reason)) })
	if len(all) > maxReasons {
		rest := 0
		for _, l := range all[maxReasons-1:] {
			rest += l.Count
		}
		all = append(all[:maxReasons-1], Skipped{"other kinds", rest})
	}
	return all
}
