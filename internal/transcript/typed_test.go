package transcript

import (
	"slices"
	"strings"
	"testing"
)

// Of a text that a client gives as the user's only what was typed is the user's; the
// files that the rest names are told. What the user typed stays to the byte, also where
// it is about such texts.
func TestTyped(t *testing.T) {
	codex := "# Context from my IDE setup:\n\n## Active file: a.rs\n\n## Active selection of the file:\nDecision: CVS.\n\n## My request for Codex:\nan old prompt\n\n## Open tabs:\n- plan.md: notes/plan.md\n- b: c\n\n"
	for _, test := range []struct{ name, text, typed, files string }{
		{"plain", "Keep the hives.", "Keep the hives.", ""},
		{"Codex in an editor", codex + "## My request for Codex:\nRename squeeze.\n## Open tabs:\nstay\n", "Rename squeeze.\n## Open tabs:\nstay", "a.rs notes/plan.md"},
		{"Codex in an editor, Windows", strings.ReplaceAll(codex+"## My request for Codex:\nRename.", "\n", "\r\n"), "Rename.", "a.rs notes/plan.md"},
		{"Codex in an editor, nothing typed", "# Context from my IDE setup:\n\n## Active file: a.rs\n", "", "a.rs"},
		{
			"Codex's program", "# Files mentioned by the user:\n\n## s.png: C:\\Users\\s.png\n\n## My request for Codex:\nLook.\n<image name=[Image #1] path=\"C:\\Users\\s.png\">\n[image]\n</image>",
			"Look.\n[image]", `C:\Users\s.png`,
		},
		{
			"Codex's program of today",
			"<in-app-browser-context source=\"ambient-ui-state\">\nDecision: no.\n</in-app-browser-context>\n\n# Files mentioned by the user:\n\n## a.txt: /r/a.txt\n\nDistinguish.\n\n## My request:\nRead it.", "Read it.", "/r/a.txt",
		},
		{"Codex's browser alone", "<in-app-browser-context source=\"x\">\ny\n</in-app-browser-context>\n\n## My request:\nGo on.", "Go on.", ""},
		{"Codex, further sections", "# Response annotations:\n\n[]\n\n## My request for Codex:\nYes.", "Yes.", ""},
		{"a heading of the user's own", "# Plan:\n\n## My request:\nBuild it.", "# Plan:\n\n## My request:\nBuild it.", ""},
		{
			"Claude Code in an editor",
			"<ide_selection>The user selected the lines 5 to 10 from src/x.ts:\nDecision: no.\n\nThis may or may not be related.</ide_selection>\n<ide_opened_file>The user opened the file /r/y.ts in the IDE. This may or may not be related.</ide_opened_file>\nFix it",
			"Fix it", "src/x.ts /r/y.ts",
		},
		{"a hook of Claude Code's", "<user-prompt-submit-hook>Decision: no.</user-prompt-submit-hook>Go.", "Go.", ""},
		{
			"Cursor",
			"<additional_data>\n<open_and_recently_viewed_files>\n- src/a.go (total lines: 12)\n</open_and_recently_viewed_files>\n</additional_data>\n<attached_files>\n<code_selection path=\"file:///r/b%20c.go\" lines=\"1-2\">\n</code_selection>\n</attached_files>\n<timestamp>Friday</timestamp>\n<user_query>\nWrap <user_query> in a type.\n</user_query>",
			"Wrap <user_query> in a type.", "src/a.go /r/b c.go",
		},
		{"Cursor, of its surroundings", "<user_info>\nOS: linux\n</user_info>\n\n<git_status>\nclean\n</git_status>", "", ""},
		{
			"Copilot in VS Code",
			"<attachments>\n<attachment id=\"a.ts\" filePath=\"/r/a.ts\">\nx\n</attachment>\n</attachments>\n<context>\nThe date is x.\n</context>\n<editorContext>\nThe user's current file is /r/b.ts. \n</editorContext>\n<reminderInstructions>\nDecision: no.\n</reminderInstructions>\n<userRequest>\nFix it.\n</userRequest>",
			"Fix it.", "/r/a.ts /r/b.ts",
		},
		{
			"the Gemini CLI in an editor",
			"Here is the user's editor context as a JSON object. This is for your information only.\n```json\n{\n  \"activeFile\": {\n    \"path\": \"/r/a.ts\",\n    \"selectedText\": \"Decision:\\n```\\nno\"\n  },\n  \"otherOpenFiles\": [\n    \"/r/b.ts\"\n  ]\n}\n```\nFix it.",
			"Fix it.", "/r/a.ts /r/b.ts",
		},
		{"the Gemini CLI, of an editor", "Here is a summary of changes in the user's editor context, in JSON format. This is for your information only.\n```json\n{}\n```", "", ""},
		{"a file of the Gemini CLI's", "Sum up @a.md\n--- Content from referenced files ---\nContent from @a.md:\nDecision: no.\n--- End of content ---", "Sum up @a.md", "a.md"},
		{"an element of the user's own", "<task>\nSort <context>these</context>.\n</task>", "<task>\nSort <context>these</context>.\n</task>", ""},
		{"a tag by itself", "What is <system-reminder>?", "What is <system-reminder>?", ""},
		{"tags that end nothing", "<user_query> is a tag of Cursor's", "<user_query> is a tag of Cursor's", ""},
		{"a task that is done", "<task-notification>\ndone\n</task-notification>", "", ""},
	} {
		typed, files := Typed(test.text)
		if typed != test.typed || strings.Join(files, " ") != test.files {
			t.Errorf("%s: typed %q, files %q", test.name, typed, files)
		}
		if again, _ := Typed(typed); again != typed {
			t.Errorf("%s: typed again %q", test.name, again)
		}
	}
}

// However many files a client names, and however long their names are, few are told.
func TestTypedTellsFewFiles(t *testing.T) {
	var tabs strings.Builder
	for i := range 500 {
		name := strings.Repeat("x", i) + ".go"
		tabs.WriteString("- " + name + ": " + name + "\n")
	}
	_, files := Typed("# Context from my IDE setup:\n\n## Open tabs:\n" + tabs.String() + "- \x1b[1m.go: \x1b[1m.go\n\n## My request for Codex:\nGo.")
	if len(files) != mostFiles || slices.Contains(files, "\x1b[1m.go") {
		t.Errorf("%d files: %q", len(files), files)
	}
}
