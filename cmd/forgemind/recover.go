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
		Usage: "Find chunks in cold storage, by id or by text",
		Description: "The best chunks come first. What was recovered, and for which query, is logged, unless --dry-run is " +
			"given. --restore adds the chunks\nto the conversation.\n'forgemind recover --query \"why RS256 and not HS256\" --limit 3'",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "chunk-id", Usage: "recover the chunk `ID`"},
			&cli.StringFlag{Name: "query", Usage: "recover the chunks that match `TEXT`"},
			&cli.IntFlag{Name: "limit", Value: 10, Usage: "at most `N` chunks; 0 means all"},
			&cli.BoolFlag{Name: "restore", Usage: "also add the chunks to the conversation"},
			formatFlag(), dryRunFlag(),
		},
		Action: takes(0, 0, p.recover),
	}
}

// A recoveredChunk is a chunk with its score from 0 to 1, which is 1 for a chunk that was named by
// its id.
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
		wrong = "the text to search for is empty"
	case c.Int("limit") < 0:
		wrong = fmt.Sprintf("--limit %d is not a number of chunks", c.Int("limit"))
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
			p.note("forgemind: warning: the recovery could not be logged: %s", inline(err.Error()))
		}
	}
	if c.Bool("restore") {
		if err := p.bringBack(c, found); err != nil {
			return err
		}
	}
	if wantsJSON(c) {
		chunks := []recoveredChunk{}
		for _, f := range found {
			chunks = append(chunks, recoveredChunk{f.ChunkID, f.Score, f.Chunk})
		}
		return p.printJSON("recovered_chunks", recoverReport{c.Bool("dry-run"), chunks})
	}
	if len(found) == 0 {
		p.note("forgemind: no chunk in cold storage matches %q", short(query, 80))
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

// findChunks returns the chunk with an id, or those that match a query.
func (p *program) findChunks(ctx context.Context, tree *fs.Tree, id, query string, limit int) ([]cold.Found, error) {
	if id != "" {
		chunk, err := getChunk(tree, id)
		return []cold.Found{{Chunk: chunk, Score: 1}}, err
	}
	by, err := p.embedder()
	if err != nil {
		p.note("forgemind: warning: only full text was searched: %s", inline(err.Error()))
	}
	found, note, err := engine.FindMeant(ctx, tree, by, engine.Recovery{Query: query, Limit: limit})
	if note != "" {
		p.note("forgemind: warning: %s", inline(note))
	}
	return found, err
}

// logRecovery records in the tree's log what was recovered and for which query.
func (p *program) logRecovery(ctx context.Context, reader *fs.Tree, query string, found []cold.Found) error {
	tree, err := p.open(reader.Root(), false)
	if err != nil {
		return err
	}
	defer tree.Close()
	tree.LockTimeout = time.Second // the user is waiting
	out, err := tree.Recovered(ctx, found, query)
	p.warn(out)
	return err
}

// bringBack adds found to the conversation.
func (p *program) bringBack(c *cli.Context, found []cold.Found) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		added, out, err := tree.BringBack(c.Context, found)
		if err != nil {
			return err
		}
		p.warn(out)
		if here := len(found) - len(added); here > 0 {
			p.note("forgemind: %s already in the conversation", count(here, "chunk"))
		}
		for _, m := range added {
			p.note("forgemind: added %s to the conversation (%s)", inline(m.ID), count(int(m.Tokens), "token"))
		}
		return nil
	})
}

// A recoverReport is the output of recover with --format json.
type recoverReport struct {
	DryRun bool             `json:"dry_run,omitzero"`
	Chunks []recoveredChunk `json:"chunks"`
}
