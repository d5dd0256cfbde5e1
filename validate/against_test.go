package validate

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

func TestAgainst(t *testing.T) {
	view := func(entries string) string {
		return change(t, state, `[{"id": "DEC-001", "decision": "Keep six layers"}]`, entries)
	}
	whole := func(change ...string) string {
		return view(strings.NewReplacer(change...).Replace(`[{"id": "DEC-001", "decision": "Keep six layers", "rationale": "they fit", "alternatives_rejected": ["five"], "decision_maker": "Boss"}]`))
	}
	const taken = ".quaid/decisions/DEC-7CTAS0ZMKNKM.json"
	const session = `{"key_decisions": [{"id": "DEC-001", "decision": "Keep six layers"}]}`
	none, both := view(`[]`), view(`[{"id": "DEC-001", "decision": "Keep six layers"}, {"id": "DEC-002", "decision": "Use Go"}]`)
	tree := pages{fs.State: state, ledger1: decision1, ledger2: decision2}
	for _, c := range []struct {
		name          string
		before, after pages
		want          []string
	}{
		{"nothing changed", tree, tree, nil},
		{"a view got shorter", tree, tree.with(fs.State, none), nil},
		{"a decision and its views went", tree, tree.with(fs.State, none, ledger1, ""),
			[]string{`.forgemind/decisions/DEC-001.json:1:1: error: Lost decisions: DEC-001 [lost-decision]`}},
		{"the file went, a view still has it", tree, tree.with(ledger1, ""),
			[]string{`.forgemind/decisions/DEC-001.json:1:1: error: Lost decisions: DEC-001 [lost-decision]`}},
		{"the file went, a view has other words", tree, tree.with(ledger1, "", fs.State, strings.Replace(state, "six", "five", 1)),
			[]string{`.forgemind/decisions/DEC-001.json:1:1: error: Lost decisions: DEC-001 [lost-decision]`}},
		{"the folder with the Ledger went, a session still has it", tree.with(hot, session), pages{hot: session},
			[]string{
				`.forgemind/decisions/DEC-001.json:1:1: error: Lost decisions: DEC-001 [lost-decision]`,
				`.forgemind/decisions/DEC-002.json:1:1: error: Lost decisions: DEC-002 [lost-decision]`,
			}},
		{"two decisions of one view went", pages{fs.State: both}, pages{fs.State: none},
			[]string{`.forgemind/context/current-context.json:7:23: error: Lost decisions: DEC-001, DEC-002 [lost-decision]`}},
		{"the State went", pages{fs.State: both}, pages{},
			[]string{`.forgemind/context/current-context.json:1:1: error: Lost decisions: DEC-001, DEC-002 [lost-decision]`}},
		{"one byte was altered", tree, tree.with(ledger1, strings.Replace(decision1, "six", "sex", 1)),
			[]string{`.forgemind/decisions/DEC-001.json:1:68: error: Changed decision: DEC-001 is not what was recorded: decision [changed-decision]`}},
		{"one space was added", tree, tree.with(ledger1, " "+decision1),
			[]string{`.forgemind/decisions/DEC-001.json:1:2: error: Changed decision: DEC-001 is not what was recorded: its text, though not its meaning [changed-decision]`}},
		{"a member was added", tree, tree.with(ledger1, strings.Replace(decision1, `"id"`, `"more": 1, "id"`, 1)),
			[]string{`.forgemind/decisions/DEC-001.json:1:10: error: Changed decision: DEC-001 is not what was recorded: more [changed-decision]`}},
		{"it is no JSON any more", tree, tree.with(ledger1, "{"),
			[]string{`.forgemind/decisions/DEC-001.json:1:1: error: Changed decision: DEC-001 is not what was recorded: it is no JSON any more [changed-decision]`}},
		{"its id was altered", tree, tree.with(ledger2, strings.Replace(decision2, "DEC-002", "DEC-003", 1)),
			[]string{`.forgemind/decisions/DEC-002.json:1:8: error: Changed decision: DEC-002 is not what was recorded: id [changed-decision]`}},
		{"a file moved to the other folder", tree, tree.with(ledger1, "", ".quaid/decisions/DEC-001.json", decision1), nil},
		{"words of a view alone changed", pages{fs.State: state}, pages{fs.State: strings.Replace(state, "six", "five", 1)},
			[]string{`.forgemind/context/current-context.json:7:54: error: Changed decision: DEC-001 says "Keep five layers" now, before it said "Keep six layers" [changed-decision]`}},
		{"the rationale in a view alone changed", pages{fs.State: whole()}, pages{fs.State: whole("they fit", "we say so")},
			[]string{`.forgemind/context/current-context.json:7:86: error: Changed decision: DEC-001 is not what was recorded: rationale [changed-decision]`}},
		{"an alternative in a view alone went", pages{fs.State: whole()}, pages{fs.State: whole(`, "alternatives_rejected": ["five"]`, "")},
			[]string{`.forgemind/context/current-context.json:7:24: error: Changed decision: DEC-001 is not what was recorded: alternatives_rejected [changed-decision]`}},
		{"a view alone says who decided", pages{fs.State: whole(`, "decision_maker": "Boss"`, "")}, pages{fs.State: whole()},
			[]string{`.forgemind/context/current-context.json:7:151: error: Changed decision: DEC-001 is not what was recorded: decision_maker [changed-decision]`}},
		{"a view alone marks what was superseded", pages{fs.State: whole()}, pages{fs.State: whole(`"Boss"`, `"Boss", "superseded_by": "DEC-002"`)}, nil},
		{"a view alone is laid out otherwise", pages{fs.State: whole()}, pages{fs.State: whole(`["five"]`, `[ "five" ]`)}, nil},
		{"a decision of the State is in a session now", pages{fs.State: state}, pages{fs.State: none, hot: session},
			[]string{`.forgemind/context/current-context.json:7:23: error: Lost decisions: DEC-001 [lost-decision]`}},
		{"a view went into the Ledger altered", pages{fs.State: whole()}, pages{fs.State: whole(), ledger1: strings.Replace(decision1, `"decision"`, `"rationale": "we say so", "decision"`, 1)},
			[]string{`.forgemind/decisions/DEC-001.json:1:69: error: Changed decision: DEC-001 is not what was recorded: rationale, alternatives_rejected, decision_maker [changed-decision]`}},
		{"a view went into the Ledger", pages{fs.State: state}, pages{fs.State: none, ledger1: decision1}, nil},
		{"decisions of a session without ids", pages{hot: `{"key_decisions": [{"decision": "Use Go"}, {"decision": "Use fish"}]}`}, pages{ledger2: decision2},
			[]string{`.quaid/context/sessions/c-1/hot_context.json:1:1: error: Lost decisions: "Use fish" [lost-decision]`}},
		{"an id was taken again",
			pages{hot: `{"key_decisions": [{"decision_id": "dec-000", "description": "Use Go", "timestamp": "2025-10-26 15:00:00.5"}]}`},
			pages{hot: `{"key_decisions": [{"decision_id": "dec-000", "description": "Use fish", "timestamp": "2025-10-27 15:00:00.5"}]}`},
			[]string{`.quaid/context/sessions/c-1/hot_context.json:1:19: error: Lost decisions: dec-000 [lost-decision]`}},
		{"an id was taken again once it was recorded",
			pages{hot: `{"key_decisions": [{"decision_id": "DEC-001", "description": "Keep six layers", "timestamp": "2025-10-26T15:00:00Z"}]}`},
			pages{hot: `{"key_decisions": [{"decision_id": "DEC-001", "description": "Use fish", "timestamp": "2025-10-27 15:00:00.5"}]}`, ledger1: decision1}, nil},
		{"what took an id again went into the Ledger under its own",
			pages{ledger1: decision1, hot: `{"key_decisions": [{"decision_id": "DEC-001", "description": "Use fish", "timestamp": "2025-10-27 15:00:00.5"}]}`},
			pages{ledger1: decision1, taken: `{"id": "DEC-7CTAS0ZMKNKM", "decision": "Use fish", "timestamp": "2025-10-27 15:00:00.5", "origin": "imported"}`}, nil},
		{"what took an id again went",
			pages{ledger1: decision1, hot: `{"key_decisions": [{"decision_id": "DEC-001", "description": "Use fish", "timestamp": "2025-10-27 15:00:00.5"}]}`},
			pages{ledger1: decision1},
			[]string{`.quaid/context/sessions/c-1/hot_context.json:1:1: error: Lost decisions: DEC-001 [lost-decision]`}},
		{"words and time of an id that nobody counted changed",
			pages{hot: `{"key_decisions": [{"id": "DEC-001", "decision": "Use Go", "timestamp": "2025-10-26T15:00:00Z"}]}`},
			pages{hot: `{"key_decisions": [{"id": "DEC-001", "decision": "Use fish", "timestamp": "2025-10-27T15:00:00Z"}]}`},
			[]string{`.quaid/context/sessions/c-1/hot_context.json:1:50: error: Changed decision: DEC-001 says "Use fish" now, before it said "Use Go" [changed-decision]`}},
		{"the change silences the rule", tree, tree.with(fs.State, none, ledger1, "", fs.Config, `{"validation": {"severity": {"lost-decision": "off"}}}`),
			[]string{`.forgemind/decisions/DEC-001.json:1:1: error: Lost decisions: DEC-001 [lost-decision]`}},
		{"it was silent before", tree.with(fs.Config, `{"validation": {"severity": {"lost-decision": "off"}}}`), tree.with(fs.State, none, ledger1, ""), nil},
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
