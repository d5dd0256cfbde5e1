package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// look audits what r reads, as of today.
func look(t testing.TB, r fs.Reader, o Options) Report {
	t.Helper()
	o.Now = today
	if o.Contexts == nil {
		o.Contexts = contexts
	}
	o.Condensations = written
	report, err := Audit(t.Context(), r, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Unread) > 0 {
		t.Errorf("unread: %q", report.Unread)
	}
	return report
}

// same holds what was found against what must be: the kind and the file, or the
// line too.
func same(t *testing.T, what string, report Report, want []string) {
	t.Helper()
	want = slices.Sorted(slices.Values(want))
	withLine := len(want) > 0 && strings.Contains(want[0], ":")
	place := func(f Finding) string {
		if withLine {
			return fmt.Sprintf("%s %s:%d", f.Kind, f.File, f.Line)
		}
		return f.Kind + " " + f.File
	}
	var got []string
	for _, f := range report.Findings {
		got = append(got, place(f))
	}
	for _, w := range want {
		if i := slices.Index(got, w); i >= 0 {
			got = slices.Delete(got, i, i+1)
			continue
		}
		t.Errorf("%s: not found: %s", what, w)
	}
	for _, g := range got {
		i := slices.IndexFunc(report.Findings, func(f Finding) bool { return place(f) == g })
		t.Errorf("%s: false alarm: %+v", what, report.Findings[i])
	}
}

func TestCleanDocumentsRaiseNoAlarm(t *testing.T) {
	documents := 0
	for seed := range uint64(25) {
		g := newGarden(t, seed)
		g.grow()
		g.finish()
		report := look(t, shelf(g.files), Options{})
		documents += report.Checked
		same(t, fmt.Sprint("seed ", seed), report, nil)
	}
	if documents < 25*50 {
		t.Errorf("only %d documents", documents)
	}
}

// The fixtures that validate finds nothing in are clean on their day.
func TestCleanFixturesRaiseNoAlarm(t *testing.T) {
	for name, day := range map[string]string{"valid-cms": "2025-10-27T10:00:00Z", "valid-both": "2025-11-09T06:30:00Z", "valid-quaid": "2025-11-09T09:00:00Z"} {
		tree, err := fs.Open("../../testdata/fixtures/" + name)
		if err != nil {
			t.Fatal(err)
		}
		now, _ := schema.ParseTime(day)
		report, err := Audit(t.Context(), tree, Options{Now: now})
		if err != nil || len(report.Findings) > 0 || report.Checked < 3 {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
		tree.Close()
	}
}

// Everything that is planted is found, five of each kind, and nothing else: on
// a disk, in a repository whose history goes on.
func TestWhatIsPlantedIsFoundAndNothingElse(t *testing.T) {
	g := newGarden(t, 1)
	g.grow()
	files := g.plantAll()
	g.finish()
	dir := t.TempDir()
	git0 := func(days int, message string) { commit(t, dir, ago(days), message) }
	gitAt(t, dir, ago(90), "init", "--quiet", "--initial-branch=main")
	for _, file := range files {
		write(t, dir, file, "before")
	}
	git0(90, "Before everything")
	for _, file := range files {
		write(t, dir, file, "as decided")
	}
	g.onDisk(dir)
	git0(30, "Decide, and do it")
	history(t, dir, files)

	tree, err := fs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	report := look(t, tree, Options{Root: tree.Root()})
	same(t, "planted", report, g.places())
	perKind, gone, moved := map[string]int{}, 0, 0
	for _, f := range report.Findings {
		perKind[f.Kind]++
		if strings.Contains(f.Message, ", which is gone since 2026-02-") && f.Score == 75 {
			gone++
		}
		if strings.Contains(f.Message, ", which is called elsewhere.go since 2026-02-") && f.Score == 55 {
			moved++
		}
		if f.Score < 1 || f.Score > 100 || f.Line < 1 || f.Message == "" || f.Hint == "" || len(f.Evidence) == 0 {
			t.Errorf("%+v", f)
		}
		for _, e := range f.Evidence {
			if e.File == "" && e.Commit == "" && e.Text == "" {
				t.Errorf("evidence that is none: %+v", f)
			}
		}
	}
	for _, k := range Kinds() {
		if perKind[k.Name] != 5 {
			t.Errorf("%s: %d found", k.Name, perKind[k.Name])
		}
	}
	if gone != 1 || moved != 1 {
		t.Errorf("%d files are gone, %d renamed", gone, moved)
	}
	ids := map[string]bool{}
	for _, f := range report.Findings {
		if ids[f.ID] {
			t.Errorf("two are called %s", f.ID)
		}
		ids[f.ID] = true
	}
	again := look(t, tree, Options{Root: tree.Root()})
	if a, b := asJSON(t, report), asJSON(t, again); a != b {
		t.Errorf("twice gives another report:\n%s\n%s", a, b)
	}

	// What was stale at a commit already is left out: one file moved on since, and
	// time went by.
	since := look(t, tree, Options{Root: tree.Root(), Since: "HEAD~3"})
	kinds := map[string]int{}
	for _, f := range since.Findings {
		kinds[f.Kind]++
	}
	want := map[string]int{movedFile.Name: 1, overdueAction.Name: 2, idleHandoff.Name: 1, oddTime.Name: 1}
	if !maps.Equal(kinds, want) {
		t.Errorf("since HEAD~3: %v, want %v", kinds, want)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// history goes on: five of the files change or go after the decision, the sixth
// by a commit that names it, the seventh not at all.
func history(t *testing.T, dir string, files []string) {
	t.Helper()
	for i, file := range files[:3] {
		write(t, dir, file, "changed")
		commit(t, dir, ago(20-i), "Go on")
	}
	gitAt(t, dir, ago(10), "rm", "--quiet", files[3])
	commit(t, dir, ago(10), "Tidy up")
	gitAt(t, dir, ago(9), "mv", files[4], "elsewhere.go")
	commit(t, dir, ago(9), "Move\x1b[2J it")
	write(t, dir, files[5], "carried out")
	commit(t, dir, ago(8), "Carry out DEC-CARRY1")
	write(t, dir, "unrelated.go", "1")
	commit(t, dir, ago(7), "Something else")
}

// plantAll plants five of each kind, and returns the files that decisions name,
// for history to go on with.
func (g *garden) plantAll() (files []string) {
	g.plantReferences()
	g.plantContexts()
	g.plantThreads()
	g.plantLateWords()
	g.plantEdits()
	g.plantUnrecorded()
	for i := range 7 {
		file := fmt.Sprintf("src/part-%d.go", i)
		files = append(files, file)
		d := schema.Decision{Decision: fmt.Sprintf("Part %d has one door", i), Timestamp: ago(31), Files: []string{file, fmt.Sprintf("src/planned-%d.go", i), "docs/**"}}
		if i == 5 {
			d.ID = "DEC-CARRY1"
		}
		d = g.decide(d)
		if i < 5 {
			g.plant(movedFile, ledgerName(d.ID), "\""+file)
		}
	}
	g.plantState()
	g.plantTimes()
	g.plantPins()
	for i, status := range []string{"", "open", "done", "read", "pending"} {
		g.plant(idleHandoff, g.handoff(15+10*i, status), `"created"`)
	}
	for i := range 5 {
		d := g.decide(schema.Decision{Decision: fmt.Sprintf("Replace what nobody knows, %d", i), Timestamp: ago(12), Supersedes: schema.IDs{fmt.Sprintf("DEC-90%d", i)}})
		g.plant(danglingSupersedes, ledgerName(d.ID), `"supersedes"`)
	}
	for i := range 5 {
		old, _ := g.pair(schema.Decision{})
		text, mark := "It goes by "+old.ID+".\n", "goes by"
		if i%2 == 1 {
			text, mark = "## What we know\n\n"+old.Decision+".\n", old.Decision
		}
		g.plant(supersededFragment, g.fragment(text), mark)
	}
	g.plantUnrelated()
	return files
}

// plantUnrelated plants paths that decisions hold for which do not refer to each other.
func (g *garden) plantUnrelated() {
	about := func(days int, text string, files ...string) schema.Decision {
		return g.decide(schema.Decision{Decision: text, Timestamp: ago(days), Files: files})
	}
	for i, spelled := range []string{"src/bed-0.go", "./src/bed-1.go", "src/../src/bed-2.go", `src\bed-3.go`, "src//bed-4.go"} {
		file, further := fmt.Sprintf("src/bed-%d.go", i), fmt.Sprintf("src/hoe-%d.go", i) // decisions are told of once
		old := about(30, fmt.Sprintf("Beds are dug, %d", i), fmt.Sprintf("src/dug-%d.go", i), spelled, further)
		if i > 2 { // one that holds with it is no word about the next
			about(25, "Beds are dug twice, as "+old.ID+" has it", file)
		}
		last := about(20, fmt.Sprintf("Beds are not dug, whatever DEC-NOBODY1 says, %d", i), fmt.Sprintf("src/whole-%d.go", i), file, further)
		g.plant(unrelatedDecisions, ledgerName(last.ID), `"`+file)
	}
}

func (g *garden) plantReferences() {
	old, _ := g.pair(schema.Decision{})
	g.plant(supersededReference, g.note("## Active tasks\n\n- Finish what "+old.ID+" asks for\n"), old.ID)
	old, now := g.pair(schema.Decision{})
	g.plant(supersededReference, g.note("## Lessons learned\n\n- We "+strings.ToLower(old.Decision)+", and it works\n\n## Other\n\n- "+now.ID+" is far away\n"), "We keep")
	old, _ = g.pair(schema.Decision{})
	g.plant(supersededReference, g.note("## Key decisions log\n\n- 2026-01-01T10:00:00Z "+old.ID+": "+old.Decision+"\n"), old.ID)
	old, _ = g.pair(schema.Decision{})
	g.state.PendingActions = append(g.state.PendingActions, schema.Action{ID: g.id("ACT"), Action: "Carry out (" + old.ID + ")", Created: ago(9)})
	g.plant(supersededReference, fs.State, "^"+`"id": "`+g.state.PendingActions[len(g.state.PendingActions)-1].ID)
	old, _ = g.pair(schema.Decision{Project: "shed"})
	g.put(".forgemind/projects/shed/CONTEXT.md", "# Project Context: Shed\n\n## Key Decisions (most recent first)\n1. [2026-02-28] "+old.Decision+"\n\n## Superseded Decisions\n- Nothing\n")
	g.plant(supersededReference, ".forgemind/projects/shed/CONTEXT.md", old.Decision)
}

func (g *garden) plantContexts() {
	for i := range 3 { // one, two, three decisions are missing
		var all []schema.Decision
		all = append(all, schema.Decision{Decision: fmt.Sprintf("Shown decision number %d about hedges", i), Timestamp: ago(30)})
		for k := range i + 1 {
			all = append(all, schema.Decision{Decision: fmt.Sprintf("Later decision %d-%d about ponds", i, k), Timestamp: ago(20 - k)})
		}
		g.plant(contextBehind, g.project(all, 1, "Design", "Design"), "## Key Decisions")
	}
	g.plant(contextBehind, g.project(nil, 0, "Detailed design", "Sketches"), "## Current State")
	g.decide(schema.Decision{Decision: "A word for a project without a page", Timestamp: ago(3), Project: "bare"})
	g.plant(contextBehind, g.put(".forgemind/projects/bare/project.json", schema.ProjectRecord{ID: "bare", Name: "bare", Channels: []string{}}))
}

func (g *garden) plantThreads() {
	for i := range 3 {
		g.plant(uncondensedThread, g.thread(schema.Thread{Status: "resolved", Opened: ago(40), Resolved: ago(1 + 10*i)}), `"status"`)
	}
	g.plant(uncondensedThread, g.thread(schema.Thread{Status: "archived", Opened: ago(40), Resolved: ago(30), Archived: ago(20)}), `"status"`)
	g.plant(uncondensedThread, g.thread(schema.Thread{Status: "resolved", Resolved: ago(2), Condensation: "2026-02-27-nowhere.md"}), `"condensation"`)
}

// plantLateWords plants what was said after a thread was condensed.
func (g *garden) plantLateWords() {
	for i := range 5 {
		d := g.decide(schema.Decision{Decision: fmt.Sprintf("Row %d gets straw", i), Timestamp: ago(20)})
		th := schema.Thread{Status: "resolved", Opened: ago(30), Resolved: ago(21), Condensation: g.condense(d, "")}
		if i%2 == 1 { // nobody wrote down a decision
			th.Condensation = g.condense(schema.Decision{Decision: "Straw"}, "")
			g.plant(unrecordedCondensation, ".forgemind/condensations/"+th.Condensation, "**Decision:**")
		}
		g.plant(saidSince, g.late(th, ago(25), ago(21), ago(10-i)), `"msg-2"`)
	}
}

// plantEdits plants condensations that somebody edited after they were recorded, and one whose decision was
// superseded as it says.
func (g *garden) plantEdits() {
	for i := range 5 {
		d := g.decide(schema.Decision{Decision: fmt.Sprintf("Bed %d is dug in spring", i), Timestamp: ago(20)})
		edited := g.condense(schema.Decision{ID: d.ID, Decision: fmt.Sprintf("Bed %d is dug in autumn", i)}, "")
		g.plant(editedCondensation, ".forgemind/condensations/"+edited, "**Decision:**")
	}
	const told = "The key of the shed is ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	masked, _ := secret.Mask(told)
	g.condense(schema.Decision{ID: g.decide(schema.Decision{Decision: masked, Timestamp: ago(20)}).ID, Decision: told}, "")
	d := g.decide(schema.Decision{Decision: "Bed 9 is dug in spring", Timestamp: ago(20)})
	g.decide(schema.Decision{Decision: "Bed 9 is dug in autumn", Timestamp: ago(10), Supersedes: schema.IDs{d.ID}})
	g.condense(schema.Decision{ID: d.ID, Decision: "Bed 9 is dug in autumn"}, "")
}

// plantUnrecorded plants condensations whose decision is not recorded, and some that need none.
func (g *garden) plantUnrecorded() {
	for i := range 2 {
		g.plant(unrecordedCondensation, ".forgemind/condensations/"+g.condense(schema.Decision{Decision: fmt.Sprintf("Bed %d lies fallow", 20+i)}, ""), "**Decision:**")
	}
	g.plant(unrecordedCondensation, ".forgemind/condensations/"+g.condense(schema.Decision{ID: "DEC-GONE01", Decision: "Bed 22 lies fallow"}, ""), "**Decision:**")
	g.decide(schema.Decision{Decision: "Bed 23 lies fallow", Timestamp: ago(20)})
	g.condense(schema.Decision{Decision: "Bed 23 lies fallow."}, "")
	g.condense(schema.Decision{Decision: "_not found in the discussion_"}, "")
}

// plantState plants what the State says of questions, actions and figures.
func (g *garden) plantState() {
	decided := g.decide(schema.Decision{Decision: "Pears it is", Rationale: "It settles Q-DECIDED1", Timestamp: ago(5)})
	for i := range 5 {
		q := schema.Question{ID: g.id("Q"), Question: fmt.Sprintf("What of row %d?", i), AskedAt: ago(20), Status: "awaiting_answer"}
		switch i {
		case 0, 1:
			g.replies = append(g.replies, schema.Clarification{ID: q.ID, Question: "otherwise put", Answer: "Yes"})
		case 2:
			g.replies = append(g.replies, schema.Clarification{ID: g.id("Q"), Question: "what of ROW 2", Answer: "Yes"})
		case 3:
			q.Status = "answered"
		case 4:
			q.ID = "Q-DECIDED1"
		}
		g.state.OpenQuestions = append(g.state.OpenQuestions, q)
		if i == 0 { // the question is told of, and that is enough
			g.state.PendingActions = append(g.state.PendingActions, schema.Action{ID: g.id("ACT"), Action: "Wait for it", BlockedBy: schema.IDs{q.ID}, Created: ago(9)})
		}
		if i == 3 {
			g.plant(answeredQuestion, fs.State, `"open_questions"`, `"id": "`+q.ID, `"status"`)
			continue
		}
		g.plant(answeredQuestion, fs.State, `"open_questions"`, "^"+`"id": "`+q.ID)
	}
	for i := range 5 {
		g.state.PendingActions = append(g.state.PendingActions, schema.Action{ID: g.id("ACT"), Action: fmt.Sprintf("Mend gate %d", i), Created: ago(40), Due: ago(1 + 7*i), Priority: g.one("P0", "P2", "")})
		g.plant(overdueAction, fs.State, `"id": "`+g.state.PendingActions[len(g.state.PendingActions)-1].ID, `"due"`)
	}
	done := schema.Done{ID: g.id("ACT"), Action: "Sharpen the saw", Completed: ago(6)}
	g.put(".quaid/context/sessions/conv-1/metadata.json", schema.SessionMetadata{SessionID: "conv-1", Started: ago(10), LastActivity: ago(9), Completed: []schema.Done{done}})
	for _, by := range []string{g.replies[0].ID, done.ID, decided.ID, "Sharpen the saw", "How high is the wall?"} {
		g.state.PendingActions = append(g.state.PendingActions, schema.Action{ID: g.id("ACT"), Action: "Cut the hedge for " + by, BlockedBy: schema.IDs{by}, Created: ago(7)})
		g.plant(unblockedAction, fs.State, `"id": "`+g.state.PendingActions[len(g.state.PendingActions)-1].ID, `"blocked_by"`)
	}
	g.state.SessionStats.DecisionsRecorded = 5000
	g.plant(contradiction, fs.State, `"decisions_recorded"`)
	for _, claim := range []string{"We are in layer 1 (MODULE)", "Layer: SPECIFICATION", "Clarity: 85 %", "There are 77 open questions"} {
		g.plant(contradiction, g.note("## Current context summary\n\n- "+claim+"\n"), claim)
	}
}

func (g *garden) plantTimes() {
	ahead := schema.FormatTime(today.AddDate(0, 0, 3))
	d := g.decide(schema.Decision{Decision: "Decided the day after tomorrow", Timestamp: ahead})
	g.plant(oddTime, ledgerName(d.ID), `"timestamp"`)
	g.plant(oddTime, g.thread(schema.Thread{Status: "active", Opened: ahead}), `"opened"`)
	h := schema.Handoff{ID: "task-ahead", Task: "Ahead", Created: ahead}
	g.plant(oddTime, g.put(".forgemind/handoffs/task-ahead.json", h), `"created"`)
	g.put(".forgemind/handoffs/task-local.json", schema.Handoff{ID: "task-local", Task: "Local time", Created: today.Add(9 * time.Hour).Format("2006-01-02T15:04:05")})
	g.state.Metadata.Timestamp, g.state.Metadata.SessionStart = ago(100), ago(100)
	g.plant(oddTime, fs.State, `"metadata"`, `"timestamp"`)
	g.put(".quaid/context/active_session.txt", "conv-2\n")
	g.put(".quaid/context/sessions/conv-2/hot_context.json", schema.HotContext{ConversationID: "conv-2"})
	g.put(".quaid/context/sessions/conv-2/recent_history.jsonl", `{"msg_id": "msg-1", "timestamp": "`+ago(3)+`", "agent": "ann", "content": "Still here"}`+"\n")
	g.plant(oddTime, g.put(".quaid/context/sessions/conv-2/metadata.json", schema.SessionMetadata{SessionID: "conv-2", Started: ago(60), LastActivity: ago(60)}), `"last_activity"`)
}

func (g *garden) plantPins() {
	for i := range 5 {
		g.plant(danglingPin, g.pin(fmt.Sprintf("2025-12-%02d-gone.md", i+1)), "^"+`"condensation"`)
	}
	for i := range 5 {
		old, _ := g.pair(schema.Decision{})
		if i%2 == 1 {
			old.ID = "" // known by its words only
		}
		g.plant(supersededPin, g.pin(g.condense(old, "")), "^"+`"condensation"`)
	}
}

// A decision about a directory is touched by what is in it: once by a commit,
// and weighs less, for directories change all the time.
func TestADirectoryIsTouchedByWhatIsInIt(t *testing.T) {
	g := newGarden(t, 6)
	dir := t.TempDir()
	gitAt(t, dir, ago(20), "init", "--quiet")
	g.decide(schema.Decision{ID: "DEC-DIR1", Decision: "The shed is of stone", Files: []string{"./shed/**"}, Timestamp: ago(15)})
	g.onDisk(dir)
	write(t, dir, "shed/door.md", "1")
	write(t, dir, "shed/roof.md", "1")
	commit(t, dir, ago(14), "All")
	write(t, dir, "shed/door.md", "2")
	gitAt(t, dir, ago(13), "rm", "--quiet", "shed/roof.md")
	commit(t, dir, ago(13), "Both")
	report := look(t, shelf(g.files), Options{Root: dir})
	same(t, "directory", report, []string{movedFile.Name + " " + ledgerName("DEC-DIR1")})
	if f := report.Findings[0]; f.Score != 40 || !strings.Contains(f.Message, "names shed, which 1 commit changed") {
		t.Errorf("%+v", f)
	}
}

// Who writes CONTEXT.md says in what it is behind: one finding for each file,
// and none besides about the same decision.
func TestThoseWhoWriteContextsKnowBest(t *testing.T) {
	g := newGarden(t, 5)
	old, now := g.pair(schema.Decision{Channel: "proj-shed"})
	name := g.project([]schema.Decision{{Decision: "Unsaid", Timestamp: ago(2)}}, 0, "Design", "Sketches")
	g.files[name] = "# Project Context: Shed\n\n## Key Decisions\n\n## Superseded Decisions\n" + old.Decision + "\n"
	plain := g.project(nil, 0, "", "")
	// The words of the old decision stand below no mark.
	g.files[name] = strings.Replace(g.files[name], "## Superseded Decisions\n", "## More\n\n", 1)
	g.finish()
	told := func(lags ...Lag) Options {
		return Options{Contexts: func(r fs.Reader, decisions []schema.Decision) ([]Lag, error) {
			if len(decisions) != 3 {
				t.Errorf("%d decisions", len(decisions))
			}
			return lags, nil
		}}
	}
	same(t, "no lag", look(t, shelf(g.files), told()), []string{"superseded-reference " + name})
	report := look(t, shelf(g.files), told(
		Lag{Name: name, Line: 7, Decision: now.ID, Text: "it does not say so"}, Lag{Name: name, Line: 9, Decision: old.ID, Text: "it does"}, Lag{Name: plain, Text: "a section is missing"}))
	same(t, "lags", report, []string{"context-behind " + name, "context-behind " + plain})
	if f := report.Findings; f[0].Line != 7 || f[0].Score != 70 || f[1].Score != 30 {
		t.Errorf("%+v", f)
	}
	wrong := errors.New("wrong")
	_, err := Audit(t.Context(), shelf(g.files), Options{Now: today, Contexts: func(fs.Reader, []schema.Decision) ([]Lag, error) { return nil, wrong }})
	if !errors.Is(err, wrong) {
		t.Errorf("%v", err)
	}
}

// Who condenses threads says what was decided in them and is in no condensation.
func TestThoseWhoCondenseThreadsKnowBest(t *testing.T) {
	g := newGarden(t, 5)
	open := g.thread(schema.Thread{Status: "active", Opened: ago(3)})
	held := g.thread(schema.Thread{Status: "active", Opened: ago(3)})
	id := func(name string) string { return strings.TrimSuffix(filepath.Base(name), ".json") }
	g.condense(schema.Decision{Decision: "_none named_"}, id(held))
	g.finish()
	told := func(all ...Outcome) Options {
		return Options{Now: today, Threads: func(r fs.Reader, now time.Time) ([]Outcome, error) {
			if !now.Equal(today) {
				t.Errorf("as of %v", now)
			}
			return all, nil
		}}
	}
	same(t, "none", look(t, shelf(g.files), told()), nil)
	report := look(t, shelf(g.files), told(Outcome{id(open), id(open), open, "ann decided: pears"}, Outcome{id(held), id(held), held, "bo decided: plums"}))
	same(t, "outcomes", report, []string{"uncondensed-thread " + open})
	if f := report.Findings[0]; f.Score != 50 || !strings.Contains(f.Message, "ann decided: pears") || !strings.Contains(f.Hint, "condense "+id(open)) {
		t.Errorf("%+v", f)
	}
	wrong := errors.New("wrong")
	_, err := Audit(t.Context(), shelf(g.files), Options{Now: today, Threads: func(fs.Reader, time.Time) ([]Outcome, error) { return nil, wrong }})
	if !errors.Is(err, wrong) {
		t.Errorf("%v", err)
	}
}

func TestRepositoryTextIsLookedAtWhereItIsAskedFor(t *testing.T) {
	g := newGarden(t, 2)
	old, now := g.pair(schema.Decision{})
	dir := t.TempDir()
	for name, text := range map[string]string{
		"docs/stale.md":       "# Storage\n\nOur rule: " + old.Decision + ".\n",
		"src/store.go":        "package store\n\n// As " + old.ID + " says.\nvar x = 1\n",
		"docs/adr-1.md":       "# ADR 1\n\nStatus: superseded\n\n" + old.ID + "\n",
		"docs/now.md":         "It was " + old.ID + ", replaced by " + now.ID + ".\n" + now.Decision + "\n",
		"CHANGELOG.md":        "- " + old.ID + "\n",
		"picture.png":         "\x00\x01 " + old.ID,
		"src/quoted.txt":      "See " + old.ID + "0 or my-" + old.ID + "-x\n",
		"docs/\x1b[2Jodd.txt": "Go by " + old.ID + "\x1b[2J\n",
	} {
		if runtime.GOOS == "windows" && strings.Contains(name, "\x1b") {
			continue // no name there
		}
		write(t, dir, name, text)
	}
	g.onDisk(dir)
	gitAt(t, dir, ago(9), "init", "--quiet")
	commit(t, dir, ago(9), "All")
	write(t, dir, "untracked.md", old.ID)
	tree, err := fs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	same(t, "without", look(t, tree, Options{Root: dir}), nil)
	report := look(t, tree, Options{Root: dir, Repo: true})
	same(t, "with", report, []string{"superseded-reference docs/stale.md", "superseded-reference src/store.go"})
}

func TestWhatCannotBeAsked(t *testing.T) {
	g := newGarden(t, 3)
	g.decide(schema.Decision{Decision: "It is about a file", Files: []string{"a.go"}, Timestamp: ago(3)})
	dir := t.TempDir()
	g.onDisk(dir)
	tree, err := fs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if report := look(t, tree, Options{Root: dir}); !strings.Contains(fmt.Sprint(report.NotChecked), "git") {
		t.Errorf("%+v", report)
	}
	for _, o := range []Options{{Root: dir, Repo: true}, {Root: dir, Since: "HEAD"}, {Since: "HEAD"}, {Repo: true}} {
		if _, err := Audit(t.Context(), tree, o); !errors.Is(err, git.ErrNoRepository) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	gitAt(t, dir, ago(1), "init", "--quiet")
	commit(t, dir, ago(1), "All")
	for _, rev := range []string{"nobody", "--output=x", "HEAD:.forgemind", ""} {
		if _, err := Audit(t.Context(), tree, Options{Now: today, Root: dir, Since: rev}); (err == nil) != (rev == "") {
			t.Errorf("%q: %v", rev, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Audit(ctx, tree, Options{Now: today}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// A stranger's texts are quoted cut, on one line, without secrets, and none of them
// stops an audit.
func TestStrangersTexts(t *testing.T) {
	g := newGarden(t, 4)
	old, _ := g.pair(schema.Decision{})
	g.note("- " + old.ID + " password=hunter2hunter2 \x1b[2J" + strings.Repeat("long ", 500) + "\n")
	g.put(".forgemind/channels/x/pins.json", schema.Pins{Pins: []schema.Pin{{Condensation: "../../../etc/passwd\n::error::x"}, {}}})
	g.put(".forgemind/channels/y/pins.json", strings.Repeat("[", 100_000))
	g.put(".forgemind/memory/notes.md", strings.Repeat("- ", 100_000)+old.ID)
	g.put(".forgemind/memory/bad.md", "\xff\xfe\x00"+old.ID)
	g.put(".forgemind/context/clarifications.jsonl", "{\"question\": 5}\n"+strings.Repeat("[", 10_000)+"\n{")
	g.put(".forgemind/condensations/x.md", "**Decision:**\n**"+strings.Repeat("a", 5000)+":** b\n**Supersedes:** DEC-404, "+strings.Repeat("DEC-1 ", 1000))
	report, err := Audit(t.Context(), shelf(g.files), Options{Now: today})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, f := range report.Findings {
		kinds[f.Kind]++
		for _, e := range append(f.Evidence, Evidence{Text: f.Message}, Evidence{Text: f.About}) {
			if len(e.Text) > 1000 || strings.ContainsAny(e.Text, "\n") || strings.Contains(e.Text, "hunter2") {
				t.Errorf("%q", e.Text)
			}
		}
	}
	if kinds["superseded-reference"] < 2 || kinds["dangling-pin"] != 2 || kinds["dangling-supersedes"] != 2 {
		t.Errorf("%v", kinds)
	}
	if !slices.Equal(report.Unread, []string{".forgemind/channels/y/pins.json"}) {
		t.Errorf("unread: %q", report.Unread)
	}
}

func TestMain(m *testing.M) {
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	os.Setenv("GIT_CONFIG_GLOBAL", filepath.FromSlash(os.DevNull))
	os.Exit(m.Run())
}
