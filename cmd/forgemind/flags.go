package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// A choiceFlag is a flag whose value is one of a few words. Completion offers
// them.
type choiceFlag struct {
	*cli.StringFlag
	choices []string
}

// choice is a flag whose value is one of choices; the first is the default.
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

// formatFlag is `--format`, for commands that print text or JSON.
func formatFlag() cli.Flag { return choice("format", "how to print", "text", "json") }

// wantsJSON says whether the command is to print JSON.
func wantsJSON(c *cli.Context) bool { return c.String("format") == "json" }

// dryRunFlag is `--dry-run`, which every command has that changes something.
func dryRunFlag() cli.Flag {
	return &cli.BoolFlag{Name: "dry-run", Usage: "say what would change, and change nothing", DisableDefaultText: true}
}

// takesValue says whether a flag is followed by its value.
func takesValue(f cli.Flag) bool {
	doc, ok := f.(cli.DocGenerationFlag)
	return ok && doc.TakesValue()
}
