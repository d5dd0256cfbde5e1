package hook

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// A payload is what an agent says of an event. What it does not say is empty.
type payload struct {
	session    string
	subagent   string   // id of the subagent at work; "" for none
	transcript string   // a path
	dirs       []string // where the agent works, the nearest first
	source     string   // why a session begins
	prompt     string   // what the user said, without what the agent's client added
	called     bool     // the prompt is the name of a skill: the transcript tells the words behind it, if there are any
	context    []string // files that the client names beside that
	said       string   // what the agent said
	turn       string   // id of the turn
	tool       string
	files      []string // that a tool reads or changes, as they are named
	command    string   // that a tool runs in a shell
	task       string   // that a tool gives a subagent
	reply      string   // of the user, to what a tool asks
	failure    string   // why a tool failed; "" where the user interrupted it
	used       int      // tokens in the window; 0 where it does not say
	limit      int      // that it holds
}

// readPayload reads what an agent says, whichever agent it is: one runs the hooks
// that were installed for another. What is not as it should be is passed over; an
// error is a text that is no JSON object, of which nothing is known.
func readPayload(agent string, src []byte) (payload, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return payload{}, err
	}
	said := func(pointers ...string) string { return firstText(doc, pointers...) }
	p := payload{
		session:    tame(said("/conversation_id", "/session_id", "/sessionId")),
		transcript: said("/transcript_path", "/transcriptPath"),
		source:     said("/source", "/trigger", "/reason"),
		said:       said("/last_assistant_message", "/prompt_response", "/text", "/response"),
		turn:       said("/generation_id", "/turn_id", "/prompt_id"),
		tool:       said("/tool_name", "/toolName"),
		used:       firstCount(doc, "/context_tokens", "/tokens", "/context_window/used_tokens"),
		limit:      firstCount(doc, "/context_window_size", "/max_tokens", "/context_window/context_window_size"),
	}
	if agent != memfas && agent != "gemini" {
		p.subagent = tame(said("/agent_id", "/agentId", "/subagent_id"))
		if parent := said("/parentAgentId", "/parent_agent_id"); parent != "" { // a subagent of the Copilot CLI has a session, too
			p.subagent, p.session = cmp.Or(p.subagent, p.session), tame(parent)
		}
	}
	prompt := said("/prompt", "/message", "/initialPrompt", "/initial_prompt")
	p.prompt, p.context = transcript.Typed(agent, prompt)
	p.called = p.prompt != "" && strings.Contains(prompt, "\""+p.prompt+"\" skill.")
	for _, at := range []string{"/cwd", "/workspace/current_dir", "/workspace_roots/0", "/workspace/project_dir"} {
		if dir := said(at); filepath.IsAbs(dir) {
			p.dirs = append(p.dirs, dir)
		}
	}
	p.readTool(doc)
	if transcript.Asks(p.tool) {
		p.reply = said("/tool_response")
	}
	return p, nil
}

const (
	longID   = 200  // bytes
	longPath = 4096 // as systems have it
)

// bound takes out what is too long to be what it is said to be, and tells of it.
func (p *payload) bound() (faults []error) {
	for _, said := range []struct {
		what string
		text *string
		most int
	}{{"the reason", &p.source, longID}, {"the turn", &p.turn, longID}, {"the tool", &p.tool, longID}, {"the transcript's path", &p.transcript, longPath}} {
		if n := len(*said.text); n > said.most {
			faults = append(faults, fmt.Errorf("payload: %s has %d bytes: it is passed over", said.what, n))
			*said.text = ""
		}
	}
	p.dirs = slices.DeleteFunc(p.dirs, func(dir string) bool { return len(dir) > longPath })
	return faults
}

// tame is an id of a session as it stands in a tree: one that is none is told apart
// from others, and no more.
func tame(id string) string {
	if len(id) <= longID && !strings.ContainsFunc(id, schema.Hidden) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:16])
}

// stamp stands for what an event says, of those that would be told or recorded twice
// if it came twice; "" of others, and where nobody says whose it is.
func (p *payload) stamp(at moment) string {
	switch {
	case p.session == "":
		return ""
	case at == begins, at == prompted, at == asking, at == answered && p.said != "", at == worked && p.reply != "":
	default:
		return ""
	}
	sum := sha256.New()
	for _, part := range []string{string(at), p.source, p.turn, p.prompt, p.said, p.reply} {
		fmt.Fprintf(sum, "%d %s", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// maxTouched is how many files of one event are looked at.
const maxTouched = 50

// readTool reads what the tool is given, and why it failed.
func (p *payload) readTool(doc *jsonedit.Doc) {
	if file := firstText(doc, "/file_path"); file != "" && p.tool == "" { // Cursor's afterFileEdit
		p.files = append(p.files, file)
	}
	for _, at := range []string{"/tool_input", "/toolArgs", "/tool_args"} {
		i := doc.Find(at)
		if i < 0 {
			continue
		}
		raw := doc.Raw(i)
		if text, ok := doc.Str(i); ok { // an object as text, or a patch
			if changes(p.tool) {
				p.files = append(p.files, patched(text)...)
			}
			raw = []byte(text)
		}
		if in, err := jsonedit.Parse(raw); err == nil {
			p.readInput(in)
		}
	}
	p.files = p.files[:min(len(p.files), maxTouched)]
	if i := doc.Find("/is_interrupt"); i < 0 || doc.Nodes[i].Kind != jsonedit.True {
		p.failure = firstText(doc, "/error", "/error/message")
	}
}

// readInput reads what a tool is given.
func (p *payload) readInput(in *jsonedit.Doc) {
	switch {
	case namesAny(p.tool, "edit", "write", "create", "replace", "patch", "insert", "read", "view"):
		if file := firstText(in, "/file_path", "/notebook_path", "/absolute_path", "/path", "/filePath"); file != "" {
			p.files = append(p.files, file)
		}
		p.files = append(p.files, patched(firstText(in, "/command", "/input", "/patch", "/patchText", "/command/1"))...)
	case namesAny(p.tool, "bash", "shell", "exec"):
		p.command = firstText(in, "/command", "/cmd")
	case slices.Contains([]string{"task", "agent", "spawn_agent"}, strings.ToLower(p.tool)):
		p.task = firstText(in, "/prompt", "/message")
	}
}

// namesAny reports whether a tool's name has one of words in it.
func namesAny(tool string, words ...string) bool {
	name := strings.ToLower(tool)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

// changes reports whether a tool changes files: agents whose hooks take no pattern run
// them for every tool.
func changes(tool string) bool {
	return tool == "" || namesAny(tool, "edit", "write", "create", "replace", "patch", "insert")
}

// patched are the files that a patch as Codex makes them changes.
func patched(patch string) (files []string) {
	for line := range strings.Lines(patch) {
		for _, mark := range []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "} {
			if file, ok := strings.CutPrefix(strings.TrimSpace(line), mark); ok && len(files) < maxTouched {
				files = append(files, file)
			}
		}
	}
	return files
}

// inside is the path from root on of a file that is named from dir on; "" for what
// is not below root, or is a tree's own. Nothing is looked up.
func inside(root, dir, file string) string {
	if file == "" || len(file) > 1024 || strings.ContainsFunc(file, schema.Hidden) {
		return ""
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	rel, err := filepath.Rel(root, file)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	rel = path.Clean(filepath.ToSlash(rel))
	if first, _, _ := strings.Cut(rel, "/"); rel == "." || first == ".git" || first == ".forgemind" || first == ".quaid" {
		return ""
	}
	return rel
}

// firstText is the first text at one of pointers that says something.
func firstText(doc *jsonedit.Doc, pointers ...string) string {
	for _, p := range pointers {
		if i := doc.Find(p); i >= 0 {
			if s, ok := doc.Str(i); ok && strings.TrimSpace(s) != "" {
				return s
			}
		}
	}
	return ""
}

// firstCount is the first number of tokens at one of pointers.
func firstCount(doc *jsonedit.Doc, pointers ...string) int {
	for _, p := range pointers {
		if i := doc.Find(p); i >= 0 {
			if f, ok := doc.Float(i); ok && f >= 1 && f <= transcript.MaxUsage {
				return int(f)
			}
		}
	}
	return 0
}
