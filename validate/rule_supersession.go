package validate

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

var supersession = Rule{
	Name:     "supersession",
	Severity: Warning,
	Summary:  "Decisions that supersede one another in a way nobody can follow.",
	Help: `A decision names under supersedes what it replaces. That is a chain with an end: the
decision that holds. It has none, or more than one, where

- a decision supersedes itself
- decisions supersede one another in a circle
- a decision is superseded twice

Usually two branches replaced the same decision, or an id was mistyped. Readers then go
by time: the oldest decision that names another one has superseded it, and of a circle
the word of its oldest decision does not count. That may not be what was meant.

Wrong:

    DEC-002 supersedes DEC-001
    DEC-003 supersedes DEC-001

Right:

    DEC-002 supersedes DEC-001
    DEC-003 supersedes DEC-002

To mend it, say what holds with a new decision that supersedes those in question, with
` + "`forgemind decision add TEXT --supersedes ID --supersedes ID`" + `: what is in the Ledger is
never changed. In a decision that was not committed yet, correct the id.
`,
	record: func(d *document) {
		if !d.parsed() {
			return
		}
		switch d.kind {
		case fs.DocDecision:
			d.chain(0, strings.TrimSuffix(path.Base(d.name), ".json"))
		case fs.DocState:
			d.chains("recent_decisions")
		case fs.DocHotContext:
			d.chains("key_decisions")
		}
	},
	across: func(c *census) { c.supersessions() },
}

// A link is the word of one decision that it supersedes another.
type link struct {
	spot
	ledger   bool
	from, to string
	says     string // what from decides
	time     string // of from
	order    int    // among all, by time
}

func (d *document) chains(list string) {
	array := d.tape.Member(0, list)
	for e := d.first(array); e >= 0; e = d.next(e) {
		d.chain(e, "")
	}
}

// chain notes what a decision supersedes. A lone document can only show one that
// supersedes itself.
func (d *document) chain(decision int, otherwise string) {
	node := d.tape.Member(decision, "supersedes")
	if node < 0 || d.proposes(decision) {
		return
	}
	id, _ := decisionMembers(&d.tape, decision)
	from := cmp.Or(d.str(id), otherwise)
	note := func(n int) {
		to := d.str(n)
		switch {
		case from == "" || to == "":
		case d.facts != nil:
			d.facts.links = append(d.facts.links, link{
				spot: d.spot(n), ledger: d.kind == fs.DocDecision, from: from, to: to,
				says: d.str(d.tape.Member(decision, "decision")), time: d.str(d.tape.Member(decision, "timestamp")),
			})
		case from == to:
			d.at(n, selfMessage(from), supersessionHint)
		}
	}
	if d.text(node) != nil {
		note(node)
		return
	}
	for c := d.first(node); c >= 0; c = d.next(c) {
		if d.text(c) != nil {
			note(c)
		}
	}
}

// proposes reports whether a decision is only proposed: it supersedes nothing.
func (d *document) proposes(decision int) bool {
	status := d.tape.Member(decision, "status")
	return status >= 0 && strings.EqualFold(d.str(status), schema.Proposed)
}

const supersessionHint = "record a new decision that supersedes those in question and says what holds"

func selfMessage(id string) string { return "the decision " + plain(id) + " supersedes itself" }

// supersessions reports what is wrong with the chains of a tree. A view that
// repeats the Ledger is not reported again.
func (c *census) supersessions() {
	links := c.chainLinks()
	standing := standingOf(links)
	first := map[string]link{} // by what is superseded
	next := map[string][]link{}
	for _, l := range links {
		if l.from == l.to {
			if _, mended := standing.SupersededBy(l.from); !mended {
				c.at(l.spot, selfMessage(l.from), supersessionHint)
			}
			continue
		}
		next[l.from] = append(next[l.from], l)
		if f, twice := first[l.to]; twice {
			same := f.says != "" && schema.SameWords(f.says, l.says)      // two clones recorded one decision
			if same || last(standing, f.from) == last(standing, l.from) { // what superseded both says what holds
				continue
			}
			c.at(l.spot, "the decision "+plain(l.to)+" is superseded already, by "+plain(f.from), supersessionHint)
			continue
		}
		first[l.to] = l
	}
	for _, circle := range circles(links, next) {
		oldest := slices.MinFunc(circle, func(a, b link) int { return a.order - b.order })
		var ids []string
		for _, l := range circle {
			ids = append(ids, l.from)
		}
		if !slices.Contains(ids, last(standing, ids[0])) { // a decision outside the circle says what holds
			continue
		}
		c.at(oldest.spot, "the decisions "+plainList(ids)+" supersede one another in a circle", supersessionHint)
	}
}

// standingOf says which of the decisions that links join hold.
func standingOf(links []link) schema.Standing {
	var all []schema.Decision
	at := map[string]int{}
	find := func(id string) int {
		if _, known := at[id]; !known {
			at[id] = len(all)
			all = append(all, schema.Decision{ID: id})
		}
		return at[id]
	}
	for _, l := range links {
		find(l.to)
		d := &all[find(l.from)]
		d.Timestamp = l.time
		d.Supersedes = append(d.Supersedes, l.to)
	}
	return schema.Current(all)
}

// last is the decision at the end of the chain that id stands in.
func last(standing schema.Standing, id string) string {
	for by, ok := standing.SupersededBy(id); ok; by, ok = standing.SupersededBy(id) {
		id = by
	}
	return id
}

// chainLinks are the links of the tree, each once, in the order of time.
func (c *census) chainLinks() []link {
	slices.SortFunc(c.links, func(a, b link) int {
		if a.ledger != b.ledger {
			if a.ledger {
				return -1
			}
			return 1
		}
		return a.spot.compare(b.spot)
	})
	type pair struct{ from, to string }
	seen := map[pair]bool{}
	var links []link
	var times []time.Time
	for _, l := range c.links {
		if p := (pair{l.from, l.to}); !seen[p] {
			seen[p] = true
			at, _ := schema.ParseTime(l.time)
			links, times = append(links, l), append(times, at)
		}
	}
	order := make([]int, len(links))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return times[a].Compare(times[b]) })
	sorted := make([]link, len(links))
	for k, i := range order {
		sorted[k] = links[i]
		sorted[k].order = k
	}
	return sorted
}

// circles finds circles of links, at most one through each decision. Whatever
// leads nowhere is taken away first, so that each step of what is left leads on.
func circles(links []link, next map[string][]link) (found [][]link) {
	ends := map[string]int{} // links that still lead on, by where they come from
	into := map[string][]string{}
	for from, list := range next {
		ends[from] = len(list)
	}
	var dead []string
	for _, l := range links {
		if l.from == l.to {
			continue
		}
		into[l.to] = append(into[l.to], l.from)
		if ends[l.to] == 0 {
			dead = append(dead, l.to)
		}
	}
	gone := map[string]bool{}
	for len(dead) > 0 {
		id := dead[len(dead)-1]
		dead = dead[:len(dead)-1]
		if gone[id] {
			continue
		}
		gone[id] = true
		for _, from := range into[id] {
			if ends[from]--; ends[from] == 0 {
				dead = append(dead, from)
			}
		}
	}
	walked := map[string]int{} // by which walk
	for i, start := range links {
		var path []link
		at := start.from
		for !gone[at] && ends[at] > 0 && walked[at] == 0 {
			walked[at] = i + 1
			step := slices.IndexFunc(next[at], func(l link) bool { return !gone[l.to] })
			path = append(path, next[at][step])
			at = next[at][step].to
		}
		if len(path) > 0 && walked[at] == i+1 {
			begin := slices.IndexFunc(path, func(l link) bool { return l.from == at })
			found = append(found, path[begin:])
		}
	}
	return found
}
