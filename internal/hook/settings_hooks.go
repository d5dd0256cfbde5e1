package hook

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// An event is one hook of an agent.
type event struct {
	name    string
	matcher string // of tools; "" for all
	timeout int    // in the agent's unit
}

// hooks are an agent's hooks in a settings file of its.
type hooks struct {
	agent   string
	program program
	form    form
	events  []event
	guard   bool   // the commands have one: the agent runs them in a POSIX shell
	windows bool   // the agent has a member for the command on Windows
	strict  string // the agent's name, where it reads nothing but plain JSON
	version bool   // the file begins with "version": 1
}

// A form is how an agent writes its hooks down.
type form int

const (
	nested  form = iota // event → groups with a matcher → hooks
	flat                // event → hooks with a command
	twofold             // event → hooks with a command for each kind of shell
)

// ourCommand matches any command of ours, of this version or another.
var ourCommand = lazyregexp.New(`^(?:command -v ` + anyShell + regexp.QuoteMeta(guarded) + `)?` + anyShell + ` hook run ([A-Za-z]{1,40}) --agent ([a-z]{1,20})$`)

// guarded stands between the program that a guard looks for and the command. Settings are
// shared with people who do not have forgemind, and the Gemini CLI refuses to work where a
// hook's program is missing.
const guarded = " >/dev/null || exit 0; "

// command returns what runs at an event.
func (h *hooks) command(event string) string { return h.commandOf(h.program.shell(), event) }

// commandOf returns what runs at an event, where word starts the program in a shell.
func (h *hooks) commandOf(word, event string) string {
	line := word + " hook run " + event + " --agent " + h.agent
	if h.guard {
		line = "command -v " + word + guarded + line
	}
	return line
}

// bare returns a command without its guard.
func bare(command string) string {
	if _, line, ok := strings.Cut(command, guarded); ok {
		return line
	}
	return command
}

// entry is the value that stands for an event in its list.
func (h *hooks) entry(e event, command string) any {
	switch h.form {
	case flat:
		return struct {
			Command string `json:"command"`
			Timeout int    `json:"timeout"`
		}{command, e.timeout}
	case twofold:
		return struct {
			Type       string `json:"type"`
			Bash       string `json:"bash"`
			PowerShell string `json:"powershell"`
			Timeout    int    `json:"timeoutSec"`
		}{"command", command, powershell(command), e.timeout}
	}
	type handler struct {
		Type    string `json:"type"`
		Command string `json:"command"`
		Windows string `json:"commandWindows,omitempty"`
		Timeout int    `json:"timeout"`
	}
	windows := ""
	if h.windows {
		windows = bare(command)
	}
	return struct {
		Matcher string    `json:"matcher,omitempty"`
		Hooks   []handler `json:"hooks"`
	}{e.matcher, []handler{{"command", command, windows, e.timeout}}}
}

// found is a hook of ours in a settings file.
type found struct {
	event   event  // that it is for; no name if this version has no such hook there
	list    string // the event in whose list it stands
	command string
	word    string // that starts the program in a shell
	program string // that the command starts
	old     bool   // an earlier version wrote it: it has no guard, or no command for Windows
	node    int    // the handler; in nested form one of a group
	group   int    // the element of the event's list
}

// ours are the hooks of this agent that stand in s. Only the first for an event
// has one.
func (h *hooks) ours(s *settings) []found {
	var all []found
	d := &s.doc
	for list := range d.Children(d.Find("/hooks")) {
		if d.Nodes[list].Kind != jsonedit.Array {
			continue
		}
		for group := range d.Children(list) {
			handlers := []int{group}
			if h.form == nested {
				handlers = slices.Collect(d.Children(d.Member(group, "hooks")))
			}
			for _, node := range handlers {
				command, _ := d.Str(h.commandNode(d, node))
				is := ourCommand.FindStringSubmatch(command)
				if is == nil || is[4] != h.agent || is[1] != "" && is[1] != is[2] || !h.program.vouched(unquoted(is[2])) {
					continue
				}
				f := found{list: d.Key(list), command: command, word: is[2], program: unquoted(is[2]), old: h.guard && is[1] == "" || h.windows && d.Member(node, "commandWindows") < 0, node: node, group: group}
				same := func(o found) bool { return o.event.name == is[3] }
				if i := slices.IndexFunc(h.events, func(e event) bool { return e.name == is[3] && e.name == f.list }); i >= 0 && !slices.ContainsFunc(all, same) {
					f.event = h.events[i]
				}
				all = append(all, f)
			}
		}
	}
	return all
}

// mostOurs bounds how many hooks of ours a file may have. Each is taken out of the text
// by itself; more than a handful nobody has put there but a stranger.
const mostOurs = 100

// few refuses a file that holds more hooks of ours than any version put there.
func few(here []found, s *settings) error {
	if len(here) <= mostOurs {
		return nil
	}
	at := int(s.doc.Nodes[here[mostOurs].node].Start)
	return s.fault(at, fmt.Sprintf("there are %d hooks of forgemind, where %d are the most that are looked at", len(here), mostOurs), "look who put them there, and take out what is too much")
}

// unquoted is a word of a shell without its quotes.
func unquoted(word string) string { return strings.Trim(word, `"`) }

// commandNode returns the node of a handler's command.
func (h *hooks) commandNode(d *jsonedit.Doc, handler int) int {
	if h.form == twofold {
		return d.Member(handler, "bash")
	}
	return d.Member(handler, "command")
}

// put implements piece.
func (h *hooks) put(src []byte) ([]byte, []string, string, error) {
	s, err := readSettings(src)
	if err != nil {
		return nil, nil, "", err
	}
	note := unreadBy(h.strict, s)
	if s.empty() {
		out, made, note, err := h.fresh(note)
		return s.marked(out), made, note, err
	}
	if s, err = h.renewed(s); err != nil {
		return nil, nil, "", err
	}
	if old := h.outdated(s); old != "" {
		note = old + "; it was kept"
	}
	here, src := h.ours(s), s.src
	var made []string
	if h.version && s.doc.Member(0, "version") < 0 {
		if src, made, err = s.add("/version", []byte("1")); err != nil {
			return nil, nil, "", err
		}
	}
	for _, e := range h.events {
		if slices.ContainsFunc(here, func(f found) bool { return f.event.name == e.name }) {
			continue
		}
		if s, err = readSettings(src); err != nil {
			return nil, nil, "", err
		}
		value, err := jsonedit.Value(h.entry(e, h.command(e.name)))
		if err != nil {
			return nil, nil, "", err
		}
		out, more, err := s.add("/hooks/"+e.name+"/-", value)
		if err != nil {
			return nil, nil, "", err
		}
		src, made = out, append(made, more...)
	}
	return src, made, note, nil
}

// renewed returns s without hooks of ours that this version does not have, or that stand
// there twice; and with the command of this version where a program is not there any more, or
// where an earlier version wrote it.
func (h *hooks) renewed(s *settings) (*settings, error) {
	for {
		here := h.ours(s)
		if err := few(here, s); err != nil {
			return nil, err
		}
		surplus := slices.IndexFunc(here, func(f found) bool { return f.event.name == "" })
		gone := slices.IndexFunc(here, func(f found) bool { return f.event.name != "" && (f.old || !h.program.there(f.program)) })
		var src []byte
		var err error
		switch {
		case surplus >= 0:
			src = h.without(s, here[surplus], nil)
		case gone >= 0 && (here[gone].old || h.program.there(h.program.name())):
			src, err = h.rename(s, here[gone])
		default:
			return s, nil
		}
		if err == nil {
			s, err = readSettings(src)
		}
		if err != nil {
			return nil, err
		}
	}
}

// rename gives a hook the command of this version, for each kind of shell.
func (h *hooks) rename(s *settings, f found) ([]byte, error) {
	command := h.commandOf(f.word, f.event.name)
	if !h.program.there(f.program) && h.program.there(h.program.name()) {
		command = h.command(f.event.name)
	}
	src, err := s.retext(h.commandNode(&s.doc, f.node), command)
	other, text := "", ""
	switch {
	case h.form == twofold:
		other, text = "powershell", powershell(command)
	case h.windows:
		other, text = "commandWindows", bare(command)
	}
	if other == "" || err != nil {
		return src, err
	}
	if s, err = readSettings(src); err != nil {
		return nil, err
	}
	if i := s.doc.Member(f.node, other); i >= 0 {
		there, _ := s.doc.Str(i)
		if there != powershell(f.command) && !(h.windows && ourCommand.MatchString(there)) { // somebody's own
			return s.src, nil
		}
		return s.retext(i, text)
	}
	value, err := jsonedit.Value(text)
	if err != nil {
		return nil, err
	}
	src, _, err = s.add(s.doc.Pointer(f.node)+"/"+other, value)
	return src, err
}

// fresh is put where there is nothing.
func (h *hooks) fresh(note string) (src []byte, made []string, _ string, err error) {
	src, made = []byte("{}\n"), []string{"", "/hooks"}
	if h.version {
		made = append(made, "/version")
		src, err = jsonedit.Set(src, "/version", []byte("1"))
	}
	for _, e := range h.events {
		var value []byte
		if err == nil {
			value, err = jsonedit.Value(h.entry(e, h.command(e.name)))
		}
		if err == nil {
			src, err = jsonedit.Append(src, "/hooks/"+e.name, value)
		}
		made = append(made, "/hooks/"+e.name)
	}
	return src, made, note, err
}

// take implements piece.
func (h *hooks) take(src []byte, made []string) ([]byte, string, error) {
	if !bytes.Contains(src, []byte("forgemind")) {
		return src, "", nil
	}
	for first := true; ; first = false {
		s, err := readSettings(src)
		if err != nil {
			return nil, "", err
		}
		here := h.ours(s)
		if err := few(here, s); err != nil {
			return nil, "", err
		}
		switch {
		case len(here) == 0 && first:
			return src, "", nil
		case len(here) == 0:
			return h.tidy(s, made)
		}
		src = h.without(s, here[0], made)
	}
}

// without is the text without a hook of ours, and without the group and the list
// that were made for it.
func (h *hooks) without(s *settings, f found, made []string) []byte {
	node := f.node
	if h.form == nested && s.doc.Nodes[s.doc.Member(f.group, "hooks")].Len == 1 {
		node = f.group
	}
	list := s.doc.Nodes[f.group].Parent
	in, group := s.doc.Nodes[list], s.doc.Nodes[f.group]
	alone := in.Len == 1 && (h.form != nested || node == f.group) && !s.commented(int(in.Start), int(group.Start)) && !s.commented(int(group.End), int(in.End))
	if alone && mine(made, "/hooks/"+f.list) {
		node = int(list)
	}
	return s.cut(node)
}

// tidy takes out the containers that put may have made, if they are empty now.
func (h *hooks) tidy(s *settings, made []string) ([]byte, string, error) {
	for _, name := range []string{"hooks", "version"} {
		if s.empty() {
			break
		}
		i := s.doc.Member(0, name)
		n := s.doc.Nodes[max(0, i)]
		gone := name == "version" && h.version && (s.doc.Nodes[0].Len == 1 || made != nil && (s.doc.Member(0, "hooks") < 0 || !mine(made, "/hooks"))) ||
			name == "hooks" && n.Kind == jsonedit.Object && n.Len == 0 && !s.commented(int(n.Start), int(n.End))
		if i < 0 || !gone || !mine(made, "/"+name) {
			continue
		}
		next, err := readSettings(s.cut(i))
		if err != nil {
			return nil, "", err
		}
		s = next
	}
	return remains(s, made), "", nil
}

// remains is the text of s, nil where it holds nothing and may go.
func remains(s *settings, made []string) []byte {
	bare := s.empty() || s.doc.Nodes[0].Len == 0 && len(s.comments) == 0
	if bare && mine(made, "") {
		return s.marked(nil)
	}
	return s.src
}
