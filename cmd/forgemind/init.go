package main

import (
	"cmp"
	"context"
	"errors"
	iofs "io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
	"github.com/forgemind/forgemind/triggers"
)

func (p *program) initCommand() *cli.Command {
	return &cli.Command{
		Name:  "init",
		Usage: "Create a tree here",
		Description: "The tree is made in the working directory, or in --tree DIR: settings, ignore rules and the project's record.\n" +
			"Everything else appears when it is first used. --full creates all documents that are missing: the State, agents'\n" +
			"notes, context-config.yaml and a session. The layout \"forgemind\" has the project's records; \"quaid\" has\n" +
			"conversations, and starts with an active session. Messages that are there already become the first session.\n" +
			"\nExamples:\n" +
			"  forgemind init\n" +
			"  forgemind init --full --dry-run",
		Flags: []cli.Flag{
			optional("layout", "which folders", "forgemind, both with --full", "forgemind", "quaid", "both"),
			&cli.BoolFlag{Name: "full", Usage: "create every document that is missing, also those that nothing uses yet"},
			choice("views", "who keeps the documents that are rendered from records, each working copy or git", localViews, schema.TrackedViews),
			dryRunFlag(),
			formatFlag(),
		},
		Action: takes(0, 0, p.init),
	}
}

// localViews is the flag for views that git ignores.
const localViews = "local"

// A treeChoice is what a new tree is to be like.
type treeChoice struct {
	layout, views string
	full          bool // every document, not only those that a tree needs
}

// An initReport is what init did.
type initReport struct {
	Version int      `json:"version"`
	Tree    string   `json:"tree"`
	DryRun  bool     `json:"dry_run,omitzero"`
	Created []string `json:"created"` // names
	Kept    []string `json:"kept"`    // names that were there already

	Next []nextStep `json:"next"` // what could be done next
	was  bool       // the tree was there
}

func (p *program) init(c *cli.Context) error {
	root, err := p.abs(".")
	if c.IsSet("tree") {
		root, err = p.treeFlag(c)
	}
	if err != nil {
		return err
	}
	p.tree = root
	found, err := fs.Find(root)
	if fs.Unread(err) { // what cannot be looked at may be a tree
		return err
	}
	tree, err := p.open(root, c.Bool("dry-run"))
	if err != nil {
		return err
	}
	defer tree.Close()
	choice := treeChoice{cmp.Or(c.String("layout"), "forgemind"), c.String("views"), c.Bool("full")}
	if choice.full && !c.IsSet("layout") {
		choice.layout = "both"
	}
	report, err := p.makeTree(c.Context, tree, choice)
	if err != nil {
		return err
	}
	if above, err := fs.Find(filepath.Dir(root)); err == nil && len(report.Created) > 0 {
		p.note("forgemind: note: %s is a tree as well; commands that are run in %s work on this one", inline(p.shown(above)), inline(report.Tree))
	}
	report.was = found == root
	if report.was && c.IsSet("views") && slices.Contains(report.Kept, fs.Config) {
		p.note("forgemind: note: who keeps the views stays as it is; 'forgemind migrate --views %s' changes that", c.String("views"))
	}
	report.Next = []nextStep{}
	if len(report.Created) > 0 {
		report.Next = append(report.Next, p.nextSteps(c, root)...)
	}
	return p.tellInit(c, report)
}

// layoutFolders are the folders of a layout.
func layoutFolders(layout string) []string {
	switch layout {
	case "quaid":
		return []string{fs.Quaid}
	case "both":
		return []string{fs.Forgemind, fs.Quaid}
	}
	return []string{fs.Forgemind}
}

// newTree returns the documents of a new tree by name, without its first session. It
// reads from r which documents the tree has already.
func (p *program) newTree(r fs.Reader, project string, choice treeChoice) (documents, error) {
	wanted := documents{}
	for _, folder := range layoutFolders(choice.layout) {
		if folder == fs.Forgemind {
			if err := p.newForgemind(wanted, r, project, choice); err != nil {
				return nil, err
			}
			if _, err := r.Read(fs.QuaidConfig); err == nil { // a second one, with defaults, would come before it
				delete(wanted, fs.Config)
			}
		}
		wanted[folder+"/.gitignore"] = fs.GitIgnoreViews(folder)
		if choice.views == schema.TrackedViews {
			wanted[folder+"/.gitignore"] = fs.GitIgnore(folder)
		}
		wanted[folder+"/.gitattributes"] = templates.GitAttributes(folder)
	}
	if !choice.full {
		return wanted, nil
	}
	return wanted, newKnobs(wanted, r, layoutFolders(choice.layout))
}

// newKnobs adds the knobs. A tree has them once: a second file, with defaults,
// would come before what is set in the first.
func newKnobs(wanted documents, r fs.Reader, folders []string) error {
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		name := folder + "/" + fs.KnobsFile
		if _, err := r.Read(name); !errors.Is(err, iofs.ErrNotExist) {
			if slices.Contains(folders, folder) {
				wanted[name] = knobs.New()
			}
			return nil
		}
	}
	home, err := homeOf(r)
	if folders[0] == home || folders[0] == fs.Forgemind {
		wanted[folders[0]+"/"+fs.KnobsFile] = knobs.New()
	}
	return err
}

// newForgemind adds the documents of `.forgemind/`. One with which a tree of conversations
// begins gets its State at once: it shows what those say.
func (p *program) newForgemind(wanted documents, r fs.Reader, project string, choice treeChoice) error {
	config := schema.Config{Format: schema.RecordsFormat}
	if choice.views == schema.TrackedViews {
		config.Views = choice.views
	}
	if choice.full {
		config.RefreshTriggers, config.AvailableCommands = triggers.Defaults(), schema.DefaultCommands()
		for _, note := range templates.MemoryNotes() {
			text, err := templates.MemoryNote(note)
			if err != nil {
				return err
			}
			wanted[fs.Forgemind+"/"+fs.MemoryDir+"/"+note] = text
		}
	}
	var err error
	if wanted[fs.Config], err = jsonedit.Marshal(config); err != nil {
		return err
	}
	begin := state.New
	if choice.full {
		begin = state.NewFull
	} else if _, err := r.Read(fs.SessionIndex); errors.Is(err, iofs.ErrNotExist) {
		if _, err := r.Read(fs.State); errors.Is(err, iofs.ErrNotExist) { // else it is recorded from there
			layer, _ := schema.LayerName(0)
			wanted[fs.ProjectFile], err = jsonedit.Marshal(schema.ProjectFacts{Name: project, LayerName: layer, Status: schema.NotStarted})
			return err
		}
		return nil
	}
	now := p.Now()
	id, err := schema.NewID("session-"+now.UTC().Format("2006-01-02")+"-", p.Rand, func(string) bool { return false })
	if err != nil {
		return err
	}
	wanted[fs.State], err = begin(project, id, now)
	return err
}

// makeTree writes what is wanted and not there, in one transaction: what an
// interrupted init left is finished first, and counts as there.
func (p *program) makeTree(ctx context.Context, tree *engine.Tree, choice treeChoice) (initReport, error) {
	report := initReport{Version: 1, Tree: p.shown(tree.Root()), DryRun: tree.DryRun}
	if !tree.DryRun {
		if err := tree.Create(layoutFolders(choice.layout)...); err != nil {
			return report, err
		}
	}
	var wanted documents
	write := func(tx *fs.Tx) (err error) {
		report.Created, report.Kept = []string{}, []string{}
		if wanted, err = p.newTree(tx, filepath.Base(tree.Root()), choice); err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(wanted)) {
			switch _, err := tx.Read(name); {
			case errors.Is(err, iofs.ErrNotExist):
				tx.Write(name, wanted[name])
			case err != nil:
				return err
			default:
				report.Kept = append(report.Kept, name)
			}
		}
		return nil
	}
	out, err := tree.Init(ctx, slices.Contains(layoutFolders(choice.layout), fs.Quaid), write)
	for _, change := range out.Changes {
		if _, ok := wanted[change.Name]; change.Before == nil && (ok || change.Name != fs.State) { // a State that is missing is rendered anyway
			report.Created = append(report.Created, change.Name)
		}
	}
	slices.Sort(report.Created)
	p.notes(out)
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
	switch {
	case len(report.Created) == 0:
		p.printf("nothing to change\n")
	case report.DryRun:
	case report.was:
		p.printf("added %s to the tree in %s\n", count(len(report.Created), "file"), inline(report.Tree))
	default:
		p.printf("created a tree in %s (%s)\n", inline(report.Tree), count(len(report.Created), "file"))
	}
	if p.verbose || report.DryRun {
		for _, name := range report.Created {
			p.printf("%s %s\n", verb, p.at(name))
		}
		for _, name := range report.Kept {
			p.printf("was there %s\n", p.at(name))
		}
	}
	p.tellNext(report.Next)
	return nil
}
