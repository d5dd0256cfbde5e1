package views_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// Programs that count ids by the length of a list take them again.
func TestItemsThatTakeAnIDAgain(t *testing.T) {
	tree := files{
		".quaid/goals/goal-001.json":           `{"id": "goal-001", "goal": "Plant", "created": "2026-01-01T10:00:00Z"}`,
		".quaid/goals/goal-002.json":           `{"id": "goal-002", "goal": "Water", "created": "2026-01-02T10:00:00Z"}`,
		".quaid/goals/goal-002.updated-a.json": `{"of": "goal-002", "at": "2026-01-03T10:00:00Z", "set": {"goal": "Water daily", "created": "2026-01-03T10:00:00Z"}}`,
		".quaid/goals/goal-003.json":           `{"id": "goal-003", "goal": "Prune", "created": "2026-01-03T10:00:00Z"}`,
		".quaid/goals/goal-003.done-a.json":    `{"of": "goal-003", "at": "2026-01-03T10:00:00Z", "set": {"status": "complete"}}`,
		".quaid/goals/goal-006.json":           `{"id": "goal-006", "goal": "Till", "created": "2026-01-06T10:00:00Z"}`,
		".quaid/goals/goal-005.json":           `{"id": "goal-005", "goal": "Mow", "created": "2026-01-05T10:00:00.25Z"}`,
		".quaid/goals/goal-0h5k2m.json":        `{"id": "goal-0h5k2m", "goal": "Rake", "created": "2026-01-01T10:00:00Z"}`,
	}
	own := schema.OwnID("goal-", "goal-006", "2026-01-07T10:00:00Z", "")
	tree[".quaid/goals/"+own+".json"] = `{"id": "` + own + `", "goal": "Hoe", "created": "2026-01-07T10:00:00Z"}`
	facts, faults := views.Read(tree)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	before := `{"goal_id": "` + own + `", "description": "Hoe", "created": "2026-01-07T10:00:00Z"}, ` +
		`{"goal_id": "goal-001", "description": "Plant", "created": "2026-01-01T10:00:00Z"}, {"goal_id": "goal-002", "description": "Water daily", "created": "2026-01-03T10:00:00Z"},` +
		` {"goal_id": "goal-005", "description": "Mow", "created": "2026-01-05T10:00:00.25Z"}, {"goal_id": "goal-0h5k2m", "description": "Rake", "created": "2026-01-01T10:00:00Z"}`
	for _, c := range []struct {
		name, after string
		want        []string // ids of new records, and with * those that change
	}{
		{"the same", before, nil},
		{"edited", `{"goal_id": "goal-001", "description": "Plant pears", "created": "2026-01-01 10:00:00"}`, []string{"*goal-001"}},
		{"edited, without a time", `{"goal_id": "goal-001", "description": "Plant pears"}`, []string{"*goal-001"}},
		{"edited, with what is no time", `{"goal_id": "goal-001", "description": "Plant pears", "created": "yesterday"}`, []string{"*goal-001"}},
		{"another time alone", `{"goal_id": "goal-001", "description": "Plant", "created": "2026-01-05T10:00:00Z"}`, []string{"*goal-001"}},
		{"taken again", `{"goal_id": "goal-001", "description": "Harvest", "created": "2026-01-05T10:00:00Z"}`, []string{"goal-z0nqp2j8x9x7"}},
		{"taken again, beside the first", before + `, {"goal_id": "goal-001", "description": "Harvest", "created": "2026-01-05T10:00:00Z"}`, []string{"goal-z0nqp2j8x9x7"}},
		{"taken again twice", before + `, {"goal_id": "goal-001", "description": "Harvest", "created": "2026-01-05T10:00:00Z"}, {"goal_id": "goal-001", "description": "Sell", "created": "2026-01-06T10:00:00Z"}`, []string{"goal-z0nqp2j8x9x7", "goal-c5bskrd12npz"}},
		{"of one that is done", `{"goal_id": "goal-003", "description": "Graft", "created": "2026-01-05T10:00:00Z"}`, []string{"goal-f3c25phxv13f"}},
		{"as it was before it was edited", `{"goal_id": "goal-002", "description": "Water", "created": "2026-01-02T10:00:00Z"}`, []string{"*goal-002"}},
		{"edited after its time was", `{"goal_id": "goal-002", "description": "Water at noon", "created": "2026-01-03T10:00:00Z"}`, []string{"*goal-002"}},
		{"of one that is done, in its words", `{"goal_id": "goal-003", "description": "Prune", "created": "2026-01-05T10:00:00Z"}`, []string{"goal-f3c25phxv13f"}},
		{"in the words of the first, beside it", before + `, {"goal_id": "goal-001", "description": "Plant", "created": "2026-01-05T10:00:00Z"}`, []string{"goal-z0nqp2j8x9x7"}},
		{"beside the first, in the words that it has now", `{"goal_id": "goal-002", "description": "Water", "created": "2026-01-02T10:00:00Z"}, {"goal_id": "goal-002", "description": "Water daily", "created": "2026-01-09T10:00:00Z"}`, []string{"*goal-002", "goal-2jwgxxcp4jam"}},
		{"taken again twice, at one time", before + `, {"goal_id": "goal-001", "description": "Harvest", "created": "2026-01-05T10:00:00Z"}, {"goal_id": "goal-001", "description": "Sell", "created": "2026-01-05T10:00:00Z"}`, []string{"goal-z0nqp2j8x9x7", "goal-bqs2bvzyywm3"}},
		{"beside the first, without a time", before + `, {"goal_id": "goal-001", "description": "Harvest"}`, []string{"goal-12ha0kydje4r"}},
		{"taken again, the time spelled otherwise", `{"goal_id": "goal-001", "description": "Harvest", "created": "2026-01-05 11:00:00.000+01:00"}`, []string{"goal-z0nqp2j8x9x7"}},
		{"edited, with a less precise time", `{"goal_id": "goal-005", "description": "Mow daily", "created": "2026-01-05T10:00:00Z"}`, []string{"*goal-005"}},
		{"an id of ours", `{"goal_id": "goal-0h5k2m", "description": "Burn", "created": "2026-01-05T10:00:00Z"}`, []string{"*goal-0h5k2m"}},
		{"in the words of the first, which stands no more", `{"goal_id": "goal-006", "description": "Till", "created": "2026-01-07T10:00:00Z"}`, []string{"*" + own}},
		{"new, twice", `{"goal_id": "goal-004", "description": "Dig", "created": "2026-01-05T10:00:00Z"}, {"goal_id": "goal-004", "description": "Sow", "created": "2026-01-06T10:00:00Z"}`, []string{"goal-004", "goal-tbggjvhd9454"}},
	} {
		d := views.Document{Name: hot, Before: []byte(`{"active_goals": [` + before + `]}`), After: []byte(`{"active_goals": [` + c.after + `]}`)}
		var got []string
		for _, e := range views.Compare([]views.Document{d}, facts) {
			switch {
			case e.New != nil:
				got = append(got, e.ID)
				if !strings.Contains(string(e.New), fmt.Sprintf(`"id":%q`, e.ID)) {
					t.Errorf("%s: the record of %s is %s", c.name, e.ID, e.New)
				}
			case !e.Closed:
				got = append(got, "*"+e.ID)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// What two views show under one id is one thing, unless it says other words and another time.
func TestAnIDOfTwoViews(t *testing.T) {
	tree := files{".forgemind/actions/ACT-0H5K2M.json": `{"id": "ACT-0H5K2M", "action": "Dig", "created": "2026-01-01T10:00:00Z"}`}
	facts, _ := views.Read(tree)
	const stood = `{"id": "ACT-0H5K2M", "action": "Dig", "created": "2026-01-01T10:00:00Z"}`
	for _, c := range []struct {
		name, state, hot string
		want             []string
	}{
		{"edited in one", `{"id": "ACT-0H5K2M", "action": "Dig deep", "created": "2026-01-01T10:00:00Z"}`, stood, []string{"*ACT-0H5K2M"}},
		{"its time edited in one", `{"id": "ACT-0H5K2M", "action": "Dig", "created": "2026-01-02T10:00:00Z"}`, stood, []string{"*ACT-0H5K2M"}},
		{"ours twice in one list", stood + `, {"id": "ACT-0H5K2M", "action": "Dig deep", "created": "2026-01-03T10:00:00Z"}`, stood, []string{"*ACT-0H5K2M"}},
		{"counted, the same", stood + `, {"id": "ACT-001", "action": "Sow", "created": "2026-01-03T10:00:00Z"}`, stood + `, {"id": "ACT-001", "action": "Sow", "created": "2026-01-03T10:00:00Z"}`, []string{"ACT-001"}},
		{"counted, two", stood + `, {"id": "ACT-001", "action": "Sow", "created": "2026-01-03T10:00:00Z"}`, stood + `, {"id": "ACT-001", "action": "Mow", "created": "2026-01-04T10:00:00Z"}`, []string{"ACT-001", "ACT-MJ66P777XZ55"}},
	} {
		document := func(name, after string) views.Document {
			return views.Document{Name: name, Before: []byte(`{"pending_actions": [` + stood + `]}`), After: []byte(`{"pending_actions": [` + after + `]}`)}
		}
		var got []string
		for _, e := range views.Compare([]views.Document{document(fs.State, c.state), document(hot, c.hot)}, facts) {
			if e.New != nil {
				got = append(got, e.ID)
			} else {
				got = append(got, "*"+e.ID)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
