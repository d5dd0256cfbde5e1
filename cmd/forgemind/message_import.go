package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) importMessagesCommand() *cli.Command {
	return &cli.Command{
		Name:      "import",
		Usage:     "Import an agent's transcript or a JSONL file",
		ArgsUsage: "FILE|-",
		Description: "FILE has one JSON message a line (content, with msg_id and timestamp), or is a transcript of Claude Code,\n" +
			"Codex, Copilot, Cursor, the Gemini CLI, opencode, VS Code, SWE-agent or SpecStory, or an export of ChatGPT or\n" +
			"Claude.ai; \"-\" is standard input. A transcript goes to the session that has the rest of it, else to one of\n" +
			"its own. Messages that are there are skipped, so a file that has grown can be imported again. Secrets of a\n" +
			"known form are masked. Lines that cannot be read are reported and skipped.\n" +
			"\nExamples:\n" +
			"  forgemind message import ~/.claude/projects/api/3f6c.jsonl\n" +
			"  forgemind message import conversations.json --conversation 'South wall'",
		Flags:  append(transcriptFlags(), formatFlag(), dryRunFlag()),
		Action: takes(1, 1, p.importMessages),
	}
}

// transcriptFlags are the flags of commands that read transcripts.
func transcriptFlags() []cli.Flag {
	return []cli.Flag{
		optional("from-format", "whose transcript it is", "what it looks like", transcript.Tools()...),
		&cli.StringFlag{Name: "conversation", Usage: "of an export, take the one of that `ID` or title", DefaultText: "all"},
	}
}

// An importReport is what message import prints with --format json.
type importReport struct {
	outcomeReport
	transcriptReport
	Beside []string `json:"beside"` // the sessions other than the active one that it is in
}

// A transcriptReport is what came of a transcript. Of its records those that are
// neither left out nor unreadable gave messages.
type transcriptReport struct {
	Tool       string               `json:"tool"`    // whose transcript it is; forgemind, chat or "" for an empty file too
	Records    int                  `json:"records"` // lines, elements or turns
	Gave       int                  `json:"records_with_messages"`
	LeftOut    []transcript.Skipped `json:"left_out"`      // records without a message, by why
	Unreadable int                  `json:"unreadable"`    // records
	Mended     int                  `json:"mended"`        // records, before they were read
	Talks      []transcript.Talk    `json:"conversations"` // of an export
	Messages   int                  `json:"messages"`      // in the transcript
	Added      int                  `json:"added"`
	Skipped    int                  `json:"skipped"`      // were there already
	Tokens     int                  `json:"tokens"`       // of those added
	Untimed    int                  `json:"without_time"` // messages whose time cannot be read
	Faults     []importFault        `json:"faults"`
}

func reportTranscript(im transcript.Transcript, added []schema.Message) transcriptReport {
	r := transcriptReport{
		Tool: im.Tool, Records: im.Records, Gave: im.Gave, LeftOut: append([]transcript.Skipped{}, im.Skipped...), Unreadable: im.Unread, Mended: im.Mended,
		Talks: append([]transcript.Talk{}, im.Talks...), Messages: len(im.Messages), Added: session.Wholes(added), Tokens: messageTokens(added), Untimed: im.Untimed, Faults: []importFault{},
	}
	r.Skipped = max(0, r.Messages-r.Added)
	for _, f := range im.Faults {
		r.Faults = append(r.Faults, importFault{f.Line, f.Column, f.Err.Error()})
	}
	return r
}

// An importFault is a place that could not be read.
type importFault struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

func (p *program) importMessages(c *cli.Context) error {
	path := c.Args().First()
	im, err := p.readTranscript(c, path)
	if err != nil {
		return err
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		stop := p.busy("counting the tokens of " + count(len(im.Messages), "message"))
		done, out, err := tree.Import(c.Context, im)
		stop()
		if err != nil {
			return fmt.Errorf("%s: %w", inline(path), err)
		}
		report := importReport{outcomeJSON(out, c.Bool("dry-run")), reportTranscript(im, done.Added), append([]string{}, done.Beside...)}
		headline := report.headline(path) + beside(done)
		if len(out.Changes) == 0 && !wantsJSON(c) {
			p.warn(out)
			p.printf("%s\n", headline)
			return nil
		}
		return p.changed(c, out, headline, report)
	})
}

// beside tells which sessions other than the active one a transcript is in.
func beside(done engine.Imported) string {
	switch n := len(done.Beside); {
	case done.WouldBegin > 0:
		return fmt.Sprintf("\nin %s beside the active one, %d of them new", count(n+done.WouldBegin, "session"), done.WouldBegin)
	case n == 0:
		return ""
	case n == 1:
		return fmt.Sprintf("\nin session %s, because another is active; 'forgemind sessions restore %[1]s' makes it the active one", done.Beside[0])
	default:
		return "\nin " + count(n, "session") + " beside the active one; 'forgemind sessions list' lists them"
	}
}

// readTranscript reads the transcript that the user names, and tells what of it
// cannot be read.
func (p *program) readTranscript(c *cli.Context, path string) (transcript.Transcript, error) {
	if c.IsSet("conversation") && strings.TrimSpace(c.String("conversation")) == "" {
		return transcript.Transcript{}, &usageError{c.Command.HelpName + ": --conversation wants an id or a title", usageLine(c.Command)}
	}
	src, err := p.readInput(path)
	if err != nil {
		return transcript.Transcript{}, err
	}
	if path == "-" {
		path = "<stdin>"
	}
	im, err := transcript.ReadTalk(c.String("from-format"), c.String("conversation"), src)
	for _, f := range im.Faults {
		p.note("%s:%d:%d: warning: %s", inline(path), f.Line, f.Column, short(f.Err.Error(), 300))
	}
	if err != nil {
		return im, fmt.Errorf("%s: %w", inline(path), err)
	}
	p.noteUnknown(path, im)
	if im.Untimed > 0 {
		p.note("%s: warning: %s without a time that can be read; the order of the file is kept", inline(path), count(im.Untimed, "message"))
	}
	return im, nil
}

// noteUnknown tells in one warning that records are of kinds that are not known: there
// may be talk in them.
func (p *program) noteUnknown(path string, im transcript.Transcript) {
	n, kinds := 0, []string{}
	for _, s := range im.Unknown {
		n += s.Count
		kinds = append(kinds, inline(s.Reason))
	}
	if n > 0 {
		p.note("%s: warning: %s of unknown kinds left out (%s); a newer version of %s may write them",
			inline(path), count(n, "record"), strings.Join(kinds, ", "), im.Tool)
	}
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
		return nil, withHint(tellPath(path, err), "'-' in its place reads standard input")
	}
	defer file.Close()
	return readLimited(path, file, entry.Size())
}

// headline says what came of an import.
func (r transcriptReport) headline(path string) string {
	if path == "-" {
		path = "<stdin>"
	}
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
	if r.Unreadable > 0 {
		line += fmt.Sprintf(", %s not readable", count(r.Unreadable, "line"))
	}
	if r.Records == 0 {
		return line
	}
	line += fmt.Sprintf("\nread %s, %d with messages", count(r.Records, "record"), r.Gave)
	for i, s := range r.LeftOut {
		sign := ", "
		if i == 0 {
			sign = "; without: "
		}
		line += fmt.Sprintf("%s%d %s", sign, s.Count, inline(s.Reason))
	}
	if r.Mended > 0 {
		line += fmt.Sprintf("; %s mended", count(r.Mended, "record"))
	}
	if len(r.Talks) > 1 {
		line += fmt.Sprintf("\nit holds %s; --conversation takes one of them", count(len(r.Talks), "conversation"))
	}
	return line
}
