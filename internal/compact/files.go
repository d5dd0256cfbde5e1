package compact

import (
	"encoding/json"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

var (
	pathMember = lazyregexp.New(`"(?:file_path|filePath|notebook_path|absolute_path|target_file|filename|path|file)"\s*:\s*("(?:[^"\\]|\\.)*")`)
	patched    = lazyregexp.New(`\*\*\* (?:(?:Update|Add|Delete) File|Move to): ([^\n\r"\\]+)`)
	callName   = lazyregexp.New(`^\s*([A-Za-z_][\w.-]*)\s*[({]`)
)

// changed returns the files that calls of tools in some messages edit or write, each
// once, in the order of the first change.
func (t *talk) changed(in func(m *message) bool) []string {
	var paths []string
	seen := map[string]bool{}
	for i := range t.messages {
		m := &t.messages[i]
		if m.kind == ToolOutput || m.user || !in(m) {
			continue
		}
		for _, path := range changedBy(m) {
			if path = oneLine(path, 300); path != "" && !seen[path] {
				seen[path] = true
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// changedBy returns the files that a message's call of a tool edits or writes.
func changedBy(m *message) (paths []string) {
	tool := m.ToolName
	if tool == "" {
		name := callName.FindStringSubmatch(head(m.Content, 200))
		if name == nil {
			return nil
		}
		tool = name[1]
	}
	if patch := patched.FindAllStringSubmatch(m.Content, -1); patch != nil {
		for _, p := range patch {
			paths = append(paths, p[1])
		}
		return paths
	}
	if !writes(tool) {
		return nil
	}
	for _, member := range pathMember.FindAllStringSubmatch(m.Content, -1) {
		var path string
		if json.Unmarshal([]byte(member[1]), &path) == nil && path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// writes reports whether a tool changes files.
func writes(tool string) bool {
	tool = strings.ToLower(tool)
	for _, verb := range []string{"edit", "write", "create", "patch", "replace", "insert", "save", "delete_file", "remove_file", "rename", "move"} {
		if strings.Contains(tool, verb) && !strings.Contains(tool, "todo") && !strings.Contains(tool, "task") {
			return true
		}
	}
	return false
}
