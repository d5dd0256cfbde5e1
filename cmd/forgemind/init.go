package main

import (
	"context"
	"errors"
	iofs "io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/refresh"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
	"github.com/forgemind/forgemind/triggers"
)

func (p *program) initCommand() *cli.Command {
	return &cli.Command{
		Name:  "init",
		Usage: "make a valid tree here; what is there already stays",
		Description: "The tree is made in the working directory, or in --tree DIR. 'forgemind' is the folder of the State, the\n" +
			"decisions and the memory; 'quaid' is the folder of conversations, and begins with an active one.",
		Flags: []cli.Flag{
			choice("layout", "which folders", "forgemind", "quaid", "both"),
			choice("template", "what the State begins with, the least that is valid or all that the documents show", "minimal", "cms"),
			dryRunFlag(),
			formatFlag(),
		},
		Action: takes(0, 0, p.init),
	}
}

// An initReport is what init did.
type initReport struct {
	Version int      `json:"version"`
	Tree    string   `json:"tree"`
	DryRun  bool     `json:"dry_run,omitzero"`
	Created []string `json:"created"` // names
	Kept    []string `json:"kept"`    // names that were there already
}

func (p *program) init(c *cli.Context) error {
	root, err := p.abs(".")
	if c.IsSet("tree") {
		root, err = p.treeFlag(c)
	}
	if err != nil {
		return err
	}
	tree, err := p.open(root, c.Bool("dry-run"))
	if err != nil {
		return err
	}
	defer tree.Close()
	wanted, folders, err := p.newTree(tree, c.String("layout"), c.String("template"))
	if err != nil {
		return err
	}
	report, err := p.makeTree(c.Context, tree, wanted, folders)
	if err != nil {
		return err
	}
	if above, err := fs.Find(filepath.Dir(root)); err == nil && len(report.Created) > 0 {
		p.note("forgemind: note: %s is a tree as well; commands that are run in %s work on this one", inline(p.shown(above)), inline(report.Tree))
	}
	return p.tellInit(c, report)
}

// newTree is the documents of a new tree by name, and the folders they are in.
func (p *program) newTree(tree *refresh.Tree, layout, template string) (documents, []string, error) {
	wanted := documents{}
	var folders []string
	if layout != "quaid" {
		folders = append(folders, fs.Forgemind)
		if err := p.newForgemind(wanted, tree, template); err != nil {
			return nil, nil, err
		}
	}
	if layout != "forgemind" {
		folders = append(folders, fs.Quaid)
		if err := p.newQuaid(wanted, tree); err != nil {
			return nil, nil, err
		}
	}
	for _, folder := range folders {
		wanted[folder+"/.gitignore"] = fs.GitIgnore(folder)
		wanted[folder+"/.gitattributes"] = templates.GitAttributes(folder)
	}
	return wanted, folders, nil
}

// newForgemind adds the documents of `.forgemind/`.
func (p *program) newForgemind(wanted documents, tree *refresh.Tree, template string) error {
	now := p.Now()
	id, err := schema.NewID("session-"+now.UTC().Format("2006-01-02")+"-", p.Rand, func(string) bool { return false })
	if err != nil {
		return err
	}
	begin := state.New
	if template == "cms" {
		begin = state.NewFull
	}
	if wanted[fs.State], err = begin(filepath.Base(tree.Root()), id, now); err != nil {
		return err
	}
	if wanted[fs.Config], err = jsonedit.Marshal(schema.Config{
		RefreshTriggers:   triggers.Defaults(),
		AvailableCommands: schema.DefaultCommands(),
	}); err != nil {
		return err
	}
	for _, note := range templates.MemoryNotes() {
		if wanted[fs.Forgemind+"/"+fs.MemoryDir+"/"+note], err = templates.MemoryNote(note); err != nil {
			return err
		}
	}
	return nil
}

// newQuaid adds the documents of `.quaid/`, with one conversation, if the tree
// holds none yet.
func (p *program) newQuaid(wanted documents, tree fs.Reader) error {
	for _, err := range tree.Names(fs.Sessions) {
		return err // there is one, or it cannot be seen
	}
	now := p.Now()
	id, err := schema.NewID("conv-"+now.UTC().Format("2006-01-02")+"-", p.Rand, func(string) bool { return false })
	if err != nil {
		return err
	}
	first, err := session.New(id, now)
	if err != nil {
		return err
	}
	maps.Copy(wanted, first)
	return nil
}

// makeTree writes what is wanted and not there, in one transaction.
func (p *program) makeTree(ctx context.Context, tree *refresh.Tree, wanted documents, folders []string) (initReport, error) {
	report := initReport{Version: 1, Tree: p.shown(tree.Root()), DryRun: tree.DryRun, Created: []string{}, Kept: []string{}}
	names := slices.Sorted(maps.Keys(wanted))
	for _, name := range names {
		switch _, err := tree.Read(name); {
		case errors.Is(err, iofs.ErrNotExist):
			report.Created = append(report.Created, name)
		case err != nil:
			return report, err
		default:
			report.Kept = append(report.Kept, name)
		}
	}
	if len(report.Created) == 0 {
		return report, nil
	}
	if !tree.DryRun {
		if err := tree.Create(folders...); err != nil {
			return report, err
		}
	}
	_, err := tree.Do(ctx, refresh.Event{}, func(tx *fs.Tx) error {
		for _, name := range report.Created {
			if _, err := tx.Read(name); errors.Is(err, iofs.ErrNotExist) {
				tx.Write(name, wanted[name])
			}
		}
		return nil
	})
	return report, err
}

func (p *program) tellInit(c *cli.Context, report initReport) error {
	if wantsJSON(c) {
		return p.printJSON(report)
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
	return nil
}
