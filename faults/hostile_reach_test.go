//go:build linux

package faults_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// strange is the session of the agents that come to a stranger's tree.
const strange = "s-strange"

// agentChecks are the checks of what agents run, or what brings in what they wrote.
var agentChecks = append([]check{after(keepsAgentsAtWork), takesNothingIn, works(workOfAgents)}, safetyChecks...)

// What agents reach in a stranger's tree harms nobody: nobody is shown what steers a
// terminal or stands outside, nothing outside is touched, and no agent is kept from
// its work.
func TestHostileReach(t *testing.T) {
	kept, plain := newDocumentTree(t, "--layout", "both"), newDocumentTree(t)
	talked, discussionTree := newSessionTree(t), newDiscussionTree(t)
	mine, others, more := atLength(1, 3), atLength(1, 26), atLength(1, 23)
	for _, g := range []struct {
		name         string
		base         string
		hazards      hazards
		mine, others int
	}{
		{"trees", kept, treeHazards(), mine, others},
		{"hooks", kept, hookHazards(), 3, 8 * others},
		{"knobs", kept, oneIn(3, knobHazards()), 3, 2 * others},
		{"documents", plain, oneIn(4, documentHazards(t, plain)), mine, more},
		{"sessions", talked.dir, oneIn(8, talked.hazards()), mine, more},
		{"discussions", discussionTree.dir, oneIn(8, discussionTree.hazards()), mine, more},
	} {
		t.Run(g.name, func(t *testing.T) {
			suite{
				base: g.base, hazards: g.hazards, invocations: agentInvocations(), mine: g.mine, others: g.others, home: true, act: executeLonger, checks: agentChecks,
				watches: func(n, i int, _ invocation) bool { return (n+i)%5 == 0 && n%2 == 0 },
			}.run(t)
		})
	}
}

// executeLonger runs the command: how long it works is what counts, on a busy machine.
func executeLonger(s *setup) run { return execute(s.T, s.cmd, 6*hang) }

// oneIn returns one of n hazards, where not all are asked for.
func oneIn(n int, hs hazards) (some hazards) {
	for i := 0; i < len(hs); i += atLength(1, n) {
		some = append(some, hs[i])
	}
	return some
}

// agentInvocations returns the commands that agents run; hooks are those of each agent at each
// of its events.
func agentInvocations() []invocation {
	const status = `{"session_id":"` + strange + `","model":{"display_name":"Opus"},"workspace":{"current_dir":"ROOT","project_dir":"ROOT"},"context_window":{"total_input_tokens":84000,"context_window_size":200000,"current_usage":{"input_tokens":84000}}}`
	all := invocations(`
tree: brief; brief --format json; governs src/wall.go; governs src --format json; mcp; mcp --allow-writes
window: statusline; statusline --format json --agent claude
import: message import said.jsonl; message import said.jsonl --dry-run; sessions new --from said.jsonl
settings: hook status; hook install --agent all --mcp; hook uninstall --agent all
faults: doctor
`)
	for i, v := range all {
		all[i].stdin = map[string]string{"mcp": messages(looks), "mcp --allow-writes": messages(records)}[strings.Join(v.args, " ")]
		if v.args[0] == "statusline" {
			all[i].stdin = status
		}
	}
	for _, agent := range []string{"claude", "codex", "cursor", "gemini", "copilot", "memfas"} {
		for _, h := range dialogue(agent, strange, 1) {
			v := hookInvocation(agent, h.event, asJSON(h.payload))
			if slices.Contains([]string{"Stop", "PreCompact", "SessionEnd"}, h.event) {
				v.topics = append(v.topics, "transcript-"+agent)
			}
			all = append(all, v)
		}
	}
	return all
}

// looks and records are the requests of clients of the MCP server: a method a line,
// with its parameters.
const (
	looks = `
initialize {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "stranger", "version": "1"}}
tools/call {"name": "brief", "arguments": {}}
tools/call {"name": "context", "arguments": {}}
tools/call {"name": "decision_list", "arguments": {}}
tools/call {"name": "session_list", "arguments": {}}
tools/call {"name": "status", "arguments": {}}
tools/call {"name": "validate", "arguments": {}}
tools/call {"name": "search", "arguments": {"query": "mortar"}}
tools/call {"name": "recover", "arguments": {"query": "mortar"}}
tools/call {"name": "governs", "arguments": {"path": "src/wall.go"}}
tools/call {"name": "work_list", "arguments": {"kind": "goal"}}
resources/list {}
resources/read {"uri": "forgemind://brief"}
resources/read {"uri": "forgemind://state"}
resources/read {"uri": "forgemind://decisions"}
resources/read {"uri": "forgemind://note/project-knowledge"}
resources/read {"uri": "forgemind://decision/DEC-EVIL01"}
resources/read {"uri": "forgemind://project/south-wall"}
prompts/get {"name": "brief"}`
	records = `
initialize {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "stranger", "version": "1"}}
tools/call {"name": "decision_add", "arguments": {"decision": "Lay it in lime", "rationale": "it breathes", "files": ["src/wall.go"]}}
tools/call {"name": "goal", "arguments": {"action": "add", "text": "Lay the wall"}}
tools/call {"name": "constraint", "arguments": {"action": "add", "text": "No mortar in frost"}}
tools/call {"name": "remember", "arguments": {"text": "Sand comes on Mondays"}}
tools/call {"name": "question", "arguments": {"action": "ask", "text": "Which sand?"}}`
)

// messages returns what a client sends to make the requests.
func messages(requests string) string {
	var all strings.Builder
	for id, line := range strings.Split(strings.TrimSpace(requests), "\n") {
		method, params, _ := strings.Cut(line, " ")
		fmt.Fprintf(&all, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id+1, method, params)
		if method == "initialize" {
			all.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
		}
	}
	return all.String()
}

// commandAtHome makes what the command needs, where the hazard is not in its place.
func (s *setup) commandAtHome() *exec.Cmd {
	s.Helper()
	written := transcriptOf(s.dir, strange)
	agent := s.invocation.agent
	if agent == "" {
		agent = "claude"
	}
	var lines []string
	for _, h := range dialogue(agent, strange, 3) {
		lines = append(lines, h.lines...)
	}
	for _, path := range []string{written, filepath.Join(s.dir, "said.jsonl")} {
		if _, err := os.Lstat(path); err != nil && (agent == "claude" || agent == "codex") {
			file(s.T, filepath.Dir(path), filepath.Base(path), strings.Join(lines, "\n")+"\n")
		}
	}
	if slices.Contains(s.invocation.topics, "settings") {
		for _, folder := range []string{".claude", ".codex", ".cursor", ".gemini", ".github/hooks"} {
			os.MkdirAll(filepath.Join(s.dir, folder), 0o755)
		}
	}
	cmd := atHome(s.dir, s.invocation.args...)
	said := strings.NewReplacer("ROOT", s.dir, "TRANSCRIPT", written).Replace(s.invocation.stdin)
	head, tail, much := strings.Cut(said, "FIFTY-MEGABYTES")
	cmd.Stdin = strings.NewReader(head)
	if much {
		cmd.Stdin = io.MultiReader(cmd.Stdin, io.LimitReader(words{}, 50_000_000), strings.NewReader(tail))
	}
	if s.invocation.args[0] == "mcp" {
		out := &transcript{}
		cmd.Stdout = out
		cmd.Stdin = io.MultiReader(cmd.Stdin, endAfter{out, int64(requests(s.invocation))})
	}
	return cmd
}

// An endAfter ends once there are so many lines in a transcript, but waits no longer than hang.
// A client shuts its server down after the last answer.
type endAfter struct {
	out   *transcript
	lines int64
}

func (e endAfter) Read([]byte) (int, error) {
	for end := time.Now().Add(hang); e.out.lines.Load() < e.lines && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	return 0, io.EOF
}

// requests returns the number of requests that an invocation of the MCP server is sent.
func requests(v invocation) int { return strings.Count(v.stdin, `"id":`) }

// Words never end.
type words struct{}

func (words) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = "mortar "[i%7]
	}
	return len(p), nil
}

// workOfAgents returns how long a command may have a processor.
func workOfAgents(v invocation) time.Duration {
	switch {
	case slices.Contains(v.topics, "import"): // of which fifty megabytes are wanted
		return 20 * time.Second
	case v.agent != "" || v.args[0] == "statusline": // two seconds on each of two processors
		return 4 * time.Second
	}
	return 8 * time.Second
}

// keepsAgentsAtWork checks how a command ended.
func keepsAgentsAtWork(s *setup, r run) {
	s.must(r, r.said <= mostSaid, "it says %d bytes", r.said)
	switch command := s.invocation.args[0]; {
	case s.invocation.agent != "":
		silent(s.T, s.invocation.args[2], s.invocation.agent, r)
	case command == "mcp":
		answers(s, r)
	default:
		s.must(r, r.code == 0 || command != "statusline" && (r.code == 1 || r.code == 3), "not the right exit code")
	}
}

// answers checks that each message of the client is answered once, in JSON whose
// texts are fit to be shown.
func answers(s *setup, r run) {
	s.must(r, r.code == 0, "it fails")
	answered := map[float64]int{}
	for line := range strings.Lines(r.out) {
		var m map[string]any
		err := json.Unmarshal([]byte(line), &m)
		s.must(r, err == nil, "%v: %.200q", err, line)
		if id, ok := m["id"].(float64); ok {
			answered[id]++
			s.must(r, answered[id] == 1, "request %v is answered again", id)
		}
		texts(m, func(text string) {
			bad := control.FindString(strings.NewReplacer("\r\n", "", "\n", "", "\t", "").Replace(text))
			s.must(r, bad == "", "a text has %q in it: %.200q", bad, text)
		})
	}
	n := requests(s.invocation)
	s.must(r, len(answered) == n, "of %d requests %d are answered", n, len(answered))
}

// texts calls do for every text in a JSON value.
func texts(v any, do func(string)) {
	switch v := v.(type) {
	case string:
		do(v)
	case []any:
		for _, item := range v {
			texts(item, do)
		}
	case map[string]any:
		for name, item := range v {
			do(name)
			texts(item, do)
		}
	}
}
