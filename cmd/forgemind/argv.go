package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// anyWord is the alias of the subcommand that accepts any word that is no other subcommand.
const anyWord = "*"

// reorder changes a command line to the order that the flag library needs: each flag directly after
// its command, arguments last after `--`. So flags may be anywhere, global ones too. A word that
// begins with a dash and cannot be a flag (`-`, `-5`, `-- a sentence`) is an argument, and so is
// everything after `--`. `help COMMAND` becomes `COMMAND --help`.
func reorder(app *cli.App, argv []string) ([]string, error) {
	line := scan(app.Flags, app.Commands, argv[1:])
	if len(line.words) > 0 && line.words[0] == "help" && !line.ended {
		line.words = line.words[1:]
		line.flags = append(line.flags, []string{"--help"})
	}
	path, rest, ok := descend(app, line.words)
	if !ok && rest[0] == "help" && len(path) > 1 { // 'forgemind goal help add' is 'forgemind help goal add'
		line.flags = append(line.flags, []string{"--help"})
		at := len(line.words) - len(rest)
		path, rest, ok = descend(app, slices.Concat(line.words[:at], rest[1:]))
	}
	if !ok {
		return nil, unknownCommand(path, rest[0])
	}
	line.words = rest

	own := make([][]string, len(path)) // flags by command
	for _, f := range line.flags {
		level := len(path) - 1
		for l := level; l >= 0; l-- {
			if knows(path[l], flagName(f[0])) {
				level = l
				break
			}
		}
		own[level] = append(own[level], f...)
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

// descend returns the commands that words name, beginning with the program, and the remaining
// words. It returns false if the first of these must be a command and is not.
func descend(app *cli.App, words []string) (path []*cli.Command, rest []string, ok bool) {
	path = []*cli.Command{{Name: app.Name, HelpName: app.Name, Flags: app.Flags, Subcommands: app.Commands}}
	for len(words) > 0 && len(path[len(path)-1].Subcommands) > 0 {
		parent := path[len(path)-1]
		i := subcommandCalled(parent, words[0])
		if other := subcommandCalled(parent, anyWord); i < 0 && other >= 0 {
			return append(path, parent.Subcommands[other]), words, true
		}
		if i < 0 {
			return path, words, false
		}
		path, words = append(path, parent.Subcommands[i]), words[1:]
	}
	return path, words, true
}

// A commandLine holds the parts of a command line.
type commandLine struct {
	flags [][]string // each with its value if that is a word of its own
	words []string   // commands and arguments
	ended bool       // the first word follows `--`
}

func (l *commandLine) help() bool {
	return slices.ContainsFunc(l.flags, func(f []string) bool { return isHelp(flagName(f[0])) })
}

// scan splits args. Whether a flag takes a value depends on the command before it, because two
// commands may use a name differently.
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

// flagName returns the name of the flag arg, or "" if arg is no flag.
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
	return isHelp(name) || slices.ContainsFunc(command.Flags, func(f cli.Flag) bool {
		return slices.Contains(f.Names(), name)
	})
}

// flagsOf returns for each flag of the program whether it takes a value.
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

func unknownCommand(path []*cli.Command, word string) error {
	parent := path[len(path)-1]
	full := "forgemind"
	for _, command := range path[1:] {
		full += " " + command.Name
	}
	return &usageError{
		fmt.Sprintf("%s: unknown command %q", full, short(word, 60)),
		didYouMean(word, names(parent.Subcommands), "'"+full+" --help' lists the commands"),
	}
}
