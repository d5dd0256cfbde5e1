package hook

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestWants checks that the status names the steps that the user still has to take in an agent,
// until the agent's own files show that they were taken.
func TestWants(t *testing.T) {
	t.Parallel()
	const folder = "$PROJECT"
	codexHooks := func(n int) (text string) {
		for i := range n {
			text += fmt.Sprintf("[hooks.state.\"$PROJECT/.codex/hooks.json:event_%d:0:0\"]\ntrusted_hash = \"sha256:0\"\n", i)
		}
		return text
	}
	for _, c := range []struct{ agent, file, before, after, want string }{
		{"claude", ".claude.json", `{"projects": {"$PROJECT": {"hasTrustDialogAccepted": false}}}`, `{"projects": {"$PROJECT": {"hasTrustDialogAccepted": true}}}`, "Claude Code asks whether you trust"},
		{"codex", ".codex/config.toml", codexHooks(8), "[projects.\"$PROJECT\"]\ntrust_level = \"trusted\"\n" + codexHooks(8), "Codex ignores .codex/"},
		{"codex", ".codex/config.toml", "[projects.\"$PROJECT\"]\ntrust_level = \"trusted\"\n" + codexHooks(2), "[projects.\"$PROJECT\"]\ntrust_level = \"trusted\"\n" + codexHooks(8), "(2 of 8 are trusted)"},
		{"codex", ".codex/config.toml", "[projects.\"$PROJECT\"]\ntrust_level = \"untrusted\"\n" + codexHooks(8), "[projects.\"$PROJECT\"]\ntrust_level = \"trusted\"\n" + codexHooks(8), "Codex ignores .codex/"},
		{"gemini", ".gemini/trustedFolders.json", `{"$PROJECT": "DO_NOT_TRUST"}`, `{"$PROJECT": "TRUST_FOLDER"}`, "enter /permissions"},
		{"gemini", ".gemini/settings.json", `{}`, `{"security": {"folderTrust": {"enabled": false}}}`, "enter /permissions"},
		{"copilot", ".copilot/config.json", "// managed\n" + `{"trustedFolders": ["/elsewhere"]}`, "// managed\n" + `{"trustedFolders": ["/elsewhere", "$PROJECT"]}`, "start copilot here"},
		{"copilot", ".copilot/config.json", `torn {`, `{"trustedFolders": ["$PROJECT/.."]}`, "start copilot here"},
	} {
		p := newPlace(t)
		wish := InstallRequest{Agents: []string{c.agent}, Scope: Project}
		wants := func() string {
			t.Helper()
			all, err := Look(p.world(), wish)
			if err != nil || len(all) != 1 {
				t.Fatal(err, all)
			}
			return strings.Join(all[0].Wants, "; ")
		}
		put := func(text string) {
			p.write("home/"+c.file, strings.ReplaceAll(text, folder, filepath.ToSlash(p.world().Project)))
		}
		if got := wants(); got != "" {
			t.Errorf("%s wants %q where nothing is installed", c.agent, got)
		}
		put(c.before)
		made := p.do(Install, wish)
		told := slices.ContainsFunc(made.Notes, func(n Note) bool { return strings.Contains(n.Text, c.want) })
		if got := wants(); !strings.Contains(got, c.want) || told != (c.agent != "claude") {
			t.Errorf("%s, with %s: it wants %q; told by the installation: %v", c.agent, c.before, got, told)
		}
		put(c.after)
		if got := wants(); got != "" {
			t.Errorf("%s, with %s: it wants %q", c.agent, c.after, got)
		}
	}
}
