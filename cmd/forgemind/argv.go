package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// reorder puts a command line into the one order that the flag library reads:
// each flag directly after the command that knows it, arguments last, behind
// `--`. So flags may stand anywhere, global ones too. What begins with a dash
// and cannot be a flag (`-`, `-5`, `-- a sentence`) is an argument; so is
// everything after `--`. `help COMMAND` becomes `COMMAND --help`.
func reorder(app *cli.App, argv []string) ([]string, error) {
	line := scan(app.Flags, app.Commands, argv[1:])
	path := []*cli.Command{{Name: app.Name, HelpName: app.Name, Flags: app.Flags, Subcommands: app.Commands}}
	if len(line.words) > 0 && line.words[0] == "help" && !line.ended {
		line.words = line.words[1:]
		line.flags = append(line.flags, []string{"--help"})
	}
	for len(line.words) > 0 && len(path[len(path)-1].Subcommands) > 0 {
		parent := path[len(path)-1]
		i := slices.IndexFunc(parent.Subcommands, func(c *cli.Command) bool { return c.HasName(line.words[0]) })
		if i < 0 {
			return nil, unknownCommand(path, line.words[0])
		}
		path, line.words = append(path, parent.Subcommands[i]), line.words[1:]
	}

	own := make([][]string, len(path)) // flags by the command they belong to
	given := map[cli.Flag]bool{}
	for _, f := range line.flags {
		level := len(path) - 1
		for l := level; l >= 0; l-- {
			if knows(path[l], flagName(f[0])) {
				level = l
				break
			}
		}
		own[level] = append(own[level], f...)
		flag := flagNamed(path[level], flagName(f[0]))
		if flag != nil && given[flag] && takesValue(flag) && !mayRepeat(flag) {
			return nil, &usageError{fullName(path) + ": --" + flag.Names()[0] + " takes one value, and is given twice", "leave out one of the two"}
		}
		given[flag] = true
	}
	var out []string
	for i, command := range path {
		name := command.Name
		if i == 0 {
			name = argv[0]
		}
		out = append(append(out, name), own[i]...)
	}
	if len(line.words) > 0 && !line.help() { // with an argument, the library's --help looks for a command of that name
		out = append(append(out, "--"), line.words...)
	}
	return out, nil
}

// A commandLine is a command line taken apart.
type commandLine struct {
	flags [][]string // each with its value, if that stood by itself
	words []string   // commands and arguments
	ended bool       // the first word stood behind `--`
}

func (l *commandLine) help() bool {
	return slices.ContainsFunc(l.flags, func(f []string) bool { return isHelp(flagName(f[0])) })
}

// scan takes args apart. Whether a flag takes a value is what the command says that
// stands before it, for two commands may mean two things by one name.
func scan(flags []cli.Flag, commands []*cli.Command, args []string) commandLine {
	var line commandLine
	valued := flagsOf(flags, commands)
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			line.ended = len(line.words) == 0
			line.words = append(line.words, args[i+1:]...)
			break
		}
		if flagName(arg) == "" {
			line.words = append(line.words, arg)
			if c := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(arg) }); c >= 0 {
				maps.Copy(valued, flagsOf(commands[c].Flags, commands[c].Subcommands))
				commands = commands[c].Subcommands
			}
			continue
		}
		f := []string{arg}
		if valued[flagName(arg)] && !strings.Contains(arg, "=") && i+1 < len(args) {
			i++
			f = append(f, args[i])
		}
		line.flags = append(line.flags, f)
	}
	return line
}

// flagName is the name of the flag that arg is, or "" if arg is no flag.
func flagName(arg string) string {
	name, ok := strings.CutPrefix(arg, "-")
	if !ok {
		return ""
	}
	name = strings.TrimPrefix(name, "-")
	name, _, _ = strings.Cut(name, "=")
	for i, c := range name {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return ""
		}
	}
	return name
}

func isHelp(name string) bool { return name == "help" || name == "h" }

func knows(command *cli.Command, name string) bool {
	return isHelp(name) || flagNamed(command, name) != nil
}

// flagNamed returns the flag of a command that has a name; nil if there is none.
func flagNamed(command *cli.Command, name string) cli.Flag {
	for _, f := range command.Flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// flagsOf says of each flag anywhere in the program whether it takes a value.
func flagsOf(flags []cli.Flag, commands []*cli.Command) map[string]bool {
	valued := map[string]bool{}
	var add func([]cli.Flag, []*cli.Command)
	add = func(flags []cli.Flag, commands []*cli.Command) {
		for _, f := range flags {
			for _, name := range f.Names() {
				valued[name] = takesValue(f)
			}
		}
		for _, c := range commands {
			add(c.Flags, c.Subcommands)
		}
	}
	add(flags, commands)
	return valued
}

// fullName returns the name of the last command of a path with those before it.
func fullName(path []*cli.Command) string {
	full := "forgemind"
	for _, command := range path[1:] {
		full += " " + command.Name
	}
	return full
}

func unknownCommand(path []*cli.Command, word string) error {
	parent, full := path[len(path)-1], fullName(path)
	known := names(parent.Subcommands)
	hint := didYouMean(word, known, "'"+full+" --help' lists the commands")
	if at := slices.IndexFunc(otherWords[word], func(other string) bool { return slices.Contains(known, other) }); at >= 0 {
		hint = fmt.Sprintf("did you mean '%s'?", otherWords[word][at])
	}
	return &usageError{fmt.Sprintf("%s: unknown command %q", full, short(word, 60)), hint}
}

// otherWords are the names of commands that people mean by a word which other programs
// have.
var otherWords = map[string][]string{
	"get": {"show"}, "cat": {"show"}, "view": {"show"}, "info": {"show", "status"}, "ls": {"list"},
	"rm": {"remove", "archive", "supersede"}, "delete": {"remove", "archive", "supersede"}, "remove": {"archive", "supersede"},
	"create": {"add", "new", "open", "ask", "init"}, "new": {"add", "open", "ask"}, "add": {"new", "open", "ask"},
	"edit": {"update", "set", "supersede"}, "change": {"update", "set", "supersede"}, "update": {"set", "supersede"},
	"finish": {"done", "complete"}, "complete": {"done"}, "done": {"complete"}, "close": {"answer", "done", "complete", "resolve", "archive"},
	"check": {"validate"}, "lint": {"validate"}, "search": {"fragments"}, "note": {"remember"},
}
