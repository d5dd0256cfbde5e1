package main

import (
	"fmt"
	"runtime"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/hook"
)

func (p *program) doctorCommand() *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "Check the tree's surroundings: git, hooks, locks, copies",
		Description: "Git ignores conversations and cold storage, and 'git clean -fdX' removes them. forgemind copies them to\n" +
			"$XDG_STATE_HOME/forgemind/ at each compaction and at the end of a session. --copy copies them now. --restore\n" +
			"brings back what is missing here; it overwrites nothing.\n" +
			"'forgemind doctor --restore --dry-run'",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "copy", Usage: "copy what git ignores", DisableDefaultText: true},
			&cli.BoolFlag{Name: "restore", Usage: "restore what is in the copy and missing here", DisableDefaultText: true},
			&cli.StringFlag{Name: "from", Usage: "restore from this folder of copies (`DIR`)"},
			formatFlag(), dryRunFlag(),
		},
		Action: takes(0, 0, p.doctor),
	}
}

// hookCheck reports errors of agents' hooks, which are not shown to the agents.
func hookCheck(tree *fs.Tree) health.Check {
	if !fs.IsOwned(tree.Root()) {
		return health.Check{
			ID: "hooks", State: health.Caution, Message: "this tree belongs to another user: hooks and the status line pass it over, lest somebody plants one above your folders",
			Hint: "work in it as its owner, or have 'chown -R' give you .forgemind and .quaid",
		}
	}
	if err := hook.CanRecord(tree); err != nil {
		return health.Check{ID: "hooks", State: health.Caution, Message: "hooks that run here can record nothing: " + err.Error()}
	}
	faults := hook.RunFaults(tree)
	if len(faults) == 0 {
		return health.Check{ID: "hooks", State: health.OK, Message: "no hook that ran here failed"}
	}
	last, times := faults[len(faults)-1], 0
	for _, f := range faults {
		times += f.Times
	}
	return health.Check{
		ID: "hooks", State: health.Caution, Message: fmt.Sprintf("%s while hooks ran; the last, %s, %s of %s: %s", count(times, "fault"), last.Time, last.Event, last.Agent, last.Text),
		Hint: "they are in " + hook.FaultsName(tree) + "; removing it forgets them",
	}
}

func (p *program) doctor(c *cli.Context) error {
	switch name := c.Command.HelpName; {
	case c.Bool("copy") && c.Bool("restore"):
		return &usageError{name + ": --copy and --restore exclude each other", ""}
	case !c.Bool("restore") && (c.IsSet("from") || c.Bool("dry-run")):
		return &usageError{name + ": --from and --dry-run belong to --restore", ""}
	case c.Bool("copy"):
		return p.copyNow(c)
	case c.Bool("restore"):
		return p.restoreCopies(c)
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	checks := append(health.Examine(c.Context, tree), p.agentsCheck(c), hookCheck(tree), p.copiesCheck(c, tree), health.Check{
		ID: "version", State: health.OK, Message: "forgemind " + moduleVersion() + ", " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
	})
	if wantsJSON(c) {
		err = p.printList("checks", checks)
	} else {
		for _, check := range checks {
			p.printf("%-8s%s: %s\n", check.State, check.ID, inline(check.Message))
			if check.Hint != "" {
				p.printf("        %s\n", inline(check.Hint))
			}
		}
	}
	for _, check := range checks {
		if err == nil && check.State == health.Fault {
			return errFindings
		}
	}
	return err
}
