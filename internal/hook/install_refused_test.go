package hook

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestRefused: if one file cannot be edited, no byte of any changes. The file is
// named, with the place in it; the other agents can be asked for without that one.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		about string
		make  func(p *machine)
		want  string
	}{
		{"broken", func(p *machine) { p.write("project/.claude/settings.json", "{\n  \"a\": 1,,\n}") }, ".claude/settings.json:2:10: expected a member name"},
		{"read-only", func(p *machine) {
			p.write("project/.claude/settings.json", "{}")
			os.Chmod(filepath.Join(p.dir, "project/.claude/settings.json"), 0o444)
		}, ".claude/settings.json: it may not be written"},
		{"a link out of the project", func(p *machine) {
			p.write("elsewhere/settings.json", "{}")
			os.MkdirAll(filepath.Join(p.dir, "project/.claude"), 0o755)
			os.Symlink("../../elsewhere/settings.json", filepath.Join(p.dir, "project/.claude/settings.json"))
		}, ".claude/settings.json: a link leads out of the directory"},
		{"a folder that is a link out of the project", func(p *machine) {
			os.Symlink(filepath.Join(p.dir, "elsewhere"), filepath.Join(p.dir, "project/.claude"))
		}, ".claude/settings.json: a link leads out of the directory"},
		{"a link to nothing", func(p *machine) { os.Symlink("nowhere", filepath.Join(p.dir, "project/CLAUDE.md")) }, "CLAUDE.md: it is no regular file"},
		{"a directory", func(p *machine) { os.MkdirAll(filepath.Join(p.dir, "project/CLAUDE.md"), 0o755) }, "CLAUDE.md: it is no regular file"},
		{"two names", func(p *machine) {
			p.write("elsewhere/x", "{}")
			os.MkdirAll(filepath.Join(p.dir, "project/.claude"), 0o755)
			os.Link(filepath.Join(p.dir, "elsewhere/x"), filepath.Join(p.dir, "project/.claude/settings.json"))
		}, ".claude/settings.json: it is no regular file with one name of its own"},
		{"huge", func(p *machine) { p.write("project/.claude/settings.json", "{}"+strings.Repeat(" ", 8<<20)) }, ".claude/settings.json: it is larger than 8 MiB"},
		{"bombs", func(p *machine) { p.write("project/.claude/settings.json", strings.Repeat("[", 1<<20)) }, ".claude/settings.json:1:129: arrays and objects are nested more than 128 deep"},
	} {
		t.Run(c.about, func(t *testing.T) {
			if runtime.GOOS == "windows" {
				t.Skip("links and permissions differ")
			}
			p := newPlace(t)
			c.make(p)
			before := p.all()
			made := p.do(Install, Wish{Agents: []string{"claude", "codex"}, Scope: Project})
			var fault *Fault
			if len(made.Faults) != 1 || !errors.As(made.Faults[0], &fault) || !strings.HasPrefix(fault.Error(), filepath.Join(p.dir, "project")+"/"+c.want) || fault.Hint == "" {
				t.Fatalf("%v, want %s", made.Faults, c.want)
			}
			if after := p.all(); after != before || len(made.Edits) > 0 || len(made.Agents) > 0 {
				t.Errorf("something changed:\n%s", Diff("all", []byte(before), []byte(after)))
			}
			if left, err := filepath.Glob(filepath.Join(p.dir, "home/.local/state/forgemind/*")); err != nil || len(left) > 0 {
				t.Errorf("receipts of nothing: %v %v", left, err)
			}
			p.do(Install, Wish{Agents: []string{"codex"}, Scope: Project})
			if !strings.Contains(p.read("project/.codex/hooks.json"), "--agent codex") {
				t.Error("the other agent got nothing")
			}
			p.do(Uninstall, Wish{Agents: []string{"codex"}, Scope: Project})
			if after := p.all(); after != before {
				t.Errorf("something is left:\n%s", Diff("all", []byte(before), []byte(after)))
			}
		})
	}
}

// TestRefusedToLeave: what was installed stays whole, too, if a file of it cannot be
// edited any more.
func TestRefusedToLeave(t *testing.T) {
	p := newPlace(t)
	p.do(Install, Wish{Agents: []string{"claude", "codex"}, Scope: Project, Servers: true})
	p.write("project/.claude/settings.json", p.read("project/.claude/settings.json")+"}")
	before := p.all()
	made := p.do(Uninstall, Wish{Scope: Project})
	if after := p.all(); after != before || len(made.Faults) != 1 || !strings.Contains(made.Faults[0].Error(), ".claude/settings.json:129:1: ") {
		t.Errorf("%v\n%s", made.Faults, Diff("all", []byte(before), []byte(after)))
	}
}

// Where it cannot be noted what an uninstall needs, nothing is installed; without any
// place to note it in, an uninstall takes out what is ours.
func TestRefusedWhatCannotBeNoted(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc, where nobody makes a folder")
	}
	p := newPlace(t)
	p.write("project/.claude/settings.json", "{}")
	before := p.all()
	install := func(state string) *Plan {
		w := p.world()
		w.State = state
		made, err := Install(w, Wish{Agents: []string{"claude", "codex"}, Scope: Project})
		if err != nil {
			t.Fatal(err)
		}
		defer made.Close()
		made.Do()
		return made
	}
	made := install("/proc/forgemind")
	var fault *Fault
	if len(made.Faults) != 1 || !errors.As(made.Faults[0], &fault) || !strings.HasPrefix(fault.Error(), "/proc/forgemind/installed/") || !strings.Contains(fault.Msg, "nothing was changed") || !strings.Contains(fault.Hint, "XDG_STATE_HOME") {
		t.Fatalf("%v", made.Faults)
	}
	if after := p.all(); after != before || len(made.Edits)+len(made.Agents)+len(made.Notes) > 0 {
		t.Errorf("something changed:\n%s", Diff("all", []byte(before), []byte(after)))
	}
	told := func(n Note) bool { return strings.Contains(n.Text, "no folder to note in") }
	if made = install(""); len(made.Faults) > 0 || !slices.ContainsFunc(made.Notes, told) || len(made.Edits) == 0 {
		t.Errorf("without a place: %v, %v, %d edits", made.Faults, made.Notes, len(made.Edits))
	}
}

// TestLinksWithin: a settings file that is a link to another place of the user's is
// edited there, and stays a link. Two names of one file get one block.
func TestLinksWithin(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	p := newPlace(t)
	p.write("home/dotfiles/claude.json", "{\"a\": 1}\n")
	p.write("project/AGENTS.md", "# Mine\n")
	if err := errors.Join(os.MkdirAll(filepath.Join(p.dir, "home/.claude"), 0o755),
		os.Symlink(filepath.Join(p.dir, "home/dotfiles/claude.json"), filepath.Join(p.dir, "home/.claude/settings.json")),
		os.Symlink("AGENTS.md", filepath.Join(p.dir, "project/CLAUDE.md"))); err != nil {
		t.Fatal(err)
	}
	before := p.all()
	p.do(Install, Wish{Agents: []string{"claude"}, Scope: User})
	p.do(Install, Wish{Agents: []string{"claude", "codex"}, Scope: Project})
	if text := p.read("home/dotfiles/claude.json"); !strings.Contains(text, "--agent claude") {
		t.Error(text)
	}
	if text := p.read("project/AGENTS.md"); strings.Count(text, "forgemind:begin") != 1 {
		t.Error(text)
	}
	p.do(Uninstall, Wish{Scope: User})
	p.do(Uninstall, Wish{Scope: Project})
	if after := p.all(); after != before {
		t.Errorf("it is not as it was:\n%s", Diff("all", []byte(before), []byte(after)))
	}
}

// TestReceiptsOfStrangers: a receipt that was tampered with, or that is torn, does no
// harm: our entries leave as they do without.
func TestReceiptsOfStrangers(t *testing.T) {
	for _, spoil := range []func(string) string{
		func(text string) string { return text[:len(text)/2] },
		func(text string) string { return strings.ReplaceAll(text, `"at": `, `"at": 99`) },
		func(text string) string { return strings.ReplaceAll(text, `"cut": `, `"cut": -`) },
		func(string) string { return "[]" },
	} {
		p := newPlace(t)
		p.write("project/.codex/hooks.json", "{\n  \"a\": 1\n}\n")
		p.do(Install, Wish{Agents: []string{"codex"}, Scope: Project, HooksOnly: true})
		found, err := filepath.Glob(filepath.Join(p.dir, "home/.local/state/forgemind/installed/*.json"))
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		rel, _ := filepath.Rel(p.dir, found[0])
		p.write(rel, spoil(p.read(rel)))
		p.do(Uninstall, Wish{Agents: []string{"codex"}, Scope: Project})
		if got := p.read("project/.codex/hooks.json"); got != "{\n  \"a\": 1\n}\n" {
			t.Errorf("%q", got)
		}
	}
}

// TestAtOnce: several installations at once come to one, and what each has put in is
// taken out.
func TestAtOnce(t *testing.T) {
	p := newPlace(t)
	before := p.all()
	var wait sync.WaitGroup
	for _, id := range append(AgentIDs(), AgentIDs()...) {
		wait.Go(func() {
			made, err := Install(p.world(), Wish{Agents: []string{id}, Scope: Project, Servers: true})
			if err != nil {
				t.Error(err)
				return
			}
			defer made.Close()
			if made.Do(); len(made.Faults) > 0 {
				t.Error(made.Faults)
			}
		})
	}
	wait.Wait()
	if text := p.read("project/AGENTS.md"); strings.Count(text, "forgemind:begin") != 1 {
		t.Error(text)
	}
	if made := p.do(Uninstall, Wish{Scope: Project}); len(made.Faults) > 0 {
		t.Error(made.Faults)
	}
	if after := p.all(); !strings.HasPrefix(before, after) && after != before {
		t.Logf("folders are left:\n%s", after)
		if strings.Contains(after, "forgemind hook run") || strings.Contains(after, "forgemind:") {
			t.Error("more than folders are left")
		}
	}
}

// TestOvertaken: a file that somebody changes in the very moment stays as they made
// it; what is known of it is not forgotten, so that it can still become what it was.
func TestOvertaken(t *testing.T) {
	p := newPlace(t)
	const name = "project/.codex/hooks.json"
	p.write(name, "{\"hooks\": {\"Stop\": [ ]}}") // only the receipt knows that the list is theirs
	before := p.all()
	wish := Wish{Agents: []string{"codex"}, Scope: Project}
	p.do(Install, wish)
	installed := p.read(name)
	plan, err := Uninstall(p.world(), wish)
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	p.write(name, installed+"\n")
	plan.Do()
	if len(plan.Faults) != 1 || !strings.Contains(plan.Faults[0].Error(), "somebody changed it in this moment") || p.read(name) != installed+"\n" {
		t.Errorf("%v, %q", plan.Faults, p.read(name))
	}
	if _, err := os.Stat(filepath.Join(p.dir, "project/AGENTS.md")); !os.IsNotExist(err) {
		t.Error(err)
	}
	p.write(name, installed)
	p.do(Uninstall, wish)
	if after := p.all(); after != before {
		t.Errorf("it is not as it was:\n%s", Diff("all", []byte(before), []byte(after)))
	}
}
