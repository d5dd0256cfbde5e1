package validate

// parents checks that the parent of every goal is a goal. A completed goal is in the
// metadata of a session, which is not available for a single document.
func (d *document) parents() {
	if d.facts == nil {
		return
	}
	var goals map[string]string
	array := d.tape.Member(0, "active_goals")
	for g := d.first(array); g >= 0; g = d.next(g) {
		parent := d.parent(g)
		if parent < 0 {
			continue
		}
		if goals == nil {
			goals = d.goals(array)
		}
		if id := d.str(parent); goals[id] == "" {
			d.referFrom(g, parent, "goal")
		}
	}
}

// parent returns the node of a goal's parent, -1 if it has none. Words are a parent
// only as parent_goal_id.
func (d *document) parent(goal int) int {
	for _, name := range [...]string{"parent_goal_id", "parent_goal", "parent"} {
		n := d.tape.Member(goal, name)
		if len(d.text(n)) > 0 && (name == "parent_goal_id" || idShaped(d.text(n))) {
			return n
		}
	}
	return -1
}

// goalNames are the members that can identify a goal, best first.
var goalNames = [...]string{"id", "goal_id", "goal", "description"}

// goals maps each name of each goal to the best name of the same goal.
func (d *document) goals(array int) map[string]string {
	goals := map[string]string{}
	for g := d.first(array); g >= 0; g = d.next(g) {
		for _, name := range goalNames {
			if n := d.tape.Member(g, name); n >= 0 && goals[d.str(n)] == "" {
				goals[d.str(n)] = d.goalName(g)
			}
		}
	}
	return goals
}

func (d *document) goalName(goal int) string {
	for _, name := range goalNames {
		if n := d.tape.Member(goal, name); len(d.text(n)) > 0 {
			return d.str(n)
		}
	}
	return ""
}
