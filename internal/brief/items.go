package brief

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// Statuses of goals that are reached, and of goals that were given up.
var (
	reached = []string{"complete", "completed", "done", "reached", "closed"}
	givenUp = []string{"abandoned", "dropped", "cancelled", "canceled", "rejected", "superseded"}
)

func isOne(status string, of []string) bool {
	return slices.Contains(of, strings.ToLower(strings.TrimSpace(status)))
}

// where returns the position of the project.
func (rec *Records) where() string {
	var said []string
	if p := rec.State.Project; p != nil {
		layer := "layer " + strconv.Itoa(int(p.CurrentLayer))
		if name, ok := schema.LayerName(int(p.CurrentLayer)); ok {
			layer += " " + name
		}
		said = append(said, layer, "clarity "+strconv.FormatFloat(p.Clarity, 'f', -1, 64)+" %", label(p.Status))
	}
	if len(rec.Projects) == 1 {
		p := rec.Projects[0]
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
	goals := rec.Goals()
	slices.SortStableFunc(goals, func(a, b schema.Goal) int { return cmp.Compare(rank(a.Priority), rank(b.Priority)) })
	for _, g := range goals {
		all = append(all, Item{
			ID: mark(g.ID), Date: day(g.Created), Text: plain(g.Goal, c.text),
			About: labels(g.Priority, g.Status, prefixed("part of ", g.ParentGoalID)),
		})
	}
	return all
}

// rank returns a number by which priorities are sorted, the highest first.
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

func (rec *Records) constraints(c cuts) (all []Item) {
	seen := map[string]bool{}
	for i, k := range rec.Constraints() {
		item := Item{ID: mark(k.ID), Date: day(k.Created), Text: plain(k.Constraint, c.rule)}
		if i >= len(rec.Hot.ImportantConstraints) {
			item.About = labels(k.Agent)
		}
		if item.Text != "" && !seen[item.Text] {
			seen[item.Text] = true
			all = append(all, item)
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

// joined returns a text with more added.
func joined(text, more string) string {
	if strings.TrimSpace(more) == "" {
		return text
	}
	return text + " — " + more
}

// next returns the work in progress and the next steps: pending actions and handoffs, those
// that are not blocked first, and of these the most urgent.
func (rec *Records) next(c cuts) (all []Item) {
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
	var actions []schema.Action
	handed := map[string]string{} // id of a handoff → its author
	for _, h := range rec.HandedOver() {
		handed[h.ID] = h.CreatedBy
		actions = append(actions, h)
	}
	actions = append(actions, rec.Actions()...)
	slices.SortStableFunc(actions, func(a, b schema.Action) int {
		return cmp.Or(cmp.Compare(min(len(a.BlockedBy), 1), min(len(b.BlockedBy), 1)), cmp.Compare(rank(a.Priority), rank(b.Priority)))
	})
	for _, a := range actions {
		detected := ""
		if a.Origin == schema.OriginDetected { // it was only detected in a message
			detected = "detected"
		}
		due := ""
		if a.Due != "" {
			due = "due " + day(a.Due)
		}
		all = append(all, Item{
			ID: mark(a.ID), Date: day(a.Created), Text: plain(a.Action, c.text),
			About: labels(a.Priority, prefixed("handoff from ", handed[a.ID]), detected, prefixed("for ", a.AssignedTo), prefixed("blocked by ", strings.Join(a.BlockedBy, " ")), due, heldBy(a.Claim)),
		})
	}
	for _, t := range rec.Claimed {
		all = append(all, Item{ID: mark(t.ID), Date: day(t.Opened), Text: plain(t.Title, c.text), About: labels("thread", heldBy(t.Claim))})
	}
	return all
}

// heldBy returns a label with the holder and the end of a claim, "" for none.
func heldBy(c *schema.Claim) string {
	if c == nil {
		return ""
	}
	until, err := schema.ParseTime(c.Until)
	if err != nil {
		return ""
	}
	return "held by " + plain(c.By, 24) + " until " + until.UTC().Format("2006-01-02T15:04Z")
}

func (rec *Records) notes(c cuts) (all []Item) {
	for _, n := range slices.Backward(rec.Hot.Notes) {
		all = append(all, Item{ID: mark(n.ID), Date: day(n.Created), Text: plain(n.Note, c.text)})
	}
	return all
}

// abandoned returns the goals that were given up, and the layers that a backtrack left.
func (rec *Records) abandoned(c cuts) (all []Item) {
	for _, g := range rec.Hot.ActiveGoals {
		if isOne(g.Status, givenUp) {
			all = append(all, Item{ID: mark(g.ID), Date: day(g.Created), Text: label(g.Status) + " goal " + quoted(g.Goal, c.short)})
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

// quoted returns a text in quotation marks.
func quoted(text string, most int) string { return `"` + plain(text, most) + `"` }

// StaleItems returns the items of the stale references.
func (rec *Records) StaleItems() []Item { return rec.stale(2 * cutsFor(DefaultTokens).text) }

func (rec *Records) stale(most int) (all []Item) {
	for _, text := range rec.Stale {
		all = append(all, staleItem(text, most))
	}
	return all
}

// staleItem returns the item of a stale reference: "FILE:LINE: reason".
func staleItem(text string, most int) Item {
	at, what, ok := strings.Cut(text, ": ")
	at = strings.TrimLeft(plain(at, 160), "#>`~-+*|=_ ")
	if !ok || at == "" {
		return Item{ID: "at", Text: plain(text, most)}
	}
	return Item{ID: at, Text: plain(what, most)}
}

// more returns where to find more: CONTEXT.md files, commands, and artifacts in the window.
func (rec *Records) more(o Options, left bool) (all []Item) {
	for _, p := range rec.Projects {
		if p.Context != "" {
			all = append(all, Item{ID: "context", Text: plain(p.Context, 120) + ", the living document of " + quoted(p.Name, 60)})
		}
	}
	if left {
		all = append(all, Item{ID: o.Ways.Name, Text: o.Ways.All})
	}
	for _, a := range rec.Artifacts() {
		all = append(all, Item{ID: cmp.Or(mark(a.ID), "artifact"), About: []string{"loaded"}, Text: plain(cmp.Or(a.Path, a.Name, a.ID), 160)})
	}
	return all
}
