package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/schema"
)

func (p *program) completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "Print a shell completion script",
		ArgsUsage: "bash|zsh|fish|powershell",
		Description: "Completes commands, flags, and the ids and names that the tree has.\n" +
			"bash:        source <(forgemind completion bash)\n" +
			"zsh:         source <(forgemind completion zsh)\n" +
			"fish:        forgemind completion fish | source\n" +
			"powershell:  forgemind completion powershell | Out-String | Invoke-Expression",
		Action: takes(1, 1, p.completion),
	}
}

func (p *program) completion(c *cli.Context) error {
	shell := c.Args().First()
	scripts := map[string]func([]completionLevel) string{
		"bash": bashScript, "zsh": zshScript, "fish": fishScript, "powershell": powershellScript,
	}
	script, ok := scripts[shell]
	if !ok {
		return &usageError{
			fmt.Sprintf("completion: no shell %q", short(shell, 40)),
			didYouMean(shell, shells, "there are "+strings.Join(shells, ", ")),
		}
	}
	return p.printSource(script(completionLevels(c.App)))
}

var shells = []string{"bash", "zsh", "fish", "powershell"}

// A completionLevel describes what can follow one command.
type completionLevel struct {
	path   string              // "forgemind decision add"
	called []string            // path, and the command's other names
	words  []string            // subcommands and fixed arguments, then flags
	values map[string][]string // flags with a value → its choices; none means any value
	asks   map[string]bool     // flags whose values are in the tree; "" stands for the arguments
	files  bool                // an argument may be a file
}

// completionLevels returns the levels of the program and of each command and subcommand, including
// those that help does not list.
func completionLevels(app *cli.App) []completionLevel {
	var levels []completionLevel
	program := &cli.Command{Name: app.Name, Flags: app.Flags, Subcommands: app.Commands}
	var walk func(path []*cli.Command, called []string)
	walk = func(path []*cli.Command, called []string) {
		level := levelOf(path, app.Flags)
		level.called = called
		levels = append(levels, level)
		for _, c := range path[len(path)-1].Subcommands {
			var called []string
			for _, name := range c.Names() {
				if name != anyWord {
					called = append(called, level.path+" "+name)
				}
			}
			walk(append(slices.Clone(path), c), called)
		}
	}
	walk([]*cli.Command{program}, []string{app.Name})
	return levels
}

// levelOf returns the level of the command at the end of path. Every level has the global
// flags.
func levelOf(path []*cli.Command, global []cli.Flag) completionLevel {
	command := path[len(path)-1]
	level := completionLevel{
		path:   strings.TrimSpace(path[0].Name + " " + pathName(path)),
		values: map[string][]string{}, asks: map[string]bool{},
		files: strings.Contains(command.ArgsUsage, "PATH"),
	}
	level.words = append(names(command.Subcommands), argumentWords(level.path)...)
	level.asks[""] = argumentSource(path, 0) != nil
	known := map[string]bool{"--help": true}
	for _, f := range slices.Concat(command.Flags, global) {
		name := "--" + f.Names()[0]
		if known[name] {
			continue
		}
		known[name] = true
		level.words = append(level.words, name)
		if choices, ok := f.(*choiceFlag); ok {
			level.values[name] = choices.choices
		} else if takesValue(f) {
			level.values[name] = nil
			level.asks[name] = flagSource(path, f) != nil
		}
	}
	level.words = append(level.words, "--help")
	return level
}

// valued returns the flags with a value, in order.
func (l completionLevel) valued() []string { return slices.Sorted(maps.Keys(l.values)) }

// argumentWords returns the fixed words that a command accepts as arguments.
func argumentWords(path string) []string {
	switch path {
	case "forgemind explain":
		return ruleNames()
	case "forgemind schema":
		return schemaNames()
	case "forgemind config show", "forgemind config set", "forgemind config explain":
		return settingNames()
	case "forgemind completion":
		return shells
	case "forgemind layer":
		return schema.LayerNames()
	}
	return nil
}
