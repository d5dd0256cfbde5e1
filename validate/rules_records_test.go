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
			[]string{question1 + `:1:8: error: the question Q-2 is in a file named Q-1.json [misnamed-record]`},
		},
		{
			"a copy that a program for synchronizing made",
			pages{question1: question(""), fs.Forgemind + "/questions/Q-1 (1).json": question("")}, pages{question1: question("")},
			[]string{`.forgemind/questions/Q-1 (1).json:1:8: error: the question Q-1 is in a file named "Q-1 (1).json" [misnamed-record]`},
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
			"what a change sets is of the type that the record has it in",
			pages{
				question1: question(""), change1: changed(`"blocking": "ACT-1", "asked_at": "yesterday", "question": null`),
				action1: `{"id": "ACT-1", "action": "a"}`, fs.Forgemind + "/actions/ACT-1.updated-a1.json": `{"of": "ACT-1", "set": {"layer": 7, "action": ""}}`,
				progress1: `{"of": "project", "set": {"clarity": "much", "current_layer": null, "progress/1": 5, "/role": {"mode": 1}}}`,
			},
			pages{
				question1: question(""), change1: changed(`"blocking": ["ACT-1"], "asked_at": null, "mine": {"a": 1}`),
				action1: `{"id": "ACT-1", "action": "a"}`, fs.Forgemind + "/actions/ACT-1.updated-a1.json": `{"of": "ACT-1", "set": {"layer": 2, "blocked_by": ["the boss"], "status": "done"}}`,
				progress1: `{"of": "project", "set": {"clarity": 5, "status": null, "progress/1": {"clarity": 5}, "/notes/x": 1, "mine": [], "/role": {"mode": "Boss Mode"}}}`,
			},
			[]string{
				`.forgemind/actions/ACT-1.updated-a1.json:1:34: error: set.layer must be at most 5, found 7 [record-change]`,
				`.forgemind/actions/ACT-1.updated-a1.json:1:47: error: set.action must not be empty [record-change]`,
				progress1 + `:1:38: error: set.clarity must be a number, found the string "much" [record-change]`,
				progress1 + `:1:63: error: a change may not remove current_layer [record-change]`,
				progress1 + `:1:83: error: set."progress/1" must be an object, found 5 [record-change]`,
				progress1 + `:1:104: error: set."/role".mode must be a string, found 1 [record-change]`,
				change1 + `:1:35: error: set.blocking must be an array, found the string "ACT-1" [record-change]`,
				change1 + `:1:56: error: set.asked_at must be an RFC 3339 time such as 2025-10-27T10:00:00Z, found the string "yesterday" [record-change]`,
				change1 + `:1:81: error: a change may not remove question [record-change]`,
			},
		},
		{
			"a status that nobody knows",
			pages{question1: question(""), change1: changed(`"status": "parked"`)},
			pages{question1: question(""), change1: changed(`"status": "in-progress"`), action1: `{"id": "ACT-1", "action": "a"}`, fs.Forgemind + "/actions/ACT-1.updated-a1.json": `{"of": "ACT-1", "set": {"status": null}}`},
			[]string{change1 + `:1:33: warning: status is "parked", none of open, awaiting_answer, in-progress, blocked, answered, canceled, removed [unknown-word]`},
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
			[]string{`.quaid/questions/Q-1.json:1:1: error: the question Q-1 is in .forgemind/questions/Q-1.json already [duplicate-id]`},
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
	expect(t, "by itself", got, `/home/ann/p/.quaid/questions/Q-1.json:1:8: error: the question Q-2 is in a file named Q-1.json [misnamed-record]`)
}

func TestAgainstRecords(t *testing.T) {
	const (
		asked    = `{"id": "Q-1", "question": "Which?"}`
		set      = `{"of": "Q-1", "at": "2026-11-23T08:00:00Z", "set": {"priority": "high"}}`
		elsewhen = fs.Quaid + "/questions/Q-1.json"
		answer1  = fs.Forgemind + "/clarifications/Q-1-a1.json"
		handoff1 = fs.Forgemind + "/handoffs/handoff-1.json"
		pin1     = fs.Forgemind + "/channels/general/pins/pin-1.json"
		thread1  = fs.Forgemind + "/threads/general/cache-1/thread-1.json"
		message1 = fs.Forgemind + "/threads/general/cache-1/msg-1.json"
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
		{"an answer was edited", tree.with(answer1, asked), tree.with(answer1, strings.Replace(asked, "Which", "Why", 1)),
			[]string{answer1 + `:1:27: warning: Changed record: clarification Q-1-a1 is not what was recorded: question [changed-record]`}},
		{"a handoff, a pin and an answer went", tree.with(answer1, asked, handoff1, asked, pin1, asked), tree,
			[]string{
				pin1 + `:1:1: warning: Lost record: pin pin-1 [lost-record]`,
				answer1 + `:1:1: warning: Lost record: clarification Q-1-a1 [lost-record]`,
				handoff1 + `:1:1: warning: Lost record: handoff handoff-1 [lost-record]`,
			}},
		{"a thread went, its messages with it", tree.with(thread1, asked, message1, asked), tree,
			[]string{thread1 + `:1:1: warning: Lost record: thread thread-1 [lost-record]`}},
		{"a message went", tree.with(thread1, asked, message1, asked), tree.with(thread1, asked),
			[]string{message1 + `:1:1: warning: Lost record: message msg-1 [lost-record]`}},
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
