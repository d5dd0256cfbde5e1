package main

import (
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/sanitize"
)

func (p *program) contextCommand() *cli.Command {
	return &cli.Command{
		Name:  "context",
		Usage: "Print the context by depth, with its tokens",
		Description: "Depth 1 has what is always needed: role, layer and clarity, the last decisions, pending actions. Depth 2\n" +
			"adds the task: the current idea, module or domain, and what they refer to. Depth 3 adds history: session\n" +
			"summaries, clarifications, versions.\n" +
			"\nExample:\n" +
			"  forgemind context --layer 2 > context.md",
		Flags: []cli.Flag{
			choice("layer", "how much", "1", "2", "3"),
			formatFlag(),
		},
		Action: takes(0, 0, p.context),
	}
}

func (p *program) context(c *cli.Context) error {
	layer, err := strconv.Atoi(c.String("layer"))
	if err != nil {
		return err
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	p.noteUnread(tree, fs.State)
	view, err := engine.View(c.Context, tree, layer, p.Now())
	if err != nil {
		return err
	}
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version int `json:"version"`
			artifact.View
		}{1, view})
	}
	return p.verbatim([]byte(sanitize.Text(view.Markdown())))
}
