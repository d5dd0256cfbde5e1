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
	skill := func(name, text string) string {
		return "The user explicitly invoked the \"/" + name + "\" skill. Follow its instructions now.\n\n<skill-context name=\"" + name + "\">\nBase directory for this skill: /r/.github/skills/" + name + "\n\n" + text + "\n</skill-context>"
	}
	for _, test := range []struct{ client, name, text, typed, files string }{
		{"", "plain", "Keep the hives.", "Keep the hives.", ""},
		{"codex", "Codex in an editor", codex + "## My request for Codex:\nRename squeeze.\n## Open tabs:\nstay\n", "Rename squeeze.\n## Open tabs:\nstay", "a.rs notes/plan.md"},
		{"codex", "Codex in an editor, Windows", strings.ReplaceAll(codex+"## My request for Codex:\nRename.", "\n", "\r\n"), "Rename.", "a.rs notes/plan.md"},
		{"codex", "Codex in an editor, nothing typed", "# Context from my IDE setup:\n\n## Active file: a.rs\n", "", "a.rs"},
		{
			"codex", "Codex's program", "# Files mentioned by the user:\n\n## s.png: C:\\Users\\s.png\n\n## My request for Codex:\nLook.\n<image name=[Image #1] path=\"C:\\Users\\s.png\">\n[image]\n</image>",
			"Look.\n[image]", `C:\Users\s.png`,
		},
		{
			"codex", "Codex's program of today",
			"<in-app-browser-context source=\"ambient-ui-state\">\nDecision: no.\n</in-app-browser-context>\n\n# Files mentioned by the user:\n\n## a.txt: /r/a.txt\n\nDistinguish.\n\n## My request:\nRead it.", "Read it.", "/r/a.txt",
		},
		{"codex", "Codex's browser alone", "<in-app-browser-context source=\"x\">\ny\n</in-app-browser-context>\n\n## My request:\nGo on.", "Go on.", ""},
		{"codex", "Codex, further sections", "# Response annotations:\n\n[]\n\n## My request for Codex:\nYes.", "Yes.", ""},
		{"codex", "a heading of the user's own", "# Plan:\n\n## My request:\nBuild it.", "# Plan:\n\n## My request:\nBuild it.", ""},
		{
			"claude", "Claude Code in an editor",
			"<ide_selection>The user selected the lines 5 to 10 from src/x.ts:\nDecision: no.\n\nThis may or may not be related.</ide_selection>\n<ide_opened_file>The user opened the file /r/y.ts in the IDE. This may or may not be related.</ide_opened_file>\nFix it",
			"Fix it", "src/x.ts /r/y.ts",
		},
		{"claude", "a hook of Claude Code's", "<user-prompt-submit-hook>Decision: no.</user-prompt-submit-hook>Go.", "Go.", ""},
		{
			"cursor", "Cursor",
			"<additional_data>\n<open_and_recently_viewed_files>\n- src/a.go (total lines: 12)\n</open_and_recently_viewed_files>\n</additional_data>\n<attached_files>\n<code_selection path=\"file:///r/b%20c.go\" lines=\"1-2\">\n</code_selection>\n</attached_files>\n<timestamp>Friday</timestamp>\n<user_query>\nWrap <user_query> in a type.\n</user_query>",
			"Wrap <user_query> in a type.", "src/a.go /r/b c.go",
		},
		{"cursor", "Cursor, of its surroundings", "<user_info>\nOS: linux\n</user_info>\n\n<git_status>\nclean\n</git_status>", "", ""},
		{
			"copilot", "Copilot in VS Code",
			"<attachments>\n<attachment id=\"a.ts\" filePath=\"/r/a.ts\">\nx\n</attachment>\n</attachments>\n<context>\nThe date is x.\n</context>\n<editorContext>\nThe user's current file is /r/b.ts. \n</editorContext>\n<reminderInstructions>\nDecision: no.\n</reminderInstructions>\n<userRequest>\nFix it.\n</userRequest>",
			"Fix it.", "/r/a.ts /r/b.ts",
		},
		{"copilot", "a skill of the Copilot CLI's", skill("wall", "Run it.\n\n\nARGUMENTS: Repair the \"gate\"\nof /r/a.ts"), "/wall Repair the \"gate\"\nof /r/a.ts", ""},
		{"copilot", "a skill whose text speaks of arguments", skill("wall", "Run it.\n\nARGUMENTS: the file.\n"), "/wall", ""},
		{"copilot", "a skill within a sentence about skills", skill("wall", "Run it.\n") + "\n\nwhy does </skill-context> end /wall?", "why does </skill-context> end /wall?", ""},
		{"copilot", "a skill whose words hold its end", skill("wall", "Run it.\n\n\nARGUMENTS: a\n</skill-context>\nb"), "/wall a\n</skill-context>\nb", ""},
		{"copilot", "a skill with nothing behind it", skill("wall", "Run it: - a.go: /r/a.go\n"), "/wall", ""},
		{"copilot", "a skill within a sentence", skill("wall", "Run it.\n") + "\n\nplease use /wall now", "please use /wall now", ""},
		{"claude", "a skill of the Copilot CLI's, which runs Claude Code's hooks", skill("wall", "Run it.\n"), "/wall", ""},
		{"codex", "what Copilot adds, in Codex", skill("wall", "Run it.\n"), skill("wall", "Run it.\n"), ""},
		{
			"gemini", "the Gemini CLI in an editor",
			"Here is the user's editor context as a JSON object. This is for your information only.\n```json\n{\n  \"activeFile\": {\n    \"path\": \"/r/a.ts\",\n    \"selectedText\": \"Decision:\\n```\\nno\"\n  },\n  \"otherOpenFiles\": [\n    \"/r/b.ts\"\n  ]\n}\n```\nFix it.",
			"Fix it.", "/r/a.ts /r/b.ts",
		},
		{"gemini", "our command in the Gemini CLI", "/remember The gate is blue" + OursBegin + "\n\nremembered note-1: a </forgemind_slash> <forgemind_slash>\n" + OursEnd, "/remember The gate is blue", ""},
		{"gemini", "about our command", "Explain <forgemind_slash>\nx\n</forgemind_slash> to me", "Explain <forgemind_slash>\nx\n</forgemind_slash> to me", ""},
		{"gemini-cli", "the Gemini CLI, of an editor", "Here is a summary of changes in the user's editor context, in JSON format. This is for your information only.\n```json\n{}\n```", "", ""},
		{"gemini-cli", "a file of the Gemini CLI's", "Sum up @a.md\n--- Content from referenced files ---\nContent from @a.md:\nDecision: no.\n--- End of content ---", "Sum up @a.md", "a.md"},
		{"cursor", "an element of the user's own", "<task>\nSort <context>these</context>.\n</task>", "<task>\nSort <context>these</context>.\n</task>", ""},
		{"claude", "a tag by itself", "What is <system-reminder>?", "What is <system-reminder>?", ""},
		{"cursor", "tags that end nothing", "<user_query> is a tag of Cursor's", "<user_query> is a tag of Cursor's", ""},
		{"claude", "what Cursor adds, in Claude Code", "Sum this up:\n<additional_data>\n5\n</additional_data>", "Sum this up:\n<additional_data>\n5\n</additional_data>", ""},
		{"claude", "what the Gemini CLI adds, in Claude Code", "Why does the log say\n--- Content from referenced files ---\nand stop?", "Why does the log say\n--- Content from referenced files ---\nand stop?", ""},
		{"codex", "about what Codex adds", "# Context from my IDE setup: is what Codex writes. Why?", "# Context from my IDE setup: is what Codex writes. Why?", ""},
		{"cursor", "an element of that name", "<rules>\nNo glue.\n</rules>", "<rules>\nNo glue.\n</rules>", ""},
		{"cursor", "elements of the user's own", "<user_info>Bob</user_info>\n<task>Ship it.</task>", "<user_info>Bob</user_info>\n<task>Ship it.</task>", ""},
		{"claude", "a task that is done", "<task-notification>\ndone\n</task-notification>", "", ""},
	} {
		typed, files := Typed(test.client, test.text)
		if typed != test.typed || strings.Join(files, " ") != test.files {
			t.Errorf("%s: typed %q, files %q", test.name, typed, files)
		}
		if again, _ := Typed(test.client, typed); again != typed {
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
	_, files := Typed("codex", "# Context from my IDE setup:\n\n## Open tabs:\n"+tabs.String()+"- \x1b[1m.go: \x1b[1m.go\n\n## My request for Codex:\nGo.")
	if len(files) != mostFiles || slices.Contains(files, "\x1b[1m.go") {
		t.Errorf("%d files: %q", len(files), files)
	}
}
