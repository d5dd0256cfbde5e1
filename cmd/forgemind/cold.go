package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) coldStorageCommand() *cli.Command {
	return &cli.Command{
		Name:  "cold-storage",
		Usage: "what left conversations and is kept: list, show",
		Subcommands: []*cli.Command{
			{
				Name:  "list",
				Usage: "list the chunks in cold storage",
				Description: "'forgemind cold-storage list --session session-2026-11-20-7f3k2q' lists those of one session;\n" +
					"'forgemind recover --query TEXT' finds them by what they say.",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "session", Usage: "only those of this session (`ID`)"},
					formatFlag(),
				},
				Action: takes(0, 0, p.listChunks),
			},
			{
				Name:        "show",
				Usage:       "show one chunk whole",
				ArgsUsage:   "ID",
				Description: "'forgemind cold-storage show chunk-7f3k2q'. Unlike 'forgemind recover' it leaves no trace in a log.",
				Flags:       []cli.Flag{formatFlag()},
				Action:      takes(1, 1, p.showChunk),
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
		fmt.Fprintf(&lines, "%s  %s  %s  %s  %s\n", inline(chunk.ID), inline(chunk.Timestamp),
			count(int(chunk.Tokens), "token"), short(why, 60), short(chunk.Content, 80))
	}
	p.printLines(lines.String())
	return nil
}

// tellFaults tells of lines of cold storage that hold no chunk.
func (p *program) tellFaults(faults []cold.Fault) {
	for _, f := range faults {
		p.note("forgemind: warning: %s:%d: no chunk: %s", inline(f.Name), f.Line, short(f.Err.Error(), 300))
	}
}

func (p *program) showChunk(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	chunk, err := getChunk(tree, c.Args().First())
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
func getChunk(tree *fs.Tree, id string) (schema.Chunk, error) {
	chunk, err := cold.Get(tree, id)
	if !errors.Is(err, cold.ErrUnknown) {
		return chunk, err
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
		{"", score}, {"left ", chunk.Timestamp}, {"session ", chunk.SessionID}, {"because ", chunk.DropReason}, {"kept until ", chunk.RecoverableUntil},
	} {
		if n.value != "" {
			about = append(about, n.word+n.value)
		}
	}
	p.printf("%s%s\n", inline(chunk.ChunkID), bracketed(about))
	for line := range strings.SplitSeq(strings.TrimRight(chunk.Content, "\n"), "\n") {
		p.printf("  %s\n", strings.TrimSuffix(line, "\r"))
	}
}
