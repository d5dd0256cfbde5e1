//go:build linux

package faults_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"
)

// A reach is a command that agents run, or that brings in what they wrote: what a
// stranger put into a tree gets from there into somebody's context.
type reach struct {
	about string
	args  []string
	stdin string // ROOT is the project directory, TRANSCRIPT a file beside it
	agent string // whose hook it is; "" for none
	then  string // the event that comes after it, and is told of it; "" for none
}

func (r reach) String() string { return fmt.Sprintf("%q", r.args) }

// strange is the session of the agents that come to a stranger's tree.
const strange = "s-strange"

// reaches are the commands; hooks are those of each agent at each of its events.
func reaches() (all []reach) {
	add := func(about string, stdin string, args ...string) {
		all = append(all, reach{about: about, args: args, stdin: stdin})
	}
	const status = `{"session_id":"` + strange + `","model":{"display_name":"Opus"},"workspace":{"current_dir":"ROOT","project_dir":"ROOT"},"context_window":{"total_input_tokens":84000,"context_window_size":200000,"current_usage":{"input_tokens":84000}}}`
	add("tree", "", "brief")
	add("tree", "", "brief", "--format", "json")
	add("tree", "", "governs", "src/wall.go")
	add("tree", "", "governs", "src", "--format", "json")
	add("window", status, "statusline")
	add("window", status, "statusline", "--format", "json", "--agent", "claude")
	add("tree", asked(false), "mcp")
	add("tree", asked(true), "mcp", "--allow-writes")
	add("import", "", "message", "import", "said.jsonl")
	add("import", "", "message", "import", "said.jsonl", "--dry-run")
	add("import", "", "sessions", "new", "--from", "said.jsonl")
	add("settings", "", "hook", "status")
	add("settings", "", "hook", "install", "--agent", "all", "--mcp")
	add("settings", "", "hook", "uninstall", "--agent", "all")
	add("faults", "", "doctor")
	for _, agent := range []string{"claude", "codex", "cursor", "gemini", "copilot", "memfas"} {
		for _, h := range dialogue(agent, strange, 1) {
			about := "hook " + agent
			if agent == "claude" || agent == "codex" {
				switch h.event {
				case "Stop", "PreCompact", "SessionEnd":
					about = "transcript " + agent
				}
			}
			all = append(all, reach{about, []string{"hook", "run", h.event, "--agent", agent}, asJSON(h.payload), agent, ""})
		}
	}
	return all
}

// asked are the messages of a client of the MCP server that looks at everything, and
// records something.
func asked(writes bool) string {
	var all strings.Builder
	id := 0
	request := func(method string, params any) {
		id++
		all.WriteString(asJSON(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params}) + "\n")
	}
	type m = map[string]any
	call := func(name string, arguments m) { request("tools/call", m{"name": name, "arguments": arguments}) }
	request("initialize", m{"protocolVersion": "2025-06-18", "capabilities": m{}, "clientInfo": m{"name": "stranger", "version": "1"}})
	all.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	if writes {
		call("decision_add", m{"decision": "Lay it in lime", "rationale": "it breathes", "files": []string{"src/wall.go"}})
		call("goal", m{"action": "add", "text": "Lay the wall"})
		call("constraint", m{"action": "add", "text": "No mortar in frost"})
		call("remember", m{"text": "Sand comes on Mondays"})
		call("question", m{"action": "ask", "text": "Which sand?"})
		return all.String()
	}
	for _, name := range []string{"brief", "context", "decision_list", "session_list", "status", "validate"} {
		call(name, m{})
	}
	call("search", m{"query": "mortar"})
	call("recover", m{"query": "mortar"})
	call("governs", m{"path": "src/wall.go"})
	call("work_list", m{"kind": "goal"})
	request("resources/list", m{})
	for _, uri := range []string{"forgemind://brief", "forgemind://state", "forgemind://decisions", "forgemind://note/project-knowledge", "forgemind://decision/DEC-EVIL01", "forgemind://project/south-wall"} {
		request("resources/read", m{"uri": uri})
	}
	request("prompts/get", m{"name": "brief"})
	return all.String()
}

// beside are the folders of a house in which a command has no business, as they are.
func beside(t *testing.T, dir, out string) string {
	t.Helper()
	all := canary(t, out)
	if home := filepath.Join(filepath.Dir(dir), "home"); !strings.HasPrefix(out, home) {
		if _, err := os.Stat(home); err == nil {
			all += noReceipts.ReplaceAllString(namesOf(t, home), "")
		}
	}
	return all
}

// noReceipts are the lines of the folders of receipts, which are the user's.
var noReceipts = regexp.MustCompile(`(?m)^\.local\b.*\n`)

// namesOf lists what stands below a directory, with the size of it.
func namesOf(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if info, err := entry.Info(); err == nil && !entry.IsDir() {
			fmt.Fprintln(&all, name, info.Mode(), info.Size())
		}
		return nil
	})
	return all.String()
}

// stolen counts the files of a tree that have words from outside in them; of those
// that are not links.
func stolen(dir string) (names []string) {
	filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil
		}
		if info, err := entry.Info(); err != nil || info.Size() > 1<<20 {
			return nil
		}
		if text, _ := os.ReadFile(path); bytes.Contains(text, []byte(outside)) {
			names = append(names, path)
		}
		return nil
	})
	return names
}

// come sets the trap, has the command come to it, and checks that it harms nobody. It
// says how long that took.
func (tr keptTrap) come(t *testing.T, base string, r reach) time.Duration {
	t.Helper()
	dir, out := tr.set(t, base)
	defer os.RemoveAll(filepath.Dir(dir))
	cmd := tr.ready(t, dir, r)
	before, kept := beside(t, dir, out), stolen(dir)
	cpu, got := measured(t, cmd)
	how := fmt.Sprintf("%.80s at %.80q: %v", tr.what, tr.name, got)
	most := 8 * time.Second
	if r.about == "import" { // of which fifty megabytes are wanted
		most = 20 * time.Second
	}
	if r.agent != "" || r.args[0] == "statusline" { // two seconds on each of two processors
		most = 4 * time.Second
	}
	if cpu > most {
		t.Errorf("%s  it works for %v", how, cpu)
	}
	r.harmless(t, how, got)
	if r.then != "" {
		r.args = []string{"hook", "run", r.then, "--agent", r.agent}
		_, next := measured(t, tr.ready(t, dir, r))
		r.harmless(t, how+"then "+next.String(), next)
	}
	if after := beside(t, dir, out); after != before {
		t.Errorf("%s  outside it became\n%s\nnot\n%s", how, after, before)
	}
	if now := stolen(dir); len(now) > len(kept) {
		t.Errorf("%s  what stands outside came into %q", how, now)
	}
	return got.took
}

// ready makes what the command needs, where the trap is not in its place.
func (tr keptTrap) ready(t *testing.T, dir string, r reach) *exec.Cmd {
	t.Helper()
	transcript := transcriptOf(dir, strange)
	var lines []string
	for _, agent := range []string{"claude", "codex"} {
		if r.agent == agent || r.agent == "" && agent == "claude" {
			for _, h := range dialogue(agent, strange, 3) {
				lines = append(lines, h.lines...)
			}
		}
	}
	for _, path := range []string{transcript, filepath.Join(dir, "said.jsonl")} {
		if _, err := os.Lstat(path); err == nil || len(lines) == 0 {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Error(err)
		}
	}
	if r.about == "settings" {
		for _, folder := range []string{".claude", ".codex", ".cursor", ".gemini", ".github/hooks"} {
			os.MkdirAll(filepath.Join(dir, folder), 0o755)
		}
	}
	cmd := inHouse(dir, r.args...)
	said := strings.NewReplacer("ROOT", dir, "TRANSCRIPT", transcript).Replace(r.stdin)
	head, tail, much := strings.Cut(said, "FIFTY-MEGABYTES")
	cmd.Stdin = strings.NewReader(head)
	if much {
		cmd.Stdin = io.MultiReader(cmd.Stdin, io.LimitReader(words{}, 50_000_000), strings.NewReader(tail))
	}
	return cmd
}

// Words never end.
type words struct{}

func (words) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = "mortar "[i%7]
	}
	return len(p), nil
}

// measured runs a command, and says how much of a processor it had.
func measured(t *testing.T, cmd *exec.Cmd) (cpu time.Duration, r run) {
	t.Helper()
	r = execute(t, cmd, 6*hang) // how long it works is what counts, on a busy machine
	if s := cmd.ProcessState; s != nil {
		usage, _ := s.SysUsage().(*syscall.Rusage)
		cpu = time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	return cpu, r
}

// harmless checks what a command said and how it ended.
func (r reach) harmless(t *testing.T, how string, got run) {
	t.Helper()
	said := got.out + got.err
	switch {
	case r.agent != "":
		silent(t, how, r.agent, got)
	case r.args[0] == "mcp":
		r.answered(t, how, got)
	case r.args[0] == "statusline" && got.code != 0:
		t.Errorf("%s  it fails", how)
	case !slices.Contains([]int{0, 1, 3}, got.code):
		t.Errorf("%s  not one of exit 0, 1, 3", how)
	case got.code != 0 && strings.TrimSpace(said) == "":
		t.Errorf("%s  it says nothing", how)
	}
	if bad := control.FindString(said); bad != "" || !utf8.ValidString(said) {
		t.Errorf("%s  a terminal gets %q", how, bad)
	}
	if strings.Contains(said, outside) || strings.Contains(said, "root:x:0") {
		t.Errorf("%s  it tells what is outside", how)
	}
	if got.said > 2<<20 {
		t.Errorf("%s  it says %d bytes", how, got.said)
	}
	if got.rss > 400 && got.rss > own() {
		t.Errorf("%s  it took %d MiB", how, got.rss)
	}
}

// answered checks that each message of the client is answered once, in JSON whose
// texts are fit to be shown.
func (r reach) answered(t *testing.T, how string, got run) {
	t.Helper()
	if got.code != 0 {
		t.Errorf("%s  it fails", how)
	}
	want, have := strings.Count(r.stdin, `"id":`), map[float64]int{}
	if got.said > 1<<20 {
		return // which is said to be too much already
	}
	for line := range strings.Lines(got.out) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Errorf("%s  %v: %.200q", how, err, line)
			continue
		}
		if id, ok := m["id"].(float64); ok {
			have[id]++
		}
		texts(m, func(text string) {
			if bad := control.FindString(strings.NewReplacer("\r\n", "", "\n", "", "\t", "").Replace(text)); bad != "" {
				t.Errorf("%s  a text has %q in it: %.200q", how, bad, text)
			}
		})
	}
	if len(have) != want {
		t.Errorf("%s  of %d requests %d are answered", how, want, len(have))
	}
	for id, n := range have {
		if n != 1 {
			t.Errorf("%s  request %v is answered %d times", how, id, n)
		}
	}
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

// seen runs the command on the trap under strace: it executes nothing, connects to
// nothing, opens nothing outside, and writes nothing but below the project directory.
func (tr keptTrap) seen(t *testing.T, base string, r reach) {
	t.Helper()
	dir, out := tr.set(t, base)
	defer os.RemoveAll(filepath.Dir(dir))
	log := filepath.Join(filepath.Dir(dir), "log")
	execute(t, underStrace(tr.ready(t, dir, r), log, "execve,connect,socket,open,creat,openat,openat2", ""), 2*hang)
	text, err := os.ReadFile(log)
	if err != nil {
		t.Error(err)
	}
	programs := 0
	complain := func(what, line string) { t.Errorf("%.80s at %.80q: %v %s: %s", tr.what, tr.name, r, what, line) }
	begun := map[string]string{} // by thread: a call that another thread's line came into
	for line := range strings.Lines(string(text)) {
		thread, _, _ := strings.Cut(line, " ")
		if head, ok := strings.CutSuffix(line, " <unfinished ...>\n"); ok {
			begun[thread] = head
			continue
		}
		if _, rest, ok := strings.Cut(line, " resumed>"); ok {
			line = begun[thread] + rest
		}
		line = aligned.ReplaceAllString(line, ") = ")
		writes := strings.Contains(line, "O_WRONLY") || strings.Contains(line, "O_RDWR") || strings.Contains(line, "O_CREAT")
		failed := strings.Contains(line, ") = -1 ")
		switch {
		case strings.Contains(line, "execve("):
			harmless := strings.Contains(line, `/git", ["git", `) && strings.Contains(line, "core.hooksPath=/dev/null") && strings.Contains(line, "core.fsmonitor=false") // it runs nothing of the tree's
			if programs++; programs > 1 && !harmless {
				complain("executes a program", line)
			}
		case strings.Contains(line, "connect(") || strings.Contains(line, "socket("):
			complain("asks somebody", line)
		case !failed && (strings.Contains(line, out+"/") || strings.Contains(line, "/etc/passwd")):
			complain("opened what is outside", line)
		case writes && !failed && !inside(dir, line) && !strings.Contains(line, "/dev/null") && !strings.Contains(line, "/home/.local/state/forgemind") && r.about != "settings": // the key of the user's own
			complain("opened outside for writing", line)
		}
	}
}
