package main

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) dropsCommand() *cli.Command {
	return &cli.Command{
		Name:        "drops",
		Usage:       "list what compactions dropped, as the log has it",
		Description: "'forgemind drops --session session-2026-11-20-7f3k2q' lists what was dropped from one session.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "session", Usage: "only from this session (`ID`)"},
			formatFlag(),
		},
		Action: takes(0, 0, p.listDrops),
	}
}

// A shownDrop is a line of the log of drops, with an `id`.
type shownDrop struct {
	ID string `json:"id"`
	schema.LogDrop
}

func (p *program) listDrops(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	drops, err := readDrops(tree)
	if err != nil {
		return err
	}
	drops = slices.DeleteFunc(drops, func(d shownDrop) bool {
		return c.IsSet("session") && d.SessionID != c.String("session")
	})
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version int         `json:"version"`
			Drops   []shownDrop `json:"drops"`
		}{1, drops})
	}
	var lines strings.Builder
	for _, d := range drops {
		fmt.Fprintf(&lines, "%s  %s  %s  score %v", inline(d.ID), inline(d.Timestamp), short(d.Reason, 60), d.RelevanceScore)
		if d.ThresholdUsed > 0 {
			fmt.Fprintf(&lines, ", below %v", d.ThresholdUsed)
		}
		lines.WriteByte('\n')
	}
	p.printLines(lines.String())
	return nil
}

// readDrops reads the logs of what compactions dropped. Lines that hold none
// are passed over; validate shows them.
func readDrops(tree *fs.Tree) ([]shownDrop, error) {
	drops := []shownDrop{}
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		name := folder + "/" + fs.DropLog
		src, err := tree.Read(name)
		if errors.Is(err, iofs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for line := range jsonedit.Lines(src) {
			var d schema.LogDrop
			if jsonedit.Decode(line.Text, &d) == nil && d.ChunkID != "" {
				drops = append(drops, shownDrop{d.ChunkID, d})
			}
		}
	}
	return drops, nil
}
