package hook

import (
	"bytes"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// tomlServer is the table of our MCP server in Codex's config.toml, between two
// marks. It is only ever added behind everything else: what is before it is not
// understood, beyond what could make the table a second one of its name.
type tomlServer struct{ program program }

func (v tomlServer) table() string {
	return "# forgemind:begin\n[mcp_servers.forgemind]\ncommand = \"" + v.program.name() + "\"\nargs = [\"mcp\"]\n# forgemind:end"
}

var (
	tomlSpan   = lazyregexp.New(`(?ms)^# forgemind:begin\r?\n.*?^# forgemind:end\r?$`)
	tomlTable  = lazyregexp.New(`^# forgemind:begin\n\[mcp_servers\.forgemind\]\ncommand = "` + anyProgram + `"\nargs = \["mcp"\]\n# forgemind:end$`)
	tomlHead   = lazyregexp.New(`^\s*(\[\[?)\s*((?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:\s*\.\s*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*)\s*\]\]?\s*(?:#.*)?$`)
	tomlRoot   = lazyregexp.New(`^\s*(?:mcp_servers|"mcp_servers"|'mcp_servers')\s*(?:=|\.\s*["']?forgemind["']?\s*[=.])`)
	tomlEscape = lazyregexp.New(`\\[\x00-\x7F]`)
	tomlKey    = lazyregexp.New(`^\s*(?:forgemind|"forgemind"|'forgemind')\s*[=.]`)
)

// here is our table, and the program that it starts, "" if somebody changed it;
// nil where there is none.
func (v tomlServer) here(src []byte) (table *span, starts string) {
	at := tomlSpan.FindIndex(src)
	if at == nil {
		return nil, ""
	}
	text := bytes.TrimSuffix(src[at[0]:at[1]], []byte("\r"))
	if found := tomlTable.FindSubmatch(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))); found != nil && v.program.vouched(string(found[1])) {
		starts = string(found[1])
	}
	return &span{start: at[0], end: at[0] + len(text)}, starts
}

// clash is where a table of ours cannot stand beside what is there, and why; theirs
// says that there is one of its name.
func (tomlServer) clash(src []byte) (theirs bool, fault *Fault) {
	at := func(offset int, msg, hint string) *Fault {
		line, column, _ := jsonedit.Position(src, offset)
		return &Fault{Line: line, Column: column, Msg: msg, Hint: hint}
	}
	offset, opened, table, quotes := 0, 0, "", ""
	for line := range bytes.Lines(src) {
		start := offset
		offset += len(line)
		if quotes != "" || !bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")) {
			if inside := quotes != ""; longText(line, &quotes) || inside {
				if opened = start; inside {
					continue
				}
			}
		}
		head := tomlHead.FindSubmatch(line)
		switch {
		case head != nil:
			table = strings.Join(strings.FieldsFunc(string(head[2]), func(r rune) bool { return strings.ContainsRune(" \t\"'", r) }), "")
			if table == "mcp_servers.forgemind" || strings.HasPrefix(table, "mcp_servers.forgemind.") {
				return true, nil
			}
			if table != "mcp_servers" || string(head[1]) == "[" {
				continue
			}
		case !tomlRoot.Match(line) && !(table == "mcp_servers" && tomlKey.Match(line)):
			continue
		}
		return false, at(start, "mcp_servers is written in a way that only a person can add to", "'codex mcp add forgemind -- forgemind mcp' adds the server; nothing was changed")
	}
	if quotes != "" {
		return false, at(opened, "a text in triple quotes is not closed", mendHint)
	}
	return false, nil
}

// longText follows a text in triple quotes, of the kind in quotes, from one line to
// the next, and says whether the line opened or closed one.
func longText(line []byte, quotes *string) bool {
	changed := false
	for {
		if *quotes == "" {
			d, s := bytes.Index(line, []byte(`"""`)), bytes.Index(line, []byte(`'''`))
			switch {
			case d < 0 && s < 0:
				return changed
			case s < 0 || d >= 0 && d < s:
				*quotes, line = `"""`, line[d+3:]
			default:
				*quotes, line = `'''`, line[s+3:]
			}
		} else {
			text := line
			if *quotes == `"""` {
				text = tomlEscape.ReplaceAll(line, []byte("  "))
			}
			i := bytes.Index(text, []byte(*quotes))
			if i < 0 {
				return changed
			}
			*quotes, line = "", line[i+3:]
		}
		changed = true
	}
}

// put implements piece.
func (v tomlServer) put(src []byte) ([]byte, []string, string, error) {
	whole := strings.ReplaceAll(v.table(), "\n", eolOf(src))
	if table, starts := v.here(src); table != nil {
		switch {
		case starts == "":
			return src, nil, tomlChanged + "; it was kept", nil
		case !v.program.there(starts) && v.program.there(v.program.name()):
			return append(append(bytes.Clone(src[:table.start]), whole...), src[table.end:]...), nil, "", nil
		}
		return src, nil, "", nil
	}
	theirs, fault := v.clash(src)
	if theirs {
		return src, nil, "[mcp_servers.forgemind] is there already; it was left alone", nil
	}
	if fault != nil {
		return nil, nil, "", fault
	}
	return appended(src, whole), []string{""}, "", nil
}

const tomlChanged = "the table between the marks was changed by hand"

// take implements piece.
func (v tomlServer) take(src []byte, made []string) ([]byte, string, error) {
	table, starts := v.here(src)
	switch {
	case table == nil:
		return src, "", nil
	case starts == "":
		return src, tomlChanged + "; it was kept", nil
	}
	if src = without(src, *table); len(src) == 0 && mine(made, "") {
		return nil, "", nil
	}
	return src, "", nil
}

// look implements piece.
func (v tomlServer) look(src []byte) (State, string) {
	table, starts := v.here(src)
	theirs, _ := v.clash(src)
	switch {
	case table != nil && starts == "":
		return Edited, tomlChanged
	case table != nil && !v.program.there(starts):
		return Broken, notFound(starts)
	case table != nil:
		return Installed, ""
	case theirs:
		return Foreign, "[mcp_servers.forgemind] is there, and not ours"
	}
	return Absent, ""
}
