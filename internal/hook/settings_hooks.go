package hook

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// An event is one hook of an agent.
type event struct {
	name    string
	matcher string // pattern for tools; "" for all
	timeout int    // in the agent's unit
}

// A hooks is the piece with an agent's hooks in a settings file.
type hooks struct {
	agent   string
	program program
	form    form
	events  []event
	strict  string // name of the agent if it reads plain JSON only
	version bool   // the file begins with "version": 1
}

// A form is the structure of hooks in a settings file.
type form int

const (
	nested  form = iota // event → groups with a matcher → hooks
	flat                // event → hooks with a command
	twofold             // event → hooks with a command for each kind of shell
)

// ourCommand matches the command of any version of forgemind.
var ourCommand = lazyregexp.New(`^` + anyShell + ` hook run ([A-Za-z]{1,40}) --agent ([a-z]{1,20})$`)

// command returns the command for an event.
func (h *hooks) command(event string) string {
	return h.program.shell() + " hook run " + event + " --agent " + h.agent
}

// entry returns the value for an event in its list.
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
		Timeout int    `json:"timeout"`
	}
	return struct {
		Matcher string    `json:"matcher,omitempty"`
		Hooks   []handler `json:"hooks"`
	}{e.matcher, []handler{{"command", command, e.timeout}}}
}

// A found is a hook of ours in a settings file.
type found struct {
	event   event  // its event; without a name if this version has no such hook
	list    string // event of the list in which it is
	command string
	program string // program that the command starts
	node    int    // handler; in nested form one of a group
	group   int    // element of the event's list
}

// ours returns the hooks of this agent in s. Only the first one for an event has the event.
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
				command, _ := d.Str(h.commandOf(d, node))
				is := ourCommand.FindStringSubmatch(command)
				if is == nil || is[3] != h.agent || !h.program.isForgemind(unquoted(is[1])) {
					continue
				}
				f := found{list: d.Key(list), command: command, program: unquoted(is[1]), node: node, group: group}
				same := func(o found) bool { return o.event.name == is[2] }
				if i := slices.IndexFunc(h.events, func(e event) bool { return e.name == is[2] && e.name == f.list }); i >= 0 && !slices.ContainsFunc(all, same) {
					f.event = h.events[i]
				}
				all = append(all, f)
			}
		}
	}
	return all
}

// mostOurs is the largest number of our hooks in a file. Each is removed in a separate edit, and no
// version writes so many.
const mostOurs = 100

// few returns an error if a file has more of our hooks than that.
func few(here []found, s *settings) error {
	if len(here) <= mostOurs {
		return nil
	}
	at := int(s.doc.Nodes[here[mostOurs].node].Start)
	return s.fault(at, fmt.Sprintf("there are %d hooks of forgemind, and at most %d are examined", len(here), mostOurs), "find out who added them, and remove the extra ones")
}

// unquoted returns a shell word without quotes.
func unquoted(word string) string { return strings.Trim(word, `"`) }

// commandOf returns the node of a handler's command.
func (h *hooks) commandOf(d *jsonedit.Doc, handler int) int {
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

// renewed returns s without our hooks that this version does not have, and without duplicates. In
// hooks whose program no longer exists it inserts the present program.
func (h *hooks) renewed(s *settings) (*settings, error) {
	for {
		here := h.ours(s)
		if err := few(here, s); err != nil {
			return nil, err
		}
		surplus := slices.IndexFunc(here, func(f found) bool { return f.event.name == "" })
		gone := slices.IndexFunc(here, func(f found) bool { return f.event.name != "" && !h.program.there(f.program) })
		var src []byte
		var err error
		switch {
		case surplus >= 0:
			src = h.without(s, here[surplus], nil)
		case gone >= 0 && h.program.there(h.program.name()):
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

// rename changes the program of a hook to ours.
func (h *hooks) rename(s *settings, f found) ([]byte, error) {
	command := h.command(f.event.name)
	src, err := s.retext(h.commandOf(&s.doc, f.node), command)
	if h.form != twofold || err != nil {
		return src, err
	}
	if s, err = readSettings(src); err != nil {
		return nil, err
	}
	return s.retext(s.doc.Member(f.node, "powershell"), powershell(command))
}

// fresh returns the file for a place without one.
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

// without returns the text without a hook of ours, and without the group and the list that were
// created for it.
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

// tidy removes empty containers that put may have created.
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

// remains returns the text of s, or nil if it is empty and can be removed.
func remains(s *settings, made []string) []byte {
	bare := s.empty() || s.doc.Nodes[0].Len == 0 && len(s.comments) == 0
	if bare && mine(made, "") {
		return s.marked(nil)
	}
	return s.src
}
