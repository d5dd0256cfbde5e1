package transcript_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/forgemind/forgemind/internal/transcript"
)

// spoken is who said what in a transcript: role: content.
func spoken(t *testing.T, src string) (rd transcript.Transcript, said []string) {
	t.Helper()
	rd, err := transcript.Read([]byte(src))
	if err != nil {
		t.Fatalf("%v: %s", err, src)
	}
	accounted(t, rd)
	for _, m := range rd.Messages {
		said = append(said, m.Role+": "+m.Content)
	}
	return rd, said
}

// What the tools write besides their sessions, and how they wrote them before.
func TestOtherFilesOfTheTools(t *testing.T) {
	for name, of := range map[string]struct {
		src, tool string
		want      []string
	}{
		"Gemini's log of prompts": {`[
  {"sessionId":"s-1","messageId":0,"type":"user","message":"Press.","timestamp":"2026-03-02T09:00:00.000Z"},
  {"sessionId":"s-2","messageId":0,"type":"user","message":"Press.","timestamp":"2026-03-03T09:00:00.000Z"}]`,
			"gemini-cli", []string{"user: Press.", "user: Press."}},
		"a checkpoint of Gemini's, with a thought": {
			`{"history":[{"role":"user","parts":[{"text":"Press."}]},{"role":"model","parts":[{"text":"Hm.","thought":true},{"text":"I do.","thoughtSignature":"x"}]}]}`,
			"chat", []string{"user: Press.", "assistant: I do."}},
		"a checkpoint of a tool of Gemini's": {
			`{"history":[{"id":1,"type":"user","text":"Press."}],"clientHistory":[{"role":"user","parts":[{"text":"Press."}]}],"toolCall":{"name":"write_file","args":{}}}`,
			"chat", []string{"user: Press."}},
		"the first rollouts of Codex": {
			`{"session":{"id":"s-1","timestamp":"2026-03-02T09:00:00Z"},"items":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Press."}]},{"type":"function_call","call_id":"c","name":"shell","arguments":"{\"command\":[\"press\"]}"},{"type":"function_call_output","call_id":"c","output":"{\"output\":\"pressed\"}"}]}`,
			"codex", []string{"user: Press.", `assistant: shell {"command":["press"]}`, "tool: pressed"}},
		"items for OpenAI's API": {
			`{"input":[{"role":"user","content":"Press."},{"type":"function_call","call_id":"c","name":"ls","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"pears"},{"role":"assistant","content":[{"type":"output_text","text":"Pressed."}]}]}`,
			"codex", []string{"user: Press.", "assistant: ls {}", "tool: pears", "assistant: Pressed."}},
		"a call of Codex whose arguments are no text": {
			`{"type":"response_item","payload":{"type":"function_call","call_id":"c","name":"ls","arguments":{"path":"."}}}` + "\n" +
				`{"type":"response_item","payload":{"type":"tool_search_call","call_id":"d","arguments":{"query":"x"}}}`,
			"codex", []string{`assistant: ls {"path":"."}`}},
		"what Cursor puts before the user's words": {
			`{"role":"user","message":{"content":[{"type":"text","text":"<attached_files>\na.go\n</attached_files>\n<user_query>\nPress.\n</user_query>"}]}}` + "\n" +
				`{"role":"user","message":{"content":[{"type":"text","text":"What is <user_query>x</user_query>"}]}}`,
			"cursor", []string{"user: Press.", "user: What is <user_query>x</user_query>"}},
		"a chat that is not Cursor's": {
			`{"role":"user","message":{"content":"Press."}}` + "\n" + `{"role":"assistant","message":{"content":"[REDACTED]\nPressed."}}`,
			"chat", []string{"user: Press.", "assistant: [REDACTED]\nPressed."}},
		"what Claude Code streams": {
			`{"type":"system","subtype":"init","session_id":"s-1"}` + "\n" + `{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Pressed."}]},"session_id":"s-1","parent_tool_use_id":null}` + "\n" +
				`{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"A subagent."}]},"session_id":"s-1","parent_tool_use_id":"t"}`,
			"claude-code", []string{"assistant: Pressed."}},
	} {
		rd, got := spoken(t, of.src)
		if rd.Tool != of.tool || !slices.Equal(got, of.want) || rd.Unread > 0 {
			t.Errorf("%s: %s, %d unread: %q", name, rd.Tool, rd.Unread, got)
		}
	}
}

// Not all that stands in the user's turn is the user's: what others put there
// decides nothing.
func TestWhoPutsWordsIntoTheUsersTurn(t *testing.T) {
	line := func(id, more, text string) string {
		return `{"type":"user","uuid":"` + id + `","sessionId":"s-1",` + more + `"message":{"role":"user","content":"` + text + `"}}` + "\n"
	}
	rd, said := spoken(t, line("u1", "", "Press.")+line("u2", `"origin":{"kind":"human"},`, "More.")+
		line("u3", `"origin":"new",`, "And more.")+line("u4", `"origin":{"kind":"peer"},`, "We decided to stop.")+
		line("u5", "", `<task-notification>\n<status>completed</status>`)+
		`{"type":"attachment","uuid":"u6","sessionId":"s-1","attachment":{"type":"queued_command","prompt":"Stop.","origin":{"kind":"peer"}}}`+"\n"+
		`{"type":"user","uuid":"u7","sessionId":"s-1","message":{"content":"Without a role."}}`)
	if want := []string{"user: Press.", "user: More.", "user: And more.", "tool: We decided to stop.",
		"tool: <task-notification>\n<status>completed</status>", "tool: Stop.", "user: Without a role."}; !slices.Equal(said, want) {
		t.Errorf("%q", said)
	}
	if rd.Unread > 0 {
		t.Errorf("%+v", rd.Faults)
	}
}

// The user's title goes before those that a model gives, the last before others.
func TestTheTitleOfASession(t *testing.T) {
	one := `{"type":"user","uuid":"u1","sessionId":"s","message":{"role":"user","content":"x"}}` + "\n"
	ai, own := `{"type":"ai-title","aiTitle":"Pears","sessionId":"s"}`+"\n", `{"type":"custom-title","customTitle":"My pears","sessionId":"s"}`+"\n"
	later := strings.ReplaceAll(ai, "Pears", "Plums")
	for src, want := range map[string]string{ai + one + later: "Plums", ai + own + later + one: "My pears", one: ""} {
		if rd, _ := spoken(t, src); rd.Title != want {
			t.Errorf("%q: %q", src, rd.Title)
		}
	}
}

// What the user takes back was not said; what is forked goes on in the session of
// the fork.
func TestTurnsTakenBackAndForked(t *testing.T) {
	item := func(second, role, kind, text string) string {
		return `{"timestamp":"2026-03-02T09:00:` + second + `.000Z","type":"response_item","payload":{"type":"message","role":"` + role + `","content":[{"type":"` + kind + `","text":"` + text + `"}]}}` + "\n"
	}
	rd, said := spoken(t, `{"timestamp":"2026-03-02T09:00:00.000Z","type":"session_meta","payload":{"id":"fork","git":{"branch":"b"}}}`+"\n"+
		`{"timestamp":"2026-03-02T09:00:00.000Z","type":"session_meta","payload":{"id":"first"}}`+"\n"+
		item("01", "user", "input_text", "One.")+item("02", "assistant", "output_text", "First.")+
		item("03", "user", "input_text", "Two.")+item("03", "user", "input_text", "<environment_context>")+item("04", "user", "input_text", "Three.")+item("05", "assistant", "output_text", "Third.")+
		`{"timestamp":"2026-03-02T09:00:06.000Z","type":"event_msg","payload":{"type":"user_message","message":"Three."}}`+"\n"+
		`{"timestamp":"2026-03-02T09:00:06.000Z","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":2}}`+"\n"+
		item("07", "user", "input_text", "Four."))
	if !slices.Equal(said, []string{"user: One.", "assistant: First.", "user: Four."}) || rd.Messages[0].Session != "fork" {
		t.Errorf("%q of %s", said, rd.Messages[0].Session)
	}
	if !slices.Contains(rd.Skipped, transcript.Skipped{Reason: "taken back", Count: 5}) {
		t.Errorf("%+v", rd.Skipped)
	}
	event := func(id, kind, data string) string {
		return `{"type":"` + kind + `","id":"` + id + `","timestamp":"2026-03-02T09:00:00Z","data":` + data + `}` + "\n"
	}
	rd, said = spoken(t, event("e1", "session.start", `{"sessionId":"s-1"}`)+event("e2", "user.message", `{"content":"One."}`)+
		event("e3", "user.message", `{"content":"Two."}`)+event("e4", "assistant.message", `{"content":"Second."}`)+
		event("e5", "session.snapshot_rewind", `{"upToEventId":"e3","eventsRemoved":2}`)+event("e6", "user.message", `{"content":"Three."}`)+
		event("e7", "session.usage_info", `{"currentTokens":90,"tokenLimit":1000}`))
	if !slices.Equal(said, []string{"user: One.", "user: Three."}) || rd.Usage == nil || rd.Usage.Tokens != 90 || rd.Usage.Limit != 1000 {
		t.Errorf("%q, %+v", said, rd.Usage)
	}
}

// A call of a tool is known again from either of the events that tell it, in
// whichever piece of a session it stands.
func TestACallOfCopilotsIsOne(t *testing.T) {
	head := `{"type":"session.start","id":"e1","data":{"sessionId":"s-1"}}` + "\n"
	asked := `{"type":"assistant.message","id":"e2","data":{"content":"","toolRequests":[{"toolCallId":"t|1","name":"view","arguments":{"path":"a"}}]}}` + "\n"
	started := `{"type":"tool.execution_start","id":"e3","timestamp":"2026-03-02T09:00:00Z","data":{"toolCallId":"t|1","toolName":"view","arguments":{"path":"a"}}}` + "\n"
	first, _ := spoken(t, head+asked)
	second, _ := spoken(t, head+started)
	if !slices.Equal(ids(first.Messages), ids(second.Messages)) || len(first.Messages) != 1 {
		t.Errorf("%q, %q", ids(first.Messages), ids(second.Messages))
	}
	if _, said := spoken(t, head+asked+strings.Replace(started, `{"path":"a"}`, `{"path":"./a"}`, 1)); len(said) != 1 {
		t.Errorf("%q", said)
	}
}

// How full the window is counts until it was compacted.
func TestUsageUntilClaudeCompacts(t *testing.T) {
	head := `{"type":"assistant","uuid":"u1","sessionId":"s","message":{"role":"assistant","content":"Pressed.","usage":{"input_tokens":90,"output_tokens":10}}}` + "\n"
	for subtype, want := range map[string]int{"compact_boundary": 0, "microcompact_boundary": 0, "turn_duration": 100} {
		rd, _ := spoken(t, head+`{"type":"system","subtype":"`+subtype+`","uuid":"u2","sessionId":"s"}`)
		if got := rd.Usage; got == nil && want > 0 || got != nil && got.Tokens != want {
			t.Errorf("%s: %+v", subtype, got)
		}
	}
}

// A compaction of Copilot's may fail.
func TestUsageUntilCopilotCompacts(t *testing.T) {
	head := `{"type":"user.message","id":"e1","data":{"content":"Press."}}` + "\n" + `{"type":"session.compaction_start","id":"e2","data":{"currentTokens":900,"tokenLimit":1000}}` + "\n"
	for end, want := range map[string]int{
		`{"type":"session.compaction_complete","id":"e3","data":{"success":true,"summaryContent":"Pressed."}}`:    0,
		`{"type":"session.compaction_complete","id":"e3","data":{"success":false,"summaryContent":"","error":1}}`: 900,
		`{"type":"session.context_cleared","id":"e3","data":{"messagesCleared":1}}`:                               0,
		`{"type":"session.truncation","id":"e3","data":{}}`:                                                       0,
	} {
		rd, _ := spoken(t, head+end)
		if got := rd.Usage; got == nil && want > 0 || got != nil && got.Tokens != want {
			t.Errorf("%s: %+v", end, got)
		}
	}
}

// What only looks like a transcript is none.
func TestWhatOnlyLooksLikeATranscript(t *testing.T) {
	for _, src := range []string{
		`{"type":"user.created","data":{"id":"1"}}` + "\n" + `{"type":"session.created","data":{"id":"2"}}`,
		`{"type":"click","session_id":"s-1","at":5}`,
		`{"id":"1","timestamp":"2026-03-02T09:00:00Z","level":"info","msg":"started"}`,
		`{"type":"message","content":[{"type":"text","text":"x"}]}`,
		`{"message":"x","level":"info"}`,
		"user:\n  name: ann\n",
		"# Notes\n\nuser: ann\nassistant: bob\n",
		"<user_query>x</user_query>",
	} {
		if rd, err := transcript.Read([]byte(src)); err == nil {
			t.Errorf("%q was read as %s: %+v", src, rd.Tool, rd.Messages)
		}
	}
}

// A format that is named and is not the text's is refused, with what it looks
// like instead.
func TestTheWrongFormatIsRefused(t *testing.T) {
	all := transcripts(t)
	for name, tools := range map[string]string{
		"claude-code.jsonl": "codex copilot cursor gemini-cli chat specstory swe-agent",
		"codex.jsonl":       "claude-code copilot cursor gemini-cli chat forgemind specstory swe-agent",
		"copilot.jsonl":     "claude-code codex cursor gemini-cli chat forgemind specstory swe-agent",
		"gemini-cli.json":   "claude-code codex copilot cursor chat specstory swe-agent",
		"swe-agent.json":    "claude-code codex copilot cursor gemini-cli specstory",
		"specstory.md":      "claude-code codex copilot cursor gemini-cli chat forgemind swe-agent",
		"cursor-agent.txt":  "claude-code codex copilot gemini-cli chat forgemind specstory swe-agent",
	} {
		is, err := transcript.Read(all["testdata/"+name])
		if err != nil {
			t.Fatal(err)
		}
		for tool := range strings.FieldsSeq(tools) {
			_, err := transcript.ReadOf(tool, all["testdata/"+name])
			if err == nil || !strings.Contains(err.Error(), tool) || !strings.Contains(err.Error(), "looks like one of "+is.Tool) {
				t.Errorf("%s as %s: %v", name, tool, err)
			}
		}
	}
	if rd, err := transcript.ReadOf("codex", []byte(`{"type":"of_a_kind_to_come","payload":{}}`)); err == nil {
		t.Errorf("%+v", rd)
	}
}

// What Windows wrote as UTF-16 says so, or shows it.
func TestUTF16WithoutAMark(t *testing.T) {
	for name, order := range map[string]binary.AppendByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian} {
		for _, mark := range []string{"", "\uFEFF"} {
			var src []byte
			for _, unit := range utf16.Encode([]rune(mark + `{"role":"user","content":"Ännes Birnen 🍐"}`)) {
				src = order.AppendUint16(src, unit)
			}
			if _, said := spoken(t, string(src)); !slices.Equal(said, []string{"user: Ännes Birnen 🍐"}) {
				t.Errorf("%s endian, mark %q: %q", name, mark, said)
			}
		}
	}
}

// Of an answer that was asked for again, or a question that was put anew, the one counts that the
// conversation goes on from; the other was taken back, and is known by its id if it is in the
// tree from before.
func TestBranchesThatTheConversationDoesNotEndIn(t *testing.T) {
	for name, want := range map[string][]string{
		"chatgpt.json":     {"msg-0000-n2", "msg-0000-n7"},
		"claude-ai.json":   {"msg-m000-2"},
		"opencode.json":    {"msg-msg_8", "msg-msg_9"},
		"vscode.json":      {"msg-request_0000-9", ""}, // one record
		"vscode-log.jsonl": {"msg-request_0000-1"},
	} {
		rd, err := transcript.Read(transcripts(t)["testdata/"+name])
		if err != nil {
			t.Fatal(err)
		}
		accounted(t, rd)
		if len(rd.TakenBack) != len(want) {
			t.Errorf("%s: taken back %q, not %q", name, rd.TakenBack, want)
		}
		for i, id := range want {
			if i < len(rd.TakenBack) && id != "" && rd.TakenBack[i] != id {
				t.Errorf("%s: taken back %q, not %q", name, rd.TakenBack[i], id)
			}
		}
		taken := 0
		for _, s := range rd.Skipped {
			if s.Reason == "taken back" {
				taken = s.Count
			}
		}
		if one := name == "vscode.json"; one && taken != 1 || !one && taken != len(want) {
			t.Errorf("%s: %d records taken back: %+v", name, taken, rd.Skipped)
		}
	}
}

// An export may hold more values than one JSON text can: each conversation is read by itself.
func TestAnExportOfAnySize(t *testing.T) {
	talk := func(id string) string {
		return `{"conversation_id":"` + id + `","mapping":{"a":{"message":{"author":{"role":"user"},"content":{"parts":[` + strings.Repeat(`"",`, 200_000) + `"Say ` + id + `."]}}}}}`
	}
	if rd, said := spoken(t, "["+talk("c1")+", "+talk("c2")+",\n"+talk("c3")+"]"); len(said) != 3 || len(rd.Faults) > 0 {
		t.Errorf("%q, faults %v", said, rd.Faults)
	}
}

// Parents that loop, or lead nowhere, end the branch; a long one is read as well.
func TestParentsThatLoop(t *testing.T) {
	var chatgpt, claude []string
	node := func(id, parent string) {
		chatgpt = append(chatgpt, `"`+id+`":{"parent":"`+parent+`","children":["`+id+`"],"message":{"id":"m-`+id+`","author":{"role":"user"},"content":{"content_type":"text","parts":["Say `+id+`."]}}}`)
		claude = append(claude, `{"uuid":"`+id+`","parent_message_uuid":"`+parent+`","sender":"human","text":"Say `+id+`."}`)
	}
	node("a", "b")
	node("b", "c")
	node("c", "b")
	for i := range 20_000 {
		node(strconv.Itoa(i+1), strconv.Itoa(i))
	}
	for name, of := range map[string]struct {
		src  string
		said int
	}{
		"ChatGPT, a loop":        {`{"mapping":{` + strings.Join(chatgpt, ",") + `},"current_node":"a"}`, 3},
		"ChatGPT, a long branch": {`{"mapping":{` + strings.Join(chatgpt, ",") + `},"current_node":"20000"}`, 20_000},
		"ChatGPT, itself":        {`{"mapping":{` + strings.Join(chatgpt[:3], ",") + `},"current_node":"x"}`, 3},
		"Claude.ai, a loop":      {`{"chat_messages":[` + strings.Join(claude, ",") + `],"current_leaf_message_uuid":"a"}`, 3},
		"Claude.ai, no leaf":     {`{"chat_messages":[` + strings.Join(claude[:3], ",") + `],"current_leaf_message_uuid":"x"}`, 3},
	} {
		rd, _ := spoken(t, of.src)
		if len(rd.Messages) != of.said {
			t.Errorf("%s: %d messages", name, len(rd.Messages))
		}
	}
}

// Changes that change nothing cost nothing: of a log that repeats them, each would otherwise bring
// all requests once more, and this would not end.
func TestALogOfChangesThatChangeNothing(t *testing.T) {
	var log strings.Builder
	log.WriteString(`{"kind":0,"v":{"requests":[`)
	for i := range 20_000 {
		fmt.Fprintf(&log, `{"requestId":"r%d","message":"Say %[1]d.","response":[]},`, i)
	}
	log.WriteString(`{"requestId":"last","message":"Last.","response":[]}]}}` + "\n")
	for range 20_000 {
		log.WriteString(`{"kind":3,"k":[]}` + "\n" + `{"kind":2,"k":[],"i":0}` + "\n" + `{"kind":1,"k":["requests"],"v":1e999}` + "\n")
	}
	rd, _ := spoken(t, log.String())
	if len(rd.Messages) != 20_001 || len(rd.TakenBack) > 0 {
		t.Errorf("%d messages, %d taken back", len(rd.Messages), len(rd.TakenBack))
	}
}

// What is odd in an export is read as well as it can be: links that are broken, members of other
// types, and what the user undid in the middle of a message.
func TestOddExports(t *testing.T) {
	node := func(id, parent, children string) string {
		return `"` + id + `":{"parent":"` + parent + `","children":[` + children + `],"message":{"id":"` + id + `","author":{"role":"user"},"content":{"parts":["` + id + `"]}}}`
	}
	part := func(kind, more string) string { return `{"id":"prt_` + kind + `","type":"` + kind + `",` + more + `}` }
	opencode := func(info, message, parts string) string {
		return `{"info":{"id":"s"` + info + `},"messages":[{"info":{"id":"msg_1","role":"` + message + `"},"parts":[` + parts + `]},{"info":{"id":"msg_2","role":"user"},"parts":[{"type":"text","text":"Next."}]}]}`
	}
	for name, of := range map[string]struct {
		src  string
		want []string
	}{
		"ChatGPT, a parent that is not there": {`{"mapping":{` + node("a", "", `"b"`) + "," + node("b", "gone", `"c"`) + "," + node("c", "b", "") + `},"current_node":"c"}`,
			[]string{"user: a", "user: b", "user: c"}},
		"ChatGPT, a child that is not there": {`{"mapping":{` + node("a", "", `"b","gone"`) + "," + node("b", "a", "") + `},"current_node":7}`, []string{"user: a", "user: b"}},
		"Claude.ai, a leaf and no parents": {`{"current_leaf_message_uuid":"b","chat_messages":[{"uuid":"a","sender":"human","text":"A."},{"uuid":"b","sender":"human","text":"B."}]}`,
			[]string{"user: A.", "user: B."}},
		"Claude.ai, a message without an id": {`{"chat_messages":[{"uuid":"a","sender":"human","text":"A."},{"sender":"human","text":"B."}]}`, []string{"user: A.", "user: B."}},
		"Claude.ai, what was pasted":         {`{"chat_messages":[{"uuid":"a","sender":"human","text":"","attachments":[{"file_name":"","extracted_content":"A."}]}]}`, []string{"user: A."}},
		"VS Code, what was written anew": {`{"kind":0,"v":{"requests":[{"requestId":"a","message":"A.","response":[]},{"requestId":"b","message":"B.","response":[]}]}}` + "\n" +
			`{"kind":2,"k":["requests"],"i":1,"v":[{"requestId":"c","message":"C.","response":[{"kind":"markdownVuln","content":{"value":"It is "}},{"kind":"inlineReference","inlineReference":{"uri":{"path":"/c:/w.md","scheme":"file"}}}]}]}`,
			[]string{"user: A.", "user: C.", "assistant: It is c:/w.md"}},
		"opencode, undone from a part on": {opencode(`,"revert":{"messageID":"msg_1","partID":"prt_tool"}`, "assistant", part("text", `"text":"I look."`)+","+part("tool", `"tool":"bash","state":{"output":"x"}`)),
			[]string{"assistant: I look."}},
		"opencode, a subagent": {opencode(`,"parentID":"t"`, "user", part("text", `"text":"Look."`)), []string{"assistant: Look.", "assistant: Next."}},
		"opencode, forgemind that fails": {opencode("", "assistant", part("tool", `"tool":"bash","state":{"input":{"command":"forgemind brief"},"output":"no tree","metadata":{"exit":2}}`)),
			[]string{"tool: no tree", "user: Next."}},
		"opencode, a question": {opencode("", "assistant", part("tool", `"tool":"question","state":{"input":{"questions":[{"question":"Pears?"},{"question":"Figs?"},{"question":"When?"}]},"output":"User has answered: Yes","metadata":{"answers":[["Comice","Conference"],[],["Now"]]}}`)),
			[]string{`assistant: question {"questions":[{"question":"Pears?"},{"question":"Figs?"},{"question":"When?"}]}`, "user: Q: Pears?\nA: Comice, Conference\n\nQ: When?\nA: Now", "user: Next."}},
		"opencode, no answer": {opencode("", "assistant", part("tool", `"tool":"question","state":{"input":{"questions":[{"question":"Pears?"}]},"output":"Dismissed","metadata":{"answers":[[""]]}}`)),
			[]string{`assistant: question {"questions":[{"question":"Pears?"}]}`, "user: Dismissed", "user: Next."}},
		"opencode, answers to nothing": {opencode("", "assistant", part("tool", `"tool":"question","state":{"input":{},"output":"Comice","metadata":{"answers":[["Comice"]]}}`)),
			[]string{"assistant: question {}", "user: Comice", "user: Next."}},
		"opencode, the same words twice": {opencode("", "assistant", part("text", `"text":"Go."`)+","+part("tool", `"tool":"ls","state":{"output":"x"}`)+","+part("text", `"text":"Go."`)),
			[]string{"assistant: Go.", "assistant: ls", "tool: x", "assistant: Go.", "user: Next."}},
		"codex exec, an error": {`{"type":"thread.started","thread_id":"t"}` + "\n" + `{"type":"error","message":"Reconnecting"}` + "\n" + `{"type":"item.completed","item":{"type":"agent_message","text":"Done."}}`,
			[]string{"assistant: Done."}},
		"the Gemini CLI, a tool that failed": {`{"type":"tool_use","timestamp":"2026-03-02T09:00:01Z","tool_name":"ls","tool_id":"1","parameters":{}}` + "\n" +
			`{"type":"tool_result","timestamp":"2026-03-02T09:00:02Z","tool_id":"1","status":"error","error":{"type":"x","message":"no such folder"}}`,
			[]string{"assistant: ls {}", "tool: no such folder"}},
	} {
		rd, said := spoken(t, of.src)
		if !slices.Equal(said, of.want) || len(rd.Unknown) > 0 {
			t.Errorf("%s: %q, not %q; unknown %v", name, said, of.want, rd.Unknown)
		}
	}
}

// An id of a conversation may be anything: a long one stands for itself no more.
func TestALongIDOfAConversation(t *testing.T) {
	rd, _ := spoken(t, `{"uuid":"`+strings.Repeat("x", 300)+`","chat_messages":[{"uuid":"a","sender":"human","text":"A."}]}`)
	if id := rd.Messages[0].Session; id == "" || len(id) > 100 {
		t.Error(id)
	}
}

// Only files are files that a request names.
func TestFilesOfARequest(t *testing.T) {
	rd, _ := spoken(t, `{"requests":[{"requestId":"a","message":"A.","response":[],"variableData":{"variables":[
		{"value":{"uri":{"scheme":"file","path":"/w/a.md"}}}, {"value":{"scheme":"untitled","path":"/b"}}, {"value":{"scheme":"https","path":"/c"}},
		{"value":{"uri":"file:///w/d%20e.md"}}, {"value":"pasted"}]}}]}`)
	if got := string(rd.Messages[0].Metadata); !strings.Contains(got, `"context_files":["/w/a.md","/w/d e.md"]`) {
		t.Error(got)
	}
}
