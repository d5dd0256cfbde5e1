package hook

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/transcript"
)

// A file that is ours as a whole carries a mark in its last line, with the hash of
// all the lines before it.
type file struct {
	text  string // without the mark
	begin string // how a comment begins in it, and ends
	end   string
}

var anyMark = lazyregexp.New(`(?m)^(?:<!--|#|//) forgemind:file [0-9a-f]{12}`)

var fileMark = lazyregexp.New(`(?m)^(?:<!--|#|//) forgemind:file ([0-9a-f]{12})(?: -->)?[ \t]*\r?\n?\z`)

func (f *file) whole() []byte {
	return []byte(fmt.Sprintf("%s%s forgemind:file %s%s\n", f.text, f.begin, hashOf([]byte(f.text)), f.end))
}

// judge says whether src is ours, and still what was written.
func (f *file) judge(src []byte) State {
	at := fileMark.FindSubmatchIndex(src)
	switch {
	case at == nil && anyMark.Match(src):
		return Edited
	case at == nil:
		return Foreign
	case hashOf(src[:at[0]]) != string(src[at[2]:at[3]]):
		return Edited
	case string(bytes.ReplaceAll(src[:at[0]], []byte("\r\n"), []byte("\n"))) != f.text:
		return Other
	}
	return Installed
}

// put implements piece.
func (f *file) put(src []byte) ([]byte, []string, string, error) {
	if src == nil {
		return f.whole(), []string{""}, "", nil
	}
	switch f.judge(src) {
	case Foreign:
		return src, nil, "there is another file of that name; it was left alone", nil
	case Edited:
		return src, nil, "it was changed by hand; it was kept", nil
	case Other:
		return f.whole(), nil, "", nil
	}
	return src, nil, "", nil
}

// take implements piece.
func (f *file) take(src []byte, _ []string) ([]byte, string, error) {
	switch f.judge(src) {
	case Foreign:
		return src, "", nil
	case Edited:
		return src, "it was changed by hand; it was kept", nil
	}
	return nil, "", nil
}

// look implements piece.
func (f *file) look(src []byte) (State, string) {
	switch state := f.judge(src); state {
	case Foreign:
		return state, "another file of that name"
	case Edited:
		return state, "changed by hand"
	case Other:
		return state, "of another version"
	default:
		return state, ""
	}
}

// A former is a place where an earlier version had the file of a command: it is taken out.
type former struct {
	file
	now []*file // that have the command
}

const twiceOffered = ", and the command is offered twice"

// put implements piece.
func (f *former) put(src []byte) ([]byte, []string, string, error) {
	if src == nil {
		return nil, nil, "", nil
	}
	out, note, err := f.take(src, nil)
	if note != "" {
		note += twiceOffered
	}
	return out, nil, note, err
}

// look implements piece.
func (f *former) look(src []byte) (State, string) {
	switch state, detail := f.file.look(src); state {
	case Installed:
		return Other, "of another version"
	default:
		return state, detail
	}
}

// A manner is how an agent has its command files.
type manner int

const (
	claudeManner manner = iota
	codexManner
	cursorManner
	geminiManner
	copilotManner
	opencodeManner
)

// files returns the commands and the roles of an agent, in its folder.
func (m manner) files(folder string) []spot {
	var all []spot
	for _, s := range slashes {
		all = append(all, m.command(folder, s)...)
	}
	for _, r := range roles {
		all = append(all, spot{path.Join(folder, "agents", "forgemind-"+r.name+m.roleEnding()), partRole, m.role(r)})
	}
	return all
}

// command returns the files of a slash command: a skill where the agent offers skills as
// commands. The Gemini CLI does, too, but has the model read it: of a template it runs the
// command itself.
func (m manner) command(folder string, s slash) (all []spot) {
	add := func(piece piece, kind part, name ...string) {
		all = append(all, spot{path.Join(append([]string{folder}, name...)...), kind, piece})
	}
	switch m {
	case geminiManner:
		add(s.template(), partCommand, "commands", s.file()+".toml")
		return all
	case cursorManner:
		add(markdown("# "+s.does+"\n\n"+s.text()), partCommand, "commands", s.file()+".md")
		return all
	case opencodeManner:
		add(s.expanded(), partCommand, "commands", s.file()+".md")
		return all
	}
	skill, setting := s.skill(), unasked()
	before := &former{now: []*file{skill, setting}}
	switch m {
	case claudeManner:
		add(before, partFormer, "commands", s.file()+".md")
	case codexManner:
		add(before, partFormer, "prompts", s.file()+".md")
	case copilotManner:
		add(before, partFormer, "prompts", s.file()+".prompt.md")
	}
	add(skill, partCommand, "skills", s.file(), "SKILL.md")
	if m == codexManner {
		add(setting, partSetting, "skills", s.file(), "agents", "openai.yaml")
	}
	return all
}

// text asks an agent for a command. An agent runs it through its shell, so that what the
// user typed must be quoted. Agents write that behind the text.
func (s slash) text() string {
	run, words := s.name, ""
	if s.takes != "" {
		run += " WORDS"
		words = "\nWORDS are the words behind the command (" + s.takes + "), as they were typed, quoted for the shell.\n"
	}
	return "Run this, and say in a sentence what it printed:\n\n    forgemind slash '" + run + "'\n" + words
}

// skill returns the skill of a command, which the user calls, and the model does not.
func (s slash) skill() *file {
	front := []string{"name", s.file(), "description", quoted(s.does), "allowed-tools", "Bash(forgemind slash:*)", "disable-model-invocation", "true"}
	if s.takes != "" {
		front = append(front, "argument-hint", quoted(s.takes))
	}
	return markdown(s.text(), front...)
}

// unasked returns what keeps Codex from offering a skill to the model.
func unasked() *file {
	return &file{text: "policy:\n  allow_implicit_invocation: false\n", begin: "#"}
}

// template returns the command of the Gemini CLI, which quotes the words for the shell, and
// tells hooks what it made of the template: what the user typed stands outside of the element.
func (s slash) template() *file {
	typed, run := "/"+s.file(), "forgemind slash -- '"+s.name+"'"
	if s.takes != "" {
		typed, run = typed+" {{args}}", run+" {{args}}"
	}
	return tomlFile("description", quoted(s.does), "prompt", "'''\n"+typed+transcript.OursBegin+"This ran, and printed what follows. Say in a sentence what it says.\n\n!{"+run+"}"+transcript.OursEnd+"\n'''")
}

// expanded returns the command of opencode, of which hooks and transcripts tell only what opencode
// made of it: what the user typed stands outside of the element.
func (s slash) expanded() *file {
	typed := "/" + s.file()
	if s.takes != "" {
		typed += " $ARGUMENTS"
	}
	return markdown(typed+transcript.OursBegin+s.text()+transcript.OursEnd, "description", quoted(s.does))
}

// markdown returns a file of markdown, with front matter of names and values in turn.
func markdown(text string, front ...string) *file {
	var head strings.Builder
	for i := 0; i+1 < len(front); i += 2 {
		if i == 0 {
			head.WriteString("---\n")
		}
		head.WriteString(front[i] + ": " + front[i+1] + "\n")
	}
	if len(front) > 0 {
		head.WriteString("---\n\n")
	}
	return &file{text: head.String() + text + "\n", begin: "<!--", end: " -->"}
}

// tomlFile returns a file of names and values in turn.
func tomlFile(members ...string) *file {
	var text strings.Builder
	for i := 0; i+1 < len(members); i += 2 {
		text.WriteString(members[i] + " = " + members[i+1] + "\n")
	}
	return &file{text: text.String() + "\n", begin: "#"}
}

// quoted returns a text as YAML and TOML both take it.
func quoted(text string) string { return `"` + text + `"` }

// roleEnding returns how the name of a role's file ends.
func (m manner) roleEnding() string {
	switch m {
	case codexManner:
		return ".toml"
	case copilotManner:
		return ".agent.md"
	}
	return ".md"
}

// role returns the file of a role, as an agent of its own.
func (m manner) role(r role) *file {
	name := "forgemind-" + r.name
	switch m {
	case opencodeManner:
		return markdown(r.text, "description", quoted(r.does), "mode", "subagent")
	case codexManner:
		return tomlFile("name", quoted(name), "description", quoted(r.does), "developer_instructions", "'''\n"+r.text+"'''")
	}
	return markdown(r.text, "name", name, "description", quoted(r.does))
}
