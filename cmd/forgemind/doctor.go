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
		Name:   "doctor",
		Usage:  "Check git, locks, hooks and leftovers",
		Flags:  []cli.Flag{formatFlag()},
		Action: takes(0, 0, p.doctor),
	}
}

// hookCheck says what went wrong while agents' hooks ran, of which the agents were
// told nothing.
func hookCheck(tree *fs.Tree, at func(name string) string) health.Check {
	if !fs.Ours(tree.Root()) {
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
		Hint: "they are in " + at(hook.FaultsName(tree)) + "; removing it forgets them",
	}
}

func (p *program) doctor(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	checks := append(health.Examine(c.Context, tree, p.gitWait()), p.agentsCheck(c), hookCheck(tree, p.at), health.Check{
		ID: "version", State: health.OK, Message: "forgemind " + moduleVersion() + ", " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
	})
	if wantsJSON(c) {
		err = p.printJSON(struct {
			Version int            `json:"version"`
			Checks  []health.Check `json:"checks"`
		}{1, checks})
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
