package validate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

const (
	question1 = fs.Forgemind + "/questions/Q-1.json"
	change1   = fs.Forgemind + "/questions/Q-1.updated-a1.json"
	action1   = fs.Forgemind + "/actions/ACT-1.json"
	goal1     = fs.Forgemind + "/goals/goal-1.json"
	progress1 = fs.Forgemind + "/progress/20261123T081000000Z-a1.json"
)

// TestRulesOfRecords judges files of records and of changes.
func TestRulesOfRecords(t *testing.T) {
	question := func(more string) string { return `{"id": "Q-1", "question": "Which?"` + more + `}` }
	changed := func(set string) string { return `{"of": "Q-1", "set": {` + set + `}}` }
	view := func(actions, questions string) string {
		return change(t, state, `[{"id": "ACT-001", "action": "write", "created": "2025-10-27T09:00:00Z", "due": "2025-10-27T12:00:00Z"}]`, actions+`, "open_questions": `+questions)
	}
	for _, c := range []struct {
		name         string
		wrong, right pages
		want         []string
	}{
		{
			"a record by another name",
			pages{question1: `{"id": "Q-2", "question": "Which?"}`},
			pages{question1: question(""), fs.Forgemind + "/questions/Q-1%2E5.json": `{"question": "Which?", "id": "Q-1.5"}`},
			[]string{question1 + `:1:8: error: the question Q-2 stands in a file named Q-1.json [misnamed-record]`},
		},
		{
			"a copy that a program for synchronizing made",
			pages{question1: question(""), fs.Forgemind + "/questions/Q-1 (1).json": question("Two")},
			pages{question1: question(""), fs.Forgemind + "/questions/Q-1 (1).json": question("")},
			[]string{`.forgemind/questions/Q-1 (1).json:1:1: warning: a copy of Q-1.json that says something else; it is not read [stray-copy]`},
		},
		{
			"a copy that has a name of its own",
			pages{question1: question(""), fs.Forgemind + "/questions/Q-1-DESKTOP.json": question("")}, pages{question1: question("")},
			[]string{`.forgemind/questions/Q-1-DESKTOP.json:1:8: error: the question Q-1 stands in a file named Q-1-DESKTOP.json [misnamed-record]`},
		},
		{
			"a change of another record than its file is of",
			pages{question1: question(""), change1: `{"of": "Q-2", "set": {"priority": "high"}}`}, pages{question1: question(""), change1: changed(`"priority": "high"`)},
			[]string{change1 + `:1:8: error: the change is of Q-2, but its file is named after Q-1 [misnamed-record]`},
		},
		{
			"a change that is not named as one",
			pages{question1: question(""), fs.Forgemind + "/questions/Q-1.updated.json": changed(`"priority": "high"`)},
			pages{question1: question(""), fs.Forgemind + "/questions/Q-1.moved-B_2-c.json": changed(`"priority": "high"`)},
			[]string{`.forgemind/questions/Q-1.updated.json:1:1: error: the name Q-1.updated.json is not that of a change [misnamed-record]`},
		},
		{
			"the project",
			pages{fs.ProjectFile: `{"id": "p-1"}`, progress1: `{"of": "p-1", "set": {"clarity": 5}}`},
			pages{fs.ProjectFile: `{"id": "p-1"}`, progress1: `{"of": "project", "set": {"clarity": 5, "id": "p-2"}}`},
			[]string{progress1 + `:1:8: error: the change is of p-1, but its folder is that of changes of the project [misnamed-record]`},
		},
		{
			"what a change sets",
			pages{question1: question(""), change1: changed(""), fs.Forgemind + "/questions/Q-1.updated-a2.json": changed(`"id": "Q-2"`)},
			pages{question1: question(""), change1: changed(`"context": null`)},
			[]string{
				change1 + `:1:22: error: the change sets nothing [record-change]`,
				`.forgemind/questions/Q-1.updated-a2.json:1:29: error: a change may not set the id [record-change]`,
			},
		},
		{
			"changes without their record are one finding",
			pages{change1: changed(`"priority": "high"`), fs.Forgemind + "/questions/Q-1.answered-a2.json": changed(`"status": "answered"`), ".quaid/questions/Q-1.json": question("")},
			pages{progress1: `{"of": "project", "set": {"clarity": 5}}`},
			[]string{question1 + `:1:1: warning: Lost record: question Q-1 [lost-record]`},
		},
		{
			"a change that saw one which is not there",
			pages{question1: question(""), change1: `{"of": "Q-1", "after": ["a0"], "set": {"priority": "high"}}`},
			pages{question1: question(""), change1: `{"of": "Q-1", "after": ["a2"], "set": {"priority": "high"}}`, fs.Forgemind + "/questions/Q-1.answered-a2.json": changed(`"status": "answered"`)},
			[]string{change1 + `:1:25: warning: there is no change a0 of the question Q-1 [dangling-reference]`},
		},
		{
			"one id in both homes",
			pages{question1: question(""), ".quaid/questions/Q-1.json": question("")}, pages{question1: question(""), ".quaid/notes/Q-1.json": `{"id": "Q-1", "note": "n"}`},
			[]string{`.quaid/questions/Q-1.json:1:1: error: the question Q-1 stands in .forgemind/questions/Q-1.json already [duplicate-id]`},
		},
		{
			"ids that differ only in case, in one home",
			pages{question1: question(""), fs.Forgemind + "/questions/q-1.json": strings.Replace(question(""), "Q-1", "q-1", 1)}, pages{question1: question("")},
			[]string{`.forgemind/questions/q-1.json:1:1: error: its name and .forgemind/questions/Q-1.json differ only in letter case or Unicode form: on macOS and Windows they are one file [duplicate-id]`},
		},
		{
			"what a record names is told once, whatever views show it",
			pages{
				question1: question(`, "blocking": ["ACT-9"]`), action1: `{"id": "ACT-1", "action": "a", "blocked_by": "Q-9"}`, goal1: `{"id": "goal-1", "goal": "g", "parent_goal_id": "goal-9"}`,
				fs.State: view(`[{"id": "ACT-1", "action": "a", "blocked_by": "Q-9"}]`, `[{"id": "Q-1", "question": "Which?", "blocking": ["ACT-9"]}]`),
				hot:      strings.Replace(hot1, `"active_goals": []`, `"active_goals": [{"id": "goal-1", "goal": "g", "parent_goal_id": "goal-9"}]`, 1), meta: metadata1,
			},
			pages{question1: question(`, "blocking": ["ACT-1"]`), action1: `{"id": "ACT-1", "action": "a", "blocked_by": ["Q-1", "the boss"]}`},
			[]string{
				action1 + `:1:46: warning: there is no action, question or decision Q-9 [dangling-reference]`,
				goal1 + `:1:49: warning: there is no goal goal-9 [dangling-reference]`,
				question1 + `:1:50: warning: there is no action, question or decision ACT-9 [dangling-reference]`,
			},
		},
		{
			"what a change makes of a record is what counts",
			pages{action1: `{"id": "ACT-1", "action": "a", "blocked_by": "Q-8"}`, fs.Forgemind + "/actions/ACT-1.updated-a1.json": `{"of": "ACT-1", "set": {"blocked_by": ["Q-9"]}}`},
			pages{action1: `{"id": "ACT-1", "action": "a", "blocked_by": "Q-8"}`, fs.Forgemind + "/actions/ACT-1.updated-a1.json": `{"of": "ACT-1", "set": {"blocked_by": null}}`},
			[]string{`.forgemind/actions/ACT-1.updated-a1.json:1:40: warning: there is no action, question or decision Q-9 [dangling-reference]`},
		},
		{
			"a record that is no longer in force may name what is gone",
			pages{question1: question(`, "blocking": ["ACT-9"], "status": "blocked"`)},
			pages{question1: question(`, "blocking": ["ACT-9"]`), change1: changed(`"status": "answered"`)},
			[]string{question1 + `:1:50: warning: there is no action, question or decision ACT-9 [dangling-reference]`},
		},
		{
			"a record may name what a view alone has, and a view what a record alone has",
			pages{fs.State: view(`[{"id": "ACT-2", "action": "b", "blocked_by": "Q-2"}]`, `[]`), question1: question(`, "blocking": ["ACT-2"]`)},
			pages{fs.State: view(`[{"id": "ACT-2", "action": "b", "blocked_by": "Q-1"}]`, `[]`), question1: question(`, "blocking": ["ACT-2"]`), change1: changed(`"status": "answered"`)},
			[]string{fs.State + `:8:68: warning: there is no action, question or decision Q-2 [dangling-reference]`},
		},
		{
			"concurrent values are no fault",
			pages{},
			pages{question1: question(""), change1: changed(`"context": "a"`), fs.Forgemind + "/questions/Q-1.updated-a2.json": changed(`"context": "b"`)},
			nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, "wrong", judgeTree(t, c.wrong), c.want...)
			expect(t, "right", judgeTree(t, c.right))
		})
	}
}

// TestARecordIsJudgedByItself: its name counts wherever the tree stands.
func TestARecordIsJudgedByItself(t *testing.T) {
	got := Bytes("/home/ann/p/.quaid/questions/Q-1.json", []byte(`{"id": "Q-2", "question": "Which?", "blocking": ["ACT-9"]}`), Options{})
	expect(t, "by itself", got, `/home/ann/p/.quaid/questions/Q-1.json:1:8: error: the question Q-2 stands in a file named Q-1.json [misnamed-record]`)
}

func TestAgainstRecords(t *testing.T) {
	const (
		asked    = `{"id": "Q-1", "question": "Which?"}`
		set      = `{"of": "Q-1", "at": "2026-11-23T08:00:00Z", "set": {"priority": "high"}}`
		elsewhen = fs.Quaid + "/questions/Q-1.json"
	)
	tree := pages{question1: asked, change1: set, fs.ProjectFile: `{"name": "P"}`, progress1: `{"of": "project", "set": {"clarity": 5}}`}
	for _, c := range []struct {
		name          string
		before, after pages
		want          []string
	}{
		{"nothing changed", tree, tree, nil},
		{"laid out otherwise", tree, tree.with(question1, "{\"question\": \"Wh\\u0069ch?\",\r\n\"id\":\"Q-1\"}"), nil},
		{"a record was added", tree, tree.with(action1, `{"id": "ACT-1", "action": "a"}`), nil},
		{"a record was edited", tree, tree.with(question1, strings.Replace(asked, "Which", "Why", 1)),
			[]string{question1 + `:1:27: warning: Changed record: question Q-1 is not what was recorded: question [changed-record]`}},
		{"a member went", tree.with(question1, `{"a/b": 1, "id": "Q-1", "question": "Which?"}`), tree,
			[]string{question1 + `:1:1: warning: Changed record: question Q-1 is not what was recorded: "a/b" [changed-record]`}},
		{"a change was edited", tree, tree.with(change1, strings.Replace(set, "high", "low", 1)),
			[]string{change1 + `:1:52: warning: Changed record: a change of the question Q-1 is not what was recorded: set [changed-record]`}},
		{"a record went, its changes with it", tree, tree.with(question1, "", change1, ""),
			[]string{question1 + `:1:1: warning: Lost record: question Q-1 [lost-record]`}},
		{"a change went", tree, tree.with(change1, ""),
			[]string{change1 + `:1:1: warning: Lost record: a change of the question Q-1 [lost-record]`}},
		{"both moved to the other home", tree, tree.with(question1, "", change1, "", elsewhen, asked, ".quaid/questions/Q-1.updated-a1.json", set), nil},
		{"it moved and was edited", tree.with(change1, ""), tree.with(change1, "", question1, "", elsewhen, strings.Replace(asked, "Which", "Why", 1)),
			[]string{elsewhen + `:1:27: warning: Changed record: question Q-1 is not what was recorded: question [changed-record]`}},
		{"the project and a change of it", tree, tree.with(fs.ProjectFile, "", progress1, strings.Replace(tree[progress1], "5", "6", 1)),
			[]string{
				fs.ProjectFile + `:1:1: warning: Lost record: project [lost-record]`,
				progress1 + `:1:26: warning: Changed record: a change of the project is not what was recorded: set [changed-record]`,
			}},
		{"what is no JSON now is told by another rule", tree, tree.with(question1, "{"), nil},
		{"the change silences the rule", tree, tree.with(change1, "", fs.Config, `{"validation": {"severity": {"lost-record": "off"}}}`),
			[]string{change1 + `:1:1: warning: Lost record: a change of the question Q-1 [lost-record]`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Against(c.before, c.after)
			if err != nil {
				t.Fatal(err)
			}
			expect(t, "against", got, c.want...)
		})
	}
}

// TestEditOf: what an edit of a record sets, and what no change can say.
func TestEditOf(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{question1, `{"id": "Q-1", "question": "a", "context": "c"}`, `{"question": "b", "more": [1], "id": "Q-1"}`, `map[context:<nil> more:[1] question:"b"]`},
		{question1, `{"id": "Q-1", "question": "a"}`, `{"question":"a","id":"Q-1"}`, "none"},
		{question1, `{"id": "Q-1", "question": "a"}`, `{"id": "Q-2", "question": "b"}`, "none"},
		{question1, `{"id": "Q-1", "question": "a"}`, `{"id": "Q-1", "question": "b", "question": "c"}`, "none"},
		{question1, `{"id": "Q-1", "question": "a"}`, `{"id": "Q-1", "question": `, "none"},
		{change1, `{"of": "Q-1", "set": {"a": 1, "b": 1}}`, `{"of": "Q-1", "set": {"a": 2, "b": 1, "c": 3}}`, "map[a:2 c:3]"},
		{change1, `{"of": "Q-1", "set": {"a": 1, "b": 1}}`, `{"of": "Q-1", "set": {"a": 1}}`, "none"},
		{change1, `{"of": "Q-1", "set": {"a": 1}}`, `{"of": "Q-1", "by": "ann", "set": {"a": 2}}`, "none"},
		{fs.ProjectFile, `{"id": "a"}`, `{"id": "b"}`, `map[id:"b"]`},
	} {
		d := new(document)
		d.name = c.name
		file, _ := d.recordFile()
		set, ok := editOf([]byte(c.before), []byte(c.after), file)
		got := "none"
		if ok {
			texts := map[string]string{}
			for name, v := range set {
				texts[name] = fmt.Sprintf("%s", v)
				if v == nil {
					texts[name] = "<nil>"
				}
			}
			got = fmt.Sprint(texts)
		}
		if got != c.want {
			t.Errorf("%s to %s sets %s, want %s", c.before, c.after, got, c.want)
		}
	}
}
