package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) recoverCommand() *cli.Command {
	return &cli.Command{
		Name:  "recover",
		Usage: "Find messages that a compaction removed",
		Description: "The best matches come first. Each use is written to the log of recoveries, unless --dry-run is given.\n" +
			"\nExample:\n" +
			"  forgemind recover --query \"why RS256 and not HS256\" --limit 3",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "chunk-id", Usage: "the chunk `ID`"},
			&cli.StringFlag{Name: "query", Usage: "the chunks that answer `TEXT`"},
			&cli.IntFlag{Name: "limit", Value: 10, Usage: "at most `N` chunks; 0 is all"},
			formatFlag(), dryRunFlag(),
		},
		Action: takes(0, 0, p.recover),
	}
}

// A recoveredChunk is a chunk that was found, and how well it answers, from 0 to
// 1; 1 for one that was named.
type recoveredChunk struct {
	ID    string  `json:"id"`
	Score float64 `json:"score"`
	schema.Chunk
}

func (p *program) recover(c *cli.Context) error {
	id, query := c.String("chunk-id"), c.String("query")
	wrong := ""
	switch {
	case c.IsSet("chunk-id") == c.IsSet("query"):
		wrong = "either --chunk-id or --query"
	case strings.TrimSpace(id+query) == "":
		wrong = "an empty text finds nothing"
	case c.Int("limit") < 0:
		wrong = fmt.Sprintf("--limit %d is no number of chunks", c.Int("limit"))
	}
	if wrong != "" {
		return &usageError{c.Command.HelpName + ": " + wrong, usageLine(c.Command)}
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	found, err := p.findChunks(c.Context, tree, id, query, c.Int("limit"))
	if err != nil {
		return err
	}
	if len(found) > 0 && !c.Bool("dry-run") {
		if err := p.logRecovery(c.Context, tree, query, found); err != nil {
			p.note("forgemind: warning: the recovery is not in the log: %s", inline(err.Error()))
		}
	}
	if wantsJSON(c) {
		chunks := []recoveredChunk{}
		for _, f := range found {
			chunks = append(chunks, recoveredChunk{f.ChunkID, f.Score, f.Chunk})
		}
		return p.printJSON(struct {
			Version int              `json:"version"`
			DryRun  bool             `json:"dry_run,omitzero"`
			Chunks  []recoveredChunk `json:"chunks"`
		}{1, c.Bool("dry-run"), chunks})
	}
	if len(found) == 0 {
		p.note("forgemind: nothing in cold storage answers %q", short(query, 80))
		if cold.Empty(tree) {
			p.note("forgemind: hint: this working copy has nothing in cold storage; %s", notInGit)
		}
	}
	for i, f := range found {
		if i > 0 {
			p.printf("\n")
		}
		score := ""
		if query != "" {
			score = fmt.Sprintf("score %.3f", f.Score)
		}
		p.printChunk(f.Chunk, score)
	}
	return nil
}

// findChunks finds one chunk by its id, or those that answer a query.
func (p *program) findChunks(ctx context.Context, tree *fs.Tree, id, query string, limit int) ([]cold.Found, error) {
	if id != "" {
		chunk, err := p.getChunk(tree, id)
		return []cold.Found{{Chunk: chunk, Score: 1}}, err
	}
	by, err := p.embedder()
	if err != nil {
		p.note("forgemind: warning: full text alone is searched: %s", inline(err.Error()))
	}
	found, note, err := engine.FindMeant(ctx, tree, by, engine.Recovery{Query: query, Limit: limit})
	if note != "" {
		p.note("forgemind: warning: %s", inline(note))
	}
	return found, err
}

// logRecovery notes in the tree's log what was recovered, and for what.
func (p *program) logRecovery(ctx context.Context, reader *fs.Tree, query string, found []cold.Found) error {
	tree, err := p.open(reader.Root(), false)
	if err != nil {
		return err
	}
	defer tree.Close()
	tree.LockTimeout = time.Second // who asks for a chunk waits for it
	out, err := tree.Recovered(ctx, found, query)
	p.warn(out)
	return err
}
