package hook

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A file that is ours as a whole carries a mark in its last line, with the hash of
// all the lines before it.
type file struct {
	text  string // without the mark
	begin string // how a comment begins in it, and ends
	end   string
}

var anyMark = lazyregexp.New(`(?m)^(?:<!--|#) forgemind:file [0-9a-f]{12}`)

var fileMark = lazyregexp.New(`(?m)^(?:<!--|#) forgemind:file ([0-9a-f]{12})(?: -->)?[ \t]*\r?\n?\z`)

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

// A manner is how an agent has its command files.
type manner int

const (
	claudeManner manner = iota
	codexManner
	cursorManner
	geminiManner
	copilotManner
)

// markdown is a file of markdown, with front matter of names and values in turn.
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

// quoted is a text as YAML and TOML both take it.
func quoted(text string) string { return `"` + text + `"` }

// command is the file of a slash command. An agent runs it through its shell, so
// that what the user typed must be quoted: Gemini does that itself, the others are
// asked to.
func (m manner) command(s slash) *file {
	run := "forgemind slash '" + s.name + "'"
	words := ""
	if s.takes != "" {
		run = "forgemind slash '" + s.name + " WORDS'"
		words = "WORDS are the words behind the command (" + s.takes + "), as they were typed, quoted for the shell.\n"
		if m == claudeManner || m == codexManner {
			words += "\nThe words: $ARGUMENTS\n"
		}
	}
	text := "Run this, and say in a sentence what it printed:\n\n    " + run + "\n\n" + words
	text = strings.TrimRight(text, "\n") + "\n"
	hint := []string{}
	if s.takes != "" {
		hint = []string{"argument-hint", quoted(s.takes)}
	}
	switch m {
	case claudeManner:
		return markdown(text, append([]string{"description", quoted(s.does), "allowed-tools", "Bash(forgemind slash:*)", "disable-model-invocation", "true"}, hint...)...)
	case codexManner:
		return markdown(text, append([]string{"description", quoted(s.does)}, hint...)...)
	case copilotManner:
		return markdown(text, "description", quoted(s.does), "agent", "agent")
	case geminiManner:
		run = "forgemind slash -- '" + s.name + "'"
		if s.takes != "" {
			run += " {{args}}"
		}
		return tomlFile("description", quoted(s.does), "prompt", "'''\nThis ran, and printed what follows. Say in a sentence what it says.\n\n!{"+run+"}\n'''")
	}
	return markdown("# " + s.does + "\n\n" + text)
}

// tomlFile returns a file of names and values in turn.
func tomlFile(members ...string) *file {
	var text strings.Builder
	for i := 0; i+1 < len(members); i += 2 {
		text.WriteString(members[i] + " = " + members[i+1] + "\n")
	}
	return &file{text: text.String() + "\n", begin: "#"}
}

// ending is that of an agent's command files.
func (m manner) ending() string {
	switch m {
	case geminiManner:
		return ".toml"
	case copilotManner:
		return ".prompt.md"
	}
	return ".md"
}

// role is the file of a role, as an agent of its own.
func (m manner) role(r role) *file {
	name := "forgemind-" + r.name
	if m == codexManner {
		return tomlFile("name", quoted(name), "description", quoted(r.does), "developer_instructions", "'''\n"+r.text+"'''")
	}
	return markdown(r.text, "name", name, "description", quoted(r.does))
}
