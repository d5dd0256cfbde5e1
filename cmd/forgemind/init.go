package main

import (
	"context"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) initCommand() *cli.Command {
	return &cli.Command{
		Name:  "init",
		Usage: "Create a tree in this directory, or complete the one here",
		Description: "Creates the tree in the working directory, or in --tree DIR. The layout 'forgemind' is the folder of " +
			"records, decisions and memory; 'quaid' is the folder of conversations. A command that needs a " +
			"conversation starts one. Messages that were recorded before become the first conversation.",
		Flags: []cli.Flag{
			choice("layout", "which folders", "forgemind", "quaid", "both"),
			choice("views", "who keeps the documents that are rendered from records, each working copy or git", localViews, schema.TrackedViews),
			choice("template", "what the State begins with, the least that is valid or all that the documents show", "minimal", "cms"),
			editorFlag(),
			dryRunFlag(),
			formatFlag(),
		},
		Action: takes(0, 0, p.init),
	}
}

// localViews is the value of --views for views that git ignores.
const localViews = "local"

// afterInit is printed after init.
const afterInit = `
Next:
  forgemind goal add "Ship the API"            what you work towards
  forgemind decision add "Use RS256 for tokens" --rationale "keys can rotate"
  forgemind brief                              what a person or an agent should know
  forgemind hook install                       let your agents read and record it
Commit the folder with git; forgemind never does.
`

// An initReport is the output of init.
type initReport struct {
	Tree    string   `json:"tree"`
	DryRun  bool     `json:"dry_run,omitzero"`
	Created []string `json:"created"` // names
	Kept    []string `json:"kept"`    // names that existed before
	// Found are sources of the project that can be imported; nothing of them was.
	Found []operation.FoundSource `json:"found,omitempty"`
}

func (p *program) init(c *cli.Context) error {
	if c.String("editor") != noEditor {
		return p.tellEditor(c)
	}
	root, err := p.abs(".")
	if c.IsSet("tree") {
		root, err = p.treeFlag(c)
	}
	if err != nil {
		return err
	}
	if _, err := fs.Find(root); fs.IsUnread(err) { // an unreadable directory may be a tree
		return err
	}
	tree, err := p.open(root, c.Bool("dry-run"))
	if err != nil {
		return err
	}
	defer tree.Close()
	report, err := p.makeTree(c.Context, tree, operation.InitOptions{
		Layout: c.String("layout"), FullState: c.String("template") == "cms", TrackedViews: c.String("views") == schema.TrackedViews,
	})
	if err != nil {
		return err
	}
	if above, err := fs.Find(filepath.Dir(root)); err == nil && len(report.Created) > 0 {
		p.note("forgemind: note: %s is a tree as well; commands that run in %s use this one", inline(p.shown(above)), inline(report.Tree))
	}
	return p.tellInit(c, report)
}

// makeTree writes what a new tree needs and does not have.
func (p *program) makeTree(ctx context.Context, tree *engine.Tree, o operation.InitOptions) (initReport, error) {
	made, out, err := operation.Init(ctx, tree, o)
	p.notes(out)
	report := initReport{Tree: p.shown(tree.Root()), DryRun: tree.DryRun, Created: made.Created, Kept: made.Kept}
	if err == nil && len(made.Created) > 0 {
		report.Found = operation.FindSources(tree)
	}
	return report, err
}

func (p *program) tellInit(c *cli.Context, report initReport) error {
	if wantsJSON(c) {
		return p.printJSON("init", report)
	}
	verb := "created"
	if report.DryRun {
		verb = "would create"
	}
	for _, name := range report.Created {
		p.printf("%s %s\n", verb, name)
	}
	for _, name := range report.Kept {
		p.printf("was there %s\n", name)
	}
	if len(report.Created) > 0 && !report.DryRun {
		p.printf("%s", afterInit)
	}
	if len(report.Found) > 0 {
		p.printf("\nFound here, and not imported:\n")
	}
	for _, f := range report.Found {
		p.printf("  %s\n", foundLine(f))
	}
	return nil
}
