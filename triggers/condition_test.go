package triggers

import (
	"errors"
	"strings"
	"testing"

	"github.com/expr-lang/expr/vm"
)

func TestEval(t *testing.T) {
	s := scope{
		CurrentLayer: 2, PreviousLayer: 1,
		CurrentClarity: 87.5, PreviousClarity: 75,
		CurrentUsage: 71, PreviousUsage: 60,
		Command: "facilitator backtrack", Message: "We go with PAE. AND that is final", Priority: "high",
		SessionID: "session-1", LayerName: "REQUIREMENTS", Status: "active",
		IsBossDecision: func(string) bool { return true },
	}
	for condition, want := range map[string]bool{
		"current_layer != previous_layer":                               true,
		"abs(current_clarity - previous_clarity) >= 10":                 true,
		"abs(previous_clarity - current_clarity) >= 12.5":               true,
		"abs(current_clarity - previous_clarity) > 12.5":                false,
		"is_boss_decision(message) AND priority == 'high'":              true,
		"is_boss_decision(message) AND NOT (priority == 'high')":        false,
		"context_usage_percent > 70":                                    true,
		"command == 'facilitator backtrack'":                            true,
		`command == "facilitator end session"`:                          false,
		"priority == 'AND'":                                             false,
		"message == 'We go with PAE. AND that is final'":                true,
		`message != 'it\'s AND' and status == "active"`:                 true,
		"current_layer==1 OR current_layer==2":                          true,
		"current_layer == 1 or not true":                                false,
		"current_layer == 1 || !(current_clarity < 50) && true":         true,
		"1 < current_layer AND current_layer <= 2":                      true,
		"1 < current_layer < 2":                                         false,
		"context_usage_percent - previous_usage_percent == 11":          true,
		"current_layer % 2 == 0":                                        true,
		"current_clarity / 2 == 43.75 and -current_layer * 2 + 1 == -3": true,
		"7 / current_layer == 3.5":                                      true,
		"layer_name > 'IDEA' and session_id < 'session-2'":              true,
		"(current_layer > 1) == true":                                   true,
		"\tcurrent_layer\r\n!= previous_layer ":                         true,
	} {
		c, err := Compile(condition)
		if err != nil {
			t.Errorf("%s: %v", condition, err)
			continue
		}
		if got, err := c.eval(s); err != nil || got != want {
			t.Errorf("%s: got %v, %v; want %v", condition, got, err, want)
		}
	}
}

func TestInvalidConditions(t *testing.T) {
	deep := strings.Repeat("(", 400) + "true" + strings.Repeat(")", 400)
	if _, err := Compile(deep); err != nil {
		t.Errorf("many brackets: %v", err)
	}
	for _, c := range []struct {
		condition string
		offset    int
		msg       string
	}{
		{"", 0, "is empty"},
		{" \n", 0, "is empty"},
		{strings.Repeat("x", 1001), 1000, "longer than 1000 bytes"},
		{"true" + strings.Repeat(" and true", 60), -1, "more than 100 parts"},
		{strings.Repeat("not ", 200) + "true", -1, "more than 100 parts"},
		{"current_layer", 0, "the condition is a number; it must be true or false"},
		{"'high'", 0, "the condition is a text"},
		{"current_layer = 2", 14, "write =="},
		{"current_layer == 'IDEA'", 14, "compares a number with a text"},
		{"'Ω' == status AND current_layer == priority", 33, "compares a number with a text"},
		{"(current_layer > 1) == 1", 20, "compares true or false with a number"},
		{"true > false", 5, "needs numbers or texts"},
		{"'a' + 'b' == 'ab'", 0, "+ needs a number, not a text"},
		{"NOT current_layer", 4, "NOT needs true or false"},
		{"current_layer AND true", 0, "and needs true or false, not a number"},
		{"-priority == 1", 1, "- needs a number"},
		{"abs(priority) == 1", 4, "abs(…) needs a number"},
		{"curent_layer != 1", 0, `unknown name "curent_layer"; did you mean current_layer?`},
		{"true AND $env == 1", 9, `unexpected '$'; a condition may contain`},
		{"is_boss_decision == true", 0, "unknown name"},
		{"is_boss_decision(command)", 0, "one argument, the name message"},
		{"is_boss_decision('we decided')", 0, "one argument, the name message"},
		{"is_boss_decision()", 0, "one argument, the name message"},
		{"system('rm')", 0, `unknown function "system"`},
		{"len(message) > 3", 0, `"len()" is not allowed`},
		{"all(1..5000, true)", 0, `"all()" is not allowed`},
		{"all(1..5000, {all(1..5000, {true})})", 13, `unexpected '{'`},
		{"any([1], # > 0)", 4, `unexpected '['`},
		{"current_layer in 1..3", 14, `"in" is not allowed`},
		{"current_layer not in 1..3", -1, "is not allowed"},
		{"1..3 == 1..3", 1, `".." is not allowed`},
		{"message matches '(a+)+$'", 8, `"matches" is not allowed`},
		{"message contains 'x'", 8, `"contains" is not allowed`},
		{"message startsWith 'x'", 8, `"startsWith" is not allowed`},
		{"2 ** 3 == 8", 2, `"**" is not allowed`},
		{"2 ^ 3 == 8", 2, `unexpected '^'`},
		{"true ? true : false", 5, `unexpected '?'`},
		{"if true { true } else { false }", 8, `unexpected '{'`},
		{"let x = 1; true", 6, "write =="},
		{"let x == 1", 6, `unexpected "="`},
		{"true; true", 4, `unexpected ';'`},
		{"message | trim() == 'x'", 8, `unexpected '|'`},
		{"message.x == 'x'", -1, "member access is not allowed"},
		{"message[0] == 'x'", 7, `unexpected '['`},
		{"nil == nil", 0, "nil is not allowed"},
		{"b'x' == b'x'", 0, "this expression is not allowed"},
		{"message == `x`", 11, "unexpected '`'"},
		{"true // AND so on", 5, "comments are not allowed"},
		{"true /* AND so on */", 5, "comments are not allowed"},
		{"status == 'active", 10, "has no closing quote or is not UTF-8"},
		{"status == 'act\nive'", 10, "has no closing quote or is not UTF-8"},
		{"status == '\xff'", 10, "has no closing quote or is not UTF-8"},
		{"status == \xff", 10, "not UTF-8"},
		{"current_layer ≠ 1", 14, "unexpected '≠'"},
		{"current_layer !=", 16, "ends too early"},
		{"(true", 5, "ends too early"},
		{"true)", 4, `unexpected ")"`},
		{"current_layer current_layer", 14, `unexpected "current_layer"`},
		{"current_layer > 99999999999999999999", -1, "unexpected "},
		{"current_layer > 1e999", -1, "unexpected "},
		{"priority == '\\q'", -1, "unexpected "},
	} {
		_, err := Compile(c.condition)
		var condErr *ConditionError
		if !errors.As(err, &condErr) {
			t.Errorf("%q: %v, want a *ConditionError", c.condition, err)
			continue
		}
		if !strings.Contains(condErr.Msg, c.msg) || c.offset >= 0 && condErr.Offset != c.offset {
			t.Errorf("%q: got error at %d: %s; want at %d: %s", c.condition, condErr.Offset, condErr.Msg, c.offset, c.msg)
		}
	}
}

func TestDivisionByZeroIsAnError(t *testing.T) {
	for _, condition := range []string{
		"1 / (current_layer - previous_layer) > 0",
		"1 % (current_layer - previous_layer) > 0",
		"1 / 0 > 0",
	} {
		c, err := Compile(condition)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.eval(scope{}); err == nil || err.Error() != "division by zero" {
			t.Errorf("%s: %v", condition, err)
		}
	}
}

// FuzzCondition checks that no text crashes Compile, and that a valid condition runs
// a bounded number of steps: its program is short and never jumps back.
func FuzzCondition(f *testing.F) {
	for _, t := range Defaults() {
		f.Add(t.Condition)
	}
	f.Add("all(1..5000, {all(1..5000, {true})})")
	f.Add("NOT(abs(-1.5e3) % 0x1F >= 1_000 / .5) or 'Ω\\u00e9\"' != message")
	f.Add("1 < current_layer < 3 and nil ?? b'x' == `y`")
	f.Fuzz(func(t *testing.T, condition string) {
		c, err := Compile(condition)
		if err != nil {
			var condErr *ConditionError
			if !errors.As(err, &condErr) || condErr.Offset < 0 || condErr.Offset > len(condition) {
				t.Fatalf("%q: %#v", condition, err)
			}
			return
		}
		if n := len(c.program.Bytecode); n > 10*maxNodes {
			t.Fatalf("%q: the program has %d steps", condition, n)
		}
		for _, op := range c.program.Bytecode {
			if op == vm.OpJumpBackward || op == vm.OpBegin {
				t.Fatalf("%q: the program has a loop", condition)
			}
		}
		s := scope{CurrentLayer: 1, Message: condition, IsBossDecision: func(string) bool { return false }}
		first, err1 := c.eval(s)
		again, err2 := c.eval(s)
		if first != again || (err1 == nil) != (err2 == nil) {
			t.Fatalf("%q: %v %v, then %v %v", condition, first, err1, again, err2)
		}
	})
}

func TestFactsStandBesideNoEvent(t *testing.T) {
	for condition, refused := range map[string]bool{
		"user_prompted AND message == 'hello'": true, "thread_idle_days >= 7 OR priority == 'high'": true, "project_changed AND is_boss_decision(message)": true,
		"project_changed AND current_layer == 2": false, "messages_since_summary >= 3 AND session_usage_percent > 10": false,
	} {
		if _, err := Compile(condition); (err != nil) != refused {
			t.Errorf("%s: %v", condition, err)
		}
	}
}

func TestActions(t *testing.T) {
	if n := len(Actions()); n != 22+8 {
		t.Errorf("got %d actions", n)
	}
	count := 0
	for _, d := range Defaults() {
		for _, a := range d.Actions {
			if count++; !Known(a) {
				t.Errorf("%s: unknown action %s", d.Name, a)
			}
		}
	}
	if count != 22 {
		t.Errorf("the defaults have %d actions", count)
	}
	for wrong, want := range map[string]string{
		"save_context_snapshots":    "save_context_snapshot",
		"triger_compaction":         "trigger_compaction",
		"update-available-commands": "update_available_commands",
		"make_coffee":               "",
		"":                          "",
	} {
		if got := Nearest(wrong); got != want || Known(wrong) {
			t.Errorf("Nearest(%q): got %q, want %q", wrong, got, want)
		}
	}
}
