package transcript

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// How clients name files in what they put around the user's words.
var (
	namedFile = lazyregexp.New(`(?m)^## Active file: (.+)$` + // Codex
		`|opened the file (.+?) in the IDE|The user selected (?:the lines \d+ to \d+ )?from (.+):\r?$` + // Claude Code
		`|^Content from @(.+):\r?$` + // the Gemini CLI
		`|<(?:code_selection|file_contents|attachment)\b[^<>]*? (?:path|filePath)="([^"\n]+)"|^- (.+?) \(total lines: \d+\)\r?$` + // Cursor, Copilot
		`|current file is (\S+?)\.?(?:\s|$)`)
	listedFile = lazyregexp.New(`(?m)^(?:-|##) ([^:\n]+): (.+)$`) // Codex: its name, its path
)

// Bounds of what is told of the files that a client names.
const (
	mostFiles = 20  // of one text
	longFile  = 300 // bytes of a path
)

// noteFiles notes in m's metadata the files that a client names beside it.
func noteFiles(m *schema.Message, files []string) {
	if len(files) > 0 {
		_ = keepMember(m, "context_files", files) // metadata of our own making holds it
	}
}

// filesIn returns the files that pieces of a client's context name, each once.
func filesIn(context []string) (files []string) {
	for _, text := range context {
		for _, at := range namedFile.FindAllStringSubmatch(text, -1) {
			files = withFile(files, strings.Join(at[1:], ""))
		}
		for _, at := range listedFile.FindAllStringSubmatch(text, -1) {
			file := strings.TrimSpace(at[2])
			if path.Base(strings.ReplaceAll(file, `\`, "/")) == at[1] {
				files = withFile(files, file)
			}
		}
		if geminiEditor.MatchString(text) {
			files = geminiOpen(files, text)
		}
	}
	return files
}

// geminiOpen adds the files that are open in the editor.
func geminiOpen(files []string, text string) []string {
	var open struct {
		Active struct {
			Path string `json:"path"`
		} `json:"activeFile"`
		Others []string `json:"otherOpenFiles"`
	}
	_, text, _ = strings.Cut(text, "```json\n")
	text, _, _ = strings.Cut(text, "\n```")
	if jsonedit.Decode([]byte(text), &open) != nil {
		return files
	}
	for _, file := range append([]string{open.Active.Path}, open.Others...) {
		files = withFile(files, file)
	}
	return files
}

// withFile is files with one more, if it can be a file's name and is not among them.
func withFile(files []string, file string) []string {
	file = strings.TrimSpace(file)
	if rest, ok := strings.CutPrefix(file, "file://"); ok {
		if plain, err := url.PathUnescape(rest); err == nil {
			file = plain
		}
	}
	if file == "" || len(file) > longFile || len(files) == mostFiles || strings.ContainsFunc(file, schema.Hidden) || slices.Contains(files, file) {
		return files
	}
	return append(files, file)
}
