package main

import (
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/text"
)

// lasting lists the commands that run until they are stopped. They use as little memory as they
// can.
var lasting = []string{"watch", "mcp", "dashboard"}

// app returns the command line for one run.
func (p *program) app() *cli.App {
	app := &cli.App{
		Name:      "forgemind",
		Usage:     "keep the context of people and agents as plain files in a repository",
		UsageText: "forgemind [--tree DIR] COMMAND [ARGUMENTS] [FLAGS]",
		Description: "A command finds its tree by walking up from the working directory.\n" +
			"'forgemind help COMMAND' shows the help of a command.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "tree", Usage: "use the tree in `DIR` instead of the nearest one above"},
			&cli.BoolFlag{Name: "no-color", Usage: "print without colors, as with NO_COLOR"},
			&cli.BoolFlag{Name: "version", Usage: "Print the version", DisableDefaultText: true},
		},
		Action: func(c *cli.Context) error {
			if c.Bool("version") {
				return p.version(c)
			}
			return cli.ShowAppHelp(c)
		},
		Before: func(c *cli.Context) error {
			if !slices.Contains(lasting, c.Args().First()) {
				hurry()
			}
			return nil
		},
		Commands:                  p.commands(),
		Reader:                    p.Stdin,
		Writer:                    p.out,
		ErrWriter:                 io.Discard, // report prints the errors
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              onUsageError,
		HideHelpCommand:           true,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
	}
	for _, command := range app.Commands {
		p.finish(command)
	}
	return app
}

// finish disables the library's own help and exit codes for a command, and handles a missing
// subcommand.
func (p *program) finish(command *cli.Command) {
	if command.OnUsageError == nil {
		command.OnUsageError = onUsageError
	}
	command.HideHelpCommand = true
	if len(command.Subcommands) > 0 && command.Action == nil {
		command.Action = func(c *cli.Context) error {
			return &usageError{
				fmt.Sprintf("%s: missing subcommand; expected %s", c.Command.HelpName, either(names(c.Command.Subcommands))),
				usageLine(c.Command),
			}
		}
	}
	for _, sub := range command.Subcommands {
		p.finish(sub)
		if sub.Name == "list" && !command.Hidden {
			sub.Action = p.tellEmpty(command, sub.Action)
		}
	}
}

// tellEmpty returns the action of a list command that prints a message if the list is empty.
func (p *program) tellEmpty(parent *cli.Command, list cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		err := list(c)
		if err != nil || p.out.begun || wantsJSON(c) {
			return err
		}
		text := "forgemind: nothing to list"
		for _, sub := range parent.Subcommands {
			if slices.Contains([]string{"add", "open", "new", "ask"}, sub.Name) {
				text += fmt.Sprintf("; 'forgemind %s' adds one", strings.TrimSpace(parent.Name+" "+sub.Name+" "+sub.ArgsUsage))
				break
			}
		}
		p.note("%s", strings.TrimSpace(text))
		return nil
	}
}

// onUsageError converts an error of the flag library.
func onUsageError(c *cli.Context, err error, _ bool) error {
	if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok {
		var known []string
		for _, f := range c.Command.Flags {
			known = append(known, f.Names()[0])
		}
		hint := usageLine(c.Command)
		if best := text.Nearest(strings.TrimLeft(name, "-"), known); best != "" {
			hint = fmt.Sprintf("did you mean '--%s'?", best)
		}
		return &usageError{fmt.Sprintf("%s: unknown flag --%s", c.Command.HelpName, strings.TrimLeft(name, "-")), hint}
	}
	return &usageError{fmt.Sprintf("%s: %s", c.Command.HelpName, short(err.Error(), 300)), usageLine(c.Command)}
}

// takes returns an action that checks the number of arguments: at least least and at most most. A
// negative most means any number.
func takes(least, most int, action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		switch n := c.NArg(); {
		case n < least:
			return &usageError{fmt.Sprintf("%s: %s missing", c.Command.HelpName, argumentName(c.Command, n)), usageLine(c.Command)}
		case most >= 0 && n > most:
			return &usageError{fmt.Sprintf("%s: unexpected argument %q", c.Command.HelpName, short(c.Args().Get(most), 80)), usageLine(c.Command)}
		}
		return action(c)
	}
}

// argumentName returns the name in the usage line of the argument at position i.
func argumentName(command *cli.Command, i int) string {
	if fields := strings.Fields(command.ArgsUsage); i < len(fields) {
		return strings.Trim(fields[i], "[]…")
	}
	return "an argument"
}

func usageLine(command *cli.Command) string {
	line := "usage: " + command.HelpName
	switch {
	case len(command.Subcommands) > 0:
		line += " " + strings.Join(names(command.Subcommands), "|")
	case command.ArgsUsage != "":
		line += " " + command.ArgsUsage
	}
	return line + " [flags]; 'forgemind help" + strings.TrimPrefix(command.HelpName, "forgemind") + "' shows more"
}

// either returns a list of alternatives as text.
func either(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}

func names(commands []*cli.Command) []string {
	var list []string
	for _, c := range commands {
		if !c.Hidden {
			list = append(list, c.Name)
		}
	}
	return list
}

// moduleVersion returns the version of this binary.
func moduleVersion() string {
	if build, ok := debug.ReadBuildInfo(); ok && build.Main.Version != "" {
		return build.Main.Version
	}
	return "(devel)"
}
