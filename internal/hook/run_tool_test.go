package hook

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/tokens"
)

// edits is the payload of a tool that changes a file.
func edits(file string) string {
	return fmt.Sprintf(`,"tool_name":"Edit","tool_input":{"file_path":%q}`, file)
}

// What governs a file is told once in a window, at the first event that is about it, whether
// a tool, a command or a prompt names it.
func TestWhatGovernsTheFileOfATool(t *testing.T) {
	const rule = "DEC-1 (2026-03-01): Lime mortar only in walls/south.md"
	p := &player{t: t, root: plant(t, orchard()), agent: "claude"}
	for _, step := range []struct {
		event, more string
		told        bool
	}{
		{"SessionStart", `,"source":"startup"`, false},
		{"PreToolUse", edits("walls/north.md"), false},
		{"PreToolUse", edits("/etc/walls/south.md"), false},
		{"PreToolUse", `,"tool_name":"Read","tool_input":{"file_path":"walls/south.md"}`, true},
		{"PreToolUse", edits("walls/south.md"), false},
		{"PostToolUse", edits("walls/south.md"), false},
		{"UserPromptSubmit", `,"prompt":"What of walls/south.md?"`, false},
		{"PreToolUse", `,"agent_id":"a-1"` + edits("walls/south.md"), true}, // it has a window of its own
		{"PreToolUse", `,"agent_id":"a-1"` + edits("walls/south.md"), false},
		{"PreCompact", `,"agent_id":"a-1","trigger":"auto"`, false},
		{"PostCompact", `,"agent_id":"a-1","trigger":"auto"`, false},
		{"PreToolUse", edits("walls/south.md"), false},
		{"PreToolUse", `,"agent_id":"a-1"` + edits("walls/south.md"), true},
		{"PreCompact", `,"trigger":"auto"`, false},
		{"PostCompact", `,"trigger":"auto"`, false},
		{"SessionStart", `,"source":"compact"`, false},
		{"PreToolUse", `,"agent_id":"a-1"` + edits("walls/south.md"), false},
		{"PreToolUse", `,"tool_name":"Bash","tool_input":{"command":"cat walls/south.md | head"}`, true},
		{"PreToolUse", edits("walls/south.md"), false},
	} {
		told := p.event(step.event, step.more)
		if governs := strings.Contains(told, "## What governs walls/south.md"); governs != step.told || governs && !strings.Contains(told, rule) {
			t.Errorf("%s%s tells %q", step.event, step.more, told)
		}
	}
	decide(t, p.root, "DEC-9", "No moss in walls/north.md")
	if told := p.event("PreToolUse", edits("walls/north.md")); !strings.Contains(told, "No moss") {
		t.Errorf("decided after it was read: told %q", told)
	}
	patch := "*** Begin Patch\n"
	for i := range 6 {
		decide(t, p.root, fmt.Sprintf("DEC-2%d", i), fmt.Sprintf("Course %d of walls/w%[1]d.md is flat", i))
		patch += fmt.Sprintf("*** Update File: walls/w%d.md\n", i)
	}
	if told := p.event("PreToolUse", fmt.Sprintf(`,"tool_name":"apply_patch","tool_input":{"command":%q}`, patch)); strings.Count(told, "is flat") != 6 {
		t.Errorf("of a patch: told %q", told)
	}
	if f := faults(t, p.root); f != "" {
		t.Errorf("faults: %s", f)
	}
}

// Of hooks that run at once, one tells.
func TestToolsAtOnce(t *testing.T) {
	p := &player{t: t, root: plant(t, orchard()), agent: "claude"}
	p.event("SessionStart", `,"source":"startup"`)
	var all sync.WaitGroup
	var told atomic.Int64
	for range 4 {
		all.Go(func() {
			if p.event("PreToolUse", edits("walls/south.md")) != "" {
				told.Add(1)
			}
		})
	}
	if all.Wait(); told.Load() != 1 {
		t.Errorf("%d tell", told.Load())
	}
}

// What a subagent uses, is asked and answers is none of the session's.
func TestASubagentIsNotTheSession(t *testing.T) {
	p := &player{t: t, root: plant(t, orchard()), agent: "claude"}
	p.event("UserPromptSubmit", `,"prompt":"Lay the wall."`)
	p.event("PreToolUse", `,"agent_id":"a-1","context_tokens":777,"context_window_size":8000`+edits("walls/south.md"))
	p.event("UserPromptSubmit", `,"agent_id":"a-1","prompt":"Look at the wall."`)
	p.event("Stop", `,"agent_id":"a-1","last_assistant_message":"It stands."`)
	p.event("Stop", `,"last_assistant_message":"It is laid."`)
	if got := said(t, p.root); got != "user: Lay the wall.\nassistant: It is laid.\n" {
		t.Errorf("said %q", got)
	}
	run(t, p.root, memfas, "message-received", `{"session_id":"m-1","agent_id":"main","message":"And the gate?"}`)
	run(t, p.root, memfas, "post-response", `{"session_id":"m-1","agent_id":"main","response":"It hangs."}`)
	if got := said(t, p.root); !strings.HasSuffix(got, "user: And the gate?\nassistant: It hangs.\n") {
		t.Errorf("of an agent with a name: said %q", got)
	}
	tree := open(t, p.root)
	if u := health.ReadReported(tree, health.Talk(tree)); u != nil {
		t.Errorf("its window is the session's: %+v", u)
	}
}

// A command that failed is told when the window was compacted, until it succeeds or the
// session ends. What found nothing, or was interrupted, tried nothing in vain.
func TestACommandThatFails(t *testing.T) {
	fails := func(command, why, more string) string {
		return fmt.Sprintf(`,"tool_name":"Bash","tool_input":{"command":%q},"error":%q%s`, command, why, more)
	}
	p := &player{t: t, root: plant(t, orchard()), agent: "claude"}
	p.event("UserPromptSubmit", `,"prompt":"Build the wall."`)
	p.event("PostToolUseFailure", fails("make wall", "Exit code 2\nthe mortar\nis dry, token ghp_0123456789abcdefghijklmnopqrstuvwxyzAB", ""))
	p.event("PostToolUseFailure", fails("make gate", "Exit code 1\nno hinge", ""))
	p.event("PostToolUseFailure", fails("make gate", "Exit code 1\nno bolt", ""))
	p.event("PostToolUseFailure", fails("grep pears walls", "Exit code 1", ""))
	p.event("PostToolUseFailure", fails("make drain", "Exit code 1\n"+strings.Repeat("ok\n", 500)+"the drain is blocked", ""))
	p.event("PostToolUseFailure", fails("make roof", "Exit code 130\nit was stopped", `,"is_interrupt":true`))
	again := func() string {
		p.event("PreCompact", `,"trigger":"auto"`)
		p.event("PostCompact", `,"trigger":"auto"`)
		told := p.event("SessionStart", `,"source":"compact"`)
		p.event("UserPromptSubmit", `,"prompt":"And now?"`)
		return told
	}
	told := again()
	if !strings.Contains(told, "## Commands that failed, newest first (") || !strings.Contains(told, "ok ok the drain is blocked\n- make gate → no bolt\n- make wall → the mortar is dry, token [masked:github-token]\n# Brief") {
		t.Errorf("told %q", told)
	}
	for _, not := range []string{"hinge", "grep", "roof"} {
		if strings.Contains(told, not) {
			t.Errorf("%s: told %q", not, told)
		}
	}
	p.event("PreToolUse", `,"tool_name":"Bash","tool_input":{"command":"make wall"}`)
	if told := again(); strings.Contains(told, "make wall") || !strings.Contains(told, "make gate") {
		t.Errorf("once it is tried again: told %q", told)
	}
	p.event("UserPromptSubmit", fmt.Sprintf(`,"prompt":%q`, strings.Repeat("Lay another course of flat stones, and mind the frost.\n", 60)))
	for i := range mostFailed {
		p.event("PostToolUseFailure", fails(fmt.Sprintf("make %d %s", i, strings.Repeat("x", 300)), "Exit code 1\n"+strings.Repeat("no ", 100), ""))
	}
	if told := again(); strings.Count(told, "> Lay another course") < 50 {
		t.Errorf("beside what failed %d lines of the request are told", strings.Count(told, "> Lay another course"))
	}
	p.event("SessionEnd", `,"reason":"other"`)
	if told := again(); strings.Contains(told, "## Commands that failed") {
		t.Errorf("in a session that goes on: told %q", told)
	}
}

// Of a secret that a command prints nothing is told, however much of it there is.
func TestASecretThatACommandPrints(t *testing.T) {
	p := &player{t: t, root: plant(t, orchard()), agent: "claude"}
	key := "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat(strings.Repeat("Ab3/", 16)+"\n", 60) + "-----END RSA PRIVATE KEY-----"
	p.event("UserPromptSubmit", `,"prompt":"Build the wall."`)
	p.event("PostToolUseFailure", fmt.Sprintf(`,"tool_name":"Bash","tool_input":{"command":"cat key"},"error":%q`, "Exit code 1\n"+key+"\nand it failed"))
	p.event("PreCompact", `,"trigger":"auto"`)
	p.event("PostCompact", `,"trigger":"auto"`)
	if told := p.event("SessionStart", `,"source":"compact"`); !strings.Contains(told, "- cat key → [masked:private-key] and it failed\n") {
		t.Errorf("told %q", told)
	}
}

// What a subagent is not told for want of room it is told when it comes to the file. One that
// has no name is told each time.
func TestASubagentOfManyFiles(t *testing.T) {
	files := orchard()
	task := "Look at"
	for i := range 12 {
		files[fmt.Sprintf(".forgemind/decisions/DEC-%d.json", 20+i)] = fmt.Sprintf(`{"id": "DEC-%d", "timestamp": "2026-02-01T10:00:00Z", "decision": "Course %d of walls/w%[2]d.md is %s", "immutable": true}`, 20+i, i, strings.Repeat("flat and firm ", 15))
		task += fmt.Sprintf(" walls/w%d.md", i)
	}
	p := &player{t: t, root: plant(t, files), agent: "claude"}
	p.event("PreToolUse", fmt.Sprintf(`,"tool_name":"Agent","tool_input":{"prompt":%q}`, task))
	told := p.event("SubagentStart", `,"agent_id":"a-1"`)
	n := strings.Count(told, "## What governs walls/w")
	if n == 0 || n == 12 || units(told) > mostBrief {
		t.Errorf("told of %d files: %q", n, told)
	}
	for i := range 12 {
		before := strings.Contains(told, fmt.Sprintf("## What governs walls/w%d.md", i))
		if now := p.event("PreToolUse", `,"agent_id":"a-1"`+edits(fmt.Sprintf("walls/w%d.md", i))); (now != "") == before {
			t.Errorf("w%d: told before %v, now %q", i, before, now)
		}
	}
	p.event("PreToolUse", edits("walls/w11.md"))
	p.event("PreToolUse", `,"tool_name":"Agent","tool_input":{"prompt":"Look at walls/w11.md"}`)
	for range 2 {
		if told := p.event("SubagentStart", ""); !strings.HasPrefix(told, "# Brief of Orchard") || !strings.Contains(told, "## What governs walls/w11.md") {
			t.Errorf("one without a name is told %q", told)
		}
	}
}

// A subagent is told the brief in short, and what its task names.
func TestASubagentIsToldWhatItsTaskNeeds(t *testing.T) {
	for _, c := range []struct{ agent, before, tool, after, start string }{
		{"claude", "PreToolUse", `,"tool_name":"Agent","tool_input":{"description":"x","prompt":%q}`, "SubagentStart", `,"agent_id":"a-%d"`},
		{"codex", "PreToolUse", `,"tool_name":"spawn_agent","tool_input":{"message":%q}`, "SubagentStart", `,"agent_id":"a-%d"`},
		{"copilot", "preToolUse", `,"toolName":"task","toolArgs":{"description":"x","prompt":%q}`, "subagentStart", `,"agentId":"a-%d","parentAgentId":"s-1"`},
	} {
		files := orchard()
		files[".forgemind/decisions/DEC-0.json"] = `{"id": "DEC-0", "timestamp": "2026-02-01T10:00:00Z", "decision": "Use cement for the gate", "rationale": "it is at hand", "immutable": true, "superseded_by": "DEC-2"}`
		files[".forgemind/decisions/DEC-2.json"] = `{"id": "DEC-2", "timestamp": "2026-03-01T11:00:00Z", "decision": "Use oak for the gate", "rationale": "it does not crack", "immutable": true, "supersedes": "DEC-0"}`
		p := &player{t: t, root: plant(t, files), agent: c.agent}
		for _, task := range []string{"Say which mortar walls/south.md has.", "Should we use cement for the gate?"} {
			p.event(c.before, fmt.Sprintf(c.tool, task))
		}
		first, second, third := p.event(c.after, fmt.Sprintf(c.start, 1)), p.event(c.after, fmt.Sprintf(c.start, 2)), p.event(c.after, fmt.Sprintf(c.start, 3))
		for i, told := range []string{first, second, third} {
			if !strings.HasPrefix(told, "# Brief of Orchard") || !strings.Contains(told, "Plant the south wall") || units(told) > mostBrief {
				t.Errorf("%s: %d is told %q", c.agent, i, told)
			}
			if governs, dead := strings.Contains(told, "## What governs walls/south.md"), strings.Contains(told, "## Tried before, and given up"); !governs || !dead { // of which task each is is not known
				t.Errorf("%s: %d is told %q", c.agent, i, told)
			}
		}
		if told := p.event(c.before, `,"agent_id":"a-1"`+edits("walls/south.md")); told != "" {
			t.Errorf("%s: its window is told twice: %q", c.agent, told)
		}
		p.event(c.before, fmt.Sprintf(c.tool, "Look at walls/south.md."))
		p.event("UserPromptSubmit", `,"prompt":"No, leave it."`)
		if told := p.event(c.after, fmt.Sprintf(c.start, 4)); strings.Contains(told, "## What governs") {
			t.Errorf("%s: of a task that was refused: %q", c.agent, told)
		}
	}
}

// A turn that breaks off without an answer is read in the transcript at once, and the request
// is not answered yet.
func TestATurnThatIsBrokenOff(t *testing.T) {
	for agent, event := range map[string]string{"claude": "StopFailure", "codex": "Interrupt"} {
		p := &player{t: t, root: plant(t, orchard()), agent: agent, transcript: t.TempDir() + "/s-1.jsonl"}
		p.event("UserPromptSubmit", `,"prompt":"Lay the south wall."`)
		p.line("user", "Lay the south wall.")
		p.line("assistant", "I lay the first stones of the south wall, from the gate on.")
		p.event(event, "")
		if got := said(t, p.root); got != "user: Lay the south wall.\nassistant: I lay the first stones of the south wall, from the gate on.\n" {
			t.Errorf("%s: said %q", event, got)
		}
		p.event("PreCompact", `,"trigger":"auto"`)
		if told := p.event("SessionStart", `,"source":"compact"`); !strings.Contains(told, "## Asked by the user, and not answered yet (quoted)\n> Lay the south wall.") || !strings.Contains(told, "from the gate on") {
			t.Errorf("%s: told %q", event, told)
		}
	}
}

// What hooks add to a session of ten turns is at most 3,000 tokens, in a project with fifty
// decisions and a rule for each file; and it is known how much that is.
func TestWhatTenTurnsCost(t *testing.T) {
	files := orchard()
	for i := range 50 {
		files[fmt.Sprintf(".forgemind/decisions/DEC-%d.json", 100+i)] = fmt.Sprintf(
			`{"id": "DEC-%d", "timestamp": "2026-02-%02dT10:00:00Z", "decision": "Lay course %d of walls/w%d.md in flat granite from the eastern quarry", "rationale": "the stones of that bed split evenly and stand the frost", "immutable": true}`, 100+i, 1+i%28, i, i%12)
	}
	for i := range 12 {
		files[fmt.Sprintf("walls/w%d.md", i)] = "stone\n"
	}
	p := &player{t: t, root: plant(t, files), agent: "claude"}
	counter, err := tokens.New("")
	if err != nil {
		t.Fatal(err)
	}
	total, times := 0, 0
	event := func(name, more string) {
		if told := p.event(name, more); told != "" {
			total, times = total+counter.Count(told), times+1
		}
	}
	event("SessionStart", `,"source":"startup"`)
	for i := range 10 {
		event("UserPromptSubmit", fmt.Sprintf(`,"prompt":"Please go on with course %d, as we said, and look after the drains."`, i))
		file := fmt.Sprintf("walls/w%d.md", i)
		event("PreToolUse", `,"tool_name":"Read","tool_input":{"file_path":"`+file+`"}`)
		event("PreToolUse", edits(file))
		event("PostToolUse", edits(file))
		event("Stop", fmt.Sprintf(`,"last_assistant_message":"Course %d is laid."`, i))
	}
	if total > 3000 || times < 8 {
		t.Errorf("%d tokens in %d texts", total, times)
	}
	tree, err := fs.Open(p.root)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	costs, err := Costs(tree, stateBeside(p.root))
	if err != nil || len(costs) != 1 || costs[0].Tokens != total || costs[0].Times != times || costs[0].Session != "s-1" || costs[0].Agent != "claude" {
		t.Errorf("%v: %+v; told %d tokens in %d texts", err, costs, total, times)
	}
}
