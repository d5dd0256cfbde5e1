package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"
)

// gone lists words that only superseded decisions contain, with the way in which each was
// superseded.
var gone = map[string]string{
	"quartzalpha": "the first of a chain of three",
	"quartzbeta":  "the second of a chain of three",
	"pinedelta":   "superseded by a condensation",
	"mudcobalt":   "only in recent_decisions",
	"strawdrum":   "only in a session's key_decisions",
	"tinecho":     "in .quaid",
}

// shows returns the arguments with which each command is tested; "" stands for none. A command that
// is missing here fails the test.
func shows(ids map[string]string) map[string][][]string {
	dry := "--dry-run"
	first, second, third := ids["quartzalpha"], ids["quartzbeta"], ids["quartzgamma"]
	return map[string][][]string{
		"init": {{dry}}, "validate": {{}, {"--strict"}, {"--against", "HEAD"}, {"--fix", dry}}, "explain": {{}, {"supersession"}}, "schema": {{}, {"decision"}},
		"watch": {{"--once", dry}}, "trigger list": {{}}, "trigger fire": {{"layer_transition", dry}, {"boss_major_decision", dry}}, "triggers": {{}}, "status": {{}},
		"layer": {{"1", dry}}, "clarity": {{"60", dry}}, "set": {{"/project/clarity", "60", dry}},
		"load": {{"idea.md", dry}}, "unload": {{"--stale", dry}}, "preload": {{dry}}, "artifacts": {{}},
		"context":     {{"--prompt", "mirrors mount walls roof door"}, {"--layer", "1"}, {"--layer", "2"}, {"--layer", "3"}},
		"message add": {{"Good morning", dry}}, "message list": {{}}, "message pin": {{"m-9", dry}}, "message unpin": {{"m-9", dry}}, "compact": {{"--now", dry}, {"--now", "--strategy", "session-summary", dry}, {"--now", "--strategy", "relevance", "--prompt", "mirrors", dry}},
		"uncompact": {{dry}}, "assemble": {{}, {"--query", "mirrors mount walls roof door"}, {"--query", "quartzalpha pinedelta mudcobalt strawdrum tinecho"}},
		"recover": {{"--query", "mirrors mount walls roof door", dry}}, "cold list": {{}}, "cold verify": {{}}, "cold expire": {{dry}},
		"drops": {{}}, "health": {{}}, "tune": {{}}, "reset": {{dry}},
		"goal add": {{"Plant", dry}}, "goal update": {{"Build", "--status", "in-progress", dry}}, "goal done": {{"Build", dry}}, "goal list": {{}},
		"attic list": {{}}, "attic remove": {{"--older-than", "30d", dry}},
		"constraint add": {{"No frost", dry}}, "constraint remove": {{"No noise", dry}}, "constraint list": {{}}, "remember": {{"x", dry}}, "forget": {{"x", dry}},
		"file add": {{"idea.md", dry}}, "entities": {{}},
		"thread open": {{"Door", "--channel", "proj-orchard", dry}}, "thread post": {{"Door", "Hm", dry}}, "thread resolve": {{"Door", dry}}, "thread archive": {{"--idle", dry}}, "thread claim": {{"Door", dry}}, "thread release": {{"Door", dry}},
		"thread list": {{}}, "thread show": {{"Door"}}, "condense": {{"Door", dry}}, "pin": {{"which-mount", dry}}, "unpin": {{"which-mount", dry}}, "thread import": {{"talk.jsonl", "--channel", "proj-orchard", dry}}, "message import": {{"talk.jsonl", dry}},
		"handoff add": {{"Measure", "--from", "a", "--to", "b", "--summary", "done", dry}}, "handoff list": {{}}, "handoff archive": {{"Survey", dry}},
		"decision add": {{"Mirrors of silver", "--supersedes", third, dry}}, "decision supersede": {{third, "Mirrors of silver", dry}},
		"decision list": {{}, {"--current"}, {"--for", "idea.md"}}, "decision replaces": {{"x"}}, "file list": {{}}, "decision show": {{first}, {second}, {ids["pinedelta"]}, {"DEC-C1"}, {"DEC-D1"}, {"DEC-E1"}},
		"memory add": {{"--type", "lesson_learned", "Frost", dry}}, "memory show": {{}, {"facilitator-notes"}, {"project-knowledge"}, {"manager-notes"}},
		"fragment list": {{}}, "fragment show": {{ids["fragment"]}}, "fragment search": {{"mirrors"}, {"mount"}},
		"project new": {{"Walls", dry}}, "project list": {{}}, "project set": {{"orchard", "--phase", "Spring", dry}}, "project refresh": {{dry}, {"orchard", dry}},
		"snapshot list": {{}},
		"question ask":  {{"Why?", dry}}, "question answer": {{"Which", "This", dry}}, "question list": {{}},
		"action add": {{"Dig", dry}}, "action done": {{"Measure", dry}}, "action list": {{}}, "action claim": {{"Measure", dry}}, "action release": {{"Measure", dry}},
		"session list": {{}}, "session show": {{}, {ids["before"]}}, "session new": {{"--title", "x", dry}}, "session restore": {{ids["before"], dry}},
		"session archive": {{dry}}, "session clear": {{dry}}, "session summary": {{dry}, {}},
		"facilitator status": {{}}, "facilitator clarify": {{dry}}, "facilitator update idea": {{dry}}, "facilitator backtrack": {{dry}},
		"facilitator start session": {{dry}}, "facilitator end session": {{dry}}, "facilitator help": {{}},
		"slash":       {{"/context status"}, {"/context summary", dry}},
		"config show": {{}}, "config set": {{"RELEVANCE_CUTOFF", "0.25", dry}}, "config explain": {{}},
		"note add": {{"x", dry}}, "note list": {{}}, "note remove": {{"x", dry}},
		"artifact list": {{}}, "artifact load": {{"idea.md", dry}}, "artifact unload": {{"--stale", dry}}, "artifact preload": {{dry}},
		"search": {{"mirrors mount walls roof door", "--limit", "0"}, {"quartzalpha pinedelta mudcobalt strawdrum tinecho", "--limit", "0"}},
		"show":   {{first}, {second}, {third}, {ids["pinedelta"]}, {"DEC-C1"}, {"DEC-D1"}, {"DEC-E1"}, {ids["fragment"]}, {ids["before"]}, {"Orchard"}},
		"log":    {{"--limit", "0"}},
		"brief":  {{}, {"--project", "orchard"}}, "governs": {{"idea.md"}}, "statusline": {{}}, "hook install": {{dry}}, "hook uninstall": {{dry}}, "hook status": {{}}, "hook views": {{}},
		"audit": {{}, {"--repo"}}, "export md": {{}}, "import": {{}}, "migrate": {{"--dry-run"}}, "doctor": {{}}, "completion": {{"bash"}}, "complete": {{"--", "decision", "show"}, {"--", "decision", "supersede"}, {"--", "note", "remove"}}, "man": {{}}, "version": {{}},
	}
}

// elsewhere lists the commands that are not tested here, with the reason.
var elsewhere = map[string]string{
	"demo":               "plays on a tree of its own",
	"dashboard":          "serves a page: internal/dash tests what that shows",
	"snapshot show":      "a snapshot is a record of its own day",
	"snapshot diff":      "says what changed since a record of its own day",
	"cold show":          "shows what was said, word for word",
	"attic show":         "shows former bytes, word for word",
	"attic restore":      "brings back former bytes, which are read as an edit",
	"memory revise":      "shows what it writes, as memory add does",
	"memory remove":      "shows what it removes, as memory show does",
	"decision promote":   "shows what it records, as decision add does",
	"constraint promote": "shows what it records, as constraint add does",
	"goal promote":       "shows what it records, as goal add does",
	"hook run":           "tells an agent what brief says",
	"mcp":                "is asked by TestMCPShowsNothingSupersededAsCurrent",
	"lsp":                "is asked by internal/lsp",
	"export json":        "has every record as it is",
	"export adr":         "writes a file for each decision: TestScript/export",
	"export html":        "writes a page: internal/exporter and browser test what that shows",
	"sync":               "names files",
	"sync init":          "names files",
	"sync status":        "names files",
	"sync who":           "names people",
	"service install":    "is about the system",
	"service uninstall":  "is about the system",
	"service status":     "is about the system",
}

// TestNothingSupersededIsShownAsCurrent runs every command on a tree in which
// decisions were superseded in every way there is. Where one of their words
// appears it must say that it holds no more.
func TestNothingSupersededIsShownAsCurrent(t *testing.T) {
	t.Parallel()
	root, ids := supersededTree(t)
	p := started(testProgram(t))
	tried := shows(ids)
	marked := map[string]bool{} // words that were shown at all
	var walk func(prefix string, commands []*cli.Command)
	walk = func(prefix string, commands []*cli.Command) {
		for _, command := range commands {
			name := prefix + command.Name
			if len(command.Subcommands) > 0 {
				walk(name+" ", command.Subcommands)
				continue
			}
			variants, known := tried[name]
			delete(tried, name)
			if elsewhere[name] != "" {
				continue
			}
			if !known {
				t.Errorf("'forgemind %s' is not tried: say in shows with which arguments it is", name)
			}
			formats := [][]string{nil}
			if slices.ContainsFunc(command.Flags, func(f cli.Flag) bool { return f.Names()[0] == "format" }) {
				formats = append(formats, []string{"--format", "json"})
			}
			for _, variant := range variants {
				for _, format := range formats {
					args := slices.Concat(strings.Fields(name), variant, format)
					dir := root
					if !slices.Contains(args, "--dry-run") { // each call gets a new tree
						dir = t.TempDir()
						if err := os.CopyFS(dir, os.DirFS(root)); err != nil {
							t.Fatal(err)
						}
					}
					out, errs := tryCommand(t, dir, args)
					for _, line := range append(unmarked(out), unmarked(errs)...) {
						t.Errorf("forgemind %s shows, as if it held:\n%s", strings.Join(args, " "), line)
					}
					for word := range gone {
						marked[word] = marked[word] || strings.Contains(out, word)
					}
				}
			}
		}
	}
	walk("", p.app().Commands)
	for name := range tried {
		t.Errorf("'forgemind %s' is tried, and there is no such command", name)
	}
	for word, how := range gone {
		if !marked[word] {
			t.Errorf("no command shows %s (%s) at all, so that nothing was tried", word, how)
		}
	}
}

// tryCommand runs a command in a directory and returns what it printed.
func tryCommand(t *testing.T, dir string, args []string) (stdout, stderr string) {
	t.Helper()
	out, errs := new(bytes.Buffer), new(bytes.Buffer)
	p := &program{
		Stdin: strings.NewReader(""), Stdout: out, Stderr: errs, Getenv: func(string) string { return "" },
		Getwd: func() (string, error) { return dir, nil }, Now: time.Now, Rand: rand.Reader,
	}
	code := p.run(context.Background(), append([]string{"forgemind"}, args...))
	if code > 1 || strings.Contains(errs.String(), "a fault in forgemind itself") {
		t.Errorf("forgemind %s ended with %d:\n%s", strings.Join(args, " "), code, errs)
	}
	return out.String(), errs.String()
}

var holdsNoMore = regexp.MustCompile(`(?i)supersede|~~|replaced by`)

// unmarked returns the parts of an output that show a superseded decision without saying so. A part
// is a line, or a string in JSON, together with what it is below, such as a finding for which it is
// evidence.
func unmarked(out string) []string {
	has := func(text string) bool {
		for word := range gone {
			if strings.Contains(text, word) {
				return true
			}
		}
		return false
	}
	var found []string
	var value any
	if err := json.Unmarshal([]byte(out), &value); err != nil {
		below := false // a line that says it
		for line := range strings.Lines(out) {
			says := holdsNoMore.MatchString(line)
			if line[0] != ' ' {
				below = says
			}
			if has(line) && !says && !below {
				found = append(found, strings.TrimSpace(line))
			}
		}
		return found
	}
	var walk func(value any, path string)
	walk = func(value any, path string) {
		switch v := value.(type) {
		case map[string]any:
			if by, _ := v["superseded_by"].(string); by != "" {
				return
			}
			for _, child := range v {
				if text, ok := child.(string); ok && holdsNoMore.MatchString(text) && !strings.Contains(text, "\n") {
					return
				}
			}
			for name, child := range v {
				walk(child, path+"/"+name)
			}
		case []any:
			for i, child := range v {
				walk(child, fmt.Sprint(path, "/", i))
			}
		case string:
			for line := range strings.Lines(v) {
				if has(line) && !holdsNoMore.MatchString(line) {
					found = append(found, path+": "+strings.TrimSpace(line))
				}
			}
		}
	}
	walk(value, "")
	return found
}

// supersededTree returns a project with decisions that were superseded in every possible way. The
// ids are those of decisions, by one of their words, and of the session that was active "before".
func supersededTree(t *testing.T) (root string, ids map[string]string) {
	t.Helper()
	root, ids = t.TempDir(), map[string]string{}
	first := func(pattern, text string) string {
		t.Helper()
		m := regexp.MustCompile(pattern).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("no %s in:\n%s", pattern, text)
		}
		return m[1]
	}
	idOf := regexp.MustCompile(`DEC-[0-9A-Z]+`)
	do := func(args ...string) string {
		t.Helper()
		out, errs := new(bytes.Buffer), new(bytes.Buffer)
		p := &program{
			Stdin: strings.NewReader(""), Stdout: out, Stderr: errs, Getenv: func(string) string { return "" },
			Getwd: func() (string, error) { return root, nil }, Now: time.Now, Rand: rand.Reader,
		}
		if code := p.run(context.Background(), append([]string{"forgemind"}, args...)); code != 0 {
			t.Fatalf("forgemind %s ended with %d:\n%s", strings.Join(args, " "), code, errs)
		}
		return out.String()
	}
	put := func(name, text string) {
		t.Helper()
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("idea.md", "# Orchard\n")
	put("talk.jsonl", `{"id": "m-1", "ts": "2026-02-15T09:00:00Z", "agent": "bo", "content": "Good evening"}`+"\n")
	do("init", "--layout", "both")
	do("projects", "new", "Orchard")
	do("goal", "add", "Build")
	do("constraint", "add", "No noise")
	do("question", "ask", "Which door?")
	do("action", "add", "Measure")
	do("handoff", "add", "Survey", "--from", "a", "--to", "b", "--summary", "measured")
	do("thread", "open", "Door", "--channel", "proj-orchard", "--agent", "manager")
	do("thread", "post", "Door", "Which door is it?", "--agent", "manager")

	ids["quartzalpha"] = idOf.FindString(do("decision", "add", "Mirrors of quartzalpha", "--project", "orchard", "--priority", "high", "--file", "idea.md"))
	ids["pinedelta"] = idOf.FindString(do("decision", "add", "Mount of pinedelta", "--project", "orchard", "--priority", "high"))
	do("sessions", "summary")
	do("layer", "1")
	ids["before"] = regexp.MustCompile(`conv-[0-9a-z-]+`).FindString(do("sessions", "list"))
	do("sessions", "archive", "--title", "First")
	ids["fragment"] = first(`"id": "([^"]+)"`, do("fragments", "list", "--format", "json"))
	do("sessions", "new", "--title", "Second")
	ids["quartzbeta"] = idOf.FindString(do("decision", "supersede", ids["quartzalpha"], "Mirrors of quartzbeta", "--priority", "high"))
	do("sessions", "summary")
	ids["quartzgamma"] = idOf.FindString(do("decision", "supersede", ids["quartzbeta"], "Mirrors of quartzgamma", "--priority", "high"))
	do("thread", "open", "Which mount", "--channel", "proj-orchard", "--agent", "manager")
	do("thread", "post", "mount", "Decision: we use pineomega for the mount, because it does not creep.", "--agent", "manager")
	do("thread", "post", "mount", "That supersedes "+ids["pinedelta"]+".", "--agent", "manager")
	do("condense", "mount")

	put(".quaid/decisions/DEC-E1.json", decisionJSON("DEC-E1", "Door of tinecho", ""))
	put(".forgemind/decisions/DEC-E2.json", decisionJSON("DEC-E2", "Door of oak", "DEC-E1"))
	put(".forgemind/decisions/DEC-C2.json", decisionJSON("DEC-C2", "Walls of brick", "DEC-C1"))
	put(".forgemind/decisions/DEC-D2.json", decisionJSON("DEC-D2", "Roof of slate", "DEC-D1"))
	do("projects", "refresh")
	show := func(name, list, record string) {
		t.Helper()
		src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		put(name, strings.Replace(string(src), `"`+list+`": [`, `"`+list+`": [`+record+",", 1))
	}
	show(".forgemind/context/current-context.json", "recent_decisions", decisionJSON("DEC-C1", "Walls of mudcobalt", ""))
	active, err := os.ReadFile(filepath.Join(root, ".quaid/context/active_session.txt"))
	if err != nil {
		t.Fatal(err)
	}
	show(".quaid/context/sessions/"+strings.TrimSpace(string(active))+"/hot_context.json", "key_decisions", decisionJSON("DEC-D1", "Roof of strawdrum", ""))
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "All"}} {
		git := exec.Command("git", args...)
		if git.Dir = root; git.Run() != nil {
			t.Fatal("git", args)
		}
	}
	return root, ids
}

func decisionJSON(id, text, supersedes string) string {
	minute := "01"
	if supersedes != "" {
		minute = "02"
		supersedes = fmt.Sprintf(`, "supersedes": %q`, supersedes)
	}
	return fmt.Sprintf(`{"id": %q, "timestamp": "2026-02-15T10:%s:00Z", "decision": %q, "decision_maker": "Boss", "recorded_by": "a", "immutable": true%s}`, id, minute, text, supersedes)
}
