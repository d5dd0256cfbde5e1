package audit

import (
	"encoding/json"
	"fmt"
	iofs "io/fs"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/schema"
)

// today is the moment of every audit here.
var today = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// ago is a time so many days before today.
func ago(days int) string { return schema.FormatTime(today.AddDate(0, 0, -days)) }

// A garden is a tree that grows: clean documents with much in them that looks
// stale and is not, then what is planted.
type garden struct {
	t       testing.TB
	rnd     *rand.Rand
	files   map[string]string
	state   schema.State
	replies []schema.Clarification
	planted []seed // what must be found
	n       int
}

func newGarden(t testing.TB, seed uint64) *garden {
	g := &garden{t: t, rnd: rand.New(rand.NewPCG(seed, 7)), files: map[string]string{}}
	g.state = schema.State{
		Version: "1.0", Schema: schema.Schema,
		Metadata:     &schema.Metadata{Timestamp: ago(9), SessionStart: ago(9), SessionID: "session-2026-02-20-01"},
		Project:      &schema.Project{Name: "Orchard", CurrentLayer: 2, LayerName: "DOMAIN", Clarity: 60},
		SessionStats: &schema.SessionStats{},
	}
	return g
}

func (g *garden) one(of ...string) string { return of[g.rnd.IntN(len(of))] }

// id is a new id, of an older form or of ours.
func (g *garden) id(prefix string) string {
	g.n++
	if g.n%3 == 0 { // not every id that is drawn has a digit
		return prefix + "-" + strings.Map(func(r rune) rune { return r - '0' + 'K' }, fmt.Sprintf("%05d", g.n)) + "X"
	}
	return fmt.Sprintf("%s-%03d%c", prefix, g.n, 'A'+g.rnd.IntN(26))
}

func (g *garden) put(name string, v any) string {
	if text, ok := v.(string); ok {
		g.files[name] = text
		return name
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		g.t.Fatal(err)
	}
	g.files[name] = string(text) + "\n"
	return name
}

// A seed is something stale, and the place where it must be found.
type seed struct {
	kind  Kind
	file  string
	marks []string // see line
}

func (g *garden) plant(kind Kind, file string, marks ...string) {
	g.planted = append(g.planted, seed{kind, file, marks})
}

// line is where the last of the marks stands, each behind the one before it; "^"
// in front of a mark means the line above. Without marks it is the first.
func (g *garden) line(s seed) int {
	text, at, above := g.files[s.file], 0, 0
	for _, mark := range s.marks {
		mark, isAbove := strings.CutPrefix(mark, "^")
		i := strings.Index(text[at:], mark)
		if i < 0 {
			g.t.Fatalf("%s holds no %q:\n%s", s.file, mark, text)
		}
		if at += i; isAbove {
			above = 1
		}
	}
	return 1 + strings.Count(text[:at], "\n") - above
}

// places are the kind, the file and the line of everything that is planted.
func (g *garden) places() (all []string) {
	for _, s := range g.planted {
		all = append(all, fmt.Sprintf("%s %s:%d", s.kind.Name, s.file, g.line(s)))
	}
	return all
}

// decide records a decision.
func (g *garden) decide(d schema.Decision) schema.Decision {
	if d.ID == "" {
		d.ID = g.id("DEC")
	}
	d.Immutable = true
	g.put(ledgerName(d.ID), d)
	return d
}

func ledgerName(id string) string { return ".forgemind/decisions/" + id + ".json" }

// pair records a decision and what superseded it. Both say much the same.
func (g *garden) pair(about schema.Decision) (old, now schema.Decision) {
	what := g.one("the orders", "the receipts", "the harvest lists", "the soil samples", "the weather readings") + fmt.Sprintf(" of field %d", g.n)
	where := []string{"Postgres", "SQLite", "flat files", "a message queue", "Redis"}
	g.rnd.Shuffle(len(where), func(i, j int) { where[i], where[j] = where[j], where[i] })
	old, now = about, about
	old.Decision, old.Timestamp = "Keep "+what+" in "+where[0]+" behind the northern gateway", ago(60)
	old = g.decide(old)
	now.ID, now.Supersedes = "", schema.IDs{old.ID}
	now.Decision, now.Timestamp = "Keep "+what+" in "+where[1]+" behind the northern gateway", ago(40)
	return old, g.decide(now)
}

func (g *garden) condense(d schema.Decision, thread string) string {
	g.n++
	name := fmt.Sprintf("2026-01-%02d-topic-%d.md", 1+g.rnd.IntN(28), g.n)
	text := fmt.Sprintf("## 📝 Condensation: Topic %d\n**Date:** 2026-01-10\n**Channel:** #orchard\n**Participants:** ann, bo\n**Context:** Rows were compared.\n**Decision:** %s\n**Rationale:** It is dry there.\n**Action items:**\n- ann: order stones\n\n**Supersedes:** %s\n", g.n, d.Decision, strings.Join(d.Supersedes, ", "))
	if thread != "" {
		text += "**Thread:** " + thread + "\n"
	}
	if d.ID != "" {
		text += "**Ledger:** " + d.ID + "\n"
	}
	g.put(".forgemind/condensations/"+name, text)
	return name
}

func (g *garden) thread(th schema.Thread) string {
	th.ID = g.id("thr")
	th.Channel = "orchard"
	g.put(".forgemind/threads/orchard/"+th.ID+".jsonl", `{"msg_id": "msg-1", "timestamp": "2026-01-02T10:00:00Z", "agent": "ann", "content": "Shall we?"}`+"\n")
	return g.put(".forgemind/threads/orchard/"+th.ID+".json", th)
}

// late is a thread in which somebody spoke at the times given, and the file of its
// messages.
func (g *garden) late(th schema.Thread, times ...string) (talk string) {
	talk = strings.TrimSuffix(g.thread(th), ".json") + ".jsonl"
	g.files[talk] = ""
	for i, at := range times {
		g.files[talk] += fmt.Sprintf(`{"msg_id": "msg-%d", "timestamp": %q, "agent": "ann", "content": "Straw, or hay?"}`+"\n", i, at)
	}
	return talk
}

func (g *garden) pin(names ...string) string {
	g.n++
	channel := fmt.Sprintf("channel-%d", g.n)
	pins := schema.Pins{Channel: channel, Pins: []schema.Pin{}}
	for _, name := range names {
		pins.Pins = append(pins.Pins, schema.Pin{Condensation: name, PinnedBy: "ann", PinnedAt: ago(20)})
	}
	return g.put(".forgemind/channels/"+channel+"/pins.json", pins)
}

func (g *garden) note(text string) string {
	g.n++
	return g.put(fmt.Sprintf(".forgemind/memory/agent-%d-notes.md", g.n), "# Agent notes\n\n"+text)
}

func (g *garden) handoff(days int, status string) string {
	h := schema.Handoff{ID: g.id("task"), Task: "Measure the wall", From: "ann", To: "bo", Created: ago(days), Status: status}
	return g.put(".forgemind/handoffs/"+h.ID+".json", h)
}

// project makes a project with its decisions, and its CONTEXT.md as it was
// refreshed when the first of them were shown and the phase was stated.
func (g *garden) project(decisions []schema.Decision, shown int, phase, stated string) (context string) {
	g.n++
	name := fmt.Sprintf("project-%d", g.n)
	dir := ".forgemind/projects/" + name + "/"
	p := condense.Project{File: dir + "project.json", Context: dir + "CONTEXT.md"}
	p.ProjectRecord = schema.ProjectRecord{ID: name, Name: name, Channels: []string{"proj-" + name}, Phase: stated}
	for i, d := range decisions {
		d.Channel = "#proj-" + name
		decisions[i] = g.decide(d)
	}
	text, err := condense.RefreshContext(nil, name, condense.ContextOf(p, decisions[:shown]), nil)
	if err != nil {
		g.t.Fatal(err)
	}
	p.Phase = phase
	g.put(p.File, p.ProjectRecord)
	return g.put(p.Context, string(text.Text))
}

// contexts says in what each CONTEXT.md is behind, as the program asks it.
func contexts(r fs.Reader, decisions []schema.Decision) (all []Lag, err error) {
	projects, _, err := condense.Projects(r)
	if err != nil {
		return nil, err
	}
	for _, p := range projects {
		lags, err := condense.Stale(r, p, decisions)
		if err != nil {
			return nil, err
		}
		for _, l := range lags {
			all = append(all, Lag{Name: l.Name, Line: l.Line, Decision: l.Decision, Text: l.String()})
		}
	}
	return all, nil
}

// written reads condensations as the program does.
func written(r fs.Reader) (all []Written, err error) {
	list, _, err := condense.Condensations(r)
	for _, c := range list {
		all = append(all, Written{File: c.File, Decision: c.Decision, ID: c.DecisionID})
	}
	return all, err
}

func (g *garden) fragment(text string) string {
	id := g.id("frag")
	return g.put(".quaid/memory/fragments/2026-01-01-"+id+".md", "---\nid: "+id+"\ntitle: Wall\ntype: decision\ntags: [wall]\nimportance: 0.9\ncreated: 2026-01-01T10:00:00Z\n---\n\n"+text)
}

// nearMisses are documents that name what is superseded, closed, renamed or past
// as a careful writer does.
func (g *garden) nearMisses() {
	old, now := g.pair(schema.Decision{})
	for _, text := range []string{
		"History\n=======\n\n- " + old.ID + "\n- " + old.Decision + "\n",
		"How it was, superseded\n----------------------\n\n" + old.Decision + ".\n",
		"## Lessons learned\n\nDecisions that no longer hold:\n\n- " + old.ID + "\n- " + old.Decision + "\n  - and all that came of it\n",
		"## Lessons learned\n\n- Replaced:\n  - " + old.Decision + "\n  - " + old.ID + "\n- Dry walls hold\n",
		"## How to look things up\n\n```\n$ forgemind decision show " + old.ID + "\n" + old.Decision + "\n```\n\n~~~~sh\necho " + old.ID + "\n~~~\necho " + old.ID + "\n~~~~\n",
		"## Quotes\n\n> " + now.ID + ": " + now.Decision + "\n> It takes the place of " + old.ID + ".\n",
		"## Quotes\n\n> " + now.Decision + ", whatever " + old.ID + " says\n",
		"## Decisions\n\n| before | now |\n|---|---|\n| " + old.ID + " | " + now.ID + " |\n",
		"## Journal\n\n- Monday: " + old.ID + "\n- Tuesday: rain\n- Wednesday: " + now.ID + "\n",
		"## What we dropped (archived)\n\n### Storage\n\n" + old.Decision + ".\n",
		"## Ideas\n\nIt was never meant like that. Do not " + strings.ToLower(old.Decision) + ".\n",
		"## Done\n\nThe question of the wall is answered; Q-01X and Q-NOBODY are closed.\n",
		"## Plans\n\nMend the gate by 2031-05-01, in layer 4, at clarity 95 %, with 12 open questions by then.\n",
		"## Long words\n\nwell-known, up-to-date, state-of-the-art, " + strings.ToLower(old.ID) + "-like\n",
	} {
		g.note(text)
	}
	g.fragment("How it was, superseded\n---\n\n" + old.Decision + ".\n")
	g.state.PendingActions = append(g.state.PendingActions,
		schema.Action{ID: g.id("ACT"), Action: "Tell everybody that " + now.ID + " superseded " + old.ID, Created: ago(3), Due: schema.FormatTime(today.AddDate(4, 0, 0))},
		schema.Action{ID: g.id("ACT"), Action: "Wait for the frost", BlockedBy: schema.IDs{"Q-NOBODY", "the first frost"}, Created: ago(3)})
	g.late(schema.Thread{Status: "resolved", Resolved: ago(300), Condensation: "condensations/" + g.condense(schema.Decision{Decision: "_none named_"}, "")}, ago(301))
	g.handoff(13, "open")
	g.condense(schema.Decision{Decision: "_none named_", Supersedes: schema.IDs{"the rule of thumb"}}, "")
}

// related are decisions that name one path and refer to one another.
func (g *garden) related() {
	about := func(file, text string, supersedes ...string) string {
		return g.decide(schema.Decision{Decision: text, Timestamp: ago(30), Files: []string{file}, Supersedes: supersedes}).ID
	}
	low := about("src/hedge.go", "Hedges are low")
	about("src/hedge.go", "Hedges are green", about("src/hedge.go", "Hedges are grey, beside "+low))
	about("src/pond.go", "Ponds are dark, beside "+about("src/pond.go", "Ponds are deep"))
	wide, bare := about("src/path.go", "Paths are wide"), about("src/path.go", "Paths are bare")
	about("src/other.go", "Both hold: "+wide+" for carts, "+bare+" for feet")
	about("orchard", "Everything is measured")
	about("orchard/**", "Everything is measured twice")
	about("orchard/**", "Everything is measured in feet")
}

// grow fills the garden with clean documents. Each looks stale in some way.
func (g *garden) grow() {
	for range 3 {
		old, now := g.pair(schema.Decision{})
		g.note("## Key decisions log\n\n- 2026-01-01T10:00:00Z " + old.ID + ": " + old.Decision + "\n  - Rationale: dry\n- 2026-01-20T10:00:00Z " + now.ID + ": " + now.Decision + "\n")
		g.note("## Lessons learned\n\n- ~~" + old.ID + "~~ taught us patience\n- " + old.ID + " was superseded by " + now.ID + "\n- " + old.ID + " gave way to " + now.ID + "\n- " + now.Decision + "\n- See " + old.ID + "9 and X" + old.ID + "\n")
		g.note("## Superseded\n\n- " + old.Decision + "\n\n## Old plans, obsolete\n\n" + old.Decision + ".\n")
		g.note("## Lessons learned\n\nDry stones <!-- " + old.ID + "\n\n" + old.ID + " --> hold.\n")
		g.note("## Open questions\n\n- Why not " + strings.ToLower(now.Decision[5:20]) + "? Nobody keeps it behind the gateway.\n")
		again, _ := g.pair(schema.Decision{}) // decided anew in the same words
		g.decide(schema.Decision{Decision: again.Decision, Timestamp: ago(5)})
		g.note("## Technical constraints\n\n- " + again.Decision + "\n")
		g.note("## Technical constraints\n\n- Never " + strings.ToLower(old.Decision) + "\n- " + old.Decision + ", said the painter, while the mason counted stones, mixed lime, whistled, watered quinces, praised summer, sharpened scythes, hid ladders, forgot lunch, blamed crows, hummed hymns\n- It moved to " + where(now) + ": " + old.Decision + "\n")
		g.fragment("We did this (" + now.ID + "): " + now.Decision + ".\n")
		both := g.condense(now, "")
		g.condense(old, "") // not pinned any more
		g.pin(both, strings.TrimSuffix(g.condense(schema.Decision{ID: now.ID, Decision: now.Decision}, ""), ".md"))
	}
	g.project([]schema.Decision{
		{Decision: "Plant quinces by the eastern well", Timestamp: ago(15)},
		{Decision: "Water before sunrise only", Timestamp: ago(20)},
		{Decision: "Count the trees each spring", Timestamp: ago(50)}, // older than what is shown
	}, 3, "Detailed design", "Detailed design")
	g.nearMisses()
	g.related()
	g.decide(schema.Decision{Decision: "Another project's newest word", Timestamp: ago(1), Channel: "#proj-elsewhere"})

	g.thread(schema.Thread{Status: "active", Opened: ago(50)})
	g.thread(schema.Thread{Status: "archived", Opened: ago(80), Archived: ago(50)})
	g.thread(schema.Thread{Status: "resolved", Opened: ago(30), Resolved: ago(20), Condensation: g.condense(schema.Decision{Decision: "_none named_"}, "")})
	named := g.thread(schema.Thread{Status: "archived", Opened: ago(30), Resolved: ago(20), Archived: ago(19)})
	g.condense(schema.Decision{Decision: "_none named_"}, strings.TrimSuffix(filepath.Base(named), ".json"))

	g.late(schema.Thread{Status: "resolved", Opened: ago(30), Resolved: ago(20), Condensation: g.condense(schema.Decision{Decision: "_none named_"}, "")}, ago(29), ago(20))
	asked := g.decide(schema.Decision{Decision: "Hay for the goats", Timestamp: ago(18)}) // resolved, then somebody asked to condense it
	g.late(schema.Thread{Status: "archived", Opened: ago(30), Resolved: ago(20), Archived: ago(10), Condensation: strings.TrimSuffix(g.condense(asked, ""), ".md")}, ago(29), ago(18))

	g.pin(g.condense(schema.Decision{Decision: "Two in one", ID: g.holdAndDrop()}, ""))

	g.handoff(5, "done")
	g.handoff(90, "archived")

	open := schema.Question{ID: g.id("Q"), Question: "Which pears keep until May?", AskedAt: ago(10), Status: "awaiting_answer"}
	g.state.OpenQuestions = append(g.state.OpenQuestions, open)
	first := schema.Action{ID: g.id("ACT"), Action: "Order mortar", Created: ago(9), Due: schema.FormatTime(today.AddDate(0, 0, 2))}
	g.state.PendingActions = append(g.state.PendingActions, first,
		schema.Action{ID: g.id("ACT"), Action: "Build the wall", BlockedBy: schema.IDs{first.ID, open.ID, "the mason's leave"}, Created: ago(8)})
	g.replies = append(g.replies, schema.Clarification{ID: g.id("Q"), Question: "How high is the wall?", Answer: "Two metres", AskedAt: ago(30), AnsweredAt: ago(29)},
		schema.Clarification{ID: open.ID, Question: open.Question})
	g.note("## Current context summary\n\n- 2026-01-01T10:00:00Z layer 1 (MODULE), clarity 20%\n- 2026-02-20T10:00:00Z layer 2 (DOMAIN), clarity is 60 %\n\n## Technical constraints\n\n- Layer 5 paint, clarity 10% varnish, 9 open questions of taste\n")
}

// where is what one of a pair keeps something in.
func where(d schema.Decision) string {
	_, rest, _ := strings.Cut(d.Decision, " in ")
	place, _, _ := strings.Cut(rest, " behind ")
	return place
}

// holdAndDrop are two decisions of one condensation, one of which still holds.
func (g *garden) holdAndDrop() string {
	old, _ := g.pair(schema.Decision{})
	holds := g.decide(schema.Decision{Decision: "This one holds", Timestamp: ago(50)})
	return old.ID + ", " + holds.ID
}

// finish writes what many documents share.
func (g *garden) finish() {
	g.put(".forgemind/context/current-context.json", g.state)
	var lines strings.Builder
	for _, c := range g.replies {
		text, _ := json.Marshal(c)
		lines.Write(append(text, '\n'))
	}
	g.put(".forgemind/context/clarifications.jsonl", lines.String())
}

// A shelf reads the files of a garden without a disk.
type shelf map[string]string

func (s shelf) Read(name string) ([]byte, error) {
	text, ok := s[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, iofs.ErrNotExist)
	}
	return []byte(text), nil
}

func (s shelf) Names(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range slices.Sorted(maps.Keys(s)) {
			if (dir == "." || strings.HasPrefix(name, dir+"/")) && !yield(name, nil) {
				return
			}
		}
	}
}

// onDisk writes the garden below a directory.
func (g *garden) onDisk(dir string) {
	for name, text := range g.files {
		write(g.t, dir, name, text)
	}
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// commit commits everything below dir, as of so many days ago.
func commit(t testing.TB, dir, days, message string) {
	t.Helper()
	gitAt(t, dir, days, "add", "--all", "--force")
	gitAt(t, dir, days, "commit", "--quiet", "--allow-empty", "--message="+message)
}

func gitAt(t testing.TB, dir, when string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE="+when, "GIT_AUTHOR_DATE="+when, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", args, err, out)
	}
}
