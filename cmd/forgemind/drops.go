package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) dropsCommand() *cli.Command {
	return &cli.Command{
		Name:  "drops",
		Usage: "List or explain what compactions dropped",
		Description: "Examples:\n" +
			"  forgemind drops --session session-2026-11-20-7f3k2q\n" +
			"  forgemind drops --explain chunk-7f3k2q",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "session", Usage: "only from this session (`ID`)"},
			sinceFlag(),
			&cli.StringFlag{Name: "explain", Usage: "tell of this chunk (`ID`) how its score came about"},
			formatFlag(),
		},
		Action: takes(0, 0, p.listDrops),
	}
}

// A shownDrop is a line of the log of drops, with an `id`.
type shownDrop struct {
	ID string `json:"id"`
	schema.LogDrop
	Score *float64 `json:"relevance_score,omitzero"` // absent where the line has none
	Text  string   `json:"text,omitzero"`            // what the chunk begins with, while cold storage has it
}

// A dropReader shows drops. It keeps the chunks of one compaction: lines of one stand
// together.
type dropReader struct {
	tree  *fs.Tree
	file  string
	texts map[string]string // by chunk
}

func (r *dropReader) show(d schema.LogDrop) shownDrop {
	if d.ColdStoragePath != r.file {
		r.file, r.texts = d.ColdStoragePath, map[string]string{}
		chunks, _ := cold.In(r.tree, r.file)
		for _, c := range chunks {
			r.texts[c.ChunkID] = c.Content
		}
	}
	shown := shownDrop{ID: d.ChunkID, LogDrop: d, Text: begin(r.texts[d.ChunkID])}
	if d.RelevanceScore != health.NoScore {
		shown.Score = &d.RelevanceScore
	}
	return shown
}

func (p *program) listDrops(c *cli.Context) error {
	since, err := p.since(c)
	if err != nil {
		return err
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	if c.IsSet("explain") {
		logs, err := p.readLogs(tree, since)
		if err != nil {
			return err
		}
		return p.explainDrop(c, tree, logs)
	}
	lines, faults, err := health.ReadDrops(tree, since)
	if err != nil {
		return err
	}
	p.tellLogFaults(faults)
	wanted := func(d schema.LogDrop) bool {
		return d.ChunkID != "" && (!c.IsSet("session") || d.SessionID == c.String("session"))
	}
	reader := dropReader{tree: tree}
	if wantsJSON(c) {
		drops := []shownDrop{}
		for _, d := range lines {
			if wanted(d) {
				drops = append(drops, reader.show(d))
			}
		}
		return p.printJSON(struct {
			Version int         `json:"version"`
			Drops   []shownDrop `json:"drops"`
		}{1, drops})
	}
	var text strings.Builder
	for _, line := range lines {
		if !wanted(line) {
			continue
		}
		d := reader.show(line)
		fmt.Fprintf(&text, "%s  %s  %s", inline(d.ID), inline(d.Timestamp), orNone(d.Reason, 60))
		if d.Score != nil {
			fmt.Fprintf(&text, "  score %v", *d.Score)
			if *d.Score < d.ThresholdUsed {
				fmt.Fprintf(&text, ", below %v", d.ThresholdUsed)
			}
		}
		text.WriteString(bracketed(partsOf(d.LogDrop)))
		if d.Text != "" {
			text.WriteString("  " + short(d.Text, 80))
		}
		text.WriteByte('\n')
		if text.Len() > 1<<16 { // there may be very many
			p.printLines(text.String())
			text.Reset()
		}
	}
	p.printLines(text.String())
	return nil
}

// begin returns what a text begins with.
func begin(text string) string {
	const most = 200 // characters
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

// partsOf is what the score of a drop came from, and what the chunk cost.
func partsOf(d schema.LogDrop) (parts []string) {
	if d.Similarity != nil {
		parts = append(parts, fmt.Sprintf("similarity %v", thousandth(*d.Similarity)))
	}
	if d.Hours != nil {
		parts = append(parts, fmt.Sprintf("%v hours old", thousandth(*d.Hours)))
	}
	if d.Important {
		parts = append(parts, "important")
	}
	if d.Tokens > 0 {
		parts = append(parts, count(int(d.Tokens), "token"))
	}
	return parts
}

// thousandth is f with three decimals at most.
func thousandth(f float64) float64 { return math.Round(f*1000) / 1000 }
