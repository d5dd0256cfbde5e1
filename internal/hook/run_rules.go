package hook

import (
	"context"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/secret"
)

// edits sets the text with the rules for the files that a tool is about to change.
func (r *hookCall) edits(ctx context.Context, tree *engine.Tree, m *memory) func(*memory) {
	if !readsBeforeTool(r.call.Agent) {
		return nil
	}
	rules, ids, err := ruling(ctx, tree, m, r.changed(tree.Tree))
	if err != nil {
		r.fail(err)
	}
	if rules == "" {
		return nil
	}
	r.setOutput(cut(rules, mostContext))
	return func(m *memory) { m.Given = again(m.Given, ids...) }
}

// readsBeforeTool reports whether an agent takes context from a hook before it uses a tool. Others take
// only a permission.
func readsBeforeTool(agent string) bool { return agent == "claude" || agent == "codex" }

// ruling returns the rules for the files and the rules' ids. It leaves out rules that the window
// has.
func ruling(ctx context.Context, tree *engine.Tree, m *memory, files []string) (text string, ids []string, err error) {
	if len(files) == 0 {
		return "", nil, nil
	}
	rules, err := query.Ruling(ctx, tree.Tree, files)
	about := ""
	for _, g := range rules {
		id := "rule " + g.ID + " " + g.Path
		if slices.Contains(m.Given, id) {
			continue
		}
		if about != g.Path {
			about = g.Path
			text += "## What governs " + oneLine(about, 200) + " (" + asData + ")\n"
		}
		masked, _ := secret.Mask(g.Text)
		text += fmt.Sprintf("- %s (%s): %s\n", oneLine(g.ID, 80), oneLine(g.Date, 10), oneLine(masked, 300))
		ids = append(ids, id)
	}
	return text, ids, err
}

// place returns the path, relative to the project directory, of a file that is named relative to
// the agent's directory or the project directory. It returns "" for a file outside both. It reports
// whether the file exists.
func (r *hookCall) place(tree *fs.Tree, file string) (name string, there bool) {
	for _, dir := range []string{r.dir, tree.Root()} {
		at := inside(tree.Root(), dir, file)
		if at == "" {
			continue
		}
		if _, err := tree.Look(at); err == nil {
			return at, true
		}
		if name == "" {
			name = at
		}
	}
	return name, false
}
