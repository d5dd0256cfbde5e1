package main

import (
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/hook"
)

// A nextStep is something that the project has already, and the command that makes use
// of it.
type nextStep struct {
	Found   []string `json:"found"` // agents, or folders of the project
	Command string   `json:"command"`
	About   string   `json:"about"` // what the command does with it
}

// nextSteps returns what could be done next in a new tree. It looks at the project and
// changes nothing.
func (p *program) nextSteps(c *cli.Context, root string) []nextStep {
	var steps []nextStep
	var agents []string
	if world, err := p.hookWorld(c, hook.User, false); err == nil {
		world.Project = root
		all, _ := hook.Look(world, hook.Wish{Scope: hook.Project})
		for _, a := range all {
			if a.Detected && a.State == hook.Absent {
				agents = append(agents, a.Agent)
			}
		}
	}
	if len(agents) > 0 {
		steps = append(steps, nextStep{agents, "forgemind hook install", "connects agents"})
	}
	var found []string
	for _, name := range []string{"docs/adr", "docs/adrs", "docs/decisions", "doc/adr", "adr"} {
		if folder, err := fs.OpenOutside(filepath.Join(root, name)); err == nil {
			folder.Close()
			found = append(found, name)
		}
	}
	if len(found) > 0 {
		steps = append(steps, nextStep{found, "forgemind decision add TEXT --file PATH", "records the decisions that hold"})
	}
	return steps
}

// tellNext prints what could be done next.
func (p *program) tellNext(steps []nextStep) {
	for _, s := range steps {
		p.printf("found %s: '%s' %s\n", inline(strings.Join(s.Found, ", ")), s.Command, s.About)
	}
}
