package validate

import (
	"errors"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

func TestGate(t *testing.T) {
	edit := func(pairs ...string) string { return change(t, state, pairs...) }
	line := func(id string) string { return strings.Replace(record, "m-1", id, 1) + "\n" }
	broken := edit(`"MODULE"`, `"CODE"`)
	config := func(rule, severity string) string {
		return `{"validation": {"severity": {"` + rule + `": "` + severity + `"}}}`
	}
	for _, c := range []struct {
		name          string
		before, after pages
		want          []string // none: the write passes
	}{
		{"a good write", pages{fs.State: state}, pages{fs.State: edit(`"clarity": 85`, `"clarity": 90`)}, nil},
		{"a new error", pages{fs.State: state}, pages{fs.State: broken},
			[]string{`.forgemind/context/current-context.json:5:62: error: Layer mismatch: 1 != CODE (layer 1 is MODULE) [layer-mismatch]`}},
		{"an old error stays, somewhere else in the text", pages{fs.State: broken}, pages{fs.State: "\n\n" + strings.Replace(broken, `"clarity": 85`, `"clarity": 90`, 1)}, nil},
		{"an old error does not excuse a new one", pages{fs.State: broken}, pages{fs.State: strings.Replace(broken, `"clarity": 85`, `"clarity": "x"`, 1)},
			[]string{`.forgemind/context/current-context.json:5:81: error: project.clarity must be a number, found the string "x" [schema]`}},
		{"an old error moves, as what stands before it goes", pages{hot: `{"notes": ["a", 7, "b", 8]}`}, pages{hot: `{"notes": [7, 8]}`}, nil},
		{"an old error does not excuse another one in its list", pages{hot: `{"notes": ["a", 7]}`}, pages{hot: `{"notes": [8, "b"]}`},
			[]string{`.quaid/context/sessions/c-1/hot_context.json:1:12: error: notes[0] must be a string or an object, found 8 [schema]`}},
		{"nor does it excuse a copy of itself", pages{hot: `{"notes": ["a", 7]}`}, pages{hot: `{"notes": [7, 7]}`},
			[]string{`.quaid/context/sessions/c-1/hot_context.json:1:15: error: notes[1] must be a string or an object, found 7 [schema]`}},
		{"a broken document may be mended", pages{fs.State: state[:100]}, pages{fs.State: state}, nil},
		{"a warning passes", pages{fs.State: state}, pages{fs.State: edit(`"usage_percent": 35`, `"usage_percent": 99`)}, nil},
		{"a warning that weighs as an error does not", pages{fs.State: state, fs.Config: config("window-arithmetic", "error")},
			pages{fs.State: edit(`"usage_percent": 35`, `"usage_percent": 99`), fs.Config: config("window-arithmetic", "error")},
			[]string{`.forgemind/context/current-context.json:6:81: error: usage_percent is 99, but 100 x used_tokens / total_tokens is 35 [window-arithmetic]`}},
		{"a rule that is switched off passes", pages{fs.State: state, fs.Config: config("layer-mismatch", "off")}, pages{fs.State: broken, fs.Config: config("layer-mismatch", "off")}, nil},
		{"a rule can't be switched off in the write it would refuse", pages{fs.State: state}, pages{fs.State: broken, fs.Config: config("layer-mismatch", "off")},
			[]string{`.forgemind/context/current-context.json:5:62: error: Layer mismatch: 1 != CODE (layer 1 is MODULE) [layer-mismatch]`}},
		{"a record is added behind a bad line", pages{messages: "no\n" + line("a")}, pages{messages: "no\n" + line("a") + line("b")}, nil},
		{"a bad record is added", pages{messages: "no\n" + line("a")}, pages{messages: "no\n" + line("a") + "{}\n"},
			[]string{
				`.forgemind/context/messages.jsonl:3:1: error: missing member content [schema]`,
				`.forgemind/context/messages.jsonl:3:1: error: the document must have msg_id and timestamp, or msg_id and ts, or id and timestamp, or id and ts [schema]`,
			}},
		{"a bad line moves up", pages{messages: line("a") + "no\n" + line("b")}, pages{messages: "no\n" + line("b")}, nil},
		{"another bad line comes", pages{messages: line("a") + "no\n"}, pages{messages: "no\n" + "neither\n"},
			[]string{`.forgemind/context/messages.jsonl:2:1: error: the line is not one JSON object: expected a value, found "neither" [jsonl-line]`}},
		{"a bad line becomes another", pages{messages: "no\n"}, pages{messages: "neither\n"},
			[]string{`.forgemind/context/messages.jsonl:1:1: error: the line is not one JSON object: expected a value, found "neither" [jsonl-line]`}},
		{"a bad line comes twice", pages{messages: "no\n"}, pages{messages: " \nno\nno\n"},
			[]string{`.forgemind/context/messages.jsonl:3:1: error: the line is not one JSON object: expected a value, found "no": JSON writes false [jsonl-line]`}},
		{"a document is removed", pages{fs.State: state, ledger1: decision1, notes: "x"}, pages{ledger1: decision1}, nil},

		{"the Ledger grows", pages{ledger1: decision1}, pages{ledger1: decision1, ledger2: decision2}, nil},
		{"a file of the Ledger goes, though a view has it", pages{fs.State: state, ledger1: decision1}, pages{fs.State: state},
			[]string{`.forgemind/decisions/DEC-001.json:1:1: error: Lost decisions: DEC-001 [lost-decision]`}},
		{"one byte of the Ledger changes", pages{ledger1: decision1}, pages{ledger1: decision1 + "\n"},
			[]string{`.forgemind/decisions/DEC-001.json:1:1: error: Changed decision: DEC-001 is not what was recorded: its text, though not its meaning [changed-decision]`}},
		{"a decision leaves a view for the Ledger", pages{fs.State: state}, pages{fs.State: edit(`[{"id": "DEC-001", "decision": "Keep six layers"}]`, `[]`), ledger1: decision1}, nil},
		{"a decision leaves a view for nowhere", pages{fs.State: state}, pages{fs.State: edit(`[{"id": "DEC-001", "decision": "Keep six layers"}]`, `[]`)},
			[]string{`.forgemind/context/current-context.json:7:23: error: Lost decisions: DEC-001 [lost-decision]`}},
		{"a decision leaves a view, and the Ledger has its words under another id", pages{fs.State: state}, pages{fs.State: edit(`[{"id": "DEC-001", "decision": "Keep six layers"}]`, `[]`), ledger2: strings.Replace(decision1, "DEC-001", "DEC-002", 1)},
			[]string{`.forgemind/context/current-context.json:7:23: error: Lost decisions: DEC-001 [lost-decision]`}},
		{"a session goes with its decisions", pages{hot: `{"key_decisions": [{"decision": "Use Go"}, {"decision_id": "DEC-001", "description": "x"}]}`}, pages{},
			[]string{`.quaid/context/sessions/c-1/hot_context.json:1:1: error: Lost decisions: DEC-001, "Use Go" [lost-decision]`}},
		{"a decision without an id gets one in the Ledger", pages{hot: `{"key_decisions": [{"decision": "Use Go"}]}`}, pages{hot: `{"key_decisions": []}`, ledger2: decision2}, nil},
		{"a decision without an id gets one in its view", pages{hot: `{"key_decisions": [{"decision": "Use Go"}]}`}, pages{hot: `{"key_decisions": [{"id": "DEC-002", "decision": "Use Go"}]}`}, nil},
		{"a view says something else", pages{fs.State: state, ledger1: decision1}, pages{fs.State: edit("six", "five"), ledger1: decision1},
			[]string{`.forgemind/context/current-context.json:7:54: error: Changed decision: DEC-001 says "Keep five layers" now, before it said "Keep six layers" [changed-decision]`}},
		{"a view is corrected from the Ledger", pages{fs.State: edit("six", "five"), ledger1: decision1}, pages{fs.State: state, ledger1: decision1}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			names := map[string]bool{}
			for name := range c.before {
				names[name] = true
			}
			for name := range c.after {
				names[name] = true
			}
			var changed []string
			for name := range names {
				if c.before[name] != c.after[name] {
					changed = append(changed, name)
				}
			}
			err := Gate(c.before, c.after, changed)
			refused, _ := errors.AsType[*Refused](err)
			switch {
			case err == nil:
				expect(t, "passed", nil, c.want...)
			case refused == nil:
				t.Fatal(err)
			default:
				expect(t, "refused", refused.Findings, c.want...)
				if !strings.HasPrefix(err.Error(), "refused: ."+c.want[0][1:20]) {
					t.Errorf("it says: %s", err)
				}
			}
		})
	}
}

// A record of any kind is written once, and so is a change of one.
func TestGateHoldsRecordsOfEveryKind(t *testing.T) {
	const home = fs.Forgemind + "/"
	for name, text := range map[string]string{
		"decisions/DEC-1.json":                    `{"id": "DEC-1", "decision": "this"}`,
		"questions/Q-1.json":                      `{"id": "Q-1", "question": "this"}`,
		"questions/Q-1.updated-a1.json":           `{"of": "Q-1", "set": {"question": "this"}}`,
		"actions/ACT-1.json":                      `{"id": "ACT-1", "action": "this"}`,
		"goals/goal-1.json":                       `{"id": "goal-1", "goal": "this"}`,
		"constraints/con-1.json":                  `{"id": "con-1", "constraint": "this"}`,
		"notes/note-1.json":                       `{"id": "note-1", "note": "this"}`,
		"threads/general/plan/thread-1.json":      `{"id": "plan", "title": "this", "status": "active"}`,
		"threads/general/plan/plan.opened-a.json": `{"of": "plan", "set": {"title": "this"}}`,
		"channels/general/pins/pin-1.json":        `{"id": "pin-1", "condensation": "this"}`,
		"handoffs/one.json":                       `{"id": "one", "from": "a", "to": "b", "task": "this"}`,
		"clarifications/Q-1-a.json":               `{"id": "Q-1", "question": "this", "answer": "b"}`,
		"context/project.json":                    `{"name": "this"}`,
		"progress/20260102T000000000Z-a1.json":    `{"of": "project", "set": {"name": "this"}}`,
	} {
		lost, changed := lostRecordName, changedRecordName
		if strings.HasPrefix(name, fs.DecisionsDir) {
			lost, changed = lostName, changedName
		}
		for what, c := range map[string]struct {
			after pages
			rule  string // "" where the write passes
		}{
			"its words change":            {pages{home + name: strings.Replace(text, "this", "that", 1)}, changed},
			"a member comes":              {pages{home + name: strings.Replace(text, "{", `{"more": 1, `, 1)}, changed},
			"it goes":                     {pages{}, lost},
			"it is written as it was":     {pages{home + name: text}, ""},
			"it moves to the other home":  {pages{".quaid/" + name: text}, ""},
			"it moves, with other words":  {pages{".quaid/" + name: strings.Replace(text, "this", "that", 1)}, changed},
			"a change of it comes beside": {pages{home + name: text, home + "questions/Q-1.updated-b2.json": `{"of": "Q-1", "set": {"priority": "high"}}`}, ""},
		} {
			if strings.HasPrefix(what, "it moves") && otherHome(home+name) == "" {
				continue
			}
			names := []string{home + name}
			for other := range c.after {
				if other != names[0] {
					names = append(names, other)
				}
			}
			err := Gate(pages{home + name: text}, c.after, names)
			refused, _ := errors.AsType[*Refused](err)
			switch {
			case c.rule == "" && err != nil:
				t.Errorf("%s, %s: %v", name, what, err)
			case c.rule != "" && (refused == nil || len(refused.Findings) != 1 || refused.Findings[0].Rule != c.rule):
				t.Errorf("%s, %s: %v, wanted %s", name, what, err, c.rule)
			}
		}
	}
}

func TestGateFailsWhereItCantRead(t *testing.T) {
	refuse := errors.New("disk on fire")
	err := Gate(pages{}, failing{pages{}, refuse}, []string{fs.State})
	if !errors.Is(err, refuse) {
		t.Errorf("got %v", err)
	}
}

// failing is a Reader that can't read.
type failing struct {
	pages
	err error
}

func (f failing) Read(string) ([]byte, error) { return nil, f.err }

// A growing is a tree to one of whose documents lines are added, and which is
// too large to be read for that.
type growing struct {
	pages
	lines string
	reads int
}

func (g *growing) Appended(name string) ([]byte, bool) { return []byte(g.lines), name == messages }

func (g *growing) Read(name string) ([]byte, error) {
	if name == messages {
		g.reads++
	}
	return g.pages.Read(name)
}

func TestGateJudgesAddedLinesByThemselves(t *testing.T) {
	before := pages{messages: "no\n" + record + "\n"}
	for _, c := range []struct {
		lines string
		reads bool
		want  string
	}{
		{strings.Replace(record, "m-1", "m-2", 1) + "\n", false, ""},
		{"{}\n", true, ".forgemind/context/messages.jsonl:3:1"}, // read for its line
	} {
		after := &growing{pages: pages{messages: before[messages] + c.lines}, lines: c.lines}
		err := Gate(before, after, []string{messages})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q: %v", c.lines, err)
		}
		if (after.reads > 0) != c.reads {
			t.Errorf("%q: read %d times", c.lines, after.reads)
		}
	}
}
