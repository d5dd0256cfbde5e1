//go:build linux

package faults_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"
)

// discussionTree is a tree in which something was said, decided, and handed over, with
// the names of its documents.
type discussionTree struct {
	*testing.T
	dir, decision                         string
	mortar, lime, sand, condensed, handed string
	id                                    string // of the thread that goes on
}

const (
	pinsFile = ".forgemind/channels/proj-south-wall/pins.json"
	inYard   = ".forgemind/channels/proj-south-wall/messages.jsonl"
	aims     = ".forgemind/projects/south-wall/project.json"
	holds    = ".forgemind/projects/south-wall/CONTEXT.md"
)

func newDiscussionTree(t *testing.T) discussionTree {
	t.Helper()
	dir := discussed(t)
	succeed(t, dir, "handoff", "add", "Mix the mortar", "--summary", "mixed")
	one := func(pattern string) string { return oneOf(t, dir, ".forgemind/"+pattern) }
	d := discussionTree{
		T: t, dir: dir, decision: decisionOf(t, dir), condensed: one("condensations/*"), handed: one("handoffs/*"),
		mortar: one("threads/*/mortar-*.json"), lime: one("threads/*/lime-*.json"), sand: one("threads/*/sand-*.json"),
	}
	d.id = "thread-" + strings.TrimSuffix(strings.TrimPrefix(filepath.Base(d.mortar), "mortar-"), ".json")
	return d
}

// invocations returns the commands on discussions and what they came to.
func (d discussionTree) invocations() []invocation {
	return invocations(`
all: validate; watch --once; audit
any: status; triggers
thread: thread list; thread show mortar; thread post mortar "One more word" --agent ann; thread open "Which cart" --channel yard; thread resolve mortar; thread archive sand; thread archive --idle
import: thread import yard.log --channel yard; thread import yard.log --channel yard --dry-run
thread condensation: condense mortar --dry-run
thread condensation pins: condense mortar
condensation pins: condense sand
condensation: condense lime
channel pins: condense --channel proj-south-wall
import: condense --from yard.log --channel yard
project: projects list; projects new "North wall"; projects set south --phase Done; projects refresh
handoff: handoff list; handoff add Dig --summary dug; handoff archive mix
thread condensation pins project: validate --fix
thread channel: trigger condensation_requested
condensation pins: decision supersede DEC "Clay, for there is no lime"
condensation: decision list
`, "DEC", d.decision)
}

// Whatever stands in threads, channels, condensations, projects and handoffs, or
// comes from elsewhere: a command says what is wrong, and soon; and the Ledger only
// has what its own commands wrote.
func TestHostileLifecycle(t *testing.T) {
	d := newDiscussionTree(t)
	suite{
		base: d.dir, hazards: d.hazards(), invocations: d.invocations(), mine: 2, others: 15, part: atLength(1, 3),
		checks:  append([]check{keepsLedger, works(func(invocation) time.Duration { return 4 * time.Second })}, commandChecks...),
		watches: func(n, i int, _ invocation) bool { return n%3 == 0 && i == 0 }, // an audit asks git
	}.run(t)
}

// keepsLedger checks what a command left of the Ledger: all that was in it, and
// nothing more unless that is what the command is for.
func keepsLedger(s *setup) func(run) {
	before := ledger(s.T, s.dir)
	return func(r run) {
		now, args := ledger(s.T, s.dir), s.invocation.args
		for name, src := range before {
			s.must(r, now[name] == src, "of the Ledger's %s became %q", name, now[name])
		}
		condensable := slices.Contains([]string{"thread", "channel", "import"}, s.hazard.topic) || s.hazard.what == decided // what is said there, can be condensed
		for name, src := range now {
			s.must(r, condensable || !strings.Contains(src, forgery), "%s is forged: %s", name, src)
		}
		decides := args[0] == "condense" && !slices.Contains(args, "--dry-run") || slices.Contains([]string{"decision", "trigger", "watch"}, args[0]) || slices.Contains(args, "post")
		decides = decides || s.hazard.what == begs && !slices.Contains(args, "--dry-run") // whichever command comes next answers it
		s.must(r, decides || len(now) <= len(before), "the Ledger has %d decisions more", len(now)-len(before))
	}
}

func (d discussionTree) read(name string) string { return read(d.T, d.dir, name) }

// replace returns a document with texts replaced.
func (d discussionTree) replace(name string, oldnew ...string) content {
	src := d.read(name)
	now := strings.NewReplacer(oldnew...).Replace(src)
	if now == src {
		d.Fatalf("%s: nothing of %.200q in it", name, oldnew)
	}
	return text(now)
}

// decided is very many condensations that say what was decided and when, as of somebody who wrote them.
const decided = "a thousand that decide"

// begs is a discussion in which very many ask to have it condensed.
const begs = "that begs to be condensed"

// threadLine is the beginning of a line of a thread or a channel.
const threadLine = `{"msg_id": "m", "timestamp": "2026-03-02T09:29:00Z", "agent": "ann", "content": `

// talk returns the name of the file with the lines of the thread that goes on.
func (d discussionTree) talk() string { return strings.TrimSuffix(d.mortar, ".json") + ".jsonl" }

// hazards returns hostile content in discussions and what they came to.
func (d discussionTree) hazards() (hs hazards) {
	hs.addBadAndLinked(tolerated, "thread", d.mortar, `{"id": "`+d.id+`", "channel": "proj-south-wall", "title": `)
	hs.addBadAndLinked(tolerated, "thread", d.talk(), threadLine)
	hs.addBadAndLinked(tolerated, "channel", inYard, threadLine)
	hs.addBadAndLinked(tolerated, "pins", pinsFile, `{"channel": "proj-south-wall", "pins": `)
	hs.addBadAndLinked(tolerated, "project", aims, `{"id": "south-wall", "name": "South wall", "channels": ["proj-south-wall"], "phase": `)
	hs.addBadAndLinked(tolerated, "project", holds, "# Project Context: South wall\n\n## Current State\n")
	hs.addBadAndLinked(tolerated, "condensation", d.condensed, "## 📝 Condensation: Lime\n**Decision:** ")
	hs.addBadAndLinked(tolerated, "handoff", d.handed, `{"id": "handoff-abcdef", "task": `)
	hs.addBad(tolerated, "import", "yard.log", `{"messages": `)
	hs = slices.DeleteFunc(hs, func(h hazard) bool {
		return h.place == "yard.log" && h.what == "a terabyte" || // whoever names a file wants it read
			h.what == "a million lines" && strings.HasSuffix(h.place, ".jsonl") // a hundred thousand are below
	})
	for _, folder := range []string{".forgemind/threads", filepath.Dir(d.mortar), ".forgemind/channels", filepath.Dir(pinsFile), ".forgemind/projects", filepath.Dir(aims), ".forgemind/condensations", ".forgemind/handoffs"} {
		hs.add("thread", "a folder that is a link out", folder, linkTo("local"))
		hs.add("project", "a folder that is a FIFO", folder, fifo)
		hs.add("channel", "a folder that is a file", folder, text("x"))
	}
	return slices.Concat(hs, d.evilWords(), d.threads(), d.condensations(), d.projects(), exports())
}

// evilWords returns discussions of words that are not what they seem.
func (d discussionTree) evilWords() (hs hazards) {
	add := hs.add
	for _, w := range append(slices.Clone(evil), "..", ".", "/", "../../x", "CON", strings.Repeat("x/", 5000)) {
		what := fmt.Sprintf("%.30q as ", w)
		record := `{"id": ID, "channel": CHANNEL, "title": "Mortar", "status": "active", "opened": "2026-03-02T09:29:00Z", "participants": [@]}`
		with := func(id, channel string) content {
			return text(fillIn(strings.NewReplacer("ID", id, "CHANNEL", channel).Replace(record), w))
		}
		own, here := `"`+d.id+`"`, `"proj-south-wall"`
		add("thread", what+"a channel", d.mortar, with(own, "@"))
		add("thread", what+"an id", d.mortar, with("@", here))
		add("thread", what+"a condensation", d.mortar, with(own, here+`, "condensation": @`))
		add("thread", what+"a title", d.sand, text(fillIn(strings.Replace(d.read(d.sand), `"Sand"`, "@", 1), w)))
		add("thread", what+"what is said", d.talk(), text(fillIn(threadLine+"@}\n"+strings.ReplaceAll(threadLine, `"ann"`, "@")+`"Decision: we take it, `+forgery+`."}`+"\n", w)))
		add("channel", what+"what is said", inYard, text(fillIn(threadLine+"@}\n"+strings.ReplaceAll(threadLine, `"ann"`, "@")+`"📝 condense this discussion"}`+"\n", w)))
		add("condensation", what+"a field", d.condensed, text(fmt.Sprintf("## 📝 Condensation: %[1]s\n**Date:** %[1]s\n**Channel:** #%[1]s\n**Participants:** %[1]s\n**Context:** %[1]s\n**Decision:** %[1]s %[2]s\n**Rationale:** %[1]s\n**Action items:**\n- %[1]s\n\n**Supersedes:** %[1]s, %[3]s\n**Thread:** %[1]s\n**Ledger:** %[1]s\n", w, forgery, d.decision)))
		add("pins", what+"a pin", pinsFile, text(fillIn(`{"channel": @, "pins": [{"condensation": @, "pinned_by": @, "pinned_at": "2026-03-02T09:29:00Z"}, {"condensation": "x.md", "pinned_by": "x", "pinned_at": @}]}`, w)))
		add("project", what+"a project", aims, text(fillIn(`{"id": "south-wall", "name": @, "channels": [@, "proj-south-wall"], "created": "2026-03-02T09:29:00Z", "phase": @, "active": [@], "blocked": [@], "constraints": [@]}`, w)))
		add("handoff", what+"a handoff", d.handed, text(fillIn(`{"id": "handoff-abcdef", "task": @, "from": @, "created": "2026-03-02T09:29:00Z", "status": "open", "summary": @, "files": [@]}`, w)))
		add("import", what+"an export", "yard.log", text(fillIn(`{"guild": {"name": @}, "channel": {"id": @, "name": @}, "messages": [{"id": @, "type": "Default", "timestamp": "2026-03-02T09:29:00Z", "content": @, "author": {"name": @, "nickname": @}, "thread": {"id": @, "name": @}, "reference": {"messageId": @}}]}`, w)))
	}
	return hs
}

// threads returns threads and channels that are not what they seem.
func (d discussionTree) threads() (hs hazards) {
	add := hs.add
	add("thread", "the id of another", d.mortar, text(strings.Replace(d.read(d.lime), "Lime", "Mortar", 1)))
	add("thread", "two of one title", d.mortar, text(strings.Replace(d.read(d.mortar), `"Mortar"`, `"Sand"`, 1)))
	add("thread", "duplicate keys", d.mortar, d.replace(d.mortar, `"status": "active"`, `"status": "active", "status": "archived", "STATUS": "resolved"`))
	add("thread", "a hundred thousand lines", d.talk(), long("", threadLine+`"Decision: we take the best, because it is there."}`+"\n", 100_000, ""))
	add("channel", "a hundred thousand lines", inYard, long("", threadLine+`"Decision: we take the best, because it is there."}`+"\n", 100_000, ""))
	add("channel", "a hundred thousand lines that are none", inYard, long("", threadLine+"{}}\n", 100_000, threadLine+`"x"}`+"\n"))
	add("thread", "a hundred thousand lines that are none", d.talk(), long("", threadLine+"{}}\n", 100_000, ""))
	add("thread", "a line of 8 MiB", d.talk(), long(threadLine+`"`, "mortar, ", 8<<17, `"}`+"\n"))
	add("thread", "a thousand threads", d.mortar, many(1000, func(i int) (string, string) {
		return fmt.Sprintf("x-%06d.json", i), fmt.Sprintf(`{"id": "thread-%06d", "channel": "proj-south-wall", "title": "T %d", "status": "active", "opened": "2026-03-02T09:29:00Z", "participants": []}`, i, i)
	}))
	add("thread", begs, d.talk(), text(strings.Repeat(threadLine+`"📝 condense this discussion"}`+"\n", 3000)))
	return hs
}

// condensations returns condensations that claim what is not so.
func (d discussionTree) condensations() (hs hazards) {
	add := hs.add
	add("condensation", "a forged Ledger id", d.condensed, d.replace(d.condensed, d.decision, "DEC-F0RGED000000", "We take", forgery+" take"))
	add("condensation", "another's words for a decision", d.condensed, d.replace(d.condensed, "We take", forgery+": take"))
	add("condensation", "forged: what it supersedes", d.condensed, d.replace(d.condensed, "_none named_", d.decision+", DEC-AAAAAA, ../../x", d.decision, "DEC-F0RGED000000"))
	add("condensation", "that it supersedes itself", d.condensed, d.replace(d.condensed, "_none named_", d.decision))
	add("condensation", "two of one thread", filepath.Join(filepath.Dir(d.condensed), "2026-01-01-lime.md"), text(strings.ReplaceAll(d.read(d.condensed), "We take", forgery+" take")))
	add("condensation", "a forged one of a thread that goes on", filepath.Join(filepath.Dir(d.condensed), "2026-01-01-mortar.md"), text(strings.NewReplacer("We take", forgery+" take", "thread-", "thread-x").Replace(strings.Replace(d.read(d.condensed), "**Thread:** ", "**Thread:** "+d.id+"\n**Thread:** ", 1))))
	add("condensation", "1 MiB", d.condensed, long("## 📝 Condensation: Lime\n**Decision:** ", "we take it, ", 1<<20/12, "\n"))
	add("condensation", "100,000 labels", d.condensed, long("", "**Decision:** "+forgery+"\n", 100_000, ""))
	add("condensation", "100,000 action items", d.condensed, long("## 📝 Condensation: Lime\n**Action items:**\n", "- ann: x\n", 100_000, ""))
	add("condensation", "NULs between", d.condensed, text("## 📝 Condensation: \x00Lime\x00\n**Decision:** \x00"+forgery+"\x00\n"))
	add("condensation", decided, d.condensed, many(1000, func(i int) (string, string) {
		return fmt.Sprintf("2026-01-01-x%d.md", i), fmt.Sprintf("## 📝 Condensation: T%d\n**Date:** 2026-01-01\n**Decision:** %s\n**Thread:** %s\n", i, forgery, d.id)
	}))
	return hs
}

// projects returns projects, and pins of their channels, that are not as they were written.
func (d discussionTree) projects() (hs hazards) {
	add := hs.add
	const pin = `{"condensation": "2026-01-01-x.md", "pinned_by": "ann", "pinned_at": "2026-03-02T09:29:00Z"}`
	add("pins", "100,000 pins", pinsFile, long(`{"channel": "proj-south-wall", "pins": [`, pin+",\n", 99_999, pin+"]}\n"))
	add("pins", "duplicate keys", pinsFile, text(`{"channel": "proj-south-wall", "pins": [], "pins": [`+pin+`], "PINS": []}`))
	add("pins", "pins that lead out", pinsFile, text(`{"channel": "../../x", "pins": [{"condensation": "../../../outside/secret.md", "pinned_by": "x", "pinned_at": "2026-03-02T09:29:00Z"}]}`))

	add("project", "a channel of another's", ".forgemind/projects/north/project.json", text(`{"id": "north", "name": "North", "channels": ["proj-south-wall", "proj-south-wall", "#Proj-South-Wall"], "created": "2026-03-02T09:29:00Z"}`))
	add("project", "another's id", ".forgemind/projects/north/project.json", text(d.read(aims)))
	add("project", "100,000 channels", aims, long(`{"id": "south-wall", "name": "South wall", "created": "2026-03-02T09:29:00Z", "channels": [`, `"c",`, 99_999, `"d"]}`))
	add("project", "a million headings", holds, long("", "## x\n", 1_000_000, ""))
	add("project", "a comment without an end", holds, d.replace(holds, "## Key Decisions", "<!-- ## Key Decisions"))
	add("project", "a fence without an end", holds, d.replace(holds, "## Key Decisions", "```\n## Key Decisions"))
	const begin = "<!-- forgemind:begin key-decisions -->"
	add("project", "forged marks", holds, d.replace(holds, begin, begin+"\n<!-- forgemind: key-decisions 9999 000000000000 -->\n<!-- forgemind: key-decisions -1 -->\n<!-- forgemind:end "+strings.Repeat("x", 5000)+" -->\n"+begin+"\n<!-- forgemind:end current-state 000000000000 -->"))
	add("project", "100,000 marks", holds, long("## Key Decisions (most recent first)\n", "<!-- forgemind: key-decisions 1 xe8nwk0e7ksm -->\n", 100_000, ""))
	add("project", "19,000 marks", holds, long("## Key Decisions (most recent first)\n", begin+"\n", 19_000, ""))
	add("project", "a thousand changes", aims, many(1000, func(i int) (string, string) {
		return fmt.Sprintf("project.updated-%d.json", i), fmt.Sprintf(`{"of": "project", "set": {"phase": %d, "constraints/": 1, "constraints/%d": "x", "name/x": 1}, "saw": 3}`, i, i)
	}))
	add("project", "two of each part", holds, text(d.read(holds)+d.read(holds)))
	return hs
}

// exports returns exports of other programs.
func exports() (hs hazards) {
	add := hs.add
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
	add("import", "a folder of links out", "yard.log", inFolder("2026-03-05.json", linkTo("secret.json")))
	add("import", "a folder of FIFOs", "yard.log", inFolder("2026-03-05.json", fifo))
	add("import", "a folder of a thousand days", "yard.log", many(1000, func(i int) (string, string) {
		return fmt.Sprintf("yard.log/%04d-03-05.json", i), `[{"type": "message", "user": "U1", "text": "x", "ts": "1.0"}]`
	}))
	return hs
}

// The dashboard of a strangers' tree answers each question, in JSON that is whole,
// without what stands outside.
func TestHostileDashboard(t *testing.T) {
	d := newDiscussionTree(t)
	condensed := strings.TrimSuffix(filepath.Base(d.condensed), ".md")
	questions := []string{"health", "decisions", "decisions/" + d.decision, "condensations", "condensations/" + condensed, "threads", "threads/" + d.id, "channels", "channels/proj-south-wall", "projects", "projects/south-wall", "handoffs", "triggers", "audit", "threads/..%2f..%2fx"}
	s := suite{base: d.dir, invocations: invocations("all: dashboard"), checks: safetyChecks, act: func(s *setup) run { return ask(s, questions) }}
	for n, h := range d.hazards() {
		if h.topic != "import" && (n%3 == 0 || !strings.Contains(h.what, " as ")) {
			s.hazards = append(s.hazards, h)
		}
	}
	s.run(t)
}

// ask serves the dashboard, asks it the questions, and checks the answers.
func ask(s *setup, questions []string) run {
	page := s.serve()
	for _, what := range questions {
		start := time.Now()
		status, answer := page.get(s.T, "/api/"+what)
		if took := time.Since(start); took > 2*time.Second {
			s.Logf("%s: %v", what, took)
		}
		if !json.Valid(answer) || !utf8.Valid(answer) || status != http.StatusOK && !strings.Contains(string(answer), `"error":`) {
			s.Errorf("%s: status %d, %.200q", what, status, answer)
		}
		if strings.Contains(string(answer), outside) || strings.Contains(string(answer), "root:x:0") || len(answer) > 8<<20 {
			s.Errorf("%s: %d bytes, %.300q", what, len(answer), answer)
		}
	}
	return run{args: s.invocation.args, rss: page.stop()}
}

// A servedPage is a dashboard that runs.
type servedPage struct {
	cmd    *exec.Cmd
	client *http.Client
	at     *url.URL
	said   *transcript
}

func (s *setup) serve() *servedPage {
	s.Helper()
	p := &servedPage{cmd: s.cmd, said: &transcript{}}
	out, err := p.cmd.StdoutPipe()
	p.cmd.Stderr = p.said
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		s.Errorf("dashboard: %v", err)
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

// get returns the answer to a question; an error if the dashboard does not run.
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

// stop ends the dashboard and returns how much memory it had, in MiB.
func (p *servedPage) stop() int {
	if p.cmd.Process == nil {
		return 0
	}
	p.cmd.Process.Signal(syscall.SIGTERM)
	timer := time.AfterFunc(hang, func() { p.cmd.Process.Kill() })
	p.cmd.Wait()
	timer.Stop()
	usage, _ := p.cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return int(usage.Maxrss >> 10)
}
