package validate

import (
	"github.com/forgemind/forgemind/fs"
)

var circularReference = Rule{
	Name:     "circular-reference",
	Severity: Error,
	Summary:  "Goals that are parts of one another, or sessions that carry on one another.",
	Help: `The parents of goals lead in a circle: a goal is a part of another, which is a part of
the first. Or sessions continue one another in a circle.

Goals are shown as a tree; those of a circle hang from nothing. It comes from a merge of
two branches, or from editing by hand.

Wrong:

    { "id": "goal-001", "parent_goal_id": "goal-002" }, { "id": "goal-002", "parent_goal_id": "goal-001" }

Right:

    { "id": "goal-001" }, { "id": "goal-002", "parent_goal_id": "goal-001" }

To mend it, remove the parent of the goal that is the whole, or the continues of the
session that came first.
`,
	record: func(d *document) {
		if d.kind == fs.DocHotContext && d.parsed() {
			d.circularGoals()
		}
	},
	across: func(c *census) {
		var parents []link
		for _, r := range c.relating() {
			for _, ref := range r.named {
				if ref.what == "parent_goal_id" {
					parents = append(parents, link{spot: ref.spot, from: r.id, to: ref.id})
				}
			}
		}
		for _, circle := range chainCircles(parents) {
			c.at(circle[0].spot, circleOfGoals(circle), circleOfGoalsHint)
		}
		for _, circle := range chainCircles(c.continued) {
			message := "the session " + plain(circle[0].from) + " continues itself"
			if len(circle) > 1 {
				message = "the sessions " + plainList(froms(circle)) + " continue one another in a circle"
			}
			c.at(circle[0].spot, message, "remove continues from the one that came first")
		}
	},
}

// circularGoals reports goals that are parts of one another.
func (d *document) circularGoals() {
	array := d.tape.Member(0, "active_goals")
	var links []link
	var named map[string]string // what a goal can be called by → what it is called here
	for g := d.first(array); g >= 0; g = d.next(g) {
		parent := d.parent(g)
		if parent < 0 {
			continue
		}
		if named == nil {
			named = d.goals(array)
		}
		if to, ok := named[d.str(parent)]; ok {
			links = append(links, link{spot: spot{offset: parent}, from: d.goalName(g), to: to})
		}
	}
	for _, circle := range chainCircles(links) {
		d.at(circle[0].offset, circleOfGoals(circle), circleOfGoalsHint)
	}
}

// circleOfGoals says which goals are parts of one another.
func circleOfGoals(circle []link) string {
	if len(circle) == 1 {
		return "the goal " + plain(circle[0].from) + " is a part of itself"
	}
	return "the goals " + plainList(froms(circle)) + " are parts of one another"
}

const circleOfGoalsHint = "remove the parent of the one that is the whole"

// chainCircles finds the circles of links that lead on from one name to one
// other. Each begins with the link that comes first.
func chainCircles(links []link) (found [][]link) {
	next := map[string]int{} // the link that leads on
	for i, l := range links {
		if !has(next, l.from) {
			next[l.from] = i
		}
	}
	walked := make([]int, len(links)) // by which walk, from 1
	for start := range links {
		at, more := start, true
		for more && walked[at] == 0 {
			walked[at] = start + 1
			to := links[at].to
			at, more = next[to], has(next, to)
		}
		if !more || walked[at] != start+1 {
			continue
		}
		first := at
		for i := next[links[at].to]; i != at; i = next[links[i].to] {
			first = min(first, i)
		}
		circle := []link{links[first]}
		for i := next[links[first].to]; i != first; i = next[links[i].to] {
			circle = append(circle, links[i])
		}
		found = append(found, circle)
	}
	return found
}

func has(m map[string]int, key string) bool {
	_, ok := m[key]
	return ok
}

func froms(links []link) (names []string) {
	for _, l := range links {
		names = append(names, l.from)
	}
	return names
}
