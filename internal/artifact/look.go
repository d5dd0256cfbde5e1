package artifact

import (
	"context"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Part is one section of a View.
type Part struct {
	Title  string `json:"title"`
	Layer  int    `json:"layer"`  // load layer, 1 to 3
	Text   string `json:"text"`   // markdown
	Tokens int    `json:"tokens"` // tokens of Text
}

// A View is the context that an agent gets at a load layer.
type View struct {
	Layer   int    `json:"layer"`
	Tokens  int    `json:"tokens"`  // total of all parts
	Counter string `json:"counter"` // name of the method that counted the tokens
	Parts   []Part `json:"parts"`
}

// Sources holds the contents of a View other than the State and the artifacts.
type Sources struct {
	Decisions []schema.Decision // newest last; superseded ones are marked
	Standing  schema.Standing
	// These are in force; the State has the rest.
	Goals       []schema.Goal
	Constraints []schema.Constraint
	Actions     []schema.Action
	Questions   []schema.Question
	Notes       []schema.Note
	// Versions returns the times at which an artifact's file changed, for load layer 3. It may be
	// nil.
	Versions func(ctx context.Context, path string) ([]string, error)
}

const (
	lastDecisions = 3   // decisions in the essential context
	maxPoints     = 100 // items of one list
	maxPoint      = 500 // characters of one item
)

// Look returns the View of a load layer from 1 to 3 (strategy 1 of the CMS document). It changes
// nothing. It counts tokens with e.Count.
func Look(ctx context.Context, r fs.Reader, layer int, s Sources, e Edge) (View, error) {
	if layer < 1 || layer > 3 {
		return View{}, fmt.Errorf("load layer %d: there are the load layers 1 to 3", layer)
	}
	src, err := r.Read(fs.State)
	if err != nil {
		return View{}, err
	}
	var state schema.State
	if err := jsonedit.Decode(src, &state); err != nil {
		return View{}, fmt.Errorf("%s: %w", fs.State, err)
	}
	v := view{View: View{Layer: layer, Counter: e.Counter}, count: e.Count}
	v.essential(state, s)
	if layer >= 2 {
		roster, err := readRoster(r)
		if err != nil {
			return View{}, err
		}
		shown, err := v.task(r, roster, e)
		if err != nil {
			return View{}, err
		}
		if layer >= 3 {
			if err := v.history(ctx, r, shown, s); err != nil {
				return View{}, err
			}
		}
	}
	return v.View, nil
}

// Markdown returns the View as a markdown text.
func (v View) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Context, load layer %d\n\n%d tokens (%s)\n", v.Layer, v.Tokens, line(v.Counter, 40))
	for _, p := range v.Parts {
		fmt.Fprintf(&b, "\n## %s\n\n*%d tokens*\n\n%s", p.Title, p.Tokens, p.Text)
	}
	return b.String()
}

// A view holds the state of one call of Look.
type view struct {
	View
	count func(string) int
}

// add appends a part.
func (v *view) add(layer int, title, text string) {
	p := Part{Title: line(title, maxName), Layer: layer, Text: text, Tokens: v.count(text)}
	v.Parts = append(v.Parts, p)
	v.Tokens += p.Tokens
}

// points returns a list of n lines. Items beyond the limit are given as a number.
func points(n int, none string, point func(i int) string) string {
	if n == 0 {
		return none + "\n"
	}
	var b strings.Builder
	for i := range min(n, maxPoints) {
		fmt.Fprintf(&b, "- %s\n", line(point(i), maxPoint))
	}
	if n > maxPoints {
		fmt.Fprintf(&b, "- and %d more\n", n-maxPoints)
	}
	return b.String()
}

// essential adds load layer 1: role, agent, layer, clarity, goals, constraints, the last three
// decisions, open questions, pending actions and notes.
func (v *view) essential(state schema.State, s Sources) {
	if role := state.Role; role != nil {
		facts := []string{fmt.Sprintf("Agent: %s (%s)", role.Agent, role.AgentID)}
		if role.AgentVersion != "" {
			facts = append(facts, "Version: "+role.AgentVersion)
		}
		facts = append(facts, "Mode: "+role.Mode)
		if len(role.Capabilities) > 0 {
			facts = append(facts, "Capabilities: "+strings.Join(role.Capabilities, ", "))
		}
		v.add(1, "Role and agent", points(len(facts), "", func(i int) string { return facts[i] }))
	}
	if p := state.Project; p != nil {
		facts := []string{"Project: " + p.Name}
		name, _ := schema.LayerName(int(p.CurrentLayer))
		facts = append(facts, fmt.Sprintf("Layer: %d %s", int(p.CurrentLayer), name), fmt.Sprintf("Clarity: %v %%", p.Clarity))
		if p.Status != "" {
			facts = append(facts, "Status: "+p.Status)
		}
		v.add(1, "Layer and clarity", points(len(facts), "", func(i int) string { return facts[i] }))
	}
	v.addAny("Goals", len(s.Goals), func(i int) string { return entry(s.Goals[i].ID, s.Goals[i].Goal) })
	v.addAny("Constraints", len(s.Constraints), func(i int) string { return entry(s.Constraints[i].ID, s.Constraints[i].Constraint) })
	last := s.Decisions[max(0, len(s.Decisions)-lastDecisions):]
	v.add(1, "Last decisions", points(len(last), "None yet.", func(i int) string { return decision(last[i], s.Standing) }))
	v.add(1, "Pending actions", points(len(s.Actions), "None.", func(i int) string { return action(s.Actions[i]) }))
	v.addAny("Open questions", len(s.Questions), func(i int) string { return entry(s.Questions[i].ID, s.Questions[i].Question) })
	v.addAny("Notes", len(s.Notes), func(i int) string { return entry(s.Notes[i].ID, s.Notes[i].Note) })
}

// addAny adds a list to layer 1 unless it is empty.
func (v *view) addAny(title string, n int, point func(i int) string) {
	if n > 0 {
		v.add(1, title, points(n, "", point))
	}
}

// entry returns an item on one line: its id, if any, and its text.
func entry(id, text string) string {
	if id == "" {
		return text
	}
	return id + ": " + text
}

// decision returns a decision on one line.
func decision(d schema.Decision, standing schema.Standing) string {
	text := d.ID + ": " + d.Decision
	if by, ok := standing.SupersededBy(d.ID); ok {
		text = fmt.Sprintf("%s (superseded by %s): %s", d.ID, by, d.Decision)
	}
	if d.Rationale != "" {
		text = strings.TrimSuffix(text, ".") + ". Why: " + d.Rationale
	}
	return text
}

// action returns a pending action on one line.
func action(a schema.Action) string {
	text := a.Action
	if a.ID != "" {
		text = a.ID + ": " + text
	}
	if a.Priority != "" {
		text += " [" + a.Priority + "]"
	}
	if a.AssignedTo != "" {
		text += ", " + a.AssignedTo
	}
	if a.Due != "" {
		text += ", due " + a.Due
	}
	if len(a.BlockedBy) > 0 {
		text += ", blocked by: " + strings.Join(a.BlockedBy, ", ")
	}
	return text
}
