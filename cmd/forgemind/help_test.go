package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
)

// Help shows each command once.
func TestHelpShowsEveryCommandOnce(t *testing.T) {
	shown := map[string]int{}
	for _, group := range append(helpGroups[:len(helpGroups):len(helpGroups)], moreGroups...) {
		for _, name := range strings.Fields(group.commands) {
			shown[name]++
		}
	}
	for _, c := range testProgram(t).commands() {
		if shown[c.Name] != 1 {
			t.Errorf("%s is shown %d times", c.Name, shown[c.Name])
		}
		delete(shown, c.Name)
	}
	for name := range shown {
		t.Errorf("%s is no command", name)
	}
}

// Help has room on a terminal of 80 columns, and says of each command and flag what it
// does: an imperative sentence without a full stop, or in small letters.
func TestHelpOfEveryCommand(t *testing.T) {
	app := testProgram(t).app()
	fits := func(name string, about any) {
		t.Helper()
		var b bytes.Buffer
		printHelp(&b, "", about)
		for line := range strings.Lines(b.String()) {
			if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > helpWidth || strings.TrimRight(line, " ") != line || strings.Contains(line, "`") {
				t.Errorf("%s: %q", name, line)
			}
		}
	}
	fits("forgemind", app)
	sentence := regexp.MustCompile(`^[A-Z][a-z]+,? .*[^.]$`)
	var walk func(path string, commands []*cli.Command)
	walk = func(path string, commands []*cli.Command) {
		for _, c := range commands {
			c.HelpName = path + " " + c.Name
			if !sentence.MatchString(c.Usage) || utf8.RuneCountInString(c.Usage) > 55 {
				t.Errorf("%s: %q", c.HelpName, c.Usage)
			}
			for _, f := range c.Flags {
				if about := flagAbout(f); about == "" || about[0] >= 'A' && about[0] <= 'Z' && !strings.HasPrefix(about, "Slack") {
					t.Errorf("%s --%s: %q", c.HelpName, f.Names()[0], about)
				}
			}
			fits(c.HelpName, c)
			walk(c.HelpName, c.Subcommands)
		}
	}
	walk("forgemind", app.Commands)
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 10, ""},
		{"one two three", 7, "one two|three"},
		{"a-very-long-word and more", 8, "a-very-long-word|and more"},
		{"größer größe", 6, "größer|größe"},
	} {
		if got := strings.Join(wrap(c.text, c.width), "|"); got != c.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}
