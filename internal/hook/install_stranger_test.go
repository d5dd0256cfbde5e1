package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStrangersLinks: a project that somebody else made may have links where settings
// stand. What git or forgemind keeps is never written through them.
func TestStrangersLinks(t *testing.T) {
	for link, to := range map[string]string{
		"CLAUDE.md":             ".git/config",
		".claude/settings.json": "../.forgemind/context/current-context.json",
		".claude/commands":      "../.quaid/context",
	} {
		t.Run(to, func(t *testing.T) {
			p := newPlace(t)
			p.write("project/.git/config", "[core]\n")
			p.write("project/.forgemind/context/current-context.json", "{}\n")
			p.write("project/.quaid/context/x.json", "{}\n")
			at := filepath.Join(p.dir, "project", link)
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(to, at); err != nil {
				t.Skip(err)
			}
			before := p.all()
			made := p.do(Install, Wish{Agents: []string{"claude"}, Scope: Project})
			if len(made.Faults) == 0 || !strings.Contains(made.Faults[0].Error(), "keeps, and is no file of settings") {
				t.Errorf("%v", made.Faults)
			}
			if after := p.all(); after != before {
				t.Errorf("something changed:\n%s", Diff("all", []byte(before), []byte(after)))
			}
		})
	}
}

// TestStrangersProgram: a hook that starts a program of the project's is none of ours,
// whatever the program is called: ours come beside it, and it is not vouched for.
func TestStrangersProgram(t *testing.T) {
	for _, program := range []string{"./evil/forgemind", "evil/forgemind", "PROJECT/evil/forgemind"} {
		t.Run(program, func(t *testing.T) {
			p := newPlace(t)
			program = strings.Replace(program, "PROJECT", filepath.ToSlash(filepath.Join(p.dir, "project")), 1)
			p.path = append(p.path, program)
			theirs := strings.ReplaceAll(string(freshClaude(t)), "forgemind hook run", program+" hook run")
			for scope, name := range map[Scope]string{Project: "project/.claude/settings.json", Local: "project/.claude/settings.local.json"} {
				p.write(name, theirs)
				p.do(Install, Wish{Agents: []string{"claude"}, Scope: scope, HooksOnly: true})
				text := p.read(name)
				if ours, all := strings.Count(text, `; forgemind hook run`), strings.Count(text, "hook run"); ours == 0 || all != 2*ours {
					t.Errorf("%s: %d of %d hooks are ours:\n%s", name, ours, all, text)
				}
				p.do(Uninstall, Wish{Agents: []string{"claude"}, Scope: scope})
				if text := p.read(name); text != theirs {
					t.Errorf("%s: theirs became\n%s", name, text)
				}
			}
		})
	}
}

// freshClaude is what an installation makes where there are no settings.
func freshClaude(t *testing.T) []byte {
	t.Helper()
	src, _, _, err := claudeSpots(Project, program{})[0].piece.put(nil)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// TestThousandsOfOurHooks: each is taken out by itself, so that a stranger's file of
// thousands is refused, with the place, before that takes minutes.
func TestThousandsOfOurHooks(t *testing.T) {
	var list []string
	for range 5000 {
		list = append(list, `{"hooks": [{"type": "command", "command": "forgemind hook run Stop --agent claude"}]}`)
	}
	p := newPlace(t)
	p.write("project/.claude/settings.json", fmt.Sprintf(`{"hooks": {"Stop": [%s]}}`, strings.Join(list, ",\n")))
	for _, do := range []func(World, Wish) (*Plan, error){Install, Uninstall} {
		made := p.do(do, Wish{Agents: []string{"claude"}, Scope: Project})
		if len(made.Faults) != 1 || !strings.Contains(made.Faults[0].Error(), "settings.json:101:12: there are 5000 hooks of forgemind") {
			t.Errorf("%v", made.Faults)
		}
	}
}

// TestOneFileOfTwoAgents: where the files of two agents are one, by a link, what is in
// it stays for the agent that stays.
func TestOneFileOfTwoAgents(t *testing.T) {
	p := newPlace(t)
	p.write("project/AGENTS.md", "# Ours\n")
	if err := os.Symlink("AGENTS.md", filepath.Join(p.dir, "project/CLAUDE.md")); err != nil {
		t.Skip(err)
	}
	p.do(Install, Wish{Agents: []string{"claude", "codex"}, Scope: Project})
	both := p.read("project/AGENTS.md")
	p.do(Uninstall, Wish{Agents: []string{"claude"}, Scope: Project})
	if text := p.read("project/AGENTS.md"); text != both || !strings.Contains(text, "forgemind:begin") {
		t.Errorf("%s", text)
	}
	p.do(Uninstall, Wish{Agents: []string{"codex"}, Scope: Project})
	if text := p.read("project/AGENTS.md"); text != "# Ours\n" {
		t.Errorf("%q", text)
	}
}

// TestHundredsOfBlocks: so many nobody has put there but a stranger, and the file is
// left alone, with the place of the first that is too much.
func TestHundredsOfBlocks(t *testing.T) {
	p := newPlace(t)
	text := strings.Repeat("<!-- forgemind:begin -->\nx\n<!-- forgemind:end -->\n", 200)
	p.write("project/CLAUDE.md", text)
	for _, do := range []func(World, Wish) (*Plan, error){Install, Uninstall} {
		made := p.do(do, Wish{Agents: []string{"claude"}, Scope: Project})
		if p.read("project/CLAUDE.md") != text || !strings.Contains(fmt.Sprint(made.Notes), "line 301, column 1: there are 200 blocks of forgemind") {
			t.Errorf("%v", made.Notes)
		}
	}
}
