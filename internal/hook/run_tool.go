package hook

import (
	"context"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/secret"
)

const (
	mostTasks  = 8    // of subagents that did not begin yet
	longTask   = 2000 // characters of one of them
	mostFailed = 5    // tools that failed and are remembered
	longFailed = 300  // characters of what is told of one
	mostBrief  = 4000 // that a subagent is told
)

// inWindow returns an id of memory.Given as it stands there for the window of the event: a
// subagent has one of its own.
func (r *running) inWindow(id string) string {
	if r.payload.subagent == "" {
		return id
	}
	return id + " in " + r.payload.subagent
}

// ofFiles tells what governs the files that a tool reads or changes, and those that a command
// names, each once in a window.
func (r *running) ofFiles(ctx context.Context, tree *engine.Tree, m *memory) func(*memory) {
	names := r.namedFiles(tree.Tree, r.payload.command)
	for _, file := range r.payload.files {
		name, _ := r.place(tree.Tree, file)
		names = append(names, name)
	}
	var files, seen []string
	for _, name := range names {
		if id := r.inWindow("file " + name); name != "" && !slices.Contains(m.Given, id) {
			files, seen = again(files, name), again(seen, id)
		}
	}
	task := r.quoted(r.payload.task, longTask)
	cleared := r.payload.command != "" && slices.ContainsFunc(m.Failed, r.isCommand)
	if len(files) == 0 && task == "" && !cleared {
		return nil
	}
	if reads(r.call.Agent, r.at) {
		rules, ids, err := r.ruling(ctx, tree, m, files)
		r.fail(err)
		r.say(rules)
		seen = append(seen, ids...)
	}
	return func(now *memory) {
		now.Given = again(now.Given, seen...)
		if r.at == working && task != "" {
			now.Tasks = last(append(now.Tasks, task), mostTasks)
		}
		if r.at == worked {
			now.Failed = slices.DeleteFunc(now.Failed, r.isCommand)
		}
	}
}

// A failing is a command of a shell that failed.
type failing struct {
	Command string `json:"command"` // in short
	Error   string `json:"error"`
}

// isCommand reports whether the event is about the command that failed.
func (r *running) isCommand(f failing) bool {
	return f.Command == r.quoted(r.payload.command, longFailed)
}

// quoted returns a text on one line, with nothing secret.
func (r *running) quoted(text string, most int) string {
	masked, _ := secret.Mask(text[:min(len(text), 8*most)])
	return oneLine(masked, most)
}

// hasFailed notes a command that failed and said why, until the session ends or it does not
// fail any more.
func (r *running) hasFailed() func(*memory) {
	command, why := r.quoted(r.payload.command, longFailed), r.payload.failure
	if head, rest, several := strings.Cut(why, "\n"); several && strings.HasPrefix(head, "Exit code ") {
		why = rest
	}
	if why = r.quoted(why, longFailed); command == "" || why == "" || strings.HasPrefix(why, "Exit code ") {
		return nil
	}
	return func(m *memory) {
		m.Failed = slices.DeleteFunc(m.Failed, r.isCommand)
		m.Failed = last(append(m.Failed, failing{command, why}), mostFailed)
	}
}

// failedSaid returns what was tried and failed, newest first.
func failedSaid(failed []failing) string {
	var text strings.Builder
	for _, f := range slices.Backward(failed) {
		text.WriteString("- " + oneLine(f.Command, longFailed) + " → " + oneLine(f.Error, longFailed) + "\n")
	}
	return section("Tried in this session, and failed, newest first ("+asData+")", text.String())
}

// subagent tells a subagent what its task needs: the brief in short, what governs the files
// that the task names, what was given up before, and what failed.
func (r *running) subagent(ctx context.Context, tree *engine.Tree, m *memory) func(*memory) {
	task := ""
	if len(m.Tasks) > 0 {
		task = m.Tasks[0]
	}
	files := r.namedFiles(tree.Tree, task)
	rules, given, err := r.ruling(ctx, tree, m, files)
	r.fail(err)
	dead, ids := r.deadEnds(m, task, files)
	needs := fitting(rules+dead+failedSaid(m.Failed), mostBrief/2)
	b, err := query.Brief(ctx, tree.Tree, query.BriefQuery{MaxTokens: mostBrief - units(needs), Count: units, Records: r.records(), FilesApart: true})
	r.fail(err)
	masked, _ := secret.Mask(b.Text())
	r.say(fitting(sanitize.Text(masked), mostBrief-units(needs)) + needs)
	for _, file := range files {
		given = append(given, r.inWindow("file "+file))
	}
	return func(now *memory) {
		now.Given = again(now.Given, append(given, ids...)...)
		now.Tasks = now.Tasks[min(1, len(now.Tasks)):]
	}
}
