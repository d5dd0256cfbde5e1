package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What Codex 0.171.0 noted when a person trusted all hooks that are installed.
var trustedByCodex = map[string]string{
	"pre_tool_use":       "sha256:acc815e5991c97611e3c90399ba23abf05800795c38b0eb26195955cde5fab7e",
	"subagent_start":     "sha256:d86e441cf322b496f879f37d92ab15076161988906fc5ec915b4235840444867",
	"interrupt":          "sha256:ee4d18809a736508cf49c2f1dd0c9f3a794f74c02850c2ada7e1b3c2b84386f9",
	"post_tool_use":      "sha256:22eecfedecc401521ff337f81a02873fb1c826be99acb4f2ebd294e22cd06099",
	"pre_compact":        "sha256:ac77d1eadfd73b60c588e258c623c31448b4c260035758efc7ef568886b378ee",
	"post_compact":       "sha256:ff530d2fe90dd6b07dccdbbcb713af2cd9a763275250a1394909da52717bf89c",
	"session_start":      "sha256:da928eefb03322b2aecec0066a21dab679fe4d428ad7cb0af1776bde7f075c77",
	"session_end":        "sha256:d5aa6240633e2c9776fde021b5156dd9c6ae84006a0066b9b1c3913b5768ee75",
	"user_prompt_submit": "sha256:43a7e838a041c55a5dc6890c8ac387bb25186af95f977b70572b2398f67bfca9",
	"stop":               "sha256:cbc591840c70ba2676e968dd29bc7f8f95d5c97afaca72e89bf87a3411b30ead",
}

// An agent that was installed for is asked for what its user still has to allow.
func TestWants(t *testing.T) {
	const folder = " runs the hooks of a project once you trust its folder: start it here, and say so"
	const review = "Codex runs a hook once you trust it as it is: say /hooks in Codex, and look at them (%d of 10)"
	state := func(file string, but ...string) string {
		var text strings.Builder
		for event, hash := range trustedByCodex {
			for _, b := range but {
				if event == b {
					hash = "sha256:00"
				}
			}
			fmt.Fprintf(&text, "[hooks.state.\"HERE/%s:%s:0:0\"]\ntrusted_hash = %q\n", file, event, hash)
		}
		return text.String()
	}
	const trusts = "model = \"x\"\n[projects.\"HERE/project\"]\ntrust_level = \"trusted\"\n"
	for _, c := range []struct {
		about, agent string
		scope        Scope
		file, text   string // of the agent's own; HERE is where all is
		want         string
	}{
		{"never started", "codex", Project, "", "", "Codex" + folder + "; then say /hooks, and look at them"},
		{"not trusted", "codex", Project, "codex/config.toml", strings.Replace(trusts, `"trusted"`, `"untrusted"`, 1), "Codex" + folder + "; then say /hooks, and look at them"},
		{"hooks to be looked at", "codex", Project, "codex/config.toml", trusts, fmt.Sprintf(review, 10)},
		{"a folder above", "codex", Project, "codex/config.toml", strings.Replace(trusts, "HERE/project", "HERE", 1), "Codex" + folder + "; then say /hooks, and look at them"},
		{"by a link", "codex", Project, "codex/config.toml", strings.Replace(trusts, "HERE/project", "HERE/link", 1), fmt.Sprintf(review, 10)},
		{"a folder beside", "codex", Project, "codex/config.toml", strings.Replace(trusts, "HERE/project", "HERE/projects", 1), "Codex" + folder + "; then say /hooks, and look at them"},
		{"all trusted", "codex", Project, "codex/config.toml", trusts + state("project/.codex/hooks.json"), ""},
		{"changed since", "codex", Project, "codex/config.toml", trusts + state("project/.codex/hooks.json", "stop", "post_tool_use"), fmt.Sprintf(review, 2)},
		{"switched off", "codex", Project, "codex/config.toml", trusts + strings.Replace(state("project/.codex/hooks.json"), ":stop:0:0\"]", ":stop:0:0\"]\nenabled = false", 1), fmt.Sprintf(review, 1)},
		{"another project's", "codex", Project, "codex/config.toml", trusts + state("other/.codex/hooks.json"), fmt.Sprintf(review, 10)},
		{"no TOML", "codex", Project, "codex/config.toml", "[projects", ""},
		{"with a mark", "codex", Project, "codex/config.toml", byteOrderMark + trusts, fmt.Sprintf(review, 10)},
		{"the user's", "codex", User, "codex/config.toml", state("codex/hooks.json"), ""},
		{"the user's, to be looked at", "codex", User, "", "", fmt.Sprintf(review, 10)},
		{"never started", "copilot", Project, "", "", "Copilot CLI" + folder},
		{"trusted", "copilot", Project, "home/.copilot/config.json", "// its own\n{\"trustedFolders\": [\"/else\", \"HERE/project\"]}", ""},
		{"a folder above", "copilot", Project, "home/.copilot/config.json", `{"trustedFolders": ["HERE"]}`, ""},
		{"by its former name", "copilot", Project, "home/.copilot/config.json", `{"trusted_folders": ["HERE/link"]}`, ""},
		{"no list", "copilot", Project, "home/.copilot/config.json", `{"trustedFolders": {"x": "HERE"}}`, "Copilot CLI" + folder},
		{"no JSON", "copilot", Project, "home/.copilot/config.json", `{`, ""},
		{"others", "copilot", Project, "home/.copilot/config.json", `{"trustedFolders": ["", 1, "project", "HERE/proj"]}`, "Copilot CLI" + folder},
		{"the user's", "copilot", User, "", "", ""},
		{"never started", "gemini", Project, "", "", "Gemini CLI" + folder},
		{"asks nobody", "gemini", Project, "home/.gemini/settings.json", `{"security": {"folderTrust": {"enabled": false}}}`, ""},
		{"trusted", "gemini", Project, "home/.gemini/trustedFolders.json", `{"HERE/project": "TRUST_FOLDER"}`, ""},
		{"a neighbor's parent", "gemini", Project, "home/.gemini/trustedFolders.json", `{"HERE/other": "TRUST_PARENT"}`, ""},
		{"nor this one", "gemini", Project, "home/.gemini/trustedFolders.json", `{"/": "TRUST_FOLDER", "HERE": "DO_NOT_TRUST"}`, "Gemini CLI" + folder},
		{"not this one", "gemini", Project, "home/.gemini/trustedFolders.json", `{"HERE": "TRUST_FOLDER", "HERE/project": "DO_NOT_TRUST"}`, "Gemini CLI" + folder},
		{"it says so itself", "claude", Project, "", "", ""},
	} {
		t.Run(c.agent+", "+c.about, func(t *testing.T) {
			p := newPlace(t)
			p.env["CODEX_HOME"] = filepath.Join(p.dir, "codex")
			wish := Wish{Agents: []string{c.agent}, Scope: c.scope, HooksOnly: true}
			p.do(Install, wish)
			if err := os.Symlink("project", filepath.Join(p.dir, "link")); err != nil {
				t.Fatal(err)
			}
			if c.file != "" {
				p.write(c.file, strings.ReplaceAll(c.text, "HERE", p.dir))
			}
			status, err := Look(p.world(), wish)
			if err != nil || len(status) != 1 || status[0].State != Installed || status[0].Wants != c.want {
				t.Errorf("%+v %v; want %q", status, err, c.want)
			}
		})
	}
}

// Codex trusts the root of a repository with all that is below it.
func TestWantsBelowARepository(t *testing.T) {
	for name, want := range map[string]bool{"project/.git/HEAD": true, "project/.git": false} { // in a linked worktree it is a file
		p := newPlace(t)
		p.write(name, "ref: refs/heads/main")
		w := p.world()
		w.Project = filepath.Join(w.Project, "below")
		if err := os.Mkdir(w.Project, 0o755); err != nil {
			t.Fatal(err)
		}
		var c codexConfig
		if c.trusts(w.Project) != !want {
			t.Errorf("%s: nothing is trusted", name)
		}
		p.write("home/.codex/config.toml", fmt.Sprintf("[projects.%q]\ntrust_level = \"trusted\"\n", filepath.Dir(w.Project)))
		if c, ok := (ownFiles{filepath.Join(p.dir, "home/.codex")}).codex(); !ok || !c.trusts(w.Project) {
			t.Errorf("%s: %+v %v", name, c, ok)
		}
	}
}
