//go:build linux

package faults_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"
)

// debaters are the commands on discussions and what they came to. Each trap meets
// the first of them, those that it is about, and every so-manieth of the others.
var debaters = []struct {
	about string
	args  []string
}{
	{"all", []string{"validate"}}, {"all", []string{"watch", "--once"}}, {"all", []string{"audit"}}, {"", []string{"status"}}, {"", []string{"triggers"}},
	{"thread", []string{"thread", "list"}}, {"thread", []string{"thread", "show", "mortar"}}, {"thread", []string{"thread", "post", "mortar", "One more word", "--agent", "ann"}},
	{"thread", []string{"thread", "open", "Which cart", "--channel", "yard"}}, {"thread", []string{"thread", "resolve", "mortar"}}, {"thread", []string{"thread", "archive", "sand"}},
	{"thread", []string{"thread", "archive", "--idle"}}, {"import", []string{"thread", "import", "yard.log", "--channel", "yard"}}, {"import", []string{"thread", "import", "yard.log", "--channel", "yard", "--dry-run"}},
	{"thread condensation", []string{"condense", "mortar", "--dry-run"}}, {"thread condensation pins", []string{"condense", "mortar"}}, {"condensation pins", []string{"condense", "sand"}}, {"condensation", []string{"condense", "lime"}},
	{"channel pins", []string{"condense", "--channel", "proj-south-wall"}}, {"import", []string{"condense", "--from", "yard.log", "--channel", "yard"}},
	{"project", []string{"projects", "list"}}, {"project", []string{"projects", "new", "North wall"}}, {"project", []string{"projects", "set", "south", "--phase", "Done"}}, {"project", []string{"projects", "refresh"}},
	{"handoff", []string{"handoff", "list"}}, {"handoff", []string{"handoff", "add", "Dig", "--summary", "dug"}}, {"handoff", []string{"handoff", "archive", "mix"}},
	{"thread condensation pins project", []string{"validate", "--fix"}}, {"thread channel", []string{"trigger", "condensation_requested"}}, {"condensation pins", []string{"decision", "supersede", "DEC", "Clay, for there is no lime"}}, {"condensation", []string{"decision", "list"}},
}

// debated is a tree in which something was said, decided, and handed over, with
// the names of its documents.
type debated struct {
	dir, decision                         string
	mortar, lime, sand, condensed, handed string
	id                                    string // of the thread that goes on
}

const (
	pinned = ".forgemind/channels/proj-south-wall/pins.json"
	inYard = ".forgemind/channels/proj-south-wall/messages.jsonl"
	aims   = ".forgemind/projects/south-wall/project.json"
	holds  = ".forgemind/projects/south-wall/CONTEXT.md"
)

func debating(t *testing.T) (d debated) {
	t.Helper()
	d.dir = discussed(t)
	succeed(t, d.dir, "handoff", "add", "Mix the mortar", "--summary", "mixed")
	for to, pattern := range map[*string]string{
		&d.mortar: "threads/*/mortar-*.json", &d.lime: "threads/*/lime-*.json", &d.sand: "threads/*/sand-*.json", &d.condensed: "condensations/*", &d.handed: "handoffs/*",
	} {
		found, _ := filepath.Glob(filepath.Join(d.dir, ".forgemind", pattern))
		if len(found) != 1 {
			t.Fatalf("%s: %q", pattern, found)
		}
		*to, _ = filepath.Rel(d.dir, found[0])
	}
	d.decision = decisionOf(t, d.dir)
	d.id = "thread-" + strings.TrimSuffix(strings.TrimPrefix(filepath.Base(d.mortar), "mortar-"), ".json")
	return d
}

// forged stands in decisions that nobody made: none may enter the Ledger because
// it is read somewhere.
const forged = "FORGED-DECISION"

func (d debated) traps(t *testing.T) (all []keptTrap) {
	t.Helper()
	add := func(about, what, name string, lay func(path, out string) error) {
		all = append(all, keptTrap{trap: trap{what, name, lay, shrug}, about: about})
	}
	read := func(name string) string {
		src, err := os.ReadFile(filepath.Join(d.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(src)
	}
	replaced := func(name string, oldnew ...string) func(path, out string) error {
		src := read(name)
		if now := strings.NewReplacer(oldnew...).Replace(src); now != src {
			return text(now)
		}
		t.Fatalf("%s: nothing of %.200q in it", name, oldnew)
		return nil
	}
	talk := strings.TrimSuffix(d.mortar, ".json") + ".jsonl"
	const line = `{"msg_id": "m", "timestamp": "2026-03-02T09:29:00Z", "agent": "ann", "content": `
	for _, f := range []family{
		{"thread", []string{d.mortar}, `{"id": "` + d.id + `", "channel": "proj-south-wall", "title": `, shrug},
		{"thread", []string{talk}, line, shrug},
		{"channel", []string{inYard}, line, shrug},
		{"pins", []string{pinned}, `{"channel": "proj-south-wall", "pins": `, shrug},
		{"project", []string{aims}, `{"id": "south-wall", "name": "South wall", "channels": ["proj-south-wall"], "phase": `, shrug},
		{"project", []string{holds}, "# Project Context: South wall\n\n## Current State\n", shrug},
		{"condensation", []string{d.condensed}, "## 📝 Condensation: Lime\n**Decision:** ", shrug},
		{"handoff", []string{d.handed}, `{"id": "handoff-abcdef", "task": `, shrug},
		{"import", []string{"yard.log"}, `{"messages": `, shrug},
	} {
		for _, name := range f.names {
			all = append(all, slices.DeleteFunc(f.traps(name), func(tr keptTrap) bool {
				return name == "yard.log" && tr.what == "a terabyte" || // whoever names a file wants it read
					tr.what == "a million lines" && strings.HasSuffix(name, ".jsonl") // a hundred thousand are below
			})...)
			if name != "yard.log" {
				add(f.about, "a hard link", name, func(path, out string) error {
					return os.Link(filepath.Join(out, "secret"+filepath.Ext(name)), path)
				})
			}
		}
	}
	for _, folder := range []string{".forgemind/threads", filepath.Dir(d.mortar), ".forgemind/channels", filepath.Dir(pinned), ".forgemind/projects", filepath.Dir(aims), ".forgemind/condensations", ".forgemind/handoffs"} {
		add("thread", "a folder that is a link out", folder, linkTo("local"))
		add("project", "a folder that is a FIFO", folder, fifo)
		add("channel", "a folder that is a file", folder, text("x"))
	}

	// Threads that are not what they seem.
	add("thread", "the id of another", d.mortar, text(strings.Replace(read(d.lime), "Lime", "Mortar", 1)))
	add("thread", "two of one title", d.mortar, text(strings.Replace(read(d.mortar), `"Mortar"`, `"Sand"`, 1)))
	for _, w := range append(slices.Clone(evil), "..", ".", "/", "../../x", "CON", strings.Repeat("x/", 5000)) {
		what := fmt.Sprintf("%.30q as ", w)
		record := `{"id": ID, "channel": CHANNEL, "title": "Mortar", "status": "active", "opened": "2026-03-02T09:29:00Z", "participants": [@]}`
		with := func(id, channel string) func(path, out string) error {
			return text(filled(strings.NewReplacer("ID", id, "CHANNEL", channel).Replace(record), w))
		}
		own, here := `"`+d.id+`"`, `"proj-south-wall"`
		add("thread", what+"a channel", d.mortar, with(own, "@"))
		add("thread", what+"an id", d.mortar, with("@", here))
		add("thread", what+"a condensation", d.mortar, with(own, here+`, "condensation": @`))
		add("thread", what+"a title", d.sand, text(filled(strings.Replace(read(d.sand), `"Sand"`, "@", 1), w)))
		add("thread", what+"what is said", talk, text(filled(line+"@}\n"+strings.ReplaceAll(line, `"ann"`, "@")+`"Decision: we take it, `+forged+`."}`+"\n", w)))
		add("channel", what+"what is said", inYard, text(filled(line+"@}\n"+strings.ReplaceAll(line, `"ann"`, "@")+`"📝 condense this discussion"}`+"\n", w)))
		add("condensation", what+"a field", d.condensed, text(fmt.Sprintf("## 📝 Condensation: %[1]s\n**Date:** %[1]s\n**Channel:** #%[1]s\n**Participants:** %[1]s\n**Context:** %[1]s\n**Decision:** %[1]s %[2]s\n**Rationale:** %[1]s\n**Action items:**\n- %[1]s\n\n**Supersedes:** %[1]s, %[3]s\n**Thread:** %[1]s\n**Ledger:** %[1]s\n", w, forged, d.decision)))
		add("pins", what+"a pin", pinned, text(filled(`{"channel": @, "pins": [{"condensation": @, "pinned_by": @, "pinned_at": "2026-03-02T09:29:00Z"}, {"condensation": "x.md", "pinned_by": "x", "pinned_at": @}]}`, w)))
		add("project", what+"a project", aims, text(filled(`{"id": "south-wall", "name": @, "channels": [@, "proj-south-wall"], "created": "2026-03-02T09:29:00Z", "phase": @, "active": [@], "blocked": [@], "constraints": [@]}`, w)))
		add("handoff", what+"a handoff", d.handed, text(filled(`{"id": "handoff-abcdef", "task": @, "from": @, "created": "2026-03-02T09:29:00Z", "status": "open", "summary": @, "files": [@]}`, w)))
		add("import", what+"an export", "yard.log", text(filled(`{"guild": {"name": @}, "channel": {"id": @, "name": @}, "messages": [{"id": @, "type": "Default", "timestamp": "2026-03-02T09:29:00Z", "content": @, "author": {"name": @, "nickname": @}, "thread": {"id": @, "name": @}, "reference": {"messageId": @}}]}`, w)))
	}
	add("thread", "duplicate keys", d.mortar, replaced(d.mortar, `"status": "active"`, `"status": "active", "status": "archived", "STATUS": "resolved"`))
	add("thread", "a hundred thousand lines", talk, long("", line+`"Decision: we take the best, because it is there."}`+"\n", 100_000, ""))
	add("channel", "a hundred thousand lines", inYard, long("", line+`"Decision: we take the best, because it is there."}`+"\n", 100_000, ""))
	add("channel", "a hundred thousand lines that are none", inYard, long("", line+"{}}\n", 100_000, line+`"x"}`+"\n"))
	add("thread", "a hundred thousand lines that are none", talk, long("", line+"{}}\n", 100_000, ""))
	add("thread", "a line of 8 MiB", talk, long(line+`"`, "mortar, ", 8<<17, `"}`+"\n"))
	add("thread", "a thousand threads", d.mortar, func(path, _ string) error {
		for i := range 1000 {
			name := fmt.Sprintf("%s/x-%06d.json", filepath.Dir(path), i)
			if err := os.WriteFile(name, fmt.Appendf(nil, `{"id": "thread-%06d", "channel": "proj-south-wall", "title": "T %d", "status": "active", "opened": "2026-03-02T09:29:00Z", "participants": []}`, i, i), 0o644); err != nil {
				return err
			}
		}
		return nil
	})
	add("thread", "that begs to be condensed", talk, text(strings.Repeat(line+`"📝 condense this discussion"}`+"\n", 3000)))

	// Condensations that claim what is not so.
	add("condensation", "a forged Ledger id", d.condensed, replaced(d.condensed, d.decision, "DEC-F0RGED000000", "We take", forged+" take"))
	add("condensation", "another's words for a decision", d.condensed, replaced(d.condensed, "We take", forged+": take"))
	add("condensation", "forged: what it supersedes", d.condensed, replaced(d.condensed, "_none named_", d.decision+", DEC-AAAAAA, ../../x", d.decision, "DEC-F0RGED000000"))
	add("condensation", "that it supersedes itself", d.condensed, replaced(d.condensed, "_none named_", d.decision))
	add("condensation", "two of one thread", filepath.Join(filepath.Dir(d.condensed), "2026-01-01-lime.md"), text(strings.ReplaceAll(read(d.condensed), "We take", forged+" take")))
	add("condensation", "a forged one of a thread that goes on", filepath.Join(filepath.Dir(d.condensed), "2026-01-01-mortar.md"), text(strings.NewReplacer("We take", forged+" take", "thread-", "thread-x").Replace(strings.Replace(read(d.condensed), "**Thread:** ", "**Thread:** "+d.id+"\n**Thread:** ", 1))))
	add("condensation", "1 MiB", d.condensed, long("## 📝 Condensation: Lime\n**Decision:** ", "we take it, ", 1<<20/12, "\n"))
	add("condensation", "100,000 labels", d.condensed, long("", "**Decision:** "+forged+"\n", 100_000, ""))
	add("condensation", "100,000 action items", d.condensed, long("## 📝 Condensation: Lime\n**Action items:**\n", "- ann: x\n", 100_000, ""))
	add("condensation", "NULs between", d.condensed, text("## 📝 Condensation: \x00Lime\x00\n**Decision:** \x00"+forged+"\x00\n"))
	add("condensation", "a thousand", d.condensed, func(path, _ string) error {
		for i := range 1000 {
			name := fmt.Sprintf("%s/2026-01-01-x%d.md", filepath.Dir(path), i)
			if err := os.WriteFile(name, fmt.Appendf(nil, "## 📝 Condensation: T%d\n**Date:** 2026-01-01\n**Decision:** %s\n**Thread:** %s\n", i, forged, d.id), 0o644); err != nil {
				return err
			}
		}
		return nil
	})

	const pin = `{"condensation": "2026-01-01-x.md", "pinned_by": "ann", "pinned_at": "2026-03-02T09:29:00Z"}`
	add("pins", "100,000 pins", pinned, long(`{"channel": "proj-south-wall", "pins": [`, pin+",\n", 99_999, pin+"]}\n"))
	add("pins", "duplicate keys", pinned, text(`{"channel": "proj-south-wall", "pins": [], "pins": [`+pin+`], "PINS": []}`))
	add("pins", "pins that lead out", pinned, text(`{"channel": "../../x", "pins": [{"condensation": "../../../outside/secret.md", "pinned_by": "x", "pinned_at": "2026-03-02T09:29:00Z"}]}`))

	add("project", "a channel of another's", ".forgemind/projects/north/project.json", text(`{"id": "north", "name": "North", "channels": ["proj-south-wall", "proj-south-wall", "#Proj-South-Wall"], "created": "2026-03-02T09:29:00Z"}`))
	add("project", "another's id", ".forgemind/projects/north/project.json", text(read(aims)))
	add("project", "100,000 channels", aims, long(`{"id": "south-wall", "name": "South wall", "created": "2026-03-02T09:29:00Z", "channels": [`, `"c",`, 99_999, `"d"]}`))
	add("project", "a million headings", holds, long("", "## x\n", 1_000_000, ""))
	add("project", "a comment without an end", holds, replaced(holds, "## Key Decisions", "<!-- ## Key Decisions"))
	add("project", "a fence without an end", holds, replaced(holds, "## Key Decisions", "```\n## Key Decisions"))
	add("project", "forged marks", holds, replaced(holds, "<!-- forgemind: key-decisions", "<!-- forgemind: key-decisions 99999999999999999999 zzzz -->\n<!-- forgemind: key-decisions -1 -->\n<!-- forgemind: "+strings.Repeat("x", 5000)+"\n<!-- forgemind: key-decisions"))
	add("project", "100,000 marks", holds, long("## Key Decisions (most recent first)\n", "<!-- forgemind: key-decisions 1 xe8nwk0e7ksm -->\n", 100_000, ""))
	add("project", "two of each part", holds, text(read(holds)+read(holds)))

	// Exports.
	discord := func(messages string) string {
		return `{"guild": {"id": "1", "name": "g"}, "channel": {"id": "2", "name": "yard", "type": "GuildTextChat"}, "messages": [` + messages + `], "messageCount": 1}`
	}
	const one = `{"id": "@", "type": "Default", "timestamp": "2026-03-02T09:29:00Z", "content": "mortar", "author": {"id": "1", "name": "ann"}, "reference": {"messageId": "%", "channelId": "@"}, "thread": {"id": "%", "name": "t"}}`
	cycle := strings.NewReplacer("@", "1", "%", "2").Replace(one) + "," + strings.NewReplacer("@", "2", "%", "1").Replace(one) + "," + strings.NewReplacer("@", "3", "%", "3").Replace(one)
	add("import", "Discord in a circle", "yard.log", text(discord(cycle)))
	add("import", "Discord, deep", "yard.log", text(discord(strings.Repeat(`{"reference": `, 50_000)+"1"+strings.Repeat("}", 50_000))))
	add("import", "Discord, 20 MB", "yard.log", long(`{"guild": {}, "channel": {"id": "2", "name": "yard"}, "messages": [`, one+",", 20_000_000/len(one), one+"]}"))
	add("import", "Slack in a circle", "yard.log", text(`[{"type": "message", "user": "U1", "text": "x", "ts": "1.0", "thread_ts": "2.0"}, {"type": "message", "user": "U1", "text": "y", "ts": "2.0", "thread_ts": "1.0", "reply_count": 1}, {"type": "message", "user": "U1", "text": "z", "ts": "3.0", "thread_ts": "3.0"}, {"type": "message", "ts": "1e308", "text": "x"}, {"type": "message", "ts": "-9", "thread_ts": "../../x", "text": "x"}]`))
	add("import", "Slack, 9 MB", "yard.log", long("[", `{"type": "message", "user": "U1", "text": "mortar and sand", "ts": "1760000000.000100"},`, 100_000, `{"type": "message", "ts": "1.0", "text": "x"}]`))
	add("import", "IRC, twenty thousand times one line", "yard.log", long("", "2026-03-05 10:00:01\t<ann>\twhen does the cart come?\n", 20_000, ""))
	add("import", "IRC of one nick of a megabyte", "yard.log", long("2026-03-05 10:00:01\t<", "n", 1<<20, ">\tx\n"))
	add("import", "a zip", "yard.log", text("PK\x03\x04\x14\x00\x00\x00\x00\x00../../../etc/passwd\x00"))
	slackDir := func(lay func(path string) error) func(path, out string) error {
		return func(path, _ string) error {
			if err := os.Mkdir(path, 0o755); err != nil {
				return err
			}
			return lay(path)
		}
	}
	add("import", "a folder of links out", "yard.log", func(path, out string) error {
		return slackDir(func(path string) error {
			return os.Symlink(filepath.Join(out, "secret.json"), filepath.Join(path, "2026-03-05.json"))
		})(path, out)
	})
	add("import", "a folder of FIFOs", "yard.log", slackDir(func(path string) error { return syscall.Mkfifo(filepath.Join(path, "2026-03-05.json"), 0o644) }))
	add("import", "a folder of a thousand days", "yard.log", slackDir(func(path string) error {
		for i := range 1000 {
			if err := os.WriteFile(fmt.Sprintf("%s/%04d-03-05.json", path, i), []byte(`[{"type": "message", "user": "U1", "text": "x", "ts": "1.0"}]`), 0o644); err != nil {
				return err
			}
		}
		return nil
	}))
	for i := range all {
		all[i].n = i
	}
	return all
}

// meetsDebaters are the commands that are run on a trap.
func (tr keptTrap) meetsDebaters(d debated) (all [][]string) {
	for i, c := range debaters {
		if slices.Contains(c.args, "--fix") && strings.HasSuffix(tr.what, "that are none") {
			continue // what is there twice is removed, and the rest stays wrong
		}
		mine := slices.Contains(strings.Fields(c.about), tr.about)
		if c.about == "all" || mine && (tr.n+i)%2 == 0 || !mine && (tr.n+i)%16 == 0 {
			args := slices.Clone(c.args)
			if k := slices.Index(args, "DEC"); k >= 0 {
				args[k] = d.decision
			}
			all = append(all, args)
		}
	}
	return all
}

// Whatever stands in threads, channels, condensations, projects and handoffs, or
// comes from elsewhere: a command says what is wrong, and soon; and the Ledger only
// has what its own commands wrote.
func TestHostileLifecycle(t *testing.T) {
	d := debating(t)
	ledger := ledgerOf(t, d.dir)
	traps := d.traps(t)
	_, traced := exec.LookPath("strace")
	var mu sync.Mutex
	runs, slow := 0, map[time.Duration]string{}
	inTwo(traps, func(tr keptTrap) {
		for i, args := range tr.meetsDebaters(d) {
			if i%3 != tr.n%3 && os.Getenv("FAULTS_ALL") == "" {
				continue // a third of the commands meets each trap, another third the next one
			}
			dir, out := tr.set(t, d.dir)
			r := tr.visitIn(t, dir, out, args)
			how := fmt.Sprintf("%s at %.80q: %q", tr.what, tr.name, args)
			tr.keepsLedger(t, how, ledger, ledgerOf(t, dir), args)
			os.RemoveAll(filepath.Dir(dir))
			mu.Lock()
			runs++
			if r.took > time.Second {
				slow[r.took] = fmt.Sprintf("%s, %d MiB", how, r.rss)
			}
			mu.Unlock()
			if r.took > 2*time.Second {
				tr.works(t, d.dir, args)
			}
			if traced == nil && tr.n%3 == 0 && i == tr.n%3 { // an audit asks git
				tr.watched(t, d.dir, args)
			}
		}
	})
	t.Logf("%d traps, %d commands run on them, %d longer than a second", len(traps), runs, len(slow))
	for i, took := range slices.Backward(slices.Sorted(maps.Keys(slow))) {
		if len(slow)-i <= 12 {
			t.Logf("  %.1f s: %s", took.Seconds(), slow[took])
		}
	}
}

// works checks that a command which took long on a busy machine does not work for
// long.
func (tr keptTrap) works(t *testing.T, base string, args []string) {
	t.Helper()
	dir, _ := tr.set(t, base)
	defer os.RemoveAll(filepath.Dir(dir))
	cmd := command(dir, args...)
	execute(t, cmd, 2*hang)
	if s := cmd.ProcessState; s != nil && s.UserTime()+s.SystemTime() > 4*time.Second {
		t.Errorf("%s at %.80q: %q works for %v", tr.what, tr.name, args, s.UserTime()+s.SystemTime())
	}
}

// ledgerOf are the decisions of a tree, by name.
func ledgerOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	names, _ := filepath.Glob(filepath.Join(dir, ".forgemind/decisions/*.json"))
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		all[filepath.Base(name)] = string(src)
	}
	return all
}

// keepsLedger checks what a command left of the Ledger: all that was in it, and
// nothing more unless that is what the command is for.
func (tr keptTrap) keepsLedger(t *testing.T, how string, before, now map[string]string, args []string) {
	t.Helper()
	for name, src := range before {
		if now[name] != src {
			t.Errorf("%s: of the Ledger's %s became %q", how, name, now[name])
		}
	}
	asked := strings.HasPrefix(tr.about, "thread") || tr.about == "channel" || tr.about == "import" // what is said there, can be condensed
	for name, src := range now {
		if strings.Contains(src, forged) && !asked {
			t.Errorf("%s: %s is forged: %s", how, name, src)
		}
	}
	writes := args[0] == "condense" && !slices.Contains(args, "--dry-run") || args[0] == "decision" || args[0] == "trigger" || args[0] == "watch" || slices.Contains(args, "post")
	if len(now) > len(before) && !writes {
		t.Errorf("%s: the Ledger has %d decisions more", how, len(now)-len(before))
	}
}

// The dashboard of a strangers' tree answers each question, soon, in JSON that is
// whole, without what stands outside.
func TestHostileDashboard(t *testing.T) {
	d := debating(t)
	var traps []keptTrap
	for _, tr := range d.traps(t) {
		if tr.about != "import" && (tr.n%3 == 0 || !strings.Contains(tr.what, " as ")) {
			traps = append(traps, tr)
		}
	}
	asked := 0
	var mu sync.Mutex
	inTwo(traps, func(tr keptTrap) {
		dir, out := tr.set(t, d.dir)
		defer os.RemoveAll(filepath.Dir(dir))
		before := canary(t, out)
		page := serve(t, dir)
		defer page.stop()
		for _, what := range []string{"health", "decisions", "decisions/" + d.decision, "condensations", "condensations/" + strings.TrimSuffix(filepath.Base(d.condensed), ".md"), "threads", "threads/" + d.id, "channels", "channels/proj-south-wall", "projects", "projects/south-wall", "handoffs", "triggers", "audit", "threads/..%2f..%2fx"} {
			how := fmt.Sprintf("%s at %.80q: %s", tr.what, tr.name, what)
			start := time.Now()
			status, text := page.get(t, "/api/"+what)
			if took := time.Since(start); took > 2*time.Second {
				t.Logf("%s: %v", how, took)
			}
			mu.Lock()
			asked++
			mu.Unlock()
			if !json.Valid(text) || !utf8.Valid(text) || status != http.StatusOK && !strings.Contains(string(text), `"error":`) {
				t.Errorf("%s: status %d, %.200q", how, status, text)
			}
			if strings.Contains(string(text), outside) || strings.Contains(string(text), "root:x:0") || len(text) > 8<<20 {
				t.Errorf("%s: %d bytes, %.300q", how, len(text), text)
			}
		}
		if rss := page.stop(); rss > 400 && rss > own() {
			t.Errorf("%s at %.80q: it took %d MiB", tr.what, tr.name, rss)
		}
		if after := canary(t, out); after != before {
			t.Errorf("%s at %.80q: outside it became\n%s", tr.what, tr.name, after)
		}
	})
	t.Logf("%d traps, %d questions", len(traps), asked)
}

// A served page is a dashboard that runs.
type servedPage struct {
	cmd    *exec.Cmd
	client *http.Client
	at     *url.URL
	said   *transcript
}

func serve(t *testing.T, dir string) *servedPage {
	t.Helper()
	p := &servedPage{cmd: command(dir, "dashboard"), said: &transcript{}}
	out, err := p.cmd.StdoutPipe()
	p.cmd.Stderr = p.said
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		t.Errorf("dashboard: %v", err)
		return p
	}
	first, _ := bufio.NewReader(out).ReadString('\n')
	go io.Copy(io.Discard, out)
	jar, _ := cookiejar.New(nil)
	p.client = &http.Client{Jar: jar, Timeout: hang}
	if p.at, err = url.Parse(strings.TrimSpace(first)); err != nil || p.at.Host == "" {
		p.at = nil // it does not run: it said why
	}
	return p
}

// get asks the page something; where it does not run, with what it said.
func (p *servedPage) get(t *testing.T, path string) (status int, text []byte) {
	t.Helper()
	if p.at == nil {
		return 0, []byte(`{"error":"it does not run"}`)
	}
	at, _ := p.at.Parse(path)
	at.RawQuery = p.at.RawQuery
	answer, err := p.client.Get(at.String())
	if err != nil {
		t.Errorf("%s: %v; %s", path, err, cut(p.said.String()))
		return 0, nil
	}
	defer answer.Body.Close()
	text, _ = io.ReadAll(io.LimitReader(answer.Body, 16<<20))
	return answer.StatusCode, text
}

// stop ends the page, and says how much memory it had, in MiB.
func (p *servedPage) stop() int {
	if p.cmd.ProcessState == nil && p.cmd.Process != nil {
		p.cmd.Process.Signal(syscall.SIGTERM)
		timer := time.AfterFunc(hang, func() { p.cmd.Process.Kill() })
		p.cmd.Wait()
		timer.Stop()
	}
	if p.cmd.ProcessState == nil {
		return 0
	}
	usage, _ := p.cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return int(usage.Maxrss >> 10)
}
