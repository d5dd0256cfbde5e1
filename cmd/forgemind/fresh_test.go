package main

import (
	"bytes"
	"context"
	"crypto/rand"
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

// freshUse says how each command is used in a project that was just made: the
// commands of one line run in order, the last is the one that is tried. "{DEC}" is
// the last id of that prefix that was printed. A command that is not here fails
// the test.
func freshUse() map[string][][]string {
	type line = [][]string
	said := []string{"message", "add", "Decision: we use RS256 for tokens", "--agent", "ann"}
	goal := []string{"goal", "add", "Ship the API"}
	rule := []string{"constraint", "add", "No token in the log"}
	lesson := []string{"memory", "add", "--type", "lesson_learned", "Clocks differ"}
	decision := []string{"decision", "add", "Use RS256 for tokens"}
	thread := []string{"thread", "open", "Key store", "--channel", "api"}
	session := []string{"sessions", "new", "--title", "API"}
	return map[string]line{
		"init": {{"init"}}, "validate": {{"validate"}}, "explain": {{"explain"}}, "schema": {{"schema"}}, "watch": {{"watch", "--once"}},
		"trigger": {{"trigger", "layer_transition"}}, "triggers": {{"triggers"}}, "status": {{"status"}}, "layer": {{"layer", "1"}},
		"clarity": {{"clarity", "40"}}, "set": {{"set", "/project/status", "Started"}}, "load": {{"load", "idea.md"}},
		"unload": {{"load", "idea.md"}, {"unload", "--stale"}}, "preload": {{"preload"}}, "artifacts": {{"artifacts"}}, "context": {{"context"}},
		"message add": {said}, "message list": {{"message", "list"}}, "message import": {{"message", "import", "talk.jsonl"}},
		"compact": {{"message", "import", "talk.jsonl"}, {"compact", "--now"}}, "uncompact": {{"message", "import", "talk.jsonl"}, {"compact", "--now"}, {"uncompact"}},
		"assemble": {{"assemble", "--query", "tokens"}}, "recover": {{"recover", "--query", "tokens"}},
		"cold-storage list": {{"cold-storage", "list"}}, "cold-storage verify": {{"cold-storage", "verify"}}, "cold-storage expire": {{"cold-storage", "expire"}},
		"cold-storage show": {{"message", "import", "talk.jsonl"}, {"compact", "--now"}, {"cold-storage", "list"}, {"cold-storage", "show", "{chunk}"}},
		"drops":             {{"drops"}}, "health": {{"health"}}, "tune": {{"tune"}}, "reset": {{"reset", "--dry-run"}},
		"goal add": {goal}, "goal update": {goal, {"goal", "update", "API", "--status", "in-progress"}}, "goal complete": {goal, {"goal", "complete", "API"}},
		"goal list": {{"goal", "list"}}, "constraint add": {rule}, "constraint remove": {rule, {"constraint", "remove", "token"}},
		"constraint list": {{"constraint", "list"}}, "remember": {{"remember", "Ask Ann"}}, "forget": {{"remember", "Ask Ann"}, {"forget", "Ann"}},
		"file add": {{"file", "add", "idea.md"}}, "entities": {{"entities"}},
		"thread open": {thread}, "thread post": {thread, {"thread", "post", "Key store", "Which one?"}}, "thread resolve": {thread, {"thread", "resolve", "Key store"}},
		"thread archive": {thread, {"thread", "resolve", "Key store"}, {"thread", "archive", "Key store"}}, "thread list": {{"thread", "list"}}, "thread show": {thread, {"thread", "show", "Key store"}},
		"thread import": {{"thread", "import", "irc.log", "--channel", "api"}},
		"condense":      {thread, {"thread", "post", "Key store", "Decision: we use the vault, because it rotates keys."}, {"condense", "Key store"}},
		"handoff add":   {{"handoff", "add", "Measure", "--to", "bob", "--summary", "done"}}, "handoff list": {{"handoff", "list"}},
		"handoff archive": {{"handoff", "add", "Measure", "--to", "bob", "--summary", "done"}, {"handoff", "archive", "Measure"}},
		"decision add":    {decision}, "decision supersede": {decision, {"decision", "supersede", "{DEC}", "Use ES256 for tokens"}},
		"decision list": {{"decision", "list"}}, "decision show": {decision, {"decision", "show", "{DEC}"}},
		"memory add": {lesson}, "memory revise": {lesson, {"memory", "revise", "Clocks", "Clocks agree"}}, "memory remove": {lesson, {"memory", "remove", "Clocks"}}, "memory show": {{"memory", "show"}},
		"fragments list": {{"fragments", "list"}}, "fragments search": {{"fragments", "search", "tokens"}},
		"fragments show": {goal, {"goal", "complete", "API"}, {"sessions", "archive"}, {"fragments", "list", "--format", "json"}, {"fragments", "show", "{frag}"}},
		"projects new":   {{"projects", "new", "API"}}, "projects list": {{"projects", "list"}}, "projects refresh": {{"projects", "refresh"}},
		"projects set": {{"projects", "new", "API"}, {"projects", "set", "API", "--phase", "Beta"}},
		"history list": {{"history", "list"}}, "history show": {{"layer", "1"}, {"history", "list"}, {"history", "show", "{session}"}},
		"history diff": {{"layer", "1"}, {"history", "list"}, {"history", "diff", "{session}"}},
		"question ask": {{"question", "ask", "Which key?"}}, "question answer": {{"question", "ask", "Which key?"}, {"question", "answer", "{Q}", "The new one"}}, "question list": {{"question", "list"}},
		"action add": {{"action", "add", "Measure"}}, "action done": {{"action", "add", "Measure"}, {"action", "done", "{ACT}"}}, "action list": {{"action", "list"}},
		"sessions list": {{"sessions", "list"}}, "sessions show": {{"sessions", "show"}}, "sessions new": {session}, "sessions archive": {{"sessions", "archive"}},
		"sessions restore": {session, {"sessions", "restore", "{conv}"}}, "sessions clear": {{"sessions", "clear"}}, "sessions summary": {{"sessions", "summary"}},
		"facilitator status": {{"facilitator", "status"}}, "facilitator clarify": {{"facilitator", "clarify"}}, "facilitator update idea": {{"set", "/project/current_idea", "IDEA-001"}, {"load", "IDEA-001"}, {"facilitator", "update", "idea", "--file", "idea.md"}},
		"facilitator backtrack":     {{"layer", "1"}, {"facilitator", "backtrack"}},
		"facilitator start session": {{"facilitator", "start", "session"}}, "facilitator end session": {{"facilitator", "end", "session"}}, "facilitator help": {{"facilitator", "help"}},
		"slash": {{"slash", "/set_goal Ship the API"}}, "config show": {{"config", "show"}}, "config set": {{"config", "set", "RELEVANCE_CUTOFF", "0.25"}}, "config explain": {{"config", "explain"}},
		"brief": {{"brief"}}, "governs": {{"governs", "idea.md"}}, "statusline": {{"statusline"}},
		"hook install": {{"hook", "install", "--agent", "claude", "--project"}}, "hook uninstall": {{"hook", "uninstall", "--agent", "claude", "--project"}}, "hook status": {{"hook", "status"}}, "hook views": {{"hook", "views"}},
		"hook run": {{"hook", "run", "SessionStart", "--agent", "claude"}}, "mcp": {{"mcp"}},
		"audit": {{"audit"}}, "migrate": {{"migrate", "--dry-run"}}, "doctor": {{"doctor"}}, "completion": {{"completion", "bash"}}, "version": {{"version"}},
	}
}

// notFresh are the commands that are not tried here, and why.
var notFresh = map[string]string{
	"demo":              "plays on a tree of its own",
	"dashboard":         "serves a page",
	"decision promote":  "needs a decision that was detected: TestScript/hot_both",
	"service install":   "is about the system",
	"service uninstall": "is about the system",
	"service status":    "is about the system",
}

// TestEveryCommandWorksAfterInit runs every command in a project that the default
// init just made, and in a clone of it: none may fail for want of a home or a
// session.
func TestEveryCommandWorksAfterInit(t *testing.T) {
	made := t.TempDir()
	if err := os.MkdirAll(filepath.Join(made, ".dev/current/ideas/IDEA-001"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		".dev/current/ideas/IDEA-001/current.md": "# An API\n",
		"idea.md":                                "# An API that signs tokens\n",
		"irc.log":                                "[2026-11-20 10:00:00] <ann> Which key store?\n",
		"talk.jsonl":                             strings.Repeat(`{"role": "assistant", "content": "The API checks the token before it reads the database."}`+"\n", 30),
	} {
		if err := os.WriteFile(filepath.Join(made, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git(made, "init", "-q")
	runFresh(t, made, []string{"init"})
	git(made, "add", "-A")
	git(made, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "All")
	cloned := t.TempDir()
	git(cloned, "clone", "-q", made, ".")

	uses := freshUse()
	for name := range uses {
		if notFresh[name] != "" {
			t.Errorf("'forgemind %s' is tried, and is said not to be", name)
		}
	}
	tried := map[string]bool{}
	var walk func(prefix string, commands []*cli.Command)
	walk = func(prefix string, commands []*cli.Command) {
		for _, command := range commands {
			name := prefix + command.Name
			lines, known := uses[name]
			tried[name] = true
			switch {
			case len(command.Subcommands) > 0:
				walk(name+" ", command.Subcommands)
			case known:
				for where, project := range map[string]string{"made": made, "cloned": cloned} {
					t.Run(name+" in the project that was "+where, func(t *testing.T) {
						t.Parallel()
						useFresh(t, project, lines)
					})
				}
			case notFresh[name] == "":
				t.Errorf("'forgemind %s' is not tried: say in freshUse how it is used", name)
			}
		}
	}
	walk("", started(testProgram(t)).app().Commands)
	for name := range uses {
		if !tried[name] {
			t.Errorf("'forgemind %s' is tried, and there is no such command", name)
		}
	}
}

// useFresh runs commands in order in a copy of a project. All must end with 0.
func useFresh(t *testing.T, project string, lines [][]string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(project)); err != nil {
		t.Fatal(err)
	}
	if err := makeOlder(dir); err != nil {
		t.Fatal(err)
	}
	printed := ""
	for _, args := range lines {
		args = slices.Clone(args)
		for i, arg := range args {
			if prefix, ok := strings.CutPrefix(arg, "{"); ok {
				ids := regexp.MustCompile(strings.TrimSuffix(prefix, "}")+`-[0-9A-Za-z.-]+`).FindAllString(printed, -1)
				if len(ids) == 0 {
					t.Errorf("%v: no id for %s in:\n%s", lines, arg, printed)
					return
				}
				args[i] = strings.TrimSuffix(ids[len(ids)-1], ".json")
			}
		}
		printed += runFresh(t, dir, args)
	}
}

// runFresh runs a command in a directory and returns what it printed.
func runFresh(t *testing.T, dir string, args []string) string {
	t.Helper()
	out, errs := new(bytes.Buffer), new(bytes.Buffer)
	p := &program{
		Stdin: strings.NewReader(""), Stdout: out, Stderr: errs,
		Getenv: func(name string) string { return map[string]string{"GIT_AUTHOR_NAME": "Tester"}[name] },
		Getwd:  func() (string, error) { return dir, nil }, Now: time.Now, Rand: rand.Reader,
	}
	if code := p.run(context.Background(), append([]string{"forgemind"}, args...)); code != 0 {
		t.Errorf("forgemind %s ended with %d:\n%s", strings.Join(args, " "), code, errs)
	}
	return out.String()
}
