package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A decision has the same effects whoever writes it: a command, a person in an editor, another
// program, and git; in a tree of either home and of both; while a watcher looks and at the next
// command without one.
func TestADecisionHasItsEffectsWhoeverWritesIt(t *testing.T) {
	tryAll(t, plotEffects, plotWriters, (*plot).decide)
}

// So has a request to condense a discussion.
func TestARequestHasItsEffectsWhoeverWritesIt(t *testing.T) {
	tryAll(t, requestEffects, []string{"command", "hand", "program", "pull"}, (*plot).ask)
}

// So has a condensation that somebody wrote.
func TestACondensationHasItsEffectsWhoeverWritesIt(t *testing.T) {
	tryAll(t, requestEffects, []string{"command", "hand", "program", "pull"}, (*plot).condense)
}

// So has the acceptance of what lines of a chat bridge decided.
func TestAnAcceptanceHasItsEffectsWhoeverWritesIt(t *testing.T) {
	tryAll(t, requestEffects, []string{"command", "hand", "program", "pull"}, (*plot).accept)
}

// tryAll tries something in trees of either home and both, by each writer, under watch and at the next
// command. It logs a cell for each effect.
func tryAll(t *testing.T, effects, writers []string, try func(p *plot, writer, when string) map[string]string) {
	var mu sync.Mutex
	cells := map[string]string{}
	t.Run("trees", func(t *testing.T) {
		for _, home := range []string{"forgemind", "quaid", "both"} {
			for _, writer := range writers {
				for _, when := range []string{"watch", "next"} {
					t.Run(strings.Join([]string{home, writer, when}, "/"), func(t *testing.T) {
						t.Parallel()
						found := try(newPlot(t, home), writer, when)
						mu.Lock()
						defer mu.Unlock()
						for effect, cell := range found {
							cells[strings.Join([]string{effect, home, writer, when}, " ")] = cell
						}
					})
				}
			}
		}
	})
	for _, effect := range effects {
		line := fmt.Sprintf("%-24s", effect)
		for _, home := range []string{"forgemind", "quaid", "both"} {
			for _, writer := range writers {
				for _, when := range []string{"watch", "next"} {
					line += " " + cells[strings.Join([]string{effect, home, writer, when}, " ")]
				}
			}
			line += " |"
		}
		t.Log(line)
	}
	t.Logf("of each home: %s, each under watch and at the next command; y: there; d: due, and there after 'trigger fire --due'; -: no State in that home", strings.Join(writers, ", "))
}

// plotWriters lists who writes a decision. A view is the State, or the hot context of a tree without one.
var plotWriters = []string{"command", "hand", "program", "view", "pull"}

// plotEffects lists the effects of a decision of the boss, of high priority, that supersedes one.
var plotEffects = []string{
	"in force", "superseded in the list", "in the State", "marked in the State", "in the hot context", "marked in the hot context",
	"unpinned", "in the notes", "in CONTEXT.md", "fired", "snapshot",
}

// needsState holds the effects that a tree without a State cannot have.
var needsState = []string{"in the State", "marked in the State", "snapshot"}

// tracked holds the effects whose files git tracks.
var tracked = []string{"unpinned", "in the notes", "in CONTEXT.md", "snapshot"}

// A plot is a repository with a project, a pinned condensation, and triggers.
type plot struct {
	*testing.T
	dir, origin string
	home        string // .forgemind, or .quaid
	old         string // the id of the decision that the condensation came to
	state       bool
}

func newPlot(t *testing.T, layout string) *plot {
	p := &plot{T: t, dir: t.TempDir(), home: ".forgemind", state: layout != "quaid"}
	if layout == "quaid" {
		p.home = ".quaid"
	}
	p.git(p.dir, "init", "-q", "-b", "main")
	ran(t, p.dir, "init", "--layout", layout)
	p.write("config.json", `{"format": 2, "refresh_triggers": [
		{"name": "boss_major_decision", "enabled": true, "condition": "is_boss_decision(message) AND priority == \"high\"",
		 "actions": ["add_to_immutable_decisions", "update_project_state", "invalidate_outdated_context", "save_to_memory", "save_context_snapshot"]}]}`)
	ran(t, p.dir, "goal", "add", "Ripe fruit")
	ran(t, p.dir, "projects", "new", "Orchard")
	ran(t, p.dir, "thread", "open", "Which trees", "--channel", "proj-orchard", "--agent", "ann")
	ran(t, p.dir, "thread", "post", "Which trees", "Decision: we plant pears, for they keep until spring", "--agent", "ann")
	ran(t, p.dir, "condense", "Which trees", "--agent", "ann")
	var decisions struct {
		Decisions []struct{ ID string }
	}
	p.decode(&decisions, "decision", "list", "--format", "json")
	if len(decisions.Decisions) != 1 || p.pins() != 1 {
		t.Fatalf("the condensation came to %v, %d are pinned", decisions, p.pins())
	}
	p.old = decisions.Decisions[0].ID
	ran(t, p.dir, "remember", "Frost comes early")
	p.git(p.dir, "add", "-A")
	p.git(p.dir, "commit", "-qm", "begin")
	p.origin = filepath.Join(t.TempDir(), "origin")
	p.git(p.dir, "clone", "-q", ".", p.origin)
	p.git(p.dir, "remote", "add", "origin", p.origin)
	return p
}

// decide has a decision written, and returns which effects are there.
func (p *plot) decide(writer, when string) map[string]string {
	record := fmt.Sprintf(`{"id": "DEC-PLUM01", "timestamp": "2026-01-02T10:00:00Z", "decision": "We plant plums", "decision_maker": "boss",
		"recorded_by": "bridge", "priority": "high", "boss": true, "project": "orchard", "supersedes": [%q], "immutable": true}`, p.old)
	name := filepath.Join("decisions", "DEC-PLUM01.json")
	switch writer {
	case "command":
		ran(p.T, p.dir, "decision", "supersede", p.old, "We plant plums", "--priority", "high", "--project", "orchard")
	case "hand":
		p.write(filepath.Join("decisions", ".DEC-PLUM01.json.tmp"), record)
		if err := os.Rename(filepath.Join(p.dir, p.home, "decisions", ".DEC-PLUM01.json.tmp"), filepath.Join(p.dir, p.home, name)); err != nil {
			p.Fatal(err)
		}
	case "program":
		p.write(name, record)
	case "view":
		p.edit(record)
	case "pull":
		p.pull(name, record)
	}
	p.look(when)
	found := p.effects()
	switch {
	case writer != "pull":
	case p.status() != "":
		p.Errorf("after a pull and a look git status says\n%s", p.status())
	default:
		due := p.due()
		for _, effect := range tracked {
			if found[effect] == "n" && due > 0 {
				found[effect] = "d"
			}
		}
		ran(p.T, p.dir, "trigger", "fire", "--due")
		for effect, cell := range p.effects() {
			if cell == "n" {
				p.Errorf("%s: not there after trigger fire --due, either", effect)
			}
		}
		if p.due() > 0 {
			p.Errorf("%d effects are due after trigger fire --due", p.due())
		}
	}
	for effect, cell := range found {
		want := "y"
		switch {
		case !p.state && slices.Contains(needsState, effect):
			want = "-"
		case writer == "pull" && slices.Contains(tracked, effect):
			want = "d"
		}
		if cell != want {
			p.Errorf("%s: %s, want %s", effect, cell, want)
		}
	}
	ran(p.T, p.dir, "validate")
	before := p.files()
	ran(p.T, p.dir, "watch", "--once")
	if !maps.Equal(before, p.files()) {
		p.Error("a second look changes files")
	}
	return found
}

// look has a watcher look, or the next command.
func (p *plot) look(when string) {
	look := []string{"watch", "--once"}
	if when == "next" {
		look = []string{"message", "add", "Go on", "--agent", "ann"} // which git ignores
	}
	ran(p.T, p.dir, look...)
}

// requestEffects lists the effects of a request to condense a thread of a project.
var requestEffects = []string{"condensed", "in force", "pinned", "resolved", "in the notes", "in CONTEXT.md"}

// hedge opens a thread in which something is decided, and returns the path of its folder in the home.
func (p *plot) hedge() string {
	stem := p.openHedge()
	ran(p.T, p.dir, "thread", "post", "Which hedge", "Decision: the hedge is of yew, for it is dense", "--agent", "ann", "--time", "2099-01-01T10:00:00Z")
	p.share()
	return stem
}

// share commits what there is, and has the origin pull it.
func (p *plot) share() {
	p.git(p.dir, "add", "-A")
	p.git(p.dir, "commit", "-qm", "a hedge")
	p.git(p.origin, "pull", "-q", p.dir, "main")
}

// openHedge opens a thread, and returns the path of its folder in the home.
func (p *plot) openHedge() string {
	ran(p.T, p.dir, "thread", "open", "Which hedge", "--channel", "proj-orchard", "--agent", "ann")
	folders, err := filepath.Glob(filepath.Join(p.dir, p.home, "threads/proj-orchard/which-hedge-*"))
	folders = slices.DeleteFunc(folders, func(name string) bool { return filepath.Ext(name) != "" })
	if err != nil || len(folders) != 1 {
		p.Fatalf("the folder of the thread is among %v, %v", folders, err)
	}
	return filepath.Join("threads/proj-orchard", filepath.Base(folders[0]))
}

// ask has somebody ask for the condensation of a thread, and returns which effects are there.
func (p *plot) ask(writer, when string) map[string]string {
	stem := p.hedge()
	line := `{"id": "msg-ask", "timestamp": "2099-01-01T10:01:00Z", "agent": "bridge", "content": "condense this discussion"}` + "\n"
	switch writer {
	case "command":
		ran(p.T, p.dir, "thread", "post", "Which hedge", "condense this discussion", "--agent", "bridge", "--time", "2099-01-01T10:01:00Z")
	case "hand":
		p.write(filepath.Join(stem, "msg-ask.json"), line)
	case "program":
		p.write(stem+".jsonl", line)
	case "pull":
		p.pull(stem+".jsonl", line)
	}
	return p.answered(writer, when)
}

// accept has somebody accept what lines of a bridge decided, and returns which effects are there.
func (p *plot) accept(writer, when string) map[string]string {
	p.write(p.openHedge()+".jsonl", `{"id": "msg-1", "timestamp": "2099-01-01T10:00:00Z", "agent": "ann", "content": "Decision: the hedge is of yew, for it is dense"}
{"id": "msg-2", "timestamp": "2099-01-01T10:01:00Z", "agent": "bob", "content": "condense this discussion"}
`)
	p.look("next")
	had := []string{"condensed", "pinned", "resolved"}
	for effect, cell := range p.answers() {
		if want := map[bool]string{true: "y", false: "n"}[slices.Contains(had, effect)]; cell != want {
			p.Errorf("before it is accepted: %s: %s, want %s", effect, cell, want)
		}
	}
	p.share()
	var list struct {
		Decisions []struct{ ID, Decision, Status string }
	}
	p.decode(&list, "decision", "list", "--format", "json")
	i := slices.IndexFunc(list.Decisions, func(d struct{ ID, Decision, Status string }) bool { return d.Status == "proposed" })
	if i < 0 {
		p.Fatalf("proposed is none of %v", list.Decisions)
	}
	const name = "decisions/DEC-HEDGE1.json"
	record := fmt.Sprintf(`{"id": "DEC-HEDGE1", "timestamp": "2099-01-01T11:00:00Z", "decision": %q, "channel": "proj-orchard", "project": "orchard",
		"supersedes": [%q], "immutable": true}`, list.Decisions[i].Decision, list.Decisions[i].ID)
	switch writer {
	case "command":
		ran(p.T, p.dir, "decision", "promote", list.Decisions[i].ID)
	case "hand":
		p.write(name+"~", record)
		if err := os.Rename(filepath.Join(p.dir, p.home, name+"~"), filepath.Join(p.dir, p.home, name)); err != nil {
			p.Fatal(err)
		}
	case "program":
		p.write(name, record)
	case "pull":
		p.pull(name, record)
	}
	return p.answered(writer, when, append(had, "in force")...)
}

// condense has somebody write the condensation of a thread, and returns which effects are there.
func (p *plot) condense(writer, when string) map[string]string {
	p.hedge()
	text := `## 📝 Condensation: Which hedge
**Date:** 2026-02-14
**Channel:** #proj-orchard
**Participants:** ann, bob
**Decision:** The hedge is of yew
**Rationale:** It is dense
**Thread:** Which hedge
`
	const name = "condensations/2026-02-14-which-hedge.md"
	switch writer {
	case "command":
		p.write(name, text)
		ran(p.T, p.dir, "condense", "--adopt", filepath.Base(name))
	case "hand":
		p.write(name+"~", text)
		if err := os.Rename(filepath.Join(p.dir, p.home, name+"~"), filepath.Join(p.dir, p.home, name)); err != nil {
			p.Fatal(err)
		}
	case "program":
		p.write(name, text)
	case "pull":
		p.pull(name, text)
	}
	return p.answered(writer, when)
}

// pull has git bring a file of the home.
func (p *plot) pull(name, text string) {
	other := *p
	other.dir = p.origin
	other.write(name, text)
	p.git(p.origin, "add", "-A")
	p.git(p.origin, "commit", "-qm", "a bridge commits at once")
	p.git(p.dir, "pull", "-q", "origin", "main")
}

// answered returns which effects of a request are there after a look. Of those that git brings had are there at once.
func (p *plot) answered(writer, when string, had ...string) map[string]string {
	p.look(when)
	found := p.answers()
	if writer == "pull" {
		due := 1 // to condense, or to take in
		if len(had) > 0 {
			due = 2 // notes, and CONTEXT.md
		}
		if p.status() != "" || p.due() != due {
			p.Errorf("after a pull and a look %d effects are due, and git status says\n%s", p.due(), p.status())
		}
		for effect, cell := range found {
			if cell == "n" {
				found[effect] = "d"
			}
		}
		ran(p.T, p.dir, "trigger", "fire", "--due")
		for effect, cell := range p.answers() {
			if cell == "n" {
				p.Errorf("%s: not there after trigger fire --due, either", effect)
			}
		}
	}
	for effect, cell := range found {
		if want := map[bool]string{true: "d", false: "y"}[writer == "pull" && !slices.Contains(had, effect)]; cell != want {
			p.Errorf("%s: %s, want %s", effect, cell, want)
		}
	}
	ran(p.T, p.dir, "validate")
	before := p.files()
	ran(p.T, p.dir, "watch", "--once")
	if !maps.Equal(before, p.files()) || p.due() > 0 {
		p.Errorf("a second look changes files, or leaves %d effects due", p.due())
	}
	return found
}

// answers returns for each of requestEffects y if it is there, else n.
func (p *plot) answers() map[string]string {
	found := map[string]string{}
	for effect, there := range map[string]bool{
		"condensed":     strings.Contains(p.read(p.home+"/condensations/*hedge*.md"), "**Ledger:** DEC-"),
		"in force":      strings.Contains(ran(p.T, p.dir, "decision", "list", "--current"), "hedge is of yew"),
		"pinned":        p.pins() == 2,
		"resolved":      strings.Contains(ran(p.T, p.dir, "thread", "list", "--status", "resolved"), "Which hedge"),
		"in the notes":  strings.Contains(p.read(p.home+"/memory/ann-notes.md"), "hedge is of yew"),
		"in CONTEXT.md": strings.Contains(p.read(p.home+"/projects/orchard/CONTEXT.md"), "hedge is of yew"),
	} {
		found[effect] = map[bool]string{true: "y", false: "n"}[there]
	}
	return found
}

// effects returns for each effect y if it is there, else n.
func (p *plot) effects() map[string]string {
	found := map[string]string{}
	set := func(effect string, there bool) {
		found[effect] = "n"
		if there {
			found[effect] = "y"
		}
		if !p.state && slices.Contains(needsState, effect) {
			found[effect] = "-"
		}
	}
	current := ran(p.T, p.dir, "decision", "list", "--current")
	set("in force", strings.Contains(current, "We plant plums"))
	set("superseded in the list", !strings.Contains(current, p.old))
	state, hot := p.read(".forgemind/context/current-context.json"), p.read(".quaid/context/sessions/*/hot_context.json")
	set("in the State", strings.Contains(state, "We plant plums"))
	set("marked in the State", strings.Contains(state, "superseded_by"))
	set("in the hot context", strings.Contains(hot, "We plant plums"))
	set("marked in the hot context", strings.Contains(hot, "superseded_by"))
	set("unpinned", p.pins() == 0)
	set("in the notes", strings.Contains(p.read(p.home+"/memory/facilitator-notes.md"), "We plant plums"))
	set("in CONTEXT.md", strings.Contains(p.read(p.home+"/projects/orchard/CONTEXT.md"), "We plant plums"))
	var list struct {
		Triggers []struct {
			Name      string
			LastFired *string `json:"last_fired"`
		}
	}
	p.decode(&list, "triggers", "--format", "json")
	for _, trigger := range list.Triggers {
		if trigger.Name == "boss_major_decision" {
			set("fired", trigger.LastFired != nil)
		}
	}
	set("snapshot", strings.Contains(p.read(".forgemind/context/context-history/*boss_major_decision*"), "We plant plums"))
	return found
}

// due returns how many effects are due.
func (p *plot) due() int {
	var status struct{ Due []struct{ Action string } }
	p.decode(&status, "status", "--format", "json")
	return len(status.Due)
}

// pins returns how many condensations are pinned.
func (p *plot) pins() int {
	return strings.Count(p.read(p.home+"/channels/proj-orchard/pins.json"), `"condensation"`)
}

// status returns what git status says of the tree.
func (p *plot) status() string { return p.git(p.dir, "status", "--porcelain") }

func (p *plot) git(dir string, args ...string) string {
	p.Helper()
	args = append([]string{"-C", dir, "-c", "user.name=ann", "-c", "user.email=ann@example.org"}, args...)
	out, err := exec.Command("git", args...).CombinedOutput()
	if err != nil {
		p.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (p *plot) decode(v any, args ...string) {
	p.Helper()
	if err := json.Unmarshal([]byte(ran(p.T, p.dir, args...)), v); err != nil {
		p.Fatal(err)
	}
}

// write writes a file of the home.
func (p *plot) write(name, text string) {
	p.Helper()
	file := filepath.Join(p.dir, p.home, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		p.Fatal(err)
	}
}

// edit puts a decision into the view that people and other programs write to.
func (p *plot) edit(record string) {
	p.Helper()
	pattern, list := ".forgemind/context/current-context.json", "recent_decisions"
	if !p.state {
		pattern, list = ".quaid/context/sessions/*/hot_context.json", "key_decisions"
	}
	names, err := filepath.Glob(filepath.Join(p.dir, pattern))
	if err != nil || len(names) != 1 {
		p.Fatalf("%v, %v", names, err)
	}
	var view map[string]any
	if err := json.Unmarshal([]byte(p.read(pattern)), &view); err != nil {
		p.Fatal(err)
	}
	shown, _ := view[list].([]any)
	view[list] = append(shown, json.RawMessage(record))
	text, err := json.MarshalIndent(view, "", "  ")
	if err == nil {
		err = os.WriteFile(names[0], text, 0o644)
	}
	if err != nil {
		p.Fatal(err)
	}
}

// read returns the files that a pattern names, one after the other.
func (p *plot) read(pattern string) (text string) {
	p.Helper()
	names, err := filepath.Glob(filepath.Join(p.dir, pattern))
	if err != nil {
		p.Fatal(err)
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			p.Fatal(err)
		}
		text += string(src)
	}
	return text
}

// files returns the files of the tree, but for what `.local/` keeps.
func (p *plot) files() map[string]string {
	p.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(p.dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && (d.Name() == ".git" || d.Name() == ".local") {
				return filepath.SkipDir
			}
			return err
		}
		src, err := os.ReadFile(name)
		all[name] = string(src)
		return err
	})
	if err != nil {
		p.Fatal(err)
	}
	return all
}
