package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
	transcripts "github.com/forgemind/forgemind/internal/transcript"
)

// A payload holds an agent's description of an event. Members that the agent does not give are
// empty.
type payload struct {
	session    string
	transcript string   // path of the transcript
	dirs       []string // directories where the agent works, nearest first
	source     string   // why a session begins
	prompt     string   // text by the user, without what the agent's client added
	said       string   // text by the agent
	turn       string   // id of the turn
	tool       string
	files      []string // files that a tool changed, as the agent names them
	used       int      // tokens in the window; 0 if unknown
	limit      int      // size of the window in tokens
}

// readPayload reads the description of an event from any agent, because some agents run the hooks
// of others. It ignores members of the wrong type. It returns an error only if src is not a JSON
// object.
func readPayload(src []byte) (payload, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return payload{}, err
	}
	said := func(pointers ...string) string { return firstText(doc, pointers...) }
	p := payload{
		session:    safeSessionID(said("/conversation_id", "/session_id", "/sessionId")),
		transcript: said("/transcript_path", "/transcriptPath"),
		source:     said("/source", "/trigger", "/reason"),
		prompt:     transcripts.Typed(said("/prompt", "/message", "/initialPrompt")),
		said:       said("/last_assistant_message", "/prompt_response", "/text", "/response"),
		turn:       said("/generation_id", "/turn_id", "/prompt_id"),
		tool:       said("/tool_name", "/toolName"),
		used:       firstCount(doc, "/context_tokens", "/tokens", "/context_window/used_tokens"),
		limit:      firstCount(doc, "/context_window_size", "/max_tokens", "/context_window/context_window_size"),
	}
	for _, at := range []string{"/cwd", "/workspace/current_dir", "/workspace_roots/0", "/workspace/project_dir"} {
		if dir := said(at); filepath.IsAbs(dir) {
			p.dirs = append(p.dirs, dir)
		}
	}
	p.files = changedFiles(doc, p.tool)
	return p, nil
}

const (
	longID   = 200  // bytes
	longPath = 4096 // the limit of systems
)

// bound removes values that are too long, and returns an error for each.
func (p *payload) bound() (faults []error) {
	for _, said := range []struct {
		what string
		text *string
		most int
	}{{"the reason", &p.source, longID}, {"the turn", &p.turn, longID}, {"the tool", &p.tool, longID}, {"the transcript's path", &p.transcript, longPath}} {
		if n := len(*said.text); n > said.most {
			faults = append(faults, fmt.Errorf("payload: %s has %d bytes and is ignored", said.what, n))
			*said.text = ""
		}
	}
	p.dirs = slices.DeleteFunc(p.dirs, func(dir string) bool { return len(dir) > longPath })
	return faults
}

// safeSessionID returns a session id in a form for file names. An invalid id is replaced by a hash.
func safeSessionID(id string) string {
	if len(id) <= longID && !strings.ContainsFunc(id, text.Hidden) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:16])
}

// stamp identifies an event that must not be answered or recorded twice. It returns "" for other
// events, and if the session is unknown.
func (p *payload) stamp(at moment) string {
	switch {
	case p.session == "":
		return ""
	case at == begins, at == prompted, at == asking, at == answered && p.said != "":
	default:
		return ""
	}
	sum := sha256.New()
	for _, part := range []string{string(at), p.source, p.turn, p.prompt, p.said} {
		fmt.Fprintf(sum, "%d %s", len(part), part)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// maxTouched is the largest number of files of one event that are examined.
const maxTouched = 50

// changedFiles returns the files that the tool changed, by name or in a patch.
func changedFiles(doc *jsonedit.Doc, tool string) (files []string) {
	if file := firstText(doc, "/file_path"); file != "" && tool == "" { // Cursor's afterFileEdit
		files = append(files, file)
	}
	if !changes(tool) {
		return files
	}
	inputs := []*jsonedit.Doc{}
	for _, at := range []string{"/tool_input", "/toolArgs", "/tool_args"} {
		i := doc.Find(at)
		if i < 0 {
			continue
		}
		raw := doc.Raw(i)
		if text, ok := doc.Str(i); ok { // an object in a string, or a patch
			files = append(files, patched(text)...)
			raw = []byte(text)
		}
		if in, err := jsonedit.Parse(raw); err == nil {
			inputs = append(inputs, in)
		}
	}
	for _, in := range inputs {
		if file := firstText(in, "/file_path", "/notebook_path", "/absolute_path", "/path", "/filePath"); file != "" {
			files = append(files, file)
		}
		files = append(files, patched(firstText(in, "/command", "/input", "/patch", "/command/1"))...)
	}
	return files[:min(len(files), maxTouched)]
}

// changes reports whether a tool changes files. Agents without patterns for hooks run them for
// every tool.
func changes(tool string) bool {
	name := strings.ToLower(tool)
	return slices.ContainsFunc([]string{"edit", "write", "create", "replace", "patch", "insert"}, func(word string) bool {
		return strings.Contains(name, word)
	})
}

// patched returns the files that a patch in Codex's format changes.
func patched(patch string) (files []string) {
	for line := range strings.Lines(patch) {
		for _, mark := range []string{"*** Add File: ", "*** Update File: ", "*** Move to: "} {
			if file, ok := strings.CutPrefix(strings.TrimSpace(line), mark); ok && len(files) < maxTouched {
				files = append(files, file)
			}
		}
	}
	return files
}

// inside returns the path relative to root of a file that is relative to dir. It returns "" for a
// file outside root or inside a tree. It does not access the disk.
func inside(root, dir, file string) string {
	if file == "" || len(file) > 1024 || strings.ContainsFunc(file, text.Hidden) {
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

// firstText returns the first non-empty string at one of pointers.
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

// firstCount returns the first number of tokens at one of pointers.
func firstCount(doc *jsonedit.Doc, pointers ...string) int {
	for _, p := range pointers {
		if i := doc.Find(p); i >= 0 {
			if f, ok := doc.Float(i); ok && f >= 1 && f <= transcripts.MaxUsage {
				return int(f)
			}
		}
	}
	return 0
}
