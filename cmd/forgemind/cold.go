package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) coldStorageCommand() *cli.Command {
	return &cli.Command{
		Name:  "cold-storage",
		Usage: "List, show and verify removed messages",
		Subcommands: []*cli.Command{
			{
				Name:  "list",
				Usage: "List the chunks in cold storage",
				Description: "To search them, use 'forgemind recover --query TEXT'.\n" +
					"\nExample:\n" +
					"  forgemind cold-storage list --session session-2026-11-20-7f3k2q",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "session", Usage: "only those of this session (`ID`)"},
					formatFlag(),
				},
				Action: takes(0, 0, p.listChunks),
			},
			{
				Name:      "show",
				Usage:     "Show a chunk",
				ArgsUsage: "ID",
				Description: "Unlike 'forgemind recover' it writes nothing to a log.\n" +
					"\nExample:\n" +
					"  forgemind cold-storage show chunk-7f3k2q",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(1, 1, p.showChunk),
			},
			{
				Name:  "verify",
				Usage: "Check that nothing in cold storage was lost or changed",
				Description: "Finds lines that are no chunk, chunks that were edited, are there twice or lack a passage, and\n" +
					"compactions whose chunks are missing.\n" +
					"\nExit codes: 0 nothing wrong, 1 findings.",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 0, p.verifyCold),
			},
			{
				Name:  "expire",
				Usage: "Move expired chunks to the trash",
				Description: "Compactions do this, too. Files go to .local/trash/, which nothing empties; a file that is moved back is\n" +
					"in cold storage again.",
				Flags:  []cli.Flag{formatFlag(), dryRunFlag()},
				Action: takes(0, 0, p.expireCold),
			},
		},
	}
}

// A shownChunk is a chunk as JSON for programs: with an `id`, as every item has
// one.
type shownChunk struct {
	ID string `json:"id"`
	schema.Chunk
}

func (p *program) listChunks(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	chunks, faults, err := cold.List(tree)
	if err != nil {
		return err
	}
	p.tellFaults(faults)
	list := []shownChunk{}
	for _, chunk := range chunks {
		if !c.IsSet("session") || chunk.SessionID == c.String("session") {
			list = append(list, shownChunk{chunk.ChunkID, chunk})
		}
	}
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version int          `json:"version"`
			Chunks  []shownChunk `json:"chunks"`
		}{1, list})
	}
	var lines strings.Builder
	for _, chunk := range list {
		why := chunk.DropReason
		if why == "" {
			why = "summarised"
		}
		fmt.Fprintf(&lines, "%s  %s  %s  %s  %s  %s%s\n", inline(chunk.ID), inline(chunk.Timestamp), count(int(chunk.Tokens), "token"),
			short(why, 60), keptFor(chunk.RecoverableUntil, p.Now()), passage(chunk.Chunk, ": "), short(chunk.Content, 80))
	}
	p.printLines(lines.String())
	return nil
}

// keptFor is how long a chunk is kept yet.
func keptFor(until string, now time.Time) string {
	t, err := schema.ParseTime(until)
	left := t.Sub(now)
	switch {
	case err != nil:
		return "kept for ever"
	case left <= 0:
		return "expired"
	case left < time.Hour:
		return "kept less than an hour"
	case left < 48*time.Hour:
		return fmt.Sprintf("kept %dh", int(left.Hours()))
	}
	return fmt.Sprintf("kept %dd", int(left.Hours()/24))
}

// passage says of a piece of a long message which it is.
func passage(chunk schema.Chunk, end string) string {
	if chunk.Part == 0 {
		return ""
	}
	return fmt.Sprintf("passage %d of %d%s", chunk.Part, chunk.Parts, end)
}

// tellFaults tells of lines of cold storage that hold no chunk.
func (p *program) tellFaults(faults []cold.Fault) {
	for _, f := range faults {
		p.note("forgemind: warning: %s:%d: no chunk: %s", inline(p.at(f.Name)), f.Line, short(f.Err.Error(), 300))
	}
}

func (p *program) showChunk(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	chunk, err := p.getChunk(tree, c.Args().First())
	if err != nil {
		return err
	}
	if wantsJSON(c) {
		return p.printJSON(shownChunk{chunk.ChunkID, chunk})
	}
	p.printChunk(chunk, "")
	return nil
}

// getChunk gets one chunk; of an unknown one it names the nearest.
func (p *program) getChunk(tree *fs.Tree, id string) (schema.Chunk, error) {
	chunk, err := cold.Get(tree, id)
	var gone *cold.Gone
	if errors.As(err, &gone) {
		return chunk, withHint(&unmetError{err.Error()}, "moved back to %s it is in cold storage again", inline(p.at(gone.Name)))
	}
	if !errors.Is(err, cold.ErrUnknown) {
		return chunk, err
	}
	if cold.Empty(tree) {
		return chunk, withHint(&unmetError{fmt.Sprintf("chunk %q: this working copy has nothing in cold storage", short(id, 80))}, notInGit)
	}
	var ids []string
	if all, _, err := cold.List(tree); err == nil {
		for _, c := range all {
			ids = append(ids, c.ChunkID)
		}
	}
	return chunk, withHint(&unmetError{fmt.Sprintf("chunk %q is not in cold storage", short(id, 80))},
		"%s", didYouMean(id, ids, "'forgemind cold-storage list' shows those there are"))
}

// printChunk shows a chunk whole: a line about it, then what it says.
func (p *program) printChunk(chunk schema.Chunk, score string) {
	about := []string{count(int(chunk.Tokens), "token")}
	for _, n := range []struct{ word, value string }{
		{"", score}, {"", passage(chunk, "")}, {"left ", chunk.Timestamp}, {"session ", chunk.SessionID}, {"because ", chunk.DropReason}, {"kept until ", chunk.RecoverableUntil},
	} {
		if n.value != "" {
			about = append(about, n.word+n.value)
		}
	}
	p.printf("%s%s\n", inline(chunk.ChunkID), bracketed(about))
	for line := range strings.SplitSeq(strings.TrimRight(sanitize.Text(chunk.Content), "\n"), "\n") {
		p.printf("  %s\n", line)
	}
}
