package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

func (p *program) explainConfig(c *cli.Context) error {
	list := allSettings()
	if c.NArg() > 0 {
		name := c.Args().First()
		if list = findSettings(name); len(list) == 0 {
			return unknownSetting(c.Command.HelpName, name)
		}
	}
	if wantsJSON(c) {
		for i := range list {
			list[i].Default = brief(list[i].Default)
		}
		if len(list) == 1 {
			return p.printJSON(struct {
				Version int `json:"version"`
				setting
			}{1, list[0]})
		}
		return p.printJSON(struct {
			Version  int       `json:"version"`
			Settings []setting `json:"settings"`
		}{1, list})
	}
	if c.NArg() == 0 {
		var lines strings.Builder
		for _, s := range list {
			fmt.Fprintf(&lines, "%-38s %s\n", s.ID, s.Means)
		}
		p.printLines(lines.String())
		return nil
	}
	for i, s := range list {
		if i > 0 {
			p.printf("\n")
		}
		p.printf("%s", s.told())
	}
	return nil
}

// told is all that there is to say of a setting.
func (s setting) told() string {
	var b strings.Builder
	b.WriteString(s.ID)
	if s.Also != "" {
		fmt.Fprintf(&b, " (also %s)", s.Also)
	}
	fmt.Fprintf(&b, ": %s\n", s.Means)
	line := func(what, text string) { fmt.Fprintf(&b, "  %-10s %s\n", what, text) }
	line("takes", s.Expects)
	line("default", shownValue(s.Default))
	line("changing", s.Moves)
	return b.String()
}

// brief is a value, or how many things it holds: nobody reads pages in a list.
func brief(v any) any {
	if text := shownValue(v); strings.HasSuffix(text, " items") || text == "1 item" {
		return text
	}
	return v
}
