package validate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Limits of the hot context (Quaid document).
const (
	hotTokens       = 1000 // the maximum in a prompt
	charactersToken = 4    // the approximate length of a token
)

var hotContextSize = Rule{
	Name:     "hot-context-size",
	Severity: Warning,
	Summary:  "A hot context larger than 1,000 tokens.",
	Help: `The hot context of a session is part of every prompt and is never cut. It should cost
500 to 1,000 tokens; this one costs more, as far as its characters show (four to a
token); ids, names and dates are shown with the texts, and count. Of a session that is
archived it is not reported.

What it takes is missing for the history, the summary and what is recalled.

Wrong: 40 notes and 90 entities of last week's work.

Right: the goals, actions, decisions and constraints that matter for the next prompt.

To mend it, look at what the finding names, the largest lists first. Complete the goals
and actions that are done: they leave the hot context and are kept in the session's
metadata. Forget notes and constraints that no longer hold. A decision that the Ledger
holds may leave key_decisions. Or archive the session: the one that continues it carries
over what is open.
`,
	record: func(d *document) {
		if d.kind != fs.DocHotContext || !d.parsed() {
			return
		}
		if w, heavy := weigh(d); heavy && d.facts == nil {
			d.at(0, w.message, w.hint)
		} else if heavy {
			d.facts.heavy = append(d.facts.heavy, w)
		}
	},
	across: func(c *treeFacts) {
		for _, w := range c.heavy {
			if !c.archived[sessionFolder(w.name)] {
				c.at(w.spot, w.message, w.hint)
			}
		}
	},
}

// A weight is a hot context that is too large.
type weight struct {
	spot
	message, hint string
}

// weigh computes the size of a hot context in a prompt.
func weigh(d *document) (weight, bool) {
	type part struct {
		name       string
		characters int
	}
	var parts []part
	total := shownTitle + utf8.RuneCountInString(sessionFolder(d.name))
	headings := map[string]bool{}
	add := func(name, heading string, characters int) {
		if characters == 0 {
			return
		}
		parts, total = append(parts, part{name, characters}), total+characters
		if !headings[heading] {
			headings[heading] = true
			total += shownHeading(heading)
		}
	}
	for i := range shownLists {
		add(shownLists[i].name, shownLists[i].heading, d.shownItems(&shownLists[i]))
	}
	add("current_file_context", "Now", d.shownFiles())
	add("key_entities", "Now", d.shownEntities())
	if total/charactersToken <= hotTokens {
		return weight{}, false
	}
	slices.SortStableFunc(parts, func(a, b part) int { return b.characters - a.characters })
	var largest []string
	for _, p := range parts[:min(len(parts), 3)] {
		largest = append(largest, fmt.Sprintf("%s about %s", p.name, grouped(float64(p.characters/charactersToken))))
	}
	hint := "take out what is done with, the largest lists first"
	if gone := d.doneWith(); len(gone) > 0 {
		hint = "what could go: " + strings.Join(gone, "; ")
	}
	return weight{d.spot(0), fmt.Sprintf("a prompt is given about %s tokens of it, more than %s: %s",
		grouped(float64(total/charactersToken)), grouped(hotTokens), strings.Join(largest, ", ")), hint}, true
}

// doneWith returns the parts of a hot context that are no longer needed, else those
// that can be restored or that grow by themselves.
func (d *document) doneWith() (gone []string) {
	count := func(list, member, value string) (n int) {
		array := d.tape.Member(0, list)
		for e := d.first(array); e >= 0; e = d.next(e) {
			if node := d.tape.Member(e, member); node >= 0 && (value == "" && d.text(node) != nil || value != "" && string(d.text(node)) == value) {
				n++
			}
		}
		return n
	}
	if n := count("active_goals", "status", "complete"); n > 0 {
		gone = append(gone, fmt.Sprintf("%s complete", counted(n, "goal that is", "goals that are")))
	}
	if n := count("key_decisions", "superseded_by", ""); n > 0 {
		gone = append(gone, fmt.Sprintf("%s superseded", counted(n, "decision that is", "decisions that are")))
	}
	if n := len(d.list("key_decisions")); n > 3 {
		gone = append(gone, "decisions before the last three, once they are in the Ledger")
	}
	if n := len(d.list("notes")); n > 0 {
		gone = append(gone, counted(n, "note", "notes")+", the oldest first")
	}
	if d.kindOf(d.tape.Member(0, "key_entities")) == jsonedit.Object {
		gone = append(gone, "key_entities that were mentioned once")
	}
	return gone
}

// list returns the elements of a list of the document.
func (d *document) list(name string) (elements []int) {
	array := d.tape.Member(0, name)
	for e := d.first(array); e >= 0; e = d.next(e) {
		elements = append(elements, e)
	}
	return elements
}

// counted formats a number of things: "1 note", "2 notes".
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return grouped(float64(n)) + " " + many
}
