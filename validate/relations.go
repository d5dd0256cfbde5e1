package validate

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/forgemind/forgemind/internal/records"
)

// A relating is a record in force that names others.
type relating struct {
	id    string
	named []reference // what is the member
}

// relating returns the records in force with the ids that they name, each at its latest
// place.
func (c *treeFacts) relating() (all []relating) {
	files := map[string][]recorded{}
	for _, r := range c.records {
		base := r.file.Base()
		files[base] = append(files[base], r)
	}
	for _, r := range c.records { // sorted
		if r.file.Change != "" || r.file.Folder.Kind.Name == records.Project.Name {
			continue
		}
		list := files[r.name]
		if !slices.ContainsFunc(list, func(r recorded) bool { return len(r.named) > 0 }) {
			continue
		}
		var changes []records.Change
		for _, other := range list {
			if other.file.Change != "" {
				changes = append(changes, other.change)
			}
		}
		state := records.Fold(r.file.Folder.Kind, r.members, changes)
		if !(records.Record{Kind: r.file.Folder.Kind, State: state}).InForce() {
			continue
		}
		// Newest first, the record itself last.
		slices.SortStableFunc(list, func(a, b recorded) int {
			return cmp.Or(cmp.Compare(b.change.At, a.change.At), cmp.Compare(b.change.ID, a.change.ID))
		})
		if now := lastNamed(list, state.Members); len(now) > 0 {
			all = append(all, relating{r.file.Record, now})
		}
	}
	return all
}

// lastNamed returns the ids in the members of a record, each at the first of files that
// contains it.
func lastNamed(files []recorded, members records.Members) (named []reference) {
	for _, r := range files {
		for _, ref := range r.named {
			known := slices.ContainsFunc(named, func(n reference) bool { return n.id == ref.id && n.what == ref.what })
			if !known && slices.Contains(textsOf(members[ref.what]), ref.id) {
				named = append(named, ref)
			}
		}
	}
	return named
}

// textsOf returns the texts of a value that is one text or a list with texts.
func textsOf(value json.RawMessage) (texts []string) {
	var one string
	var list []any
	if json.Unmarshal(value, &one) == nil {
		return []string{one}
	}
	if json.Unmarshal(value, &list) == nil {
		for _, v := range list {
			if s, ok := v.(string); ok {
				texts = append(texts, s)
			}
		}
	}
	return texts
}

// relate reports ids in records that do not exist. It returns the reported ones, so
// that the copies in views are not reported again.
func (c *treeFacts) relate(decisions, completed map[string]bool) map[string]bool {
	told := map[string]bool{}
	if len(c.records) == 0 {
		return told
	}
	n := c.recordNames()
	items, goals := map[string]bool{}, map[string]bool{}
	for _, id := range c.items {
		items[id] = true
	}
	for _, name := range c.goals {
		goals[name] = true
	}
	for _, r := range c.relating() {
		for _, ref := range r.named {
			what, found := "action, question or decision", false
			if ref.what == "parent_goal_id" {
				what, found = "goal", goals[ref.id] || completed[ref.id] || n.ids[records.Goal.Name][ref.id]
			} else {
				found = items[ref.id] || decisions[ref.id] || n.ids[records.Action.Name][ref.id] || n.ids[records.Question.Name][ref.id]
			}
			if !found && !c.lost[ref.id] {
				told[r.id+"\x00"+ref.id], told["\x00"+ref.id] = true, true // an item may have no id
				c.at(ref.spot, danglingMessage(ref.id, what), danglingHint)
			}
		}
	}
	return told
}

// unseen reports changes whose parents do not exist.
func (c *treeFacts) unseen() {
	if len(c.records) == 0 {
		return
	}
	n := c.recordNames()
	for _, r := range c.records {
		base := r.file.Base()
		for _, ref := range r.after {
			if !n.changes[base][ref.id] {
				c.at(ref.spot, "there is no change "+plain(ref.id)+" of the "+titleOf(r.file),
					"bring the change back where it was lost; without it the values that it set may hold again, or count as concurrent")
			}
		}
	}
}
