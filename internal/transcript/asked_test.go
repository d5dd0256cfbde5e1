package transcript

import (
	"strings"
	"testing"
)

// TestAskedOfForgemind: what an agent asks forgemind, and what that says, is no conversation,
// by whatever way its client calls it. What it does besides is.
func TestAskedOfForgemind(t *testing.T) {
	const (
		claude = `{"type":"assistant","uuid":"a","sessionId":"s","timestamp":"2026-03-02T09:00:01Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":NAME,"input":INPUT}]}}
{"type":"user","uuid":"b","sessionId":"s","timestamp":"2026-03-02T09:00:02Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"DEC-1: lime"}]}}
`
		codex = `{"timestamp":"2026-03-02T09:00:00.000Z","type":"session_meta","payload":{"id":"s","cwd":"/p"}}
{"timestamp":"2026-03-02T09:00:01.000Z","type":"response_item","payload":{"type":"function_call","call_id":"c","name":NAME,"arguments":INPUT}}
{"timestamp":"2026-03-02T09:00:02.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"DEC-1: lime"}}
`
		code = `{"timestamp":"2026-03-02T09:00:00.000Z","type":"session_meta","payload":{"id":"s","cwd":"/p"}}
{"timestamp":"2026-03-02T09:00:01.000Z","type":"response_item","payload":{"type":"custom_tool_call","call_id":"c","name":NAME,"namespace":"functions","input":INPUT}}
{"timestamp":"2026-03-02T09:00:02.000Z","type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c","output":[{"type":"input_text","text":"DEC-1: lime"}]}}
`
		copilot = `{"type":"session.start","data":{"sessionId":"s"},"id":"e1","timestamp":"2026-03-02T09:00:00Z"}
{"type":"assistant.message","data":{"content":"","toolRequests":[{"toolCallId":"c","name":NAME,"arguments":INPUT}]},"id":"e2","timestamp":"2026-03-02T09:00:01Z"}
{"type":"tool.execution_complete","data":{"toolCallId":"c","success":true,"result":{"content":"DEC-1: lime"}},"id":"e3","timestamp":"2026-03-02T09:00:02Z"}
`
		gemini = `{"sessionId":"s","projectHash":"p","startTime":"2026-03-02T09:00:00Z","lastUpdated":"2026-03-02T09:00:00Z","kind":"main"}
{"id":"g","timestamp":"2026-03-02T09:00:01Z","type":"gemini","content":"","toolCalls":[{"id":"c","name":NAME,"args":INPUT,"result":[{"functionResponse":{"id":"c","name":NAME,"response":{"output":"DEC-1: lime"}}}]}]}
`
	)
	for _, c := range []struct {
		talk, name, input string
		asked             bool
	}{
		{claude, `"mcp__forgemind__decision_list"`, `{}`, true},
		{claude, `"mcp__plugin_tools_forgemind__search"`, `{"query":"lime"}`, true},
		{claude, `"mcp__other__search"`, `{"query":"forgemind"}`, false},
		{claude, `"Bash"`, `{"command":"forgemind brief"}`, true},
		{claude, `"Bash"`, `{"command":"/usr/local/bin/forgemind decision list --current"}`, true},
		{claude, `"Bash"`, `{"command":"forgemind brief 2>&1\n"}`, true},
		{claude, `"Bash"`, `{"command":"make&&./forgemind brief"}`, false},
		{claude, `"Bash"`, `{"command":"$(make)/forgemind brief"}`, false},
		{claude, `"Task"`, `{"command":"forgemind","prompt":"Lay it."}`, false},
		{claude, `"Bash"`, `{"command":"forgemind brief && make"}`, false},
		{claude, `"Bash"`, `{"command":"forgemind brief | grep lime"}`, false},
		{claude, `"Bash"`, `{"command":"forgemind brief\nmake"}`, false},
		{claude, `"Bash"`, `{"command":"cat forgemind"}`, false},
		{claude, `"Bash"`, `{"command":"forgemindx brief"}`, false},
		{claude, `"Edit"`, `{"file_path":"x.js","new_string":"tools.mcp__forgemind__search()"}`, false},
		{codex, `"decision_list","namespace":"mcp__forgemind"`, `"{}"`, true},
		{codex, `"mcp__forgemind__search"`, `"{}"`, true},
		{codex, `"search","namespace":"mcp__other"`, `"{}"`, false},
		{codex, `"shell"`, `"{\"command\":[\"bash\",\"-lc\",\"forgemind governs walls/south.md\"]}"`, true},
		{codex, `"exec_command"`, `"{\"cmd\":\"forgemind brief\"}"`, true},
		{codex, `"shell"`, `"{\"command\":[\"forgemind\",\"brief\"]}"`, true},
		{codex, `"shell"`, `"{\"command\":[\"rm\",\"-r\",\"forgemind\"]}"`, false},
		{codex, `"exec_command"`, `"{\"cmd\":\"make\"}"`, false},
		{code, `"exec"`, `"text(await tools.mcp__forgemind__search({\"query\":\"mortar\"}))"`, true},
		{code, `"exec"`, `"text(await tools.mcp__forgemind__search({})); await tools.exec_command({cmd: \"make\"})"`, false},
		{code, `"exec"`, `"tools.mcp__forgemind__search({}); tools[\"exec_command\"]({cmd: \"make\"})"`, false},
		{copilot, `"forgemind-search"`, `{"query":"mortar"}`, true},
		{copilot, `"bash"`, `{"command":"forgemind brief"}`, true},
		{copilot, `"view"`, `{"path":"forgemind"}`, false},
		{gemini, `"mcp_forgemind_governs"`, `{"path":"walls/south.md"}`, true},
		{gemini, `"run_shell_command"`, `{"command":"forgemind brief"}`, true},
		{gemini, `"read_file"`, `{"path":"forgemind"}`, false},
	} {
		src := strings.NewReplacer("NAME", c.name, "INPUT", c.input).Replace(c.talk)
		im, err := Read([]byte(src))
		if err != nil {
			t.Errorf("%s %s: %v", c.name, c.input, err)
			continue
		}
		left := 0
		for _, s := range im.Skipped {
			if s.Reason == "asked of forgemind" {
				left += s.Count
			}
		}
		if want := map[bool]int{false: 2}[c.asked]; len(im.Messages) != want || c.asked != (left > 0) {
			t.Errorf("%s %s %s: %d messages, %d left out: %+v %+v", im.Tool, c.name, c.input, len(im.Messages), left, im.Messages, im.Faults)
		}
	}
}

// TestRefusedToForgemind: what the user says instead of letting an agent ask forgemind is the
// user's word, in the words in which earlier versions imported it; why a call failed is told.
func TestRefusedToForgemind(t *testing.T) {
	const refusal = `{"type":"assistant","uuid":"a","sessionId":"s","timestamp":"2026-03-02T09:00:01Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":NAME,"input":{"command":"forgemind decision add Cement"}}]}}
{"type":"user","uuid":"b","sessionId":"s","timestamp":"2026-03-02T09:00:02Z",NOTEDmessage":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nNo cement, ever."}]}}
`
	for _, c := range []struct{ name, noted, want string }{
		{"mcp__forgemind__decision_add", `"toolUseResult":"User rejected tool use","`, "The user refused mcp__forgemind__decision_add: No cement, ever."},
		{"Bash", `"toolUseResult":"User rejected tool use","`, "The user refused Bash: No cement, ever."},
		{"Bash", `"`, "The user refused Bash: No cement, ever."},
	} {
		im, err := Read([]byte(strings.NewReplacer("NAME", `"`+c.name+`"`, "NOTED", c.noted).Replace(refusal)))
		if err != nil || len(im.Messages) != 1 || im.Messages[0].Role != "user" || im.Messages[0].Content != c.want {
			t.Errorf("%s: %+v: %v", c.name, im.Messages, err)
		}
	}
	im, err := Read([]byte(`{"type":"session.start","data":{"sessionId":"s"},"id":"e1","timestamp":"2026-03-02T09:00:00Z"}
{"type":"tool.execution_start","data":{"toolCallId":"c","toolName":"forgemind-decision_add","arguments":{}},"id":"e2","timestamp":"2026-03-02T09:00:01Z"}
{"type":"tool.execution_complete","data":{"toolCallId":"c","success":false,"error":{"message":"the user said: no cement"}},"id":"e3","timestamp":"2026-03-02T09:00:02Z"}
`))
	if err != nil || len(im.Messages) != 1 || im.Messages[0].Content != "the user said: no cement" {
		t.Errorf("it failed, and the messages are %+v: %v", im.Messages, err)
	}
}

// TestAskedByName: what forgemind gave is known by the tool's name where the call is not.
func TestAskedByName(t *testing.T) {
	for _, talk := range []string{
		`[{"role":"user","content":"Which?"},{"role":"tool","name":"mcp__forgemind__search","content":"DEC-1: lime"},{"role":"assistant","content":"Lime."}]`,
		`[{"role":"user","parts":[{"text":"Which?"}]},{"role":"model","parts":[{"functionCall":{"name":"mcp_forgemind_search","args":{}}}]},
{"role":"user","parts":[{"functionResponse":{"name":"mcp_forgemind_search","response":{"output":"DEC-1: lime"}}}]},{"role":"model","parts":[{"text":"Lime."}]}]`,
		"user:\nWhich?\n\nassistant:\n[Tool call] mcp__forgemind__search\n  query: lime\n\n[Tool result] mcp__forgemind__search\nDEC-1: lime\n\nassistant:\nLime.\n",
	} {
		im, err := Read([]byte(talk))
		if err != nil || len(im.Messages) != 2 {
			t.Errorf("of\n%s\nit read %+v: %v", talk, im.Messages, err)
		}
	}
}

// TestAskedKeepsIDs: that a message is left out changes no id of others, which earlier
// versions took in.
func TestAskedKeepsIDs(t *testing.T) {
	const talk = `[{"role":"user","content":"Which mortar?"},{"role":"assistant","content":"I ask.","tool_calls":[{"id":"c","function":{"name":"TOOL","arguments":"{}"}}]},
{"role":"tool","tool_call_id":"c","content":"DEC-1: lime"},{"role":"assistant","content":"Lime."}]`
	ids := map[string]string{}
	for _, tool := range []string{"mcp__forgemind__x", "mcp__otherminds__x"} { // as long
		im, err := Read([]byte(strings.ReplaceAll(talk, "TOOL", tool)))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range im.Messages {
			if m.ToolName == "" && ids[m.Content] != "" && ids[m.Content] != m.ID {
				t.Errorf("%q has the ids %s and %s", m.Content, ids[m.Content], m.ID)
			}
			ids[m.Content] = m.ID
		}
	}
	if len(ids) != 5 {
		t.Errorf("the messages are %v", ids)
	}
}
