package brief

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/internal/acted"
	"github.com/forgemind/forgemind/schema"
)

// Statuses of goals that are reached, and of those that were given up.
var (
	reached = []string{"complete", "completed", "done", "reached", "closed"}
	givenUp = []string{"abandoned", "dropped", "cancelled", "canceled", "rejected", "superseded"}
)

func isOne(status string, of []string) bool {
	return slices.Contains(of, strings.ToLower(strings.TrimSpace(status)))
}

// where returns where the project stands, without what a new project has by itself.
func (rec *Records) where(projects []Project) string {
	var said []string
	if p := rec.State.Project; p != nil {
		layer := "layer " + strconv.Itoa(int(p.CurrentLayer))
		if name, ok := schema.LayerName(int(p.CurrentLayer)); ok {
			layer += " " + name
		}
		if p.CurrentLayer != 0 || p.Clarity != 0 {
			said = append(said, layer)
		}
		if p.Clarity != 0 {
			said = append(said, "clarity "+strconv.FormatFloat(p.Clarity, 'f', -1, 64)+" %")
		}
		if p.Status != schema.NotStarted {
			said = append(said, label(p.Status))
		}
	}
	if len(projects) == 1 {
		p := projects[0]
		said = append(said, prefixed("phase ", p.Phase), prefixed("active: ", p.Active), prefixed("blocked: ", p.Blocked))
	}
	switch {
	case rec.Session != "":
		said = append(said, prefixed("session ", rec.Session))
	case rec.Last != "":
		said = append(said, "no session is active here, the last was "+label(rec.Last))
	}
	if m := rec.State.Metadata; m != nil && m.Timestamp != "" {
		said = append(said, "as of "+day(m.Timestamp))
	}
	return strings.Join(slices.DeleteFunc(said, func(s string) bool { return s == "" }), ", ")
}

func (rec *Records) goals(c cuts) (all []Item) {
	goals := slices.Clone(rec.Hot.ActiveGoals)
	slices.SortStableFunc(goals, func(a, b schema.Goal) int { return cmp.Compare(rank(a.Priority), rank(b.Priority)) })
	for _, g := range goals {
		if isOne(g.Status, reached) || isOne(g.Status, givenUp) {
			continue
		}
		all = append(all, Item{
			ID: mark(g.ID), Date: day(g.Created), Text: plain(g.Goal, c.text),
			About: labels(g.Priority, g.Status, prefixed("part of ", g.ParentGoalID)),
		})
	}
	return all
}

// rank orders priorities, the highest first.
func rank(priority string) int {
	switch strings.ToLower(strings.TrimSpace(priority)) {
	case "critical", "p0", "urgent":
		return 0
	case "high", "p1":
		return 1
	case "", "normal", "medium", "p2":
		return 2
	}
	return 3
}

func (rec *Records) constraints(c cuts, projects []Project) (all []Item) {
	seen := map[string]bool{}
	add := func(i Item, text string) {
		if i.Text = plain(text, c.rule); i.Text != "" && !seen[i.Text] {
			seen[i.Text] = true
			all = append(all, i)
		}
	}
	for _, k := range rec.Hot.ImportantConstraints {
		add(Item{ID: mark(k.ID), Date: day(k.Created)}, k.Constraint)
	}
	for _, p := range projects {
		for _, text := range p.Constraints {
			add(Item{Date: "undated", About: labels("project " + p.Name)}, text)
		}
	}
	return all
}

func (rec *Records) questions(c cuts) (all []Item) {
	questions := rec.Questions()
	slices.SortStableFunc(questions, func(a, b schema.Question) int { return cmp.Compare(rank(a.Priority), rank(b.Priority)) })
	for _, q := range questions {
		all = append(all, Item{
			ID: mark(q.ID), Date: day(q.AskedAt), Text: plain(joined(plain(q.Question, c.text), q.Context), c.text+c.why),
			About: labels(q.Priority, prefixed("blocks ", strings.Join(q.Blocking, " "))),
		})
	}
	return all
}

// joined is a text with what there is to add.
func joined(text, more string) string {
	if strings.TrimSpace(more) == "" {
		return text
	}
	return text + " — " + more
}

// files returns the files that are being worked on, in one item.
func (rec *Records) files(c cuts) (all []Item) {
	if f := rec.Hot.CurrentFileContext; f != nil && (f.LastEdited != "" || len(f.Files) > 0) {
		files := f.Files
		if f.LastEdited != "" {
			files = append([]string{f.LastEdited}, slices.DeleteFunc(slices.Clone(f.Files), func(s string) bool { return s == f.LastEdited })...)
		}
		all = append(all, Item{
			Date: day(f.Updated), Text: plain(strings.Join(files, ", "), c.text),
			About: labels("files in work", prefixed("in ", f.CurrentFunction)),
		})
	}
	return all
}

// next returns what is to be done: the pending actions and handoffs, those that wait for
// nothing first, and of these the most urgent.
func (rec *Records) next(c cuts, handoffs []schema.Handoff) (all []Item) {
	var actions []schema.Action
	handed := map[string]string{} // id of a handoff → from whom
	for _, h := range slices.Backward(handoffs) {
		handed[h.ID] = cmp.Or(h.From, "somebody")
		actions = append(actions, schema.Action{ID: h.ID, Action: joined(plain(h.Task, c.text), h.Summary), Created: h.Created, AssignedTo: h.To})
	}
	actions = append(actions, rec.Actions()...)
	slices.SortStableFunc(actions, func(a, b schema.Action) int {
		return cmp.Or(cmp.Compare(min(len(a.BlockedBy), 1), min(len(b.BlockedBy), 1)), cmp.Compare(rank(a.Priority), rank(b.Priority)))
	})
	for _, a := range actions {
		detected := ""
		if a.Origin == schema.OriginDetected { // nobody asked for it but a message
			detected = "detected"
		}
		due := ""
		if a.Due != "" {
			due = "due " + day(a.Due)
		}
		all = append(all, Item{
			ID: mark(a.ID), Date: day(a.Created), Text: plain(a.Action, c.text),
			About: labels(a.Priority, prefixed("handoff from ", handed[a.ID]), detected, prefixed("for ", a.AssignedTo), prefixed("blocked by ", strings.Join(a.BlockedBy, " ")), due),
		})
	}
	if n := len(rec.Proposed); n > 0 {
		d := rec.Proposed[n-1]
		text := "proposed, and not in force: " + quoted(d.Decision, c.text)
		if n > 1 {
			text += fmt.Sprintf(", the newest of %d proposals", n)
		}
		all = append(all, Item{ID: mark(d.ID), Date: day(d.Timestamp), Text: text + "; " + acceptedBy, About: labels(prefixed("by ", d.DecisionMaker))})
	}
	if n := asked(rec.Due); n > 0 {
		all = append(all, Item{ID: "due", Text: fmt.Sprintf("what others recorded has effects that wait to be asked for (%d); 'forgemind status' lists them, 'forgemind trigger fire --due' does them", n)})
	}
	if n := rec.Concluded; n > 0 {
		all = append(all, Item{ID: "threads", Text: fmt.Sprintf("threads that came to a conclusion are not condensed (%d); 'forgemind thread list' says which, 'forgemind condense ID' writes down what one came to", n)})
	}
	return all
}

// asked returns how many effects wait to be asked for. Those of a view wait until it is mended, and a fault names it.
func asked(due []acted.Due) (n int) {
	for _, d := range due {
		if d.Action != acted.ShowOnceMended {
			n++
		}
	}
	return n
}

// acceptedBy says what puts a proposal in force.
const acceptedBy = "'forgemind decision promote ID' puts it in force"

func (rec *Records) notes(c cuts) (all []Item) {
	for _, n := range slices.Backward(rec.Hot.Notes) {
		all = append(all, Item{ID: mark(n.ID), Date: day(n.Created), Text: plain(n.Note, c.text)})
	}
	return all
}

// abandoned returns the goals that were given up, and the layers that were gone back from.
func (rec *Records) abandoned(c cuts) (all []Item) {
	for _, g := range rec.Hot.ActiveGoals {
		if isOne(g.Status, givenUp) {
			all = append(all, abandonedGoal(g, c))
		}
	}
	if p := rec.State.Project; p != nil {
		for _, layer := range slices.Sorted(maps.Keys(p.Progress)) {
			reached := p.Progress[layer]
			n, err := strconv.Atoi(layer)
			name, ok := schema.LayerName(n)
			if !reached.Invalidated || err != nil || !ok {
				continue
			}
			all = append(all, Item{
				Date: day(reached.Entered),
				Text: fmt.Sprintf("layer %d %s was given up at clarity %s %%: the project went back", n, name, strconv.FormatFloat(reached.Clarity, 'f', -1, 64)),
			})
		}
	}
	return all
}

// abandonedGoal returns a goal that was given up.
func abandonedGoal(g schema.Goal, c cuts) Item {
	return Item{ID: mark(g.ID), Date: day(g.Created), Text: label(g.Status) + " goal " + quoted(g.Goal, c.short)}
}

// quoted is a text in quotation marks.
func quoted(text string, most int) string { return `"` + plain(text, most) + `"` }

// staleItem is what is stale: "FILE:LINE: what".
func staleItem(text string, most int) Item {
	at, what, ok := strings.Cut(text, ": ")
	at = strings.TrimLeft(plain(at, 160), "#>`~-+*|=_ ")
	if !ok || at == "" {
		return Item{ID: "at", Text: plain(text, most)}
	}
	return Item{ID: at, Text: plain(what, most)}
}

// more says where there is more.
func more(o Options, left bool) (all []Item) {
	for _, p := range o.Projects {
		if p.Context != "" {
			all = append(all, Item{ID: "context", Text: plain(p.Context, 120) + ", the living document of " + quoted(p.Name, 60)})
		}
	}
	if left {
		all = append(all, Item{ID: o.Ways.Name, Text: o.Ways.All})
	}
	return all
}
