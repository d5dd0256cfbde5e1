package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) projectsCommand() *cli.Command {
	return &cli.Command{
		Name:  "projects",
		Usage: "Create and update projects, each with a CONTEXT.md",
		Subcommands: []*cli.Command{
			{
				Name:      "new",
				Usage:     "Create a project with the channel proj-NAME",
				ArgsUsage: "NAME",
				Flags: append(projectFlags(),
					&cli.StringSliceFlag{Name: "channel", Usage: "another channel that belongs to it (`NAME`)"},
					formatFlag(), dryRunFlag()),
				Action: takes(1, 1, p.newProject),
			},
			{
				Name:   "list",
				Usage:  "List the projects, and whose CONTEXT.md is outdated",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 0, p.listProjects),
			},
			{
				Name:      "set",
				Usage:     "Change a project's phase, work or constraints",
				ArgsUsage: "NAME",
				Flags: append(projectFlags(),
					&cli.StringSliceFlag{Name: "lift", Usage: "a constraint that holds no more (`TEXT`)"},
					formatFlag(), dryRunFlag()),
				Action: takes(1, 1, p.setProject),
			},
			{
				Name:      "refresh",
				Usage:     "Update CONTEXT.md of one project or all",
				ArgsUsage: "[NAME]",
				Description: "Current state and constraints come from the project's settings, decisions from the Ledger. Each stands between\n" +
					"two marks; what somebody writes between them is put behind them.\n" +
					"\nExample:\n" +
					"  forgemind projects refresh billing",
				Flags:  []cli.Flag{formatFlag(), dryRunFlag()},
				Action: takes(0, 1, p.refreshProjects),
			},
		},
	}
}

// projectFlags are the settings of a project.
func projectFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "phase", Usage: "the phase it is in (`TEXT`)"},
		&cli.StringFlag{Name: "active", Usage: "what is being worked on (`TEXT`)"},
		&cli.StringFlag{Name: "blocked", Usage: "what it waits for (`TEXT`); \"\" for nothing"},
		&cli.StringSliceFlag{Name: "constraint", Usage: "a constraint that holds (`TEXT`)"},
	}
}

// A listedProject is a project as programs read it.
type listedProject struct {
	schema.ProjectRecord
	File     string                    `json:"file"`
	Context  string                    `json:"context"`
	Sections []condense.ContextSection `json:"sections,omitempty"`
	Behind   []string                  `json:"behind,omitempty"` // in what its CONTEXT.md is behind
}

func projectJSON(p condense.Project) listedProject {
	return listedProject{ProjectRecord: p.ProjectRecord, File: p.File, Context: p.Context}
}

func (p *program) newProject(c *cli.Context) error {
	rec := schema.ProjectRecord{
		Name: c.Args().First(), Phase: c.String("phase"), Active: c.String("active"), Blocked: c.String("blocked"),
		Constraints: c.StringSlice("constraint"), Channels: c.StringSlice("channel"),
	}
	if strings.TrimSpace(rec.Name) == "" {
		return &usageError{c.Command.HelpName + ": the project has no name", usageLine(c.Command)}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		made, out, err := tree.NewProject(c.Context, rec)
		if err != nil {
			return err
		}
		if len(out.Changes) == 0 {
			p.note("forgemind: warning: there is a project %q already: %s", inline(made.Name), inline(p.at(made.File)))
		}
		return p.changed(c, out, fmt.Sprintf("began %s, channel %s", inline(made.Name), inline(strings.Join(made.Channels, ", "))), projectJSON(made))
	})
}

func (p *program) setProject(c *cli.Context) error {
	change := condense.ProjectChange{Constraints: c.StringSlice("constraint"), Lifted: c.StringSlice("lift")}
	for name, at := range map[string]**string{"phase": &change.Phase, "active": &change.Active, "blocked": &change.Blocked} {
		if c.IsSet(name) {
			value := c.String(name)
			*at = &value
		}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		now, out, err := tree.ChangeProject(c.Context, c.Args().First(), change)
		if err != nil {
			return err
		}
		return p.changed(c, out, "changed "+inline(now.Name), projectJSON(now))
	})
}

func (p *program) refreshProjects(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		var all []engine.ProjectContext
		var out engine.Outcome
		var err error
		if c.NArg() == 0 {
			all, out, err = tree.RefreshProjects(c.Context)
		} else {
			var one engine.ProjectContext
			one, out, err = tree.RefreshProject(c.Context, c.Args().First())
			all = append(all, one)
		}
		if err != nil {
			return err
		}
		list := []listedProject{}
		for _, one := range all {
			item := projectJSON(one.Project)
			item.Sections = one.Places
			list = append(list, item)
		}
		if !wantsJSON(c) {
			var names []string
			for _, one := range all {
				names = append(names, inline(one.Context))
			}
			p.outcome(out, "refreshed "+strings.Join(names, ", "), c.Bool("dry-run"))
			return nil
		}
		p.warn(out)
		return p.printJSON(struct {
			Version  int             `json:"version"`
			Projects []listedProject `json:"projects"`
		}{1, list})
	})
}

func (p *program) listProjects(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	all, faults, err := condense.Projects(tree)
	if err != nil {
		return err
	}
	for _, f := range faults {
		p.note("forgemind: warning: %s is no project that can be read: %s", inline(p.at(f.Name)), inline(f.Err.Error()))
	}
	decisions, _ := engine.Decisions(tree)
	list := []listedProject{}
	for _, project := range all {
		for _, f := range project.Left {
			p.note("forgemind: warning: %s: %s; it is left out", inline(p.at(f.Name)), inline(f.Err.Error()))
		}
		item := projectJSON(project)
		lags, err := condense.Stale(tree, project, decisions)
		if err != nil {
			item.Behind = append(item.Behind, err.Error())
		}
		for _, l := range lags {
			item.Behind = append(item.Behind, l.String())
		}
		list = append(list, item)
	}
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version  int             `json:"version"`
			Projects []listedProject `json:"projects"`
		}{1, list})
	}
	for _, item := range list {
		phase := ""
		if item.Phase != "" {
			phase = "  " + short(item.Phase, 80)
		}
		p.printf("%s  %s%s  %s\n", inline(item.ID), short(item.Name, 80), phase, inline(p.at(item.Context)))
		for _, text := range item.Behind {
			p.printf("  behind: %s\n", inline(text))
		}
	}
	return nil
}
