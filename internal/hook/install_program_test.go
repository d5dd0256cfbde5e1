package hook

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestProgram: settings that people share call forgemind by its name, whether it is
// on the PATH or not; the user's own name the program where it is not.
func TestProgram(t *testing.T) {
	for _, c := range []struct {
		about string
		scope Scope
		path  []string
		own   string
		want  string // what they start
		state State
	}{
		{"shared", Project, []string{"forgemind", "/opt/forgemind"}, "/opt/forgemind", "forgemind", Installed},
		{"shared, not on the PATH", Project, []string{"/opt/forgemind"}, "/opt/forgemind", "forgemind", Broken},
		{"the user's", User, []string{"forgemind", "/opt/forgemind"}, "/opt/forgemind", "forgemind", Installed},
		{"the user's, not on the PATH", User, []string{"/opt/forgemind"}, "/opt/forgemind", "/opt/forgemind", Installed},
		{"the user's, with a blank", User, []string{"/opt/my tools/forgemind"}, "/opt/my tools/forgemind", "/opt/my tools/forgemind", Installed},
		{"the user's, with an apostrophe", User, []string{"/opt/ann's tools/forgemind"}, "/opt/ann's tools/forgemind", "/opt/ann's tools/forgemind", Installed},
		{"what a shell would read otherwise", User, []string{"/opt/$HOME/forgemind"}, "/opt/$HOME/forgemind", "forgemind", Broken},
		{"not called forgemind", User, []string{"/opt/fm"}, "/opt/fm", "forgemind", Broken},
		{"gone", User, nil, "/opt/forgemind", "forgemind", Broken},
		{"not known", User, nil, "", "forgemind", Broken},
	} {
		t.Run(c.about, func(t *testing.T) {
			p := newPlace(t)
			p.path, p.own = c.path, c.own
			before := p.all()
			wish := everything(c.scope)
			made := p.do(Install, wish)
			lines := 0
			for _, e := range made.Edits {
				for _, line := range starting.FindAllStringSubmatch(string(e.After), -1) {
					starts, shell := strings.TrimPrefix(line[1]+line[3], "& "), line[2] != ""
					if lines++; starts != c.want && !(shell && starts == `\"`+c.want+`\"` && strings.Contains(c.want, " ")) || shell && starts == c.want && strings.Contains(c.want, " ") {
						t.Errorf("%s: %s", e.File, line[0])
					}
				}
			}
			if lines != 42+8+10+4+1 { // hooks, those of Copilot and Codex for two shells, servers, the status line
				t.Errorf("%d lines start a program", lines)
			}
			status, err := Look(p.world(), wish)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range status {
				if s.State != c.state {
					t.Errorf("%+v", s)
				}
			}
			if again := p.do(Install, wish); len(again.Edits) > 0 {
				t.Error("twice is not once")
			}
			p.do(Uninstall, wish)
			if after := p.all(); after != before {
				t.Errorf("something is left:\n%s", after)
			}
		})
	}
}

// starting is a line that starts a program: the first group or the third; the
// second is what a shell reads behind it. A guard may stand before it.
var starting = regexp.MustCompile(`(?m)"(?:command|commandWindows|bash|powershell)": "(?:command -v .* >/dev/null \|\| exit 0; |if \(Get-Command .* -ErrorAction Ignore\) \{ )?(.*?)( hook run .*| statusline)?",?$|^command = "(.*)"$`)

// TestProgramMoved: entries that start a program which is not there any more are told
// of, and the next installation has them start one that is. Nothing else of them
// changes, and they go like all others.
func TestProgramMoved(t *testing.T) {
	p := newPlace(t)
	for name, text := range map[string]string{
		"home/.claude/settings.json":    "{\n  // mine\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"./mine.sh\"}]}]}\n}\n",
		"home/.codex/config.toml":       "model = \"x\" # mine\n",
		"home/.copilot/mcp-config.json": "{}",
	} {
		p.write(name, text)
	}
	before := p.all()
	p.path, p.own = []string{"/old place/forgemind"}, "/old place/forgemind"
	wish := everything(User)
	p.do(Install, wish)
	installed := p.all()
	for _, c := range []struct{ path, own, now, powershell string }{
		{"/new/forgemind", "/new/forgemind", "/new/forgemind", "/new/forgemind"},
		{"forgemind", "/new/forgemind", "forgemind", "forgemind"},
	} {
		p.path, p.own = nil, ""
		status, err := Look(p.world(), wish)
		if err != nil || len(status) != 6 {
			t.Fatal(status, err)
		}
		for _, s := range status {
			if s.State != Broken || s.Parts[0].Detail == "" {
				t.Errorf("%+v", s)
			}
		}
		if made := p.do(Install, wish); len(made.Edits) > 0 {
			t.Error("one that is not there was changed for another that is not")
		}
		p.path, p.own = []string{c.path}, c.own
		p.do(Install, wish)
		want := strings.NewReplacer(`& \"/old place/forgemind\"`, c.powershell, `\"/old place/forgemind\"`, c.now, `/old place/forgemind`, c.now).Replace(installed)
		mark := regexp.MustCompile(`// forgemind:file [0-9a-f]{12}`) // of what stands before it
		want = mark.ReplaceAllString(want, "")
		if got := mark.ReplaceAllString(p.all(), ""); got != want {
			t.Errorf("more or less than the program changed:\n%s", Diff("all", []byte(want), []byte(got)))
		}
		status, err = Look(p.world(), wish)
		for _, s := range status {
			if err != nil || s.State != Installed {
				t.Errorf("%+v %v", s, err)
			}
		}
	}
	p.do(Uninstall, wish)
	if after := p.all(); after != before {
		t.Errorf("it is not as it was:\n%s", Diff("all", []byte(before), []byte(after)))
	}
}

// TestGuarded: what an earlier version wrote without a guard gets one, once, and keeps what
// somebody made of it; so does an own command for Windows.
func TestGuarded(t *testing.T) {
	for _, agent := range []string{"claude", "codex", "gemini", "copilot"} {
		p := newPlace(t)
		wish := Wish{Agents: []string{agent}, Scope: Project, HooksOnly: true}
		before := p.all()
		p.do(Install, wish)
		name := map[string]string{"claude": "project/.claude/settings.json", "codex": "project/.codex/hooks.json", "gemini": "project/.gemini/settings.json", "copilot": "project/.github/hooks/forgemind.json"}[agent]
		fresh := p.read(name)
		old := strings.NewReplacer("command -v forgemind >/dev/null || exit 0; ", "", "if (Get-Command forgemind -ErrorAction Ignore) { ", "", " }\"", "\"", `"timeout": 10`, `"timeout": 77`, `"timeoutSec": 10`, `"timeoutSec": 77`).Replace(fresh)
		old = strings.Replace(old, `"commandWindows": "forgemind hook run Stop --agent codex"`, `"commandWindows": "mine.cmd"`, 1)
		old = regexp.MustCompile(`\s*"commandWindows": "forgemind.*",`).ReplaceAllString(old, "")
		old = strings.Replace(old, `"powershell": "forgemind hook`, `"powershell": "Write-Log mine.cmd; forgemind hook`, 1)
		p.write(name, old)
		p.do(Install, wish)
		now := p.read(name)
		if strings.Count(now, "|| exit 0; forgemind hook run") != strings.Count(fresh, "|| exit 0; forgemind hook run") || strings.Count(now, "77") != strings.Count(old, "77") ||
			strings.Count(now, "commandWindows") != strings.Count(fresh, "commandWindows") || strings.Contains(old, "mine.cmd") != strings.Contains(now, "mine.cmd") {
			t.Errorf("%s: it became\n%s", agent, now)
		}
		if made := p.do(Install, wish); len(made.Edits) > 0 {
			t.Errorf("%s: twice is not once:\n%s", agent, p.read(name))
		}
		p.do(Uninstall, wish)
		if after := p.all(); after != before {
			t.Errorf("%s: something is left:\n%s", agent, after)
		}
	}
}

// TestOverall: the hooks decide how an agent stands, unless something else of ours
// does not work.
func TestOverall(t *testing.T) {
	part := func(kind part, state State) Part { return Part{Kind: string(kind), State: state} }
	for _, c := range []struct {
		parts []Part
		want  State
	}{
		{[]Part{part(partHooks, Installed), part(partServer, Absent), part(partBlock, Edited)}, Installed},
		{[]Part{part(partHooks, Installed), part(partServer, Broken)}, Broken},
		{[]Part{part(partHooks, Other), part(partStatus, Broken)}, Broken},
		{[]Part{part(partHooks, Installed), part(partCommand, Other)}, Other},
		{[]Part{part(partHooks, Partly), part(partServer, Broken)}, Partly},
		{[]Part{part(partHooks, Absent), part(partServer, Installed), part(partStatus, Broken), part(partBlock, Installed)}, Absent},
		{[]Part{part(partHooks, Absent), part(partCommand, Foreign)}, Absent},
		{[]Part{part(partHooks, Absent), part(partRole, Edited)}, Partly},
	} {
		if got := overall(c.parts); got != c.want {
			t.Errorf("%v: %s, not %s", c.parts, got, c.want)
		}
	}
}

// older installs the hooks of Claude Code as an older version might have: one has
// another matcher, one another time, one stands under a name of its own.
func older(p *machine, wish Wish) {
	a := Agents()[0]
	a.spots = func(scope Scope, prog program) []spot {
		h := *claudeSpots(scope, prog)[0].piece.(*hooks)
		h.events = []event{{"SessionStart", "", 10}, {"PostToolUse", "Edit|Write", 10}, {"Compacting", "", 10}, {"Stop", "", 60}}
		return []spot{{".claude/settings.json", partHooks, &h}, {".claude/commands/gone.md", partCommand, markdown("Gone.\n")}}
	}
	plan, _, err := beginChange(p.world(), wish)
	if err != nil {
		p.t.Fatal(err)
	}
	defer plan.Close()
	plan.agent(a, func(s spot, e *Edit) (string, error) { return plan.put(a, s, e, Wish{}) })
	plan.settle().Do()
}

// TestUpgrade: what an older version has installed becomes what this one installs,
// and goes without a trace. What a person changed in it stays as it is.
func TestUpgrade(t *testing.T) {
	const name = "project/.claude/settings.json"
	wish := Wish{Agents: []string{"claude"}, Scope: Project, HooksOnly: true}
	for _, src := range []string{"", "{\n    \"model\": \"opus\"\n}", "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}]}}\r\n"} {
		p := newPlace(t)
		if src != "" {
			p.write(name, src)
		}
		before := p.all()
		p.do(Install, wish)
		installed := p.read(name)
		p.do(Uninstall, wish)

		older(p, wish)
		if status, err := Look(p.world(), wish); err != nil || status[0].State != Partly {
			t.Errorf("%+v, %v", status, err)
		}
		p.do(Install, wish)
		if got := p.read(name); got != installed {
			t.Errorf("it is not what this version installs:\n%s", Diff(name, []byte(installed), []byte(got)))
		}
		p.do(Uninstall, Wish{Scope: Project})
		if after := p.all(); after != before {
			t.Errorf("it is not as it was:\n%s", Diff("all", []byte(before), []byte(after)))
		}

		older(p, wish)
		p.do(Uninstall, Wish{Scope: Project})
		if after := p.all(); after != before {
			t.Errorf("what an older version installed left something:\n%s", Diff("all", []byte(before), []byte(after)))
		}
	}

	p := newPlace(t)
	older(p, wish)
	p.write("project/.claude/commands/gone.md", "mine")
	text := strings.Replace(p.read(name), "{\n", "{\n  \"model\": \"opus\",\n", 1)
	p.write(name, text)
	made := p.do(Install, wish)
	got := p.read(name)
	if !strings.Contains(got, `"matcher": "Edit|Write"`) || !strings.Contains(got, `"timeout": 60`) || strings.Contains(got, "Compacting") || strings.Count(got, "hook run") != 11 {
		t.Error(got)
	}
	if len(made.Notes) == 0 || made.Notes[0].Text != "line 16, column 7: the hook for PostToolUse is not as this version writes it; it was kept" {
		t.Errorf("%+v", made.Notes)
	}
	if status, err := Look(p.world(), wish); err != nil || status[0].State != Other || status[0].Parts[0].Detail == "" {
		t.Errorf("%+v, %v", status, err)
	}
	p.do(Uninstall, Wish{Scope: Project})
	if got := p.read(name); got != "{\n  \"model\": \"opus\"\n}\n" {
		t.Error(got)
	}
	if p.read("project/.claude/commands/gone.md") != "mine" {
		t.Error("what a person made of a file went with it")
	}
}

// TestStatusLine: Claude Code gets a status line if it is wished for and none is
// there, shared or the user's own; and it goes again.
func TestStatusLine(t *testing.T) {
	const shared, local, own = "project/.claude/settings.json", "project/.claude/settings.local.json", "home/.claude/settings.json"
	line := func(command string) string {
		return "{\"statusLine\": {\"type\": \"command\", \"command\": \"" + command + "\"}}\n"
	}
	for _, c := range []struct {
		about       string
		scope       Scope
		there, text string // a file that stands there
		in          string // where the line is put; "" for nowhere
		note        string
	}{
		{"in a project", Project, "", "", local, ""},
		{"for the user in a project", Local, "", "", local, ""},
		{"for the user", User, "", "", own, ""},
		{"beside other settings", User, own, "{\"a\": 1}", own, ""},
		{"the user has one", User, own, line("mine"), "", own + "|line 1, column 16: there is another status line; it was left alone"},
		{"the user has one for all projects", Project, own, line("mine"), "", local + "|it would hide the status line in " + own + ", which was left alone"},
		{"the user has ours for all projects", Local, own, line("forgemind statusline --color never"), "", local + "|it would hide the status line in " + own + ", which was left alone"},
		{"the project has one", Project, shared, line("mine"), "", local + "|it would hide the status line in " + shared + ", which was left alone"},
		{"the user's cannot be read", Project, own, "{\n", "", local + "|it might hide a status line in " + own + ", which cannot be read: line 2, column 1: expected a member name in double quotes or '}' after '{', found the end of the text; the object that begins on line 1 is not closed; it was left out"},
		{"the project has one, and the user's is asked for", User, shared, line("mine"), own, ""},
	} {
		t.Run(c.about, func(t *testing.T) {
			p := newPlace(t)
			if c.there != "" {
				p.write(c.there, c.text)
			}
			before := p.all()
			made := p.do(Install, Wish{Agents: []string{"claude"}, Scope: c.scope, HooksOnly: true, Status: true})
			var in []string
			for _, name := range []string{shared, local, own} {
				if text, err := os.ReadFile(filepath.Join(p.dir, name)); err == nil && name != c.there && strings.Contains(string(text), "statusLine") || strings.Contains(string(text), `"forgemind statusline"`) {
					in = append(in, name)
				}
			}
			if strings.Join(in, " ") != c.in {
				t.Errorf("it is in %s, not %q", in, c.in)
			}
			note := ""
			for _, n := range made.Notes {
				if strings.Contains(n.Text, "status line") {
					note = strings.ReplaceAll(n.File+"|"+n.Text, p.dir+"/", "")
				}
			}
			if note != c.note {
				t.Errorf("told %q, not %q", note, c.note)
			}
			p.do(Uninstall, Wish{Agents: []string{"claude"}, Scope: c.scope})
			if after := p.all(); after != before {
				t.Errorf("it is not as it was:\n%s", Diff("all", []byte(before), []byte(after)))
			}
		})
	}

	p := newPlace(t)
	wish := Wish{Agents: []string{"claude"}, Scope: Project, HooksOnly: true}
	if made := p.do(Install, wish); len(made.Notes) != 1 || !strings.Contains(made.Notes[0].Text, "with --statusline you get one") {
		t.Errorf("it is not offered: %+v", made.Notes)
	}
	if made := p.do(Install, wish); len(made.Notes) > 0 {
		t.Errorf("it is offered again and again: %+v", made.Notes)
	}
	wish.Status = true
	if made := p.do(Install, wish); len(made.Notes) != 1 || made.Notes[0].Text != "it is your own: keep it out of git" {
		t.Errorf("%+v", made.Notes)
	}
	p.write(local, strings.Replace(p.read(local), `statusline"`, `statusline --color never", "padding": 0`, 1))
	if made := p.do(Install, wish); len(made.Edits) > 0 {
		t.Error("what the user made of it was changed")
	}
	p.do(Uninstall, wish)
	if _, err := os.Stat(filepath.Join(p.dir, local)); !os.IsNotExist(err) {
		t.Error(err)
	}

	p.do(Install, Wish{Agents: []string{"claude"}, Scope: Local, Status: true})
	text := p.read(local)
	p.do(Uninstall, Wish{Scope: Project})
	if p.read(local) != text {
		t.Error("what was installed for the user went with what was installed in the project")
	}
	p.do(Uninstall, Wish{Scope: Local})
	if _, err := os.Stat(filepath.Join(p.dir, local)); !os.IsNotExist(err) {
		t.Error(err)
	}
}
