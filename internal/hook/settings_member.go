package hook

import (
	"bytes"
	"encoding/json"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// member is one value of ours in a JSON file: our MCP server among an agent's
// servers, or the status line.
type member struct {
	pointer string
	what    string // it is, to people
	value   any
	command string             // that it starts
	first   string             // of its arguments; "" for none
	at, arg string             // pointers to both within value
	fresh   string             // what a new file holds besides
	known   *lazyregexp.Regexp // commands of ours, of any version; the program is in it
	program program
	strict  string // see hooks
}

var (
	serverCommand = lazyregexp.New(`^` + anyProgram + `$`)
	statusCommand = lazyregexp.New(`^` + anyShell + ` statusline(?: .*)?$`)
)

// server is the entry of our MCP server; a full one has a type and a list of
// tools, as Copilot's own file has it.
func server(prog program, strict string, full bool) *member {
	m := &member{pointer: "/mcpServers/forgemind", what: "server called forgemind", command: prog.name(), first: "mcp", at: "/command", arg: "/args/0", fresh: "{}\n", known: serverCommand, program: prog, strict: strict}
	type plain struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}
	m.value = plain{m.command, []string{m.first}}
	if full {
		m.value = struct {
			Type    string   `json:"type"`
			Command string   `json:"command"`
			Args    []string `json:"args"`
			Tools   []string `json:"tools"`
		}{"local", m.command, []string{m.first}, []string{"*"}}
	}
	return m
}

// opencodeServer is the entry of our MCP server in opencode's settings.
func opencodeServer(prog program) *member {
	m := server(prog, "", false)
	m.pointer, m.at, m.arg = "/mcp/forgemind", "/command/0", "/command/1"
	m.fresh = "{\n  \"$schema\": \"https://opencode.ai/config.json\"\n}\n" // opencode adds it where it is missing
	m.value = struct {
		Type    string   `json:"type"`
		Command []string `json:"command"`
		Enabled bool     `json:"enabled"`
	}{"local", []string{m.command, m.first}, true}
	return m
}

// statusLine is the status line of Claude Code, which has one at most.
func statusLine(prog program, strict string) *member {
	m := &member{pointer: "/statusLine", what: "status line", command: prog.shell() + " statusline", at: "/command", fresh: "{}\n", known: statusCommand, program: prog, strict: strict}
	m.value = struct {
		Type    string `json:"type"`
		Command string `json:"command"`
	}{"command", m.command}
	return m
}

// here is the node of what stands in our place, -1 if nothing does, and the program
// that it starts, "" if that is not ours.
func (m *member) here(s *settings) (node int, starts string) {
	if node = s.doc.Find(m.pointer); node < 0 {
		return node, ""
	}
	command, _ := s.doc.Str(s.doc.Find(m.pointer + m.at))
	if m.first != "" {
		if first, _ := s.doc.Str(s.doc.Find(m.pointer + m.arg)); first != m.first {
			return node, ""
		}
	}
	if found := m.known.FindStringSubmatch(command); found != nil && m.program.vouched(unquoted(found[1])) {
		return node, unquoted(found[1])
	}
	return node, ""
}

// put implements piece.
func (m *member) put(src []byte) ([]byte, []string, string, error) {
	s, err := readSettings(src)
	if err != nil {
		return nil, nil, "", err
	}
	value, err := jsonedit.Value(m.value)
	if err != nil {
		return nil, nil, "", err
	}
	note := unreadBy(m.strict, s)
	if s.empty() {
		out, err := jsonedit.Set([]byte(m.fresh), m.pointer, value)
		return s.marked(out), append([]string{""}, containers(m.pointer)...), note, err
	}
	switch node, starts := m.here(s); {
	case node < 0:
		out, made, err := s.add(m.pointer, value)
		return out, made, note, err
	case starts == "":
		return src, nil, s.fault(int(s.doc.Nodes[node].Start), "", "").position() + "there is another " + m.what + "; it was left alone", nil
	case !m.program.there(starts) && m.program.there(m.program.name()):
		out, err := s.retext(s.doc.Find(m.pointer+m.at), m.command)
		return out, nil, note, err
	}
	return src, nil, note, nil
}

// containers are what holds the value at pointer, but for the root.
func containers(pointer string) []string {
	if i := bytes.LastIndexByte([]byte(pointer), '/'); i > 0 {
		return []string{pointer[:i]}
	}
	return nil
}

// take implements piece. What the user changed in the value goes with it: without
// forgemind it is of no use.
func (m *member) take(src []byte, made []string) ([]byte, string, error) {
	if !bytes.Contains(src, []byte("forgemind")) {
		return src, "", nil
	}
	s, err := readSettings(src)
	if err != nil {
		return nil, "", err
	}
	node, starts := m.here(s)
	if starts == "" {
		return src, "", nil
	}
	holder := int(s.doc.Nodes[node].Parent)
	if holder > 0 && s.doc.Nodes[holder].Len == 1 && mine(made, s.doc.Pointer(holder)) && !s.commented(int(s.doc.Nodes[holder].Start), int(s.doc.Nodes[holder].End)) {
		node = holder
	}
	if s, err = readSettings(s.cut(node)); err != nil {
		return nil, "", err
	}
	if mine(made, "") && m.isFresh(s.src) {
		return s.marked(nil), "", nil
	}
	return remains(s, made), "", nil
}

// isFresh reports whether a file holds no more than one that is new.
func (m *member) isFresh(src []byte) bool {
	text, err := jsonedit.Value(json.RawMessage(src))
	if err != nil {
		return false
	}
	fresh, err := jsonedit.Value(json.RawMessage(m.fresh))
	return err == nil && bytes.Equal(text, fresh)
}

// look implements piece.
func (m *member) look(src []byte) (State, string) {
	s, err := readSettings(src)
	if err != nil {
		return unread(err)
	}
	switch node, starts := m.here(s); {
	case node < 0:
		return Absent, ""
	case starts == "":
		return Foreign, "there is another " + m.what
	case !m.program.there(starts):
		return Broken, notFound(starts)
	}
	return Installed, unreadBy(m.strict, s)
}

func notFound(program string) string {
	if program == "forgemind" {
		return "forgemind is not on the PATH"
	}
	return program + " is not there"
}
