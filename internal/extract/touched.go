package extract

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// How a call of a tool touches a file.
const (
	TouchRead     = "read"
	TouchEdited   = "edited"
	TouchWritten  = "written"
	TouchSearched = "searched"
)

// A Touch is a file that a call of a tool touches.
type Touch struct{ Path, How string }

// maxCall is the length in bytes of a call that is searched for files.
const maxCall = 1 << 20

var (
	callPath    = lazyregexp.New(`"(?:file_path|filePath|notebook_path|absolute_path|target_file|target_notebook|relative_path|filename|path|file|old_path|new_path|destination)"\s*:\s*("(?:[^"\\]|\\.)*")`)
	callPaths   = lazyregexp.New(`"(?:paths|files|file_paths)"\s*:\s*(\[(?:\s*"(?:[^"\\]|\\.)*"\s*,?)*\s*\])`)
	callCommand = lazyregexp.New(`"(?:command|cmd|script|code)"\s*:\s*("(?:[^"\\]|\\.)*"|\[(?:\s*"(?:[^"\\]|\\.)*"\s*,?)*\s*\])`)
	patchedFile = lazyregexp.New(`\*\*\* (?:(Update|Add|Delete) File|Move to): ([^\n\r"\\]+)`)
)

// Touched returns the files that a message touches as a call of a tool, each once for each
// way, in order: by the members of its input that hold paths, by a patch, or by a command
// of a shell. The output of a tool and what people say touch nothing.
func Touched(m schema.Message) (found []Touch) {
	if m.ToolName == "" || m.Role == "tool" || m.Role == "user" || len(m.Content) > maxCall {
		return nil
	}
	add := func(path, how string) {
		path = strings.TrimPrefix(strings.TrimSpace(path), "./")
		if t := (Touch{path, how}); path != "" && len(path) <= maxNameLength && !strings.ContainsAny(path, "\n\r*") && len(found) < maxNames && !slices.Contains(found, t) {
			found = append(found, t)
		}
	}
	for _, p := range patchedFile.FindAllStringSubmatch(m.Content, maxNames) {
		how := TouchEdited
		if p[1] == "Add" || p[1] == "" {
			how = TouchWritten
		}
		add(p[2], how)
	}
	if len(found) > 0 {
		return found
	}
	how := howTouched(m.ToolName, m.Content)
	for _, p := range callPath.FindAllStringSubmatch(m.Content, maxNames) {
		var path string
		if json.Unmarshal([]byte(p[1]), &path) == nil && (how != TouchSearched || isFile(path)) {
			add(path, how)
		}
	}
	for _, p := range callPaths.FindAllStringSubmatch(m.Content, maxNames) {
		for _, path := range stringsIn(p[1]) {
			if isFile(path) {
				add(path, how)
			}
		}
	}
	if c := callCommand.FindStringSubmatch(m.Content); c != nil && len(found) == 0 {
		for _, t := range byShell(strings.Join(stringsIn(c[1]), " ")) {
			add(t.Path, t.How)
		}
	}
	return found
}

// CallRefused reports whether the first of messages is a call of a tool that the user refused in
// the next one.
func CallRefused(messages []schema.Message) bool {
	if len(messages) < 2 || messages[0].ToolName == "" {
		return false
	}
	next := messages[1]
	return next.Role == "user" && next.ToolName == messages[0].ToolName && strings.HasPrefix(next.Content, "The user refused ")
}

// stringsIn returns the string, or the strings of the list, that a JSON text is.
func stringsIn(src string) (all []string) {
	if strings.HasPrefix(src, `"`) {
		src = "[" + src + "]"
	}
	if json.Unmarshal([]byte(src), &all) != nil {
		return nil
	}
	return all
}

var toolAction = lazyregexp.New(`"command"\s*:\s*"(view|create|str_replace|insert|undo_edit)"`)

// howTouched returns what a tool does with the files that its input names.
func howTouched(tool, content string) string {
	tool = strings.ToLower(tool)
	if m := toolAction.FindStringSubmatch(content); m != nil {
		tool = m[1]
	}
	switch {
	case containsOne(tool, "todo", "task"):
		return TouchSearched
	case containsOne(tool, "write", "create", "save"):
		return TouchWritten
	case containsOne(tool, "edit", "replace", "patch", "insert", "delete_file", "remove_file", "rename", "move"):
		return TouchEdited
	case containsOne(tool, "read", "view", "open", "cat"):
		return TouchRead
	}
	return TouchSearched
}

var (
	heredoc  = lazyregexp.New(`(?m)<<-?\s*['"]?(\w+)['"]?.*$`)
	redirect = lazyregexp.New(`^(?:[012&]?>{1,2}\|?)(.*)$`)
)

// shellReads are the commands of a shell that read the files they name.
var shellReads = set(`cat head tail less more nl wc bat jq xxd od file stat diff cmp source . open`)

// shellWrites are the commands of a shell that write or remove the files they name.
var shellWrites = set(`tee touch rm mv cp gofmt ln install truncate chmod`)

// byShell returns the files that a command of a shell reads or writes by name.
func byShell(command string) (found []Touch) {
	for part := range strings.FieldsFuncSeq(withoutHeredocs(command), func(r rune) bool { return strings.ContainsRune("\n;|&()", r) }) {
		words := strings.Fields(part)
		for len(words) > 0 && (words[0] == "sudo" || words[0] == "then" || words[0] == "do" || strings.Contains(words[0], "=") || words[0] == "bash" || words[0] == "-lc" || words[0] == "-c") {
			words = words[1:]
		}
		if len(words) == 0 {
			continue
		}
		how := ""
		switch name := strings.Trim(words[0], `"'`); {
		case shellReads[name]:
			how = TouchRead
		case shellWrites[name]:
			how = TouchEdited
		case name == "sed" || name == "perl":
			if how = TouchRead; slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-i") || w == "-pi" }) {
				how = TouchEdited
			}
		case name == "grep" || name == "rg":
			how = TouchSearched
		}
		for i := 1; i < len(words); i++ {
			word, as := strings.Trim(words[i], `"'`), how
			if m := redirect.FindStringSubmatch(word); m != nil {
				as, word = TouchWritten, m[1]
				if word == "" && i+1 < len(words) {
					i++
					word = strings.Trim(words[i], `"'`)
				}
			}
			if path := strings.TrimPrefix(word, "./"); as != "" && !strings.ContainsAny(path, "$*{}<>`\\") && !strings.HasPrefix(path, "-") && path != "" && isFile(path) {
				found = append(found, Touch{path, as})
			}
		}
	}
	return found
}

// withoutHeredocs returns a command without the texts that it feeds to programs.
func withoutHeredocs(command string) string {
	for range maxNames {
		at := heredoc.FindStringSubmatchIndex(command)
		if at == nil {
			return command
		}
		mark := "\n" + command[at[2]:at[3]]
		rest := command[at[1]:]
		line := command[at[0]+2 : at[1]]
		if _, after, ok := strings.Cut(line, " "); ok { // "cat <<EOF > file"
			line = " " + after
		} else {
			line = ""
		}
		end := strings.Index(rest, mark)
		if end < 0 {
			return command[:at[0]] + line
		}
		command = command[:at[0]] + line + rest[end+len(mark):]
	}
	return command
}
