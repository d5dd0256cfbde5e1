package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
)

// eachCommand calls do for the program, and for each command and subcommand that help
// lists.
func eachCommand(app *cli.App, do func(words []string, command *cli.Command)) {
	var walk func(words []string, commands []*cli.Command)
	walk = func(words []string, commands []*cli.Command) {
		for _, command := range commands {
			if command.Hidden {
				continue
			}
			path := append(words[:len(words):len(words)], command.Name)
			do(path, command)
			walk(path, command.Subcommands)
		}
	}
	walk(nil, app.Commands)
}

// TestHelpFitsEightyColumns prints the help of the program and of each command.
func TestHelpFitsEightyColumns(t *testing.T) {
	t.Parallel()
	help := func(words ...string) string {
		p := testProgram(t)
		var out bytes.Buffer
		p.Stdout = &out
		if code := p.run(context.Background(), append([]string{"forgemind", "help"}, words...)); code != 0 {
			t.Errorf("help %v exits with %d", words, code)
		}
		return out.String()
	}
	check := func(words []string, _ *cli.Command) {
		text := help(words...)
		if !strings.Contains(text, "Usage: forgemind") {
			t.Errorf("help %v has no usage line:\n%s", words, text)
		}
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
				t.Errorf("help %v: %d columns: %s", words, n, line)
			}
		}
	}
	check(nil, nil)
	eachCommand(started(testProgram(t)).app(), check)
}

// TestHelpExamplesAreCommands holds that each line of help that shows a command names one
// that there is, with flags that it has.
func TestHelpExamplesAreCommands(t *testing.T) {
	t.Parallel()
	examples := 0
	eachCommand(started(testProgram(t)).app(), func(words []string, command *cli.Command) {
		for _, part := range strings.Split(command.Description, "'forgemind ")[1:] {
			line, _, _ := strings.Cut(part, "'")
			line, _, _ = strings.Cut(line, " > ")
			line, _, _ = strings.Cut(line, " < ")
			examples++
			argv := append([]string{"forgemind"}, strings.Fields(strings.NewReplacer(`"`, "").Replace(line))...)
			app := started(testProgram(t)).app()
			ordered, err := reorder(app, argv)
			if err != nil {
				t.Errorf("help %v: %q: %v", words, line, err)
				continue
			}
			for _, arg := range ordered[1:] {
				if arg == "--" {
					break
				}
				if name := flagName(arg); name != "" && !knownAnywhere(app, name) {
					t.Errorf("help %v: %q: there is no flag --%s", words, line, name)
				}
			}
		}
	})
	if examples < 40 {
		t.Errorf("help shows %d examples; were they found?", examples)
	}
}

// knownAnywhere reports whether any command has a flag of that name.
func knownAnywhere(app *cli.App, name string) bool {
	known := isHelp(name)
	eachCommand(app, func(_ []string, command *cli.Command) { known = known || knows(command, name) })
	return known
}
