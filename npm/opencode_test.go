package npm_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOpencodePlugin plays a session of opencode with the plugin that hook install writes: the
// model is told what holds, and the tree has what was said.
func TestOpencodePlugin(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node: the plugin is not run")
	}
	bin := t.TempDir()
	program := filepath.Join(bin, "forgemind")
	run(t, "..", "go", "build", "-o", program, "./cmd/forgemind")
	host, err := filepath.Abs("testdata/opencode/host.mjs")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	path := os.Getenv("PATH")
	t.Setenv("PATH", bin+string(os.PathListSeparator)+path)
	tree := newTree(t, program)
	if err := os.MkdirAll(filepath.Join(tree, "walls"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(tree, "walls/south.md"), []byte("lime\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, tree, program, "hook", "install", "--agent", "opencode", "--project")
	plugin := filepath.Join(tree, ".opencode/plugins/forgemind.js")

	told := toldBy(t, run(t, tree, "node", host, plugin, tree))
	for at, want := range map[string]string{
		"prompt":               "# Brief of ",
		"read":                 `<forgemind>\n## What governs walls/south.md`,
		"edit":                 `"output":"done"`,
		"question":             `"output":"User has answered"`,
		"command":              `"output":"no rule"`,
		"subagent":             "# Brief of ",
		"slash command":        "",
		"after the compaction": "After the compaction of this conversation",
		"notice":               "",
		"while it works":       "",
		"before a compaction":  "",
		"in a compacted turn":  `<forgemind>\n# After the compaction of this conversation`,
		"after an undo":        "# Brief of ",
		"MCP tool":             `"content":[{"type":"text","text":"late"}]`,
	} {
		if text, ok := told[at]; !ok || !strings.Contains(text, want) || want == "" && text != "" {
			t.Errorf("%s: told %q, not %q", at, text, want)
		}
	}
	if text := told["after the compaction"]; !strings.Contains(text, "make wall") {
		t.Errorf("the command that failed is not told: %s", text)
	}
	said := run(t, tree, program, "message", "list")
	for _, want := range []string{"user  Which mortar has it?", `user  Q: Which pear?\nA: Comice`, "opencode (assistant)  We decided to use lime.", "user  /set_goal Plant pears", "opencode (assistant)  It is set.", "user  Go on.",
		`opencode (assistant)  I begin.\n\nThe gate is oak.`, "user  And the gate."} {
		if strings.Count(said, want) != 1 {
			t.Errorf("%q is not recorded once:\n%s", want, said)
		}
	}
	for _, not := range []string{"Look at the wall", "Run this", "<file>", "The wall has lime", "A plugin says", "Not sent"} {
		if strings.Contains(said, not) {
			t.Errorf("%q is recorded:\n%s", not, said)
		}
	}
	if faults := run(t, tree, program, "doctor"); strings.Contains(faults, "while hooks ran") {
		t.Error(faults)
	}

	for name, script := range map[string]string{
		"it is not there": "",
		"it hangs":        "#!/bin/sh\ntrap '' TERM\nsleep 60 & sleep 60\n",
		"it babbles":      "#!/bin/sh\nexec yes\n",
		"it says no text": "#!/bin/sh\necho '{\"additionalContext\": {\"text\": \"told\"}}'\n",
	} {
		t.Run(name, func(t *testing.T) {
			bin := t.TempDir()
			if script != "" {
				if err := os.WriteFile(filepath.Join(bin, "forgemind"), []byte(script), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("PATH", bin+string(os.PathListSeparator)+path)
			for at, text := range toldBy(t, run(t, tree, "node", host, plugin, tree)) {
				if text != "" && (text[0] != '{' && text != `""` || strings.Contains(text, "<forgemind>")) {
					t.Errorf("%s is told %q", at, text)
				}
			}
		})
	}
}

// TestOpencodeEvents plays the same session, and holds which events forgemind is told, in which
// order: an answer stands before the next prompt, and a session ends once.
func TestOpencodeEvents(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node: the plugin is not run")
	}
	bin, project := t.TempDir(), t.TempDir()
	log := filepath.Join(bin, "log")
	// A stop takes its time, so that a prompt which does not wait for it comes first.
	script := "#!/bin/sh\ncat >/dev/null\n[ $5 != Stop ] || sleep 1\necho $5 >>" + log + "\n"
	if err := os.WriteFile(filepath.Join(bin, "forgemind"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	run(t, ".", "node", "testdata/opencode/host.mjs", "../internal/hook/opencode.js", project)
	got, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	events := strings.Replace(string(got), "SubagentStart\n", "", 1) // which waits for nothing of the session
	want := "SessionStart UserPromptSubmit PreToolUse PreToolUse PostToolUse PostToolUse PreToolUse PostToolUseFailure Stop UserPromptSubmit Stop " +
		"PreCompact PostCompact SessionStart UserPromptSubmit UserPromptSubmit Stop UserPromptSubmit PreCompact PostCompact SessionStart PreToolUse " +
		"UserPromptSubmit Interrupt SessionEnd"
	if told := strings.Join(strings.Fields(events), " "); told != want {
		t.Errorf("forgemind was told\n%s, not\n%s", told, want)
	}
}

// toldBy returns what the model was told at each place of the host's story.
func toldBy(t *testing.T, out string) map[string]string {
	t.Helper()
	told := map[string]string{}
	for line := range strings.Lines(out) {
		var step struct{ At, Told string }
		if err := json.Unmarshal([]byte(line), &step); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		told[step.At] = step.Told
	}
	return told
}
