package artifact

import (
	"context"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Part is one thing in a View.
type Part struct {
	Title  string `json:"title"`
	Layer  int    `json:"layer"`  // load layer, 1 to 3
	Text   string `json:"text"`   // markdown
	Tokens int    `json:"tokens"` // of Text
}

// A View is what an agent is given at a load layer.
type View struct {
	Layer   int    `json:"layer"`
	Tokens  int    `json:"tokens"`  // of all parts
	Counter string `json:"counter"` // what counted them
	Parts   []Part `json:"parts"`
}

// Sources are what a View is made of besides the State and the artifacts.
type Sources struct {
	Decisions []schema.Decision // the newest last; those that are superseded are marked
	Standing  schema.Standing
	// Versions lists when an artifact's file changed, for load layer 3; nil:
	// nobody knows.
	Versions func(ctx context.Context, path string) ([]string, error)
}

const (
	lastDecisions = 3   // that the essential context has
	maxPoints     = 100 // of one list
	maxPoint      = 500 // characters of one point of a list
)

// Look makes the View of a load layer, 1 to 3, strategy 1 of the CMS document.
// It changes nothing. Tokens are counted by e.Count.
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

// Markdown is the View as people and agents read it.
func (v View) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Context, load layer %d\n\n%d tokens (%s)\n", v.Layer, v.Tokens, line(v.Counter, 40))
	for _, p := range v.Parts {
		fmt.Fprintf(&b, "\n## %s\n\n*%d tokens*\n\n%s", p.Title, p.Tokens, p.Text)
	}
	return b.String()
}

// A view is a View that is being made.
type view struct {
	View
	count func(string) int
}

// add puts a part to the end.
func (v *view) add(layer int, title, text string) {
	p := Part{Title: line(title, maxName), Layer: layer, Text: text, Tokens: v.count(text)}
	v.Parts = append(v.Parts, p)
	v.Tokens += p.Tokens
}

// points writes a list: a line for each of n, the rest as a number.
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

// essential is load layer 1: role and agent, layer and clarity, the last three
// decisions, pending actions.
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
	last := s.Decisions[max(0, len(s.Decisions)-lastDecisions):]
	v.add(1, "Last decisions", points(len(last), "None yet.", func(i int) string { return decision(last[i], s.Standing) }))
	v.add(1, "Pending actions", points(len(state.PendingActions), "None.", func(i int) string { return action(state.PendingActions[i]) }))
}

// decision is a decision on one line.
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

// action is a pending action on one line.
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
