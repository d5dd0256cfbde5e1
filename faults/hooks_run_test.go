//go:build linux

package faults_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A happening is one event of an agent's session: what the agent wrote into its
// transcript since the one before, and what it says to the hook.
type happening struct {
	agent, event string
	lines        []string
	payload      map[string]any // but for where things are
	says         string         // what is said there, by the payload or the transcript
	touches      string         // the file that a tool changed
}

// own is what nobody but the payload says.
func (h happening) own() string {
	if h.agent == "claude" || h.agent == "codex" {
		return ""
	}
	return h.says
}

// named are the agents' names for the start of a session, a prompt, a tool, an
// answer, what comes before and after a compaction, and the end; "" is none.
var named = map[string][7]string{
	"claude":  {"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreCompact", "PostCompact", "SessionEnd"},
	"codex":   {"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreCompact", "PostCompact", "SessionEnd"},
	"cursor":  {"sessionStart", "beforeSubmitPrompt", "afterFileEdit", "afterAgentResponse", "preCompact", "", "sessionEnd"},
	"gemini":  {"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "PreCompress", "", "SessionEnd"},
	"copilot": {"sessionStart", "userPromptSubmitted", "postToolUse", "agentStop", "preCompact", "", "sessionEnd"},
	"memfas":  {"", "message-received", "", "post-response", "", "", "session-end"},
}

// A dialogue is what happens in a session of so many turns, with a compaction after
// the first of them; every word of it is its own.
func dialogue(agent, session string, turns int) (all []happening) {
	var lines []string
	add := func(which int, more map[string]any, says string) {
		event := named[agent][which]
		if event == "" {
			return
		}
		payload := map[string]any{"hook_event_name": event, "session_id": session, "transcript_path": "TRANSCRIPT", "cwd": "ROOT"}
		switch agent {
		case "cursor":
			payload["conversation_id"], payload["workspace_roots"] = session, []string{"ROOT"}
			delete(payload, "cwd")
		case "copilot":
			payload = map[string]any{"sessionId": session, "cwd": "ROOT", "timestamp": 1772442000000}
		}
		maps.Copy(payload, more)
		all = append(all, happening{agent, event, lines, payload, says, ""})
		lines = nil
	}
	write := func(role, id, text string) {
		switch agent {
		case "claude":
			content := any(text)
			if role == "assistant" {
				content = []any{map[string]any{"type": "text", "text": text}}
			}
			lines = append(lines, asJSON(map[string]any{"type": role, "uuid": session + "-" + id, "sessionId": session, "timestamp": "2026-03-02T08:00:00.000Z",
				"message": map[string]any{"role": role, "content": content, "usage": map[string]any{"input_tokens": 100 * len(all), "output_tokens": 10}}}))
		case "codex":
			kind := map[string]string{"user": "input_text", "assistant": "output_text"}[role]
			lines = append(lines, asJSON(map[string]any{"timestamp": fmt.Sprintf("2026-03-02T08:%02d:00.000Z", len(all)), "type": "response_item",
				"payload": map[string]any{"type": "message", "role": role, "content": []any{map[string]any{"type": kind, "text": text}}}}))
		}
	}
	if agent == "codex" {
		lines = []string{asJSON(map[string]any{"timestamp": "2026-03-02T08:00:00.000Z", "type": "session_meta", "payload": map[string]any{"id": session, "originator": "codex_cli_rs"}})}
	}
	add(0, map[string]any{"source": "startup"}, "")
	for i := range turns {
		id := fmt.Sprintf("%s-%d", session, i)
		prompt := fmt.Sprintf("Prompt %s: how is walls/%s.md to be laid? Decision: wall %[1]s is laid in lime mortar, because it breathes.", id, id)
		add(1, map[string]any{"prompt": prompt, "message": prompt, "generation_id": id, "turn_id": id}, prompt)
		write("user", id+"-u", prompt)
		name := "walls/" + id + ".md"
		path := "ROOT/" + name
		args := asJSON(map[string]any{"path": path})
		add(2, map[string]any{"tool_name": "Write", "toolName": "create", "tool_input": map[string]any{"file_path": path}, "toolArgs": args, "file_path": path}, "")
		if last := &all[len(all)-1]; last.event == named[agent][2] {
			last.touches = name
			if agent == "cursor" {
				delete(last.payload, "tool_name")
			}
		}
		answer := fmt.Sprintf("Answer %s: stone upon stone.", id)
		write("assistant", id+"-a", answer)
		said := map[string]any{"prompt": prompt, "prompt_response": answer, "text": answer, "response": answer, "generation_id": id, "turn_id": id}
		if agent == "copilot" { // which does not say what it answered
			said, answer = map[string]any{"stopReason": "end_turn"}, ""
		}
		add(3, said, answer)
		if i == 0 {
			add(4, map[string]any{"trigger": "manual"}, "")
			add(5, map[string]any{"trigger": "manual", "compact_summary": "stones"}, "")
			add(0, map[string]any{"source": "compact"}, "")
		}
	}
	add(6, map[string]any{"reason": "other"}, "")
	return all
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// transcriptOf is where an agent beside dir writes down a session.
func transcriptOf(dir, session string) string {
	return filepath.Join(filepath.Dir(dir), "home", "transcripts", session+".jsonl")
}

// command is the hook that an agent runs, once it wrote its transcript.
func (h happening) command(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	session, _ := h.payload["session_id"].(string)
	if session == "" {
		session, _ = h.payload["sessionId"].(string)
	}
	transcript := transcriptOf(dir, session)
	if len(h.lines) > 0 {
		if err := os.MkdirAll(filepath.Dir(transcript), 0o755); err != nil {
			t.Error(err)
		}
		f, err := os.OpenFile(transcript, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			t.Error(err)
			return nil
		}
		fmt.Fprintln(f, strings.Join(h.lines, "\n"))
		f.Close()
	}
	cmd := inHouse(dir, "hook", "run", h.event, "--agent", h.agent)
	cmd.Stdin = strings.NewReader(strings.NewReplacer("ROOT", dir, "TRANSCRIPT", transcript).Replace(asJSON(h.payload)))
	return cmd
}

// silent checks that a hook keeps no agent from its work: exit code 0, no error,
// and nothing but what the agent reads.
func silent(t *testing.T, how, agent string, r run) {
	t.Helper()
	if r.code != 0 || r.err != "" {
		t.Errorf("%s: %v\nis not exit 0 without a word", how, r)
	}
	if r.out == "" {
		return
	}
	var answer struct {
		Output *struct {
			Event string `json:"hookEventName"`
			Text  string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
		Continue *bool  `json:"continue"`
		Snake    string `json:"additional_context"`
		Camel    string `json:"additionalContext"`
	}
	strict := json.NewDecoder(strings.NewReader(r.out))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&answer); err != nil || strict.More() || control.MatchString(r.out) {
		t.Errorf("%s: %v: %.300q", how, err, r.out)
		return
	}
	text := answer.Snake
	switch {
	case agent == "copilot":
		text = answer.Camel
	case answer.Output != nil:
		text = answer.Output.Text
	}
	if text == "" || len(text) > 40_000 || control.MatchString(strings.NewReplacer("\n", "", "\t", "").Replace(text)) || strings.Contains(text, outside) {
		t.Errorf("%s: it tells %d bytes: %.300q", how, len(text), text)
	}
}

// spoken says how often each message stands in the conversations of a tree; and
// each decision in its Ledger.
func spoken(t *testing.T, dir string) (messages, decisions map[string]int) {
	t.Helper()
	messages, decisions = map[string]int{}, map[string]int{}
	each(t, dir, func(name string, _ fs.FileMode, text string) {
		switch {
		case strings.Contains(name, "/.local/"):
		case strings.Contains(name, "/decisions/"):
			var d struct{ Decision string }
			if err := json.Unmarshal([]byte(text), &d); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			decisions[d.Decision]++
		case name == talk, strings.HasPrefix(name, ".quaid/context/sessions/") && strings.HasSuffix(name, ".jsonl"):
			for line := range strings.Lines(text) {
				var m struct {
					Content, Kind string
				}
				if err := json.Unmarshal([]byte(line), &m); err != nil {
					t.Errorf("%s: %v: %.200q", name, err, line)
				}
				if m.Kind != "summary" {
					messages[m.Content]++
				}
			}
		}
	})
	return messages, decisions
}

// touched says which files tools changed, by the hot context and by what hooks
// remember.
func touched(t *testing.T, dir string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	each(t, dir, func(name string, _ fs.FileMode, text string) {
		var kept struct {
			Files   []string
			Current struct{ Files []string } `json:"current_file_context"`
		}
		if strings.HasSuffix(name, "/hot_context.json") || strings.Contains(name, "/.local/hook-") {
			if err := json.Unmarshal([]byte(text), &kept); err != nil && !strings.Contains(name, "faults") {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, file := range append(kept.Files, kept.Current.Files...) {
			all[file] = true
		}
	})
	return all
}

// noted says whether doctor knows that something went wrong at an event.
func noted(t *testing.T, dir string, h happening) bool {
	t.Helper()
	var kept struct {
		Faults []struct{ Agent, Event string }
	}
	src, err := os.ReadFile(filepath.Join(dir, local, "hook-faults.json"))
	if err == nil {
		err = json.Unmarshal(src, &kept)
	}
	if err != nil && !os.IsNotExist(err) {
		t.Error(err)
	}
	for _, f := range kept.Faults {
		if f.Agent == h.agent && f.Event == h.event {
			return true
		}
	}
	return false
}

// A listening tree is one before each event of a dialogue.
type listening struct {
	happenings          []happening
	before              []string // the tree before each event
	times               []map[string]int
	messages, decisions map[string]int // in the end
}

func listen(t *testing.T, agent string, errnos map[string][]string) *listening {
	t.Helper()
	dir := newDir(t)
	succeed(t, dir, "init", "--layout", "both")
	l := &listening{happenings: dialogue(agent, "s-"+agent, 2)}
	calls := slices.Collect(maps.Keys(errnos))
	for _, h := range l.happenings {
		l.before = append(l.before, dir)
		rehearsal := moveInto(t, dir)
		log := filepath.Join(filepath.Dir(rehearsal), "log")
		silent(t, h.event, agent, execute(t, underStrace(h.command(t, rehearsal), log, strings.Join(calls, ","), ""), 2*hang))
		l.times = append(l.times, tally(t, log, calls))
		dir = moveInto(t, dir)
		silent(t, h.event, agent, execute(t, h.command(t, dir), hang))
	}
	l.messages, l.decisions = spoken(t, dir)
	for _, h := range l.happenings {
		if h.says != "" && l.messages[h.says] != 1 {
			t.Errorf("undisturbed, of %s it stands %d times: %q", agent, l.messages[h.says], h.says)
		}
	}
	if len(l.messages) < 2 {
		t.Fatalf("undisturbed, of %s there is %v, decided %v", agent, l.messages, l.decisions)
	}
	return l
}

// moveInto copies a house. What hooks remember names the transcript by its path.
func moveInto(t *testing.T, dir string) string {
	t.Helper()
	to := copyHouse(t, dir)
	if found, _ := filepath.Glob(filepath.Join(to, local, "hook-*.json")); len(found) > 0 {
		for _, name := range found {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			os.WriteFile(name, []byte(strings.ReplaceAll(string(text), filepath.Dir(dir)+"/", filepath.Dir(to)+"/")), 0o644)
		}
	}
	return to
}

// unopened says whether it was the opening of the tree that failed, which takes two
// calls: where nothing can be kept, no fault can be noted either.
func unopened(hits []string, dir string) bool {
	return slices.ContainsFunc(hits, func(hit string) bool {
		return strings.Contains(hit, fmt.Sprintf(`%q, O_RDONLY|O_CLOEXEC) = -1`, dir)) || strings.Contains(hit, fmt.Sprintf(`<%s>, ".", O_RDONLY|O_NOFOLLOW|O_CLOEXEC) = -1`, dir))
	})
}

// disturbHooks disturbs the events of agents' sessions, each at about so many calls
// of each kind, and every so-manieth of them.
func disturbHooks(t *testing.T, errnos map[string][]string, agents []string, most, every int) {
	t.Helper()
	type point struct {
		*listening
		i int
		spot
	}
	var points []point
	for _, agent := range agents {
		l := listen(t, agent, errnos)
		for i := range l.happenings {
			for _, s := range spots(l.times[i], errnos, most) {
				points = append(points, point{l, i, s})
			}
		}
	}
	if os.Getenv("FAULTS_ALL") == "" {
		var some []point
		for i := 0; i < len(points); i += every {
			some = append(some, points[i])
		}
		points = some
	}
	var mu sync.Mutex
	reached, silenced := 0, 0
	inTwo(points, func(p point) {
		h := p.happenings[p.i]
		dir := moveInto(t, p.before[p.i])
		defer os.RemoveAll(filepath.Dir(dir))
		got, hits, ok := injured(t, h.command(t, dir), p.spot)
		if !ok {
			return
		}
		how := fmt.Sprintf("%s of %s (%d) at %s %d %s\n  %s", h.event, h.agent, p.i, p.call, p.k, p.errno, strings.Join(hits, "\n  "))
		if p.errno != "" {
			silent(t, how, h.agent, got)
		}
		for _, next := range p.happenings[p.i+1:] {
			silent(t, how+": then "+next.event, h.agent, execute(t, next.command(t, dir), hang))
		}
		if r := forgemind(t, dir, "set", "/notes/next", "1"); r.code != 0 { // which sees to what the last event left
			t.Errorf("%s: the next command: %v", how, r)
		}
		messages, decisions := spoken(t, dir)
		// Nobody says again what only the payload of a hook says that was killed, or that
		// could keep it nowhere: of that doctor tells, where the tree could be opened at all.
		cannot := p.errno == "" && got.code != 0 || p.errno != "" && noted(t, dir, h) || unopened(hits, dir)
		lost := cannot && h.own() != "" && messages[h.own()] == 0
		for text, n := range p.messages {
			if messages[text] != n && !(lost && text == h.own()) {
				t.Errorf("%s: it stands %d times, not %d: %q", how, messages[text], n, text)
			}
		}
		for text, n := range messages {
			if n > p.messages[text] {
				t.Errorf("%s: it stands %d times, not %d: %q", how, n, p.messages[text], text)
			}
		}
		for text, n := range p.decisions {
			if decisions[text] != n && !(lost && strings.Contains(h.own(), text)) {
				t.Errorf("%s: decided %d times: %q", how, decisions[text], text)
			}
		}
		files := touched(t, dir)
		for _, one := range p.happenings {
			if one.touches != "" && !files[one.touches] && !(cannot && one.touches == h.touches) {
				t.Errorf("%s: nobody knows that %s was changed", how, one.touches)
			}
		}
		if len(decisions) > len(p.decisions) {
			t.Errorf("%s: decided besides: %v", how, decisions)
		}
		if r := forgemind(t, dir, "validate"); r.code != 0 {
			t.Errorf("%s: validate: %v", how, r)
		}
		for _, left := range []string{"stage", "txn"} {
			found, _ := filepath.Glob(filepath.Join(dir, ".*", ".local", left, "*"))
			// What is written without the lock goes after a minute, with whoever has it then.
			found = slices.DeleteFunc(found, func(name string) bool { return strings.Contains(name, "%2F.local%2F") })
			if len(found) > 0 {
				t.Errorf("%s: litter stays: %q", how, found)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if got.code != 0 || len(hits) > 0 {
			reached++
		}
		if lost {
			silenced++
		}
	})
	t.Logf("%d points, %d reached; %d times nobody knows what the agent said there", len(points), reached, silenced)
	if reached < len(points)/2 || silenced > len(points)/8 {
		t.Errorf("only %d of %d points were reached, or %d is too often", reached, len(points), silenced)
	}
}

// Killed at any of its system calls, a hook loses nothing of what an agent wrote
// down, and doubles nothing: the next events see to it.
func TestHooksKilledAtSystemCalls(t *testing.T) {
	needs(t, "strace")
	kill := []string{""}
	errnos := map[string][]string{}
	for _, call := range calls {
		errnos[call.name] = kill
	}
	disturbHooks(t, errnos, []string{"claude", "codex", "cursor"}, 2, 7)
}

// Whatever system call fails, the agent is not told of it, and nothing that it said
// is doubled, or lost without doctor's knowing.
func TestHooksErrorsFromSystemCalls(t *testing.T) {
	needs(t, "strace")
	errnos := map[string][]string{}
	for _, f := range failing {
		errnos[f.call] = f.errnos
	}
	disturbHooks(t, errnos, []string{"claude", "gemini", "copilot", "memfas"}, 2, 7)
}
