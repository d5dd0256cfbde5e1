package hook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/secret"
)

const (
	mostTasks  = 8    // that tools gave subagents since the last prompt
	longTask   = 2000 // characters of one of them
	mostFailed = 5    // commands that failed and are remembered
	longFailed = 300  // characters of what is told of one
	roomFailed = 700  // of all of them
	mostBrief  = 4000 // that a subagent is told
)

// given returns the marks of what the window of the event was told: a subagent has one of its own.
func (r *running) given(m *memory) *[]string {
	if r.payload.subagent != "" {
		return &m.Below
	}
	return &m.Given
}

// inWindow returns a mark as it stands in r.given.
func (r *running) inWindow(mark string) string {
	if r.payload.subagent == "" {
		return mark
	}
	return mark + " in " + r.payload.subagent
}

// wasGiven reports whether the window of the event has a mark.
func (r *running) wasGiven(m *memory, mark string) bool {
	return slices.Contains(*r.given(m), r.inWindow(mark))
}

// give marks what the window of the event is told, and reports whether any of it is new there.
// Where nothing is remembered all is.
func (r *running) give(ctx context.Context, marks []string) (fresh bool) {
	if len(marks) == 0 {
		return false
	}
	fresh = true
	_ = r.memories.remember(ctx, r.payload.session, func(m *memory) {
		fresh = false
		for _, mark := range marks {
			fresh = fresh || !r.wasGiven(m, mark)
			*r.given(m) = again(*r.given(m), r.inWindow(mark))
		}
	})
	return fresh
}

// working tells what governs the files that a tool reads or changes, and those that a command
// names. What was told in the window is not told again, nor by two hooks that run at once.
func (r *running) working(ctx context.Context, tree *engine.Tree, m *memory) func(*memory) {
	files := r.namedFiles(tree.Tree, r.payload.command)
	for _, file := range r.payload.files {
		if name, _ := r.place(tree.Tree, file); name != "" {
			files = again(files, name)
		}
	}
	if text, marks := r.rules(ctx, tree, m, files, mostContext); r.give(ctx, marks) {
		r.say(text)
	}
	task := inShort(r.payload.task, longTask)
	retried := r.payload.command != "" && slices.ContainsFunc(m.Failed, r.isCommand)
	if task == "" && !retried {
		return nil
	}
	return func(now *memory) {
		if task != "" {
			now.Tasks = last(append(now.Tasks, task), mostTasks)
		}
		now.Failed = slices.DeleteFunc(now.Failed, r.isCommand)
	}
}

// rules returns what governs files, of as many as there is room for, and its marks.
func (r *running) rules(ctx context.Context, tree *engine.Tree, m *memory, files []string, most int) (text string, marks []string) {
	for one := range slices.Chunk(files, 1) {
		rules, ids, err := r.ruling(ctx, tree, m, one)
		r.fail(err)
		if units(text+rules) > most {
			break
		}
		text, marks = text+rules, append(marks, ids...)
	}
	return text, marks
}

// A failing is a command of a shell that failed.
type failing struct {
	ID      string `json:"id"`      // stands for the whole command
	Command string `json:"command"` // in short
	Error   string `json:"error"`   // how it ends
}

// isCommand reports whether the event is about the command that failed.
func (r *running) isCommand(f failing) bool { return f.ID == commandID(r.payload.command) }

func commandID(command string) string {
	sum := sha256.Sum256([]byte(command))
	return hex.EncodeToString(sum[:8])
}

// hasFailed notes a command that failed and said why, until it is tried again or the session
// ends.
func (r *running) hasFailed() func(*memory) {
	why := r.payload.failure
	if head, rest, several := strings.Cut(why, "\n"); several && strings.HasPrefix(head, "Exit code ") {
		why = rest
	}
	command := inShort(r.payload.command, longFailed)
	why = ending(why, longFailed)
	if command == "" || why == "" || strings.HasPrefix(why, "Exit code ") {
		return nil
	}
	return func(m *memory) {
		m.Failed = slices.DeleteFunc(m.Failed, r.isCommand)
		m.Failed = last(append(m.Failed, failing{commandID(r.payload.command), command, why}), mostFailed)
	}
}

// ending returns the end of a text on one line of about so many characters, with nothing
// secret: what a command says last tells why it failed.
func ending(text string, most int) string {
	runes := []rune(sanitize.Text(masked(text[max(0, len(text)-mostMasked):])))
	if len(runes) > most {
		return "…" + string(runes[len(runes)-most:])
	}
	return string(runes)
}

// failedSaid returns the commands that failed, newest first.
func failedSaid(failed []failing, most int) string {
	var text strings.Builder
	for _, f := range slices.Backward(failed) {
		text.WriteString("- " + oneLine(f.Command, longFailed) + " → " + oneLine(f.Error, longFailed+1) + "\n")
	}
	if text.Len() == 0 {
		return ""
	}
	head := "## Commands that failed, newest first (" + asData + ")\n"
	list := fitting(text.String(), min(most, roomFailed)-units(head))
	if list == "" {
		return ""
	}
	return head + list
}

// subagent tells a subagent what its task needs: the brief in short, what governs the files
// that the task names, what was given up before, and what failed. Which of the tasks since the
// last prompt is its own is not known: it is told what all of them need, the latest first.
func (r *running) subagent(ctx context.Context, tree *engine.Tree, m *memory) {
	known := r.payload.subagent != ""
	if !known { // it has been told nothing
		fresh := *m
		fresh.Given, m = nil, &fresh
	}
	tasks := slices.Clone(m.Tasks)
	slices.Reverse(tasks)
	task := strings.Join(tasks, "\n")
	files := r.namedFiles(tree.Tree, task)
	needs, marks := r.rules(ctx, tree, m, files, mostBrief/2)
	if dead, ids := r.deadEnds(m, task, files); units(needs+dead) <= mostBrief/2 {
		needs, marks = needs+dead, append(marks, ids...)
	}
	needs += failedSaid(m.Failed, mostBrief/2-units(needs))
	b, err := query.Brief(ctx, tree.Tree, query.BriefQuery{MaxTokens: mostBrief - units(needs), Count: units, Records: r.records(), FilesApart: true})
	r.fail(err)
	text, _ := secret.Mask(b.Text())
	if !known || r.give(ctx, append(marks, "brief")) {
		r.say(fitting(sanitize.Text(text), mostBrief-units(needs)) + needs)
	}
}
