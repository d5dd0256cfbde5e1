package transcript

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Skipped is why records of a transcript gave no message, and how many.
type Skipped struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// maxReasons is how many reasons are told one by one.
const maxReasons = 20

// count is what came of the records of a transcript.
type count struct {
	gave, unread, mended int
	left                 map[string]int
	torn                 int            // pieces that are none of records
	added                int            // records that stood within others
	under                bool           // one is under way
	fresh                int            // the messages of it that are new
	why                  string         // it gave none, as far as is known
	strange              string         // the reason of it, if its kind is not known
	strangers            map[string]int // how many there are, by the reason
	bad                  bool           // it could not be read
	taken                bool           // the user took it back
}

// next begins with the next record.
func (c *count) next() {
	c.settle()
	c.under = true
}

// settle counts the record that was under way.
func (c *count) settle() {
	switch {
	case !c.under:
	case c.taken:
		c.left["taken back"]++
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
	c.under, c.fresh, c.why, c.strange, c.bad, c.taken = false, 0, "", "", false, false
}

// leave counts a record that is not looked at.
func (c *count) leave(why string) {
	c.next()
	c.why = why
}

// ofKind is the reason of a record that is of a kind in which nobody says
// anything.
func ofKind(parts ...string) string {
	name := strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " ")
	if name == "" {
		return "no kind"
	}
	return "kind " + strings.Trim(quoted(name), `"`)
}

// leftOut are the reasons, the most frequent first.
func (c *count) leftOut() []Skipped { return byCount(c.left) }

// byCount are reasons, the most frequent first.
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

// quoted quotes a stranger's text for a message to people.
func quoted(text string) string { return fmt.Sprintf("%.40q", text) }
