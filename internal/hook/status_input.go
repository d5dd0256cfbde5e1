package hook

import (
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/transcript"
)

// A StatusInput is what an agent says of itself when it asks for a status line. What
// it does not say is empty.
type StatusInput struct {
	Model   string
	Session string   // its own id
	Dirs    []string // where it works: the nearest first
	Used    int      // tokens of its request, everything included
	Limit   int      // of its window
	Empty   bool     // it says that its window holds no request yet
}

// ReadStatusInput reads what an agent says: the object that Claude Code gives to a
// status line, or one of other agents with some of its members. What is not as
// it should be is passed over; a text that is no JSON says nothing.
//
// The members are those of documentation of 2026-11. What is used is the input of
// the last request, cached or not. The totals beside it are of a whole session in
// some versions: they count where they agree with the percentage.
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
	s.Empty = s.Used == 0 && s.Limit > 0 && saysEmpty(doc)
	if s.Used > transcript.MaxUsage {
		s.Used = 0
	}
	if s.Limit == usualWindow && s.Used > usualWindow { // said of a larger window by mistake
		s.Limit = largeWindow
	}
	return s
}

// How large the windows of Claude are, in tokens.
const (
	usualWindow = 200_000
	largeWindow = 1_000_000
)

// label is a name on one line, fit for a terminal.
func label(text string) string { return brief.Line(text, 60) }

// saysEmpty reports whether an agent says that nothing is in its window: by what the last
// request used, where it has a word for that, else by the first figure there is.
func saysEmpty(doc *jsonedit.Doc) bool {
	for _, p := range []string{"/context_window/current_usage", "/context_window/used_percentage", "/context_window/used_tokens", "/context_tokens", "/context_usage_percent"} {
		i := doc.Find(p)
		if i < 0 {
			continue
		}
		if doc.Nodes[i].Kind != jsonedit.Object {
			f, ok := doc.Float(i)
			return doc.Nodes[i].Kind == jsonedit.Null || ok && f == 0
		}
		for member := range doc.Children(i) {
			if f, ok := doc.Float(member); ok && f != 0 {
				return false
			}
		}
		return true
	}
	return false
}

// ratio is the first number above 0 at one of pointers; 0 where there is none.
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
