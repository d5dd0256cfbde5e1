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
			Name:   name,
			Usage:  usage + ": " + strings.Join(choices, ", "),
			Value:  choices[0],
			Action: func(c *cli.Context, value string) error { return checkChoice(c, name, value, choices) },
		},
		choices: choices,
	}
}

// A choicesFlag is a choiceFlag that may be repeated, and has no default.
type choicesFlag struct {
	*cli.StringSliceFlag
	choices []string
}

// severalOf is a flag whose values are each one of choices.
func severalOf(name, usage string, choices ...string) cli.Flag {
	return &choicesFlag{
		StringSliceFlag: &cli.StringSliceFlag{
			Name:  name,
			Usage: usage + ": " + strings.Join(choices, ", "),
			Action: func(c *cli.Context, values []string) error {
				for _, value := range values {
					if err := checkChoice(c, name, value, choices); err != nil {
						return err
					}
				}
				return nil
			},
		},
		choices: choices,
	}
}

// checkChoice returns the error of a value that is none of choices.
func checkChoice(c *cli.Context, name, value string, choices []string) error {
	if slices.Contains(choices, value) {
		return nil
	}
	return &usageError{
		fmt.Sprintf("%s: --%s %q is not one of %s", c.Command.HelpName, name, short(value, 40), strings.Join(choices, ", ")),
		didYouMean(value, choices, usageLine(c.Command)),
	}
}

// mayRepeat reports whether a flag takes a list of values, each by a flag of its own.
func mayRepeat(f cli.Flag) bool {
	doc, ok := f.(cli.DocGenerationSliceFlag)
	return ok && doc.IsSliceFlag()
}

// formatFlag is `--format`, for commands that print text or JSON.
func formatFlag() cli.Flag { return choice("format", "how to print", "text", "json") }

// wantsJSON says whether the command is to print JSON.
func wantsJSON(c *cli.Context) bool { return c.String("format") == "json" }

// dryRunFlag is `--dry-run`, which every command has that changes something.
func dryRunFlag() cli.Flag {
	return &cli.BoolFlag{Name: "dry-run", Usage: "show what would change, and change nothing"}
}

// takesValue says whether a flag is followed by its value.
func takesValue(f cli.Flag) bool {
	doc, ok := f.(cli.DocGenerationFlag)
	return ok && doc.TakesValue()
}
