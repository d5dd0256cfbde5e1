package main

import (
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// commands is the command table.
func (p *program) commands() []*cli.Command {
	return []*cli.Command{
		p.initCommand(),
		p.demoCommand(),
		p.validateCommand(),
		p.explainCommand(),
		p.schemaCommand(),
		p.watchCommand(),
		p.serviceCommand(),
		p.triggerCommand(),
		p.triggersCommand(),
		p.statusCommand(),
		p.statuslineCommand(),
		p.dashboardCommand(),
		p.mcpCommand(),
		p.layerCommand(),
		p.clarityCommand(),
		p.setCommand(),
		p.loadCommand(),
		p.unloadCommand(),
		p.preloadCommand(),
		p.artifactsCommand(),
		p.contextCommand(),
		p.messageCommand(),
		p.compactCommand(),
		p.uncompactCommand(),
		p.assembleCommand(),
		p.briefCommand(),
		p.recoverCommand(),
		p.coldStorageCommand(),
		p.dropsCommand(),
		p.healthCommand(),
		p.tuneCommand(),
		p.resetCommand(),
		p.goalCommand(),
		p.constraintCommand(),
		p.rememberCommand(),
		p.forgetCommand(),
		p.fileCommand(),
		p.entitiesCommand(),
		p.threadCommand(),
		p.condenseCommand(),
		p.handoffCommand(),
		p.decisionCommand(),
		p.governsCommand(),
		p.memoryCommand(),
		p.fragmentsCommand(),
		p.projectsCommand(),
		p.historyCommand(),
		p.questionCommand(),
		p.actionCommand(),
		p.sessionsCommand(),
		p.facilitatorCommand(),
		p.slashCommand(),
		p.hookCommand(),
		p.configCommand(),
		p.auditCommand(),
		p.migrateCommand(),
		p.doctorCommand(),
		p.completionCommand(),
		p.versionCommand(),
	}
}

// lasting are the commands that run until somebody ends them: they take no more memory than
// they must.
var lasting = []string{"watch", "mcp", "dashboard"}

// app is the whole command line, for one run.
func (p *program) app() *cli.App {
	app := &cli.App{
		Name:      "forgemind",
		Usage:     "Keep a project's context in plain files, for people and coding agents",
		UsageText: "forgemind COMMAND [ARGUMENTS] [FLAGS]",
		Description: "Start with 'forgemind init', then 'forgemind hook install'.\n" +
			"See 'forgemind help COMMAND' for a command's flags and examples.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "tree", Usage: "work on the tree in `DIR`; without it, the nearest one from the working directory up to the top of the repository"},
			&cli.BoolFlag{Name: "no-color", Usage: "print no colors, as with NO_COLOR in the environment"},
			&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "print the files that a change wrote, and what each action did"},
			&cli.BoolFlag{Name: "version", Usage: "print the version"},
		},
		Action: func(c *cli.Context) error {
			if c.Bool("version") {
				return p.version(c)
			}
			return cli.ShowAppHelp(c)
		},
		Before: func(c *cli.Context) error {
			p.verbose = c.Bool("verbose")
			if !slices.Contains(lasting, c.Args().First()) {
				hurry()
			}
			return nil
		},
		Commands:                  p.commands(),
		Reader:                    p.Stdin,
		Writer:                    p.out,
		ErrWriter:                 io.Discard, // errors are ours to print
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              onUsageError,
		HideHelpCommand:           true,
		HideVersion:               true,
		DisableSliceFlagSeparator: true,
	}
	for _, command := range app.Commands {
		finish(command)
	}
	return app
}

// finish closes what the library leaves open on a command: help and exit codes
// of its own, and parents that do nothing when their subcommand is missing.
func finish(command *cli.Command) {
	if command.OnUsageError == nil {
		command.OnUsageError = onUsageError
	}
	command.HideHelpCommand = true
	if len(command.Subcommands) > 0 && command.Action == nil {
		command.Action = func(c *cli.Context) error {
			return &usageError{
				fmt.Sprintf("%s: which of %s?", c.Command.HelpName, strings.Join(names(c.Command.Subcommands), ", ")),
				usageLine(c.Command),
			}
		}
	}
	for _, sub := range command.Subcommands {
		finish(sub)
	}
}

// onUsageError turns what the flag library says into our words.
func onUsageError(c *cli.Context, err error, _ bool) error {
	if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok {
		var known []string
		for _, f := range c.Command.Flags {
			known = append(known, f.Names()[0])
		}
		hint := usageLine(c.Command)
		if best := nearest(strings.TrimLeft(name, "-"), known); best != "" {
			hint = fmt.Sprintf("did you mean '--%s'?", best)
		}
		return &usageError{fmt.Sprintf("%s: unknown flag --%s", c.Command.HelpName, strings.TrimLeft(name, "-")), hint}
	}
	return &usageError{fmt.Sprintf("%s: %s", c.Command.HelpName, short(err.Error(), 300)), usageLine(c.Command)}
}

// takes is an action for at least least and at most most arguments; most < 0
// is any number.
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

// argumentName is what the usage calls the argument at position i.
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
	return line + " [flags]; 'forgemind help" + strings.TrimPrefix(command.HelpName, "forgemind") + "' tells more"
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

// moduleVersion is the version this binary was built as.
func moduleVersion() string {
	if build, ok := debug.ReadBuildInfo(); ok && build.Main.Version != "" {
		return build.Main.Version
	}
	return "(devel)"
}
