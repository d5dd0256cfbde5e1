package hook

import (
	"errors"
	"flag"
	iofs "io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write testdata/install anew")

// A machine is a project and a user's home, on the disk.
type machine struct {
	t    interface{ Fatal(...any) }
	dir  string
	env  map[string]string
	path []string // programs that are there
	own  string   // the one that runs
}

// quickDir is a temporary directory that waits for no disk, if there is one.
func quickDir(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "forgemind-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func newPlace(t *testing.T) *machine {
	p := &machine{t: t, dir: quickDir(t), env: map[string]string{}, path: []string{"forgemind"}}
	p.make()
	return p
}

func (p *machine) make() {
	for _, dir := range []string{"project", "home", "elsewhere"} {
		if err := os.MkdirAll(filepath.Join(p.dir, dir), 0o755); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *machine) world() World {
	return World{
		Project: filepath.Join(p.dir, "project"), Home: filepath.Join(p.dir, "home"), State: filepath.Join(p.dir, "home/.local/state/forgemind"), Program: p.own,
		Getenv: func(name string) string { return p.env[name] },
		LookPath: func(name string) (string, error) {
			for _, program := range p.path {
				if program == name {
					return "/bin/" + name, nil
				}
			}
			return "", errors.New("not found")
		},
	}
}

func (p *machine) write(name, text string) {
	full := filepath.Join(p.dir, name)
	err := os.MkdirAll(filepath.Dir(full), 0o755)
	if err == nil {
		err = os.WriteFile(full, []byte(text), 0o644)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *machine) read(name string) string {
	text, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

// all is everything that stands there, with its permissions.
func (p *machine) all() string {
	var out strings.Builder
	err := filepath.WalkDir(p.dir, func(name string, entry iofs.DirEntry, err error) error {
		if strings.HasSuffix(name, "/.local") {
			return iofs.SkipDir
		}
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(p.dir, name)
		out.WriteString(rel + " " + entry.Type().String())
		if info, err := entry.Info(); err == nil {
			out.WriteString(" " + info.Mode().String())
		}
		if entry.Type().IsRegular() {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			out.WriteString(" " + string(text))
		}
		out.WriteString("\n")
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return out.String()
}

// do plans and does; the plan comes back closed.
func (p *machine) do(plan func(World, Wish) (*Plan, error), wish Wish) *Plan {
	made, err := plan(p.world(), wish)
	if err != nil {
		p.t.Fatal(err)
	}
	defer made.Close()
	made.Do()
	return made
}

// TestInstall shows, of every agent and scope, what is written where there is
// nothing; that it is written once; that status knows it; and that nothing is left
// of it.
func TestInstall(t *testing.T) {
	for _, a := range Agents() {
		for _, scope := range []Scope{Project, Local, User} {
			if len(a.spots(scope, program{})) == 0 {
				continue
			}
			t.Run(a.ID+"-"+string(scope), func(t *testing.T) {
				p := newPlace(t)
				before := p.all()
				wish := Wish{Agents: []string{a.ID}, Scope: scope, Servers: scope != Local, Status: true}
				made := p.do(Install, wish)
				var diff strings.Builder
				for _, e := range made.Edits {
					name, _ := filepath.Rel(p.dir, e.File)
					diff.WriteString(Diff(filepath.ToSlash(name), e.Before, e.After))
				}
				golden := filepath.Join("testdata", "install", a.ID+"-"+string(scope)+".diff")
				if *update {
					if err := os.WriteFile(golden, []byte(diff.String()), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if want, err := os.ReadFile(golden); err != nil || string(want) != diff.String() {
					t.Errorf("run with -update and look at the difference (%v):\n%s", err, Diff(golden, want, []byte(diff.String())))
				}
				if again := p.do(Install, wish); len(again.Edits) > 0 || len(again.Faults) > 0 {
					t.Errorf("twice: %d edits, %v", len(again.Edits), again.Faults)
				}
				status, err := Look(p.world(), wish)
				if err != nil || len(status) != 1 || status[0].State != Installed {
					t.Fatalf("%v %v", status, err)
				}
				for _, part := range status[0].Parts {
					if part.State != Installed {
						t.Errorf("%s %s: %s %s", part.File, part.Kind, part.State, part.Detail)
					}
				}
				p.do(Uninstall, wish)
				if after := p.all(); after != before {
					t.Errorf("something is left:\n%s", after)
				}
				if entries, _ := os.ReadDir(filepath.Join(p.dir, "home/.local/state/forgemind")); len(entries) > 0 {
					t.Errorf("receipts are left: %v", entries)
				}
			})
		}
	}
}

// TestThereAndBack: over files of all kinds and several agents and rounds, taking out
// what was put in restores every byte, permission and folder.
func TestThereAndBack(t *testing.T) {
	t.Parallel()
	base := quickDir(t)
	names := []string{".claude/settings.json", ".codex/hooks.json", ".cursor/hooks.json", ".gemini/settings.json", ".github/hooks/forgemind.json", ".mcp.json", ".cursor/mcp.json"}
	texts := []string{".codex/config.toml", "AGENTS.md", "CLAUDE.md", "GEMINI.md"}
	rapid.Check(t, func(t *rapid.T) {
		if err := os.RemoveAll(base); err != nil {
			t.Fatal(err)
		}
		p := &machine{t: t, dir: base, env: map[string]string{}, path: []string{"forgemind"}}
		p.make()
		for _, name := range names {
			switch rapid.IntRange(0, 3).Draw(t, name) {
			case 0:
				p.write("project/"+name, string(document(t, true)))
			case 1:
				p.write("project/"+name, rapid.SampledFrom([]string{"", " \n", "{}", "{ }\n", "{\n}\n", "\n{\"hooks\": {}}", "{\"hooks\": { }, \"version\": 1 }", byteOrderMark}).Draw(t, "small"))
			}
		}
		for _, name := range texts {
			if rapid.Bool().Draw(t, name) {
				p.write("project/"+name, rapid.SampledFrom([]string{"", "\n", "# a\n", "# a", "# a\r\n", "# a\r\n\r\n", "# a\r"}).Draw(t, "text"))
			}
		}
		for _, name := range names {
			if rapid.IntRange(0, 4).Draw(t, "mode") == 0 {
				os.Chmod(filepath.Join(base, "project", name), 0o600)
			}
		}
		before := p.all()
		for range rapid.IntRange(1, 3).Draw(t, "rounds") {
			wish := Wish{Scope: Project, Servers: rapid.Bool().Draw(t, "mcp"), HooksOnly: rapid.IntRange(0, 5).Draw(t, "hooks only") > 0,
				Agents: rapid.SliceOfNDistinct(rapid.SampledFrom(AgentIDs()), 1, 5, rapid.ID).Draw(t, "agents")}
			if made := p.do(Install, wish); len(made.Faults) > 0 {
				t.Fatal(made.Faults)
			}
			if rapid.IntRange(0, 3).Draw(t, "some leave") == 0 {
				p.do(Uninstall, Wish{Scope: Project, Agents: []string{rapid.SampledFrom(AgentIDs()).Draw(t, "who")}})
			}
		}
		if made := p.do(Uninstall, Wish{Scope: Project}); len(made.Faults) > 0 {
			t.Fatal(made.Faults)
		}
		if after := p.all(); after != before {
			t.Fatalf("it is not as it was:\n%s", Diff("all", []byte(before), []byte(after)))
		}
	})
}

// TestWithoutReceipts: in another clone nothing is known of what was installed. Our
// entries leave all the same, and what others have added stays.
func TestWithoutReceipts(t *testing.T) {
	p := newPlace(t)
	p.write("project/.claude/settings.json", "{\n\t\"model\": \"opus\"\n}\n")
	p.write("project/CLAUDE.md", "# Mine")
	before := p.all()
	p.do(Install, Wish{Agents: []string{"claude"}, Scope: Project, Servers: true})
	if err := os.RemoveAll(filepath.Join(p.dir, "home/.local")); err != nil {
		t.Fatal(err)
	}
	p.do(Uninstall, Wish{Scope: Project})
	dirs := []string{"agents"}
	for _, s := range slashes {
		dirs = append(dirs, "skills/"+s.file())
	}
	for _, dir := range append(dirs, "skills") { // whose they are is not known
		if err := os.Remove(filepath.Join(p.dir, "project/.claude", dir)); err != nil {
			t.Error(err)
		}
	}
	if after := p.all(); after != before {
		t.Errorf("it is not as it was:\n%s", Diff("all", []byte(before), []byte(after)))
	}
}

// TestUserEdits: what a user changed after the installation stays.
func TestUserEdits(t *testing.T) {
	p := newPlace(t)
	p.do(Install, Wish{Agents: []string{"claude"}, Scope: Project})
	p.write("project/.claude/settings.json", strings.Replace(p.read("project/.claude/settings.json"), "{\n", "{\n  \"model\": \"opus\",\n", 1))
	p.write("project/.claude/skills/set_goal/SKILL.md", "mine")
	p.write("project/CLAUDE.md", strings.Replace(p.read("project/CLAUDE.md"), "brief", "BRIEF", 1))
	edited := p.read("project/CLAUDE.md")
	p.write("project/.claude/agents/mine.md", "mine")
	made := p.do(Uninstall, Wish{Scope: Project})
	if got := p.read("project/.claude/settings.json"); got != "{\n  \"model\": \"opus\"\n}\n" {
		t.Errorf("%q", got)
	}
	if p.read("project/.claude/skills/set_goal/SKILL.md") != "mine" || p.read("project/CLAUDE.md") != edited || p.read("project/.claude/agents/mine.md") != "mine" {
		t.Error("what the user wrote is gone")
	}
	if len(made.Notes) != 1 || !strings.Contains(made.Notes[0].Text, "changed by hand; it was kept") {
		t.Errorf("%+v", made.Notes)
	}
	if _, err := os.Stat(filepath.Join(p.dir, "project/.claude/skills/remember")); !errors.Is(err, iofs.ErrNotExist) {
		t.Error(err)
	}

	const empty = "project/.codex/hooks.json"
	p = newPlace(t)
	p.write(empty, "")
	p.do(Install, Wish{Agents: []string{"codex"}, Scope: Project})
	p.write(empty, p.read(empty)+"\n")
	p.do(Uninstall, Wish{Scope: Project})
	if got := p.read(empty); got != "{}\n\n" { // it was there before, and changed since
		t.Errorf("%q", got)
	}
}

// TestShared: a block that another agent still reads stays until that one leaves.
func TestShared(t *testing.T) {
	p := newPlace(t)
	p.do(Install, Wish{Agents: []string{"codex", "cursor"}, Scope: Project})
	made := p.do(Uninstall, Wish{Agents: []string{"codex"}, Scope: Project})
	if !strings.Contains(p.read("project/AGENTS.md"), "forgemind:begin") || len(made.Notes) != 1 || made.Notes[0].Text != "it stays for Cursor" {
		t.Errorf("%+v", made.Notes)
	}
	p.do(Uninstall, Wish{Agents: []string{"cursor"}, Scope: Project})
	if _, err := os.Stat(filepath.Join(p.dir, "project/AGENTS.md")); !errors.Is(err, iofs.ErrNotExist) {
		t.Error(err)
	}
}

// TestSharedWithWhoCannotBeRead: a block stays, too, for an agent of which nobody can
// tell whether it has our hooks.
func TestSharedWithWhoCannotBeRead(t *testing.T) {
	p := newPlace(t)
	p.do(Install, Wish{Agents: []string{"codex"}, Scope: Project})
	if err := os.MkdirAll(filepath.Join(p.dir, "project/.cursor/hooks.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	made := p.do(Uninstall, Wish{Agents: []string{"codex"}, Scope: Project})
	want := "it stays for Cursor, if it has our hooks: " + filepath.Join(p.dir, "project/.cursor/hooks.json") + ": it is no regular file with one name of its own"
	if !strings.Contains(p.read("project/AGENTS.md"), "forgemind:begin") || len(made.Notes) != 1 || made.Notes[0].Text != want {
		t.Errorf("%+v", made)
	}
}

// TestTwoPlaces: hooks that would run twice are told.
func TestTwoPlaces(t *testing.T) {
	p := newPlace(t)
	p.do(Install, Wish{Agents: []string{"cursor"}, Scope: User})
	made := p.do(Install, Wish{Agents: []string{"cursor"}, Scope: Project})
	if len(made.Notes) != 1 || made.Notes[0].File != filepath.Join(p.dir, "home/.cursor/hooks.json") {
		t.Errorf("%+v", made.Notes)
	}
}

// TestDetected: without a name, only agents whose folder or program is there get
// anything, and a project cannot make them for all of the user's.
func TestDetected(t *testing.T) {
	p := newPlace(t)
	p.write("project/.cursor/rules.md", "")
	p.write("home/.gemini/x", "")
	p.path = []string{"forgemind", "codex"}
	if made := p.do(Install, Wish{Scope: Project}); strings.Join(made.Agents, " ") != "codex cursor gemini" || len(made.Skipped) != 3 {
		t.Errorf("%v %v", made.Agents, made.Skipped)
	}
	if made := p.do(Install, Wish{Scope: User}); strings.Join(made.Agents, " ") != "codex gemini" {
		t.Errorf("%v", made.Agents)
	}
	if made := p.do(Install, Wish{Agents: []string{"codex"}, Scope: Local}); len(made.Agents) > 0 || len(made.Skipped) != 1 {
		t.Errorf("%v %v", made.Agents, made.Skipped)
	}
}

// TestVariables: the environment may say that an agent's folder is elsewhere.
func TestVariables(t *testing.T) {
	p := newPlace(t)
	p.env = map[string]string{"CLAUDE_CONFIG_DIR": filepath.Join(p.dir, "elsewhere/claude"), "CODEX_HOME": filepath.Join(p.dir, "home/tools/codex"),
		"GEMINI_CLI_HOME": filepath.Join(p.dir, "elsewhere"), "COPILOT_HOME": "relative"}
	before := p.all()
	wish := Wish{Agents: []string{"claude", "codex", "gemini", "copilot"}, Scope: User, HooksOnly: true}
	if made := p.do(Install, wish); len(made.Faults) > 0 {
		t.Fatal(made.Faults)
	}
	for _, name := range []string{"elsewhere/claude/settings.json", "home/tools/codex/hooks.json", "elsewhere/.gemini/settings.json", "home/.copilot/hooks/forgemind.json"} {
		if !strings.Contains(p.read(name), "forgemind hook run") {
			t.Error(name)
		}
	}
	p.do(Uninstall, wish)
	if after := p.all(); after != before {
		t.Errorf("something is left:\n%s", after)
	}
	p.env["CLAUDE_CONFIG_DIR"] = filepath.Join(p.dir, "nowhere/at/all")
	if made := p.do(Install, Wish{Agents: []string{"claude"}, Scope: User}); len(made.Faults) != 1 || !strings.Contains(made.Faults[0].Error(), "nowhere/at: it is not there") {
		t.Error(made.Faults)
	}
}

// TestDryRun: to plan changes nothing.
func TestDryRun(t *testing.T) {
	p := newPlace(t)
	before := p.all()
	made, err := Install(p.world(), Wish{Agents: AgentIDs(), Scope: Project, Servers: true})
	if err != nil {
		t.Fatal(err)
	}
	made.Close()
	if after := p.all(); after != before || len(made.Edits) == 0 {
		t.Error(after)
	}
}

// TestCommandFiles: what the files of commands are made of is what their agents read.
func TestCommandFiles(t *testing.T) {
	for _, a := range Agents() {
		for _, s := range append(a.spots(Project, program{}), a.spots(User, program{})...) {
			f, ok := s.piece.(*file)
			if !ok {
				continue
			}
			text := string(f.whole())
			if strings.HasSuffix(s.name, ".toml") {
				if strings.Count(text, "'''") != 2 || strings.Count(strings.SplitN(text, "\n", 2)[0], `"`) != 2 {
					t.Errorf("%s:\n%s", s.name, text)
				}
				continue
			}
			if head, _, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n"); ok {
				for line := range strings.SplitSeq(head, "\n") {
					_, value, _ := strings.Cut(line, ": ")
					if strings.Contains(strings.Trim(value, `"`), ": ") && value[0] != '"' {
						t.Errorf("%s: %s", s.name, line)
					}
				}
			}
		}
	}
}
