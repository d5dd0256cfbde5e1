package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/hook"
)

// installable are the words for what can be installed besides hooks and the block. Some agents call
// their commands skills.
var installable = []string{"mcp", "commands", "roles", "statusline", "skills"}

// partFlags returns the flags that select what to install for agents. Without one of them, a
// user at a terminal is asked.
func partFlags() []cli.Flag {
	on := func(name, usage string) cli.Flag {
		return &cli.BoolFlag{Name: name, Usage: usage, DisableDefaultText: true}
	}
	return []cli.Flag{
		&cli.StringFlag{Name: "with", Usage: "also install `PARTS`, separated by commas: mcp, commands (or skills), roles, statusline"},
		on("all", "also install all of these parts"),
		on("mcp", "the same as --with mcp"),
		on("statusline", "the same as --with statusline"),
		on("hooks-only", "install no instructions in the file that the agent reads first"),
		on("yes", "ask nothing: install hooks and instructions"),
	}
}

// chooseParts sets the parts in wish from the flags, or from the answer of a user at a
// terminal.
func (p *program) chooseParts(c *cli.Context, wish *hook.InstallRequest) error {
	wish.Servers, wish.Status, wish.HooksOnly = c.Bool("mcp"), c.Bool("statusline"), c.Bool("hooks-only")
	words := c.String("with")
	if c.Command.Name == "install" && p.asksParts(c) {
		fmt.Fprint(p.err, "install besides hooks and instructions (mcp, commands, roles, statusline or all; empty for nothing): ")
		answer, err := readLines(p.Stdin).next(c.Context)
		if err != nil && err != io.EOF {
			return err
		}
		words = answer
	}
	if c.Bool("all") || words == "all" {
		wish.Servers, wish.Status, wish.Commands, wish.Roles = wish.Scope != hook.Local, true, true, true
		return nil
	}
	for _, word := range strings.FieldsFunc(words, func(r rune) bool { return r == ',' || r == ' ' }) {
		switch word {
		case "mcp":
			wish.Servers = true
		case "commands", "skills":
			wish.Commands = true
		case "roles":
			wish.Roles = true
		case "statusline":
			wish.Status = true
		default:
			return &usageError{fmt.Sprintf("%s: %q is not one of %s", c.Command.HelpName, short(word, 40), strings.Join(installable, ", ")),
				didYouMean(word, installable, usageLine(c.Command))}
		}
	}
	return unfitParts(c, *wish)
}

// unfitParts returns an error for a part that no agent of the wish has.
func unfitParts(c *cli.Context, wish hook.InstallRequest) error {
	if wish.Servers && wish.Scope == hook.Local {
		return &usageError{c.Command.HelpName + ": mcp: no agent keeps a user's own servers in a project", "leave out --local, or mcp"}
	}
	if wish.Status && len(wish.Agents) > 0 && !slices.Contains(wish.Agents, "claude") {
		return &usageError{c.Command.HelpName + ": statusline: only Claude Code has a status line", "leave out statusline, or use --agent claude"}
	}
	return nil
}

// asksParts reports whether to ask the user what to install.
func (p *program) asksParts(c *cli.Context) bool {
	answered := func(flag string) bool { return c.IsSet(flag) }
	return isTerminal(p.Stdin) && !wantsJSON(c) &&
		!slices.ContainsFunc([]string{"with", "all", "mcp", "statusline", "hooks-only", "yes", "dry-run"}, answered)
}
