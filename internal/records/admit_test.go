package records

import (
	"encoding/json"
	"testing"
)

// A value that no view can show counts as not said, in the file of a record and in its
// changes.
func TestValuesThatNoViewCanShow(t *testing.T) {
	const role = `"/role":{"agent":"A","agent_id":"B","mode":"C"}`
	for _, c := range []struct {
		kind             Kind
		base, set, shows string // "" for no record
	}{
		{Action, `{"id":"A","action":"a","layer":77}`, `{}`, `{"action":"a","id":"A"}`},
		{Action, `{"id":"A","action":"a","layer":1}`, `{"layer":77,"created":5,"action":null}`, `{"action":"a","id":"A","layer":1}`},
		{Action, `{"id":"A","action":"a","layer":1,"layer":77}`, `{}`, `{"action":"a","id":"A","layer":1}`},
		{Action, `{"id":"A","action":"a","action":5}`, `{}`, `{"action":"a","id":"A"}`},
		{Action, `{"id":"A","action":"a","x":{"a":1,"a":2},"y":1}`, `{"z":{"a":1,"a":2}}`, `{"action":"a","id":"A","y":1}`},
		{Action, `{"id":"A","action":5}`, `{}`, ``},
		{Action, `{"id":"A"}`, `{}`, ``},
		{Goal, `{"id":"A","goal":"a"}`, `{"parent_goal_id":[1],"priority":"high"}`, `{"goal":"a","id":"A","priority":"high"}`},
		{Project, `{"id":"p1","clarity":40,` + role + `}`, `{"clarity":"much","current_layer":9}`, `{` + role + `,"clarity":40,"id":"p1"}`},
		{Project, `{"name":5,"clarity":40}`, `{"/role":{},"/context_window":5,"progress/1":7}`, `{"clarity":40}`},
		{Handoff, `{"id":"my task","task":"","created":"2025-10-27T10:00:00"}`, `{"status":7}`, `{"created":"2025-10-27T10:00:00","id":"my task","status":7,"task":""}`},
		{Thread, `{"id":"t","status":"closed"}`, `{}`, `{"id":"t","status":"closed"}`},
	} {
		base, err := c.kind.members([]byte(c.base))
		if c.shows == "" {
			if err == nil {
				t.Errorf("%s: a record", c.base)
			}
			continue
		}
		var set Members
		if err := json.Unmarshal([]byte(c.set), &set); err != nil {
			t.Fatal(err)
		}
		r := Record{Kind: c.kind, ID: base.Text("id"), Base: base}.with([]Change{{ID: "c", Set: set}})
		if got, err2 := json.Marshal(r.Members); err != nil || err2 != nil || string(got) != c.shows {
			t.Errorf("%s with %s: %s, %v, %v\nwant %s", c.base, c.set, got, err, err2, c.shows)
		}
		for name := range r.Changes[0].Set { // what a change does not say, it does not remove
			if _, ok := r.Members[name]; !ok {
				t.Errorf("%s with %s: %s counts as removed", c.base, c.set, name)
			}
		}
	}
}
