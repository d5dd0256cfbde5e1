package hook

import (
	"fmt"
	"strings"
	"testing"
)

// Before a tool changes a file, the agent is told what governs it: once for each file and window,
// and not what a prompt brought already.
func TestWhatGovernsAFileIsToldBeforeItIsEdited(t *testing.T) {
	t.Parallel()
	root := plant(t, orchard())
	before := func(session, agent, tool, file string) string {
		return contextOf(t, run(t, root, agent, "PreToolUse", fmt.Sprintf(`{"session_id":%q,"cwd":%q,"tool_name":%q,"tool_input":{"file_path":%q}}`, session, root, tool, file)))
	}
	const rule = "## What governs walls/south.md (" + asData + ")\n- DEC-1 "
	if told := before("s-1", "claude", "Edit", root+"/walls/south.md"); !strings.HasPrefix(told, rule) {
		t.Errorf("it is told %q", told)
	}
	for what, told := range map[string]string{
		"the second edit":     before("s-1", "claude", "Write", "walls/south.md"),
		"a file without any":  before("s-1", "claude", "Edit", "walls/north.md"),
		"a file elsewhere":    before("s-1", "claude", "Edit", "/etc/walls/south.md"),
		"a tool that reads":   before("s-2", "claude", "Read", "walls/south.md"),
		"an agent without it": before("s-3", "gemini", "write_file", "walls/south.md"),
	} {
		if told != "" {
			t.Errorf("%s is told %q", what, told)
		}
	}
	run(t, root, "claude", "UserPromptSubmit", `{"session_id":"s-4","prompt":"What of walls/south.md?"}`)
	if told := before("s-4", "claude", "Edit", "walls/south.md"); told != "" {
		t.Errorf("after the prompt it is told %q", told)
	}
	run(t, root, "claude", "PostCompact", `{"session_id":"s-1"}`)
	if told := before("s-1", "claude", "Edit", "walls/south.md"); !strings.HasPrefix(told, rule) {
		t.Errorf("after a compaction it is told %q", told)
	}
	if f := faults(t, root); f != "" {
		t.Error(f)
	}
}
