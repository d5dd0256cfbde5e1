package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

func (p *program) manCommand() *cli.Command {
	return &cli.Command{
		Name:      "man",
		Usage:     "Print a manual page",
		ArgsUsage: "[COMMAND]",
		Description: "Without COMMAND, prints the page of forgemind itself. A page is roff, for man(1).\n" +
			"'forgemind man decision > forgemind-decision.1'",
		Action: takes(0, 1, p.man),
	}
}

func (p *program) man(c *cli.Context) error {
	if c.NArg() == 0 {
		return p.printSource(appPage(c.App))
	}
	path, _, ok := descend(c.App, c.Args().Slice())
	if !ok {
		return unknownCommand(path, c.Args().First())
	}
	return p.printSource(commandPage(path))
}

// appPage returns the manual page of the program.
func appPage(app *cli.App) string {
	page := newPage("forgemind", app.Usage)
	page.macro("SH", "SYNOPSIS")
	page.text(app.UsageText)
	page.macro("SH", "DESCRIPTION")
	page.text("forgemind keeps the context of a project, for the people and agents who work on it, in plain files that git can hold: " +
		"its state, what was decided and why, and what is open.")
	page.macro("PP")
	page.text(strings.ReplaceAll(app.Description, "\n", " "))
	page.macro("SH", "COMMANDS")
	title := ""
	for _, command := range app.Commands {
		if command.Hidden {
			continue
		}
		if command.Category != title {
			title = command.Category
			page.macro("SS", title)
		}
		page.item(command.Name, command.Usage)
	}
	page.flags("SH", app.Flags)
	page.macro("SH", "EXIT STATUS")
	for _, status := range []struct{ code, means string }{
		{"0", "Done, nothing wrong."},
		{"1", "Findings of severity error, or a condition that you asked about is false."},
		{"2", "Wrong usage."},
		{"3", "Could not do it."},
	} {
		page.item(status.code, status.means)
	}
	page.macro("SH", "FILES")
	page.item(".forgemind/", "Records, views and settings of the project.")
	page.item(".quaid/", "Conversations of this working copy.")
	page.macro("SH", "SEE ALSO")
	page.text("forgemind-COMMAND(1), the page of a command; 'forgemind man COMMAND' prints it. git(1)")
	return page.String()
}

// commandPage returns the manual page of the command at the end of path, with its
// subcommands.
func commandPage(path []*cli.Command) string {
	command := path[len(path)-1]
	name := "forgemind " + pathName(path)
	page := newPage(strings.ReplaceAll(name, " ", "-"), command.Usage)
	page.macro("SH", "SYNOPSIS")
	page.synopsis(name, command)
	if command.Description != "" {
		page.macro("SH", "DESCRIPTION")
		page.description(command.Description)
	}
	page.flags("SH", command.Flags)
	if len(names(command.Subcommands)) > 0 {
		page.macro("SH", "SUBCOMMANDS")
		page.subcommands(name, command)
	}
	page.macro("SH", "SEE ALSO")
	page.text("forgemind(1)")
	return page.String()
}

// synopsis writes a line for each way to call a command: one for each of its subcommands,
// if it has any.
func (page *manPage) synopsis(name string, command *cli.Command) {
	for i, usage := range usages(name, command) {
		if i > 0 {
			page.macro("br")
		}
		page.text(usage)
	}
}

// usages returns the ways to call a command: its own, or those of its subcommands.
func usages(name string, command *cli.Command) (lines []string) {
	for _, sub := range command.Subcommands {
		if !sub.Hidden {
			lines = append(lines, usages(name+" "+sub.Name, sub)...)
		}
	}
	if len(command.Subcommands) == 0 {
		lines = append(lines, strings.TrimSpace(name+" "+command.ArgsUsage)+" [FLAGS]")
	}
	return lines
}

// subcommands writes a section for each subcommand of a command, and for those of these.
func (page *manPage) subcommands(name string, command *cli.Command) {
	for _, sub := range command.Subcommands {
		if sub.Hidden {
			continue
		}
		full := name + " " + sub.Name
		page.macro("SS", strings.TrimSpace(full+" "+sub.ArgsUsage))
		page.text(sub.Usage + ".")
		if sub.Description != "" {
			page.macro("PP")
			page.description(sub.Description)
		}
		page.flags("", sub.Flags)
		page.subcommands(full, sub)
	}
}

// flags writes a list of flags, below a heading if there is a macro for one.
func (page *manPage) flags(heading string, flags []cli.Flag) {
	if heading != "" && len(flags) > 0 {
		page.macro(heading, "FLAGS")
	}
	for _, f := range flags {
		if !isHelp(f.Names()[0]) {
			page.item(flagNames(f), flagText(f))
		}
	}
}

// description writes the description of a command.
func (page *manPage) description(text string) {
	for i, part := range sections(text) {
		if i > 0 {
			page.macro("PP")
		}
		if part.kind == paragraphSection {
			page.text(part.lines[0])
			continue
		}
		page.macro("RS", "4")
		page.macro("nf")
		for _, line := range part.lines {
			page.text(line)
		}
		page.macro("fi")
		page.macro("RE")
	}
}
