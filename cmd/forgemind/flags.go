package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// A choiceFlag is a flag whose value is one of a few words. Completion offers them.
type choiceFlag struct {
	*cli.StringFlag
	choices []string
}

// choice returns a flag whose value is one of choices. The first is the default.
func choice(name, usage string, choices ...string) cli.Flag {
	return &choiceFlag{
		StringFlag: &cli.StringFlag{
			Name:  name,
			Usage: usage + ": " + strings.Join(choices, ", "),
			Value: choices[0],
			Action: func(c *cli.Context, value string) error {
				if slices.Contains(choices, value) {
					return nil
				}
				return &usageError{
					fmt.Sprintf("%s: --%s %q is not one of %s", c.Command.HelpName, name, short(value, 40), strings.Join(choices, ", ")),
					didYouMean(value, choices, usageLine(c.Command)),
				}
			},
		},
		choices: choices,
	}
}

// formatFlag returns `--format`, for commands that print text or JSON.
func formatFlag() cli.Flag { return choice("format", "output format", "text", "json") }

// wantsJSON reports whether the command should print JSON.
func wantsJSON(c *cli.Context) bool { return c.String("format") == "json" }

// dryRunFlag returns `--dry-run`, which every command has that changes something.
func dryRunFlag() cli.Flag {
	return &cli.BoolFlag{Name: "dry-run", Usage: "print what would change, change nothing", DisableDefaultText: true}
}

// takesValue reports whether a flag needs a value.
func takesValue(f cli.Flag) bool {
	doc, ok := f.(cli.DocGenerationFlag)
	return ok && doc.TakesValue()
}
