package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/hook"
)

// agentsCheck says for which agents our hooks are installed, and what keeps them
// from running: in the project, for the user in it, and for the user everywhere.
func (p *program) agentsCheck(c *cli.Context) health.Check {
	check := health.Check{ID: "agents", State: health.Info, Message: "no agent has our hooks", Hint: "'forgemind hook install' installs them"}
	var there, wrong []string
	for _, scope := range []hook.Scope{hook.Project, hook.Local, hook.User} {
		w, err := p.hookWorld(c, scope, true)
		if err != nil {
			continue
		}
		agents, err := hook.Look(w, hook.Wish{Scope: scope})
		if err != nil {
			continue // the user is at home nowhere
		}
		for _, a := range agents {
			where := a.Agent + " (" + string(scope) + ")"
			if a.State != hook.Absent && a.State != hook.Unread {
				there = append(there, where)
			}
			if fault, state := p.hookFault(a); fault != "" {
				if wrong = append(wrong, where+": "+fault); len(wrong) > 1 {
					continue
				}
				flags := "--" + string(scope) + " --agent " + a.Agent
				switch {
				case fault == a.Wants:
					check.Hint = "'forgemind hook status " + flags + "' looks again"
				case state == hook.Unread, state == hook.Installed:
					check.Hint = "mend it there; 'forgemind hook status " + flags + "' looks again"
				case state == hook.Broken:
					check.Hint = "put forgemind where it is looked for, or have 'forgemind hook install " + flags + "' see what is there now"
				default:
					check.Hint = "'forgemind hook install " + flags + "' brings it up to date"
				}
			}
		}
	}
	switch {
	case len(wrong) > 0:
		check.State, check.Message = health.Caution, wrong[0]
		if more := len(wrong) - 1; more > 0 {
			check.Message += fmt.Sprintf("; and %d more", more)
		}
	case len(there) > 0:
		check.State, check.Message, check.Hint = health.OK, "hooks are installed for "+strings.Join(there, ", "), ""
	}
	return check
}

// hookFault is what keeps the hooks of an agent from running as they should, and
// the state that says so; "" if nothing does.
func (p *program) hookFault(a hook.Status) (fault string, state hook.State) {
	for i, part := range a.Parts {
		shared := part.Kind == "block" || part.Kind == "mcp" // other agents have it, too
		switch {
		case part.State == hook.Unread && i == 0: // with hooks of ours or not, it has none that run
		case shared && a.State == hook.Absent:
			continue
		case part.State == hook.Broken, part.State == hook.Partly, part.State == hook.Other, part.State == hook.Damaged:
		case part.State == hook.Installed && i == 0 && part.Detail != "":
		default:
			continue
		}
		return p.shown(part.File) + ": " + cmp.Or(part.Detail, string(part.State)), part.State
	}
	return a.Wants, hook.Installed
}
