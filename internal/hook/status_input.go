package hook

import (
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/jsonedit"
	transcripts "github.com/forgemind/forgemind/internal/transcript"
)

// A StatusInput holds what an agent gives to its status line. Members that the agent does not give
// are empty.
type StatusInput struct {
	Model   string
	Session string   // the agent's own id
	Dirs    []string // directories where it works, nearest first
	Used    int      // tokens of the last request, everything included
	Limit   int      // size of its window in tokens
	// Reset reports whether the window was emptied or compacted, and no request was made since.
	Reset bool
}

// ReadStatusInput reads the object that Claude Code gives to a status line, or that of another
// agent with some of its members. It ignores members of the wrong type, and a text that is not
// JSON.
//
// The members are those of the documentation of 2026-11. Used is the input of the last request,
// cached or not. In some versions the totals are those of the whole session, so they are used only
// if they agree with the percentage.
func ReadStatusInput(src []byte) StatusInput {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return StatusInput{}
	}
	s := StatusInput{Model: label(firstText(doc, "/model/display_name", "/model/id", "/model")), Session: label(firstText(doc, "/session_id", "/conversation_id"))}
	for _, at := range []string{"/workspace/current_dir", "/cwd", "/workspace/project_dir", "/workspace_roots/0"} {
		if dir := firstText(doc, at); dir != "" {
			s.Dirs = append(s.Dirs, dir)
		}
	}
	s.Limit = firstCount(doc, "/context_window/context_window_size", "/context_window_size", "/context_window/max_tokens")
	const usage = "/context_window/current_usage/"
	s.Used = firstCount(doc, usage+"input_tokens") + firstCount(doc, usage+"cache_creation_input_tokens") + firstCount(doc, usage+"cache_read_input_tokens")
	if s.Used == 0 {
		s.Used = firstCount(doc, "/context_window/used_tokens", "/context_tokens")
	}
	if percent := ratio(doc, "/context_window/used_percentage", "/context_usage_percent"); s.Used == 0 && percent > 0 {
		s.Used = int(percent / 100 * float64(s.Limit))
		if total := firstCount(doc, "/context_window/total_input_tokens"); max(total-s.Used, s.Used-total) <= s.Limit/100 {
			s.Used = total
		}
	}
	if s.Used > transcripts.MaxUsage {
		s.Used = 0
	}
	if i := doc.Find("/context_window/current_usage"); i >= 0 && s.Used == 0 {
		s.Reset = doc.Nodes[i].Kind == jsonedit.Null
	}
	if s.Limit == usualWindow && s.Used > usualWindow { // some versions give the wrong size for a larger window
		s.Limit = largeWindow
	}
	return s
}

// The sizes of Claude's windows, in tokens.
const (
	usualWindow = 200_000
	largeWindow = 1_000_000
)

// label returns a name on one line without control characters.
func label(text string) string { return brief.Line(text, 60) }

// ratio returns the first positive number at one of pointers, or 0.
func ratio(doc *jsonedit.Doc, pointers ...string) float64 {
	for _, p := range pointers {
		if i := doc.Find(p); i >= 0 {
			if f, ok := doc.Float(i); ok && f > 0 {
				return f
			}
		}
	}
	return 0
}
