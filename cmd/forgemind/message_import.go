package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/refresh"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) importMessagesCommand() *cli.Command {
	return &cli.Command{
		Name:      "import",
		Usage:     "add the messages of a JSONL file or of an agent's transcript",
		ArgsUsage: "FILE|-",
		Description: "FILE holds one JSON message a line (content, with msg_id and timestamp), or is what Claude Code, Codex or the\n" +
			"Gemini CLI wrote down; '-' is standard input. What is there already is skipped, so that importing twice adds\n" +
			"nothing; secrets of a well-known shape are masked; a line that cannot be read is told, and the rest goes on:\n" +
			"'forgemind message import ~/.claude/projects/orchard/3f6c.jsonl'.",
		Flags:  []cli.Flag{formatFlag(), dryRunFlag()},
		Action: takes(1, 1, p.importMessages),
	}
}

// An importReport is what message import prints with --format json.
type importReport struct {
	outcomeReport
	Tool    string        `json:"tool"` // whose transcript it is; forgemind, chat or "" for an empty file too
	Added   int           `json:"added"`
	Skipped int           `json:"skipped"` // were there already
	Tokens  int           `json:"tokens"`  // of those added
	Faults  []importFault `json:"faults"`
}

// An importFault is a place that could not be read.
type importFault struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

func (p *program) importMessages(c *cli.Context) error {
	path := c.Args().First()
	src, err := p.readInput(path)
	if err != nil {
		return err
	}
	if path == "-" {
		path = "<stdin>"
	}
	im, err := session.ReadTranscript(src)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	messages, faults, tool := im.Messages, im.Faults, im.Tool
	for _, f := range faults {
		p.note("%s:%d:%d: warning: %s", inline(path), f.Line, f.Column, short(f.Err.Error(), 300))
	}
	return p.onTree(c, func(tree *refresh.Tree) error {
		stop := p.busy("counting the tokens of " + count(len(messages), "message"))
		said, out, err := tree.Import(c.Context, im)
		stop()
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		report := importReport{
			outcomeReport: outcomeJSON(out, c.Bool("dry-run")),
			Tool:          tool, Added: len(said), Skipped: skipped(messages, said), Tokens: messageTokens(said), Faults: []importFault{},
		}
		for _, f := range faults {
			report.Faults = append(report.Faults, importFault{f.Line, f.Column, f.Err.Error()})
		}
		if len(out.Changes) == 0 && !wantsJSON(c) {
			p.warn(out)
			p.printf("%s\n", report.headline(path))
			return nil
		}
		return p.changed(c, out, report.headline(path), report)
	})
}

// readInput reads a file that the user names, or standard input.
func (p *program) readInput(path string) ([]byte, error) {
	if path == "-" {
		return p.readAll()
	}
	abs, err := p.abs(path)
	if err != nil {
		return nil, err
	}
	real, entry, err := meant(abs)
	if err != nil {
		return nil, tellPath(path, err)
	}
	if entry.IsDir() {
		return nil, fmt.Errorf("%s: a directory; name a file in it", path)
	}
	dir, err := fs.Open(filepath.Dir(real))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	file, err := dir.Stream(filepath.Base(real))
	if err != nil {
		switch {
		case errors.Is(err, fs.ErrIrregular):
			err = fs.ErrIrregular
		case errors.Is(err, fs.ErrName):
			err = errors.New("a file name with a backslash, a colon or control characters")
		}
		return nil, withHint(tellPath(path, err), "'forgemind message import -' reads standard input")
	}
	defer file.Close()
	return readLimited(path, file)
}

// skipped counts the messages none of whose parts was added.
func skipped(messages, said []schema.Message) int {
	added := map[string]bool{}
	for _, m := range said {
		added[m.ID] = true
	}
	n := 0
	for _, m := range messages {
		parts, err := session.Split(m)
		if err == nil && !added[m.ID] && !slices.ContainsFunc(parts, func(part schema.Message) bool { return added[part.ID] }) {
			n++
		}
	}
	return n
}

// headline says what came of an import.
func (r importReport) headline(path string) string {
	what := "nothing"
	switch r.Tool {
	case "":
	case "forgemind":
		what = "messages of forgemind"
	case "chat":
		what = "a chat"
	default:
		what = "a transcript of " + r.Tool
	}
	line := fmt.Sprintf("%s: %s: %s added (%s), %d skipped as already there",
		inline(path), what, count(r.Added, "message"), count(r.Tokens, "token"), r.Skipped)
	if n := len(r.Faults); n > 0 {
		line += fmt.Sprintf(", %s not readable", count(n, "line"))
	}
	return line
}
