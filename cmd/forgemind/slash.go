package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

func (p *program) slashCommand() *cli.Command {
	return &cli.Command{
		Name:      "slash",
		Usage:     "Run a slash command",
		ArgsUsage: "\"/COMMAND …\"",
		Description: "Each is the same as a command:\n\n" + slashTable() + "\n" +
			"Example:\n" +
			"  forgemind slash \"/log_decision Use RS256 because services verify alone\"",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "agent", Usage: "who typed it (`NAME`); git's author by default"},
			&cli.IntFlag{Name: "if-version", Usage: "only if the hot context is at version `N`", DefaultText: "any"},
			formatFlag(), dryRunFlag(),
		},
		Action: takes(0, -1, p.slash),
	}
}

// A slashed is a slash command and the command that it stands for.
type slashed struct {
	name  string // "/context restore"
	takes string // what stands behind it; "" for nothing
	means string // the command, for people
	flags []string
	args  func(rest string) ([]string, error)
}

// slashCommands are those of the Quaid document, in its order.
func slashCommands() []slashed {
	changing := []string{"agent", "if-version", "dry-run", "format"}
	plain := func(words ...string) func(string) ([]string, error) {
		return func(rest string) ([]string, error) {
			if rest == "" {
				return words, nil
			}
			return append(words, "--", rest), nil
		}
	}
	return []slashed{
		{"/context status", "", "sessions show", []string{"format"}, plain("sessions", "show")},
		{"/set_goal", "GOAL", "goal add GOAL --status in-progress --priority high", changing,
			plain("goal", "add", "--status", "in-progress", "--priority", "high")},
		{"/complete_goal", "ID or words", "goal complete", changing, plain("goal", "complete")},
		{"/remember", "TEXT", "remember", changing, plain("remember")},
		{"/log_decision", "DECISION [because RATIONALE]", "decision add DECISION --rationale RATIONALE", changing, slashDecision},
		{"/add_constraint", "CONSTRAINT", "constraint add", changing, plain("constraint", "add")},
		{"/context summary", "", "sessions summary", []string{"dry-run", "format"}, plain("sessions", "summary")},
		{"/context clear", "", "sessions clear", []string{"dry-run", "format"}, plain("sessions", "clear")},
		{"/context restore", "SESSION", "sessions restore", []string{"dry-run", "format"}, plain("sessions", "restore")},
		{"/context archive", "[--title=\"TITLE\"]", "sessions archive", []string{"dry-run", "format"}, slashArchive},
	}
}

// quotedTwice is a decision and its rationale, each in quotes.
var quotedTwice = lazyregexp.New(`^"([^"]+)"(?:\s+"([^"]+)")?$`)

// slashDecision parts the rationale from the decision.
func slashDecision(rest string) ([]string, error) {
	decision, rationale := extract.Because(rest)
	if m := quotedTwice.FindStringSubmatch(rest); m != nil { // /log_decision "DECISION" "RATIONALE"
		decision, rationale = m[1], m[2]
	}
	if strings.EqualFold(decision, "because") {
		return nil, errors.New("the decision says nothing")
	}
	words := []string{"decision", "add"}
	if rationale != "" {
		words = append(words, "--rationale="+rationale)
	}
	return append(words, "--", decision), nil
}

// slashArchive reads the title, in quotes or not.
func slashArchive(rest string) ([]string, error) {
	words := []string{"sessions", "archive"}
	if rest == "" {
		return words, nil
	}
	title, ok := strings.CutPrefix(rest, "--title")
	if ok && title != "" && !strings.ContainsAny(title[:1], "= ") {
		ok = false
	}
	if !ok {
		return nil, fmt.Errorf("it takes --title=\"TITLE\" or nothing, not %q", short(rest, 60))
	}
	title = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(title), "="))
	for _, quote := range []string{`"`, `'`} {
		if inner, ok := strings.CutPrefix(title, quote); ok {
			title = strings.TrimSuffix(inner, quote)
		}
	}
	return append(words, "--title="+title), nil
}

// slashTable lists the slash commands for the help.
func slashTable() string {
	var table strings.Builder
	for _, s := range slashCommands() {
		fmt.Fprintf(&table, "  %-46s %s\n", strings.TrimSpace(s.name+" "+s.takes), s.means)
	}
	return table.String()
}

// slash runs the command that a slash command stands for.
func (p *program) slash(c *cli.Context) error {
	line := strings.TrimSpace(strings.Join(c.Args().Slice(), " "))
	if line == "" {
		return &usageError{c.Command.HelpName + ": the slash command is missing", usageLine(c.Command)}
	}
	s, rest, err := findSlash(line)
	if err != nil {
		return err
	}
	if rest == "" && s.takes != "" && s.takes[0] != '[' {
		return &usageError{fmt.Sprintf("%s: %s missing", s.name, s.takes), "usage: " + s.name + " " + s.takes}
	}
	if rest != "" && s.takes == "" {
		return &usageError{fmt.Sprintf("%s: unexpected argument %q", s.name, short(rest, 80)), "usage: " + s.name}
	}
	if c.IsSet("if-version") && !slices.Contains(s.flags, "if-version") { // not to be passed over in silence
		return &usageError{s.name + ": it takes no --if-version", "usage: " + strings.TrimSpace(s.name+" "+s.takes)}
	}
	words, err := s.args(rest)
	if err != nil {
		return &usageError{s.name + ": " + err.Error(), "usage: " + s.name + " " + s.takes}
	}
	argv := []string{"forgemind"}
	for _, name := range append([]string{"tree", "verbose"}, s.flags...) {
		if c.IsSet(name) || name == "agent" {
			argv = append(argv, fmt.Sprintf("--%s=%v", name, c.Value(name)))
		}
	}
	app := p.app()
	if argv, err = reorder(app, append(argv, words...)); err != nil {
		return err
	}
	return app.RunContext(c.Context, argv)
}

// findSlash finds the slash command at the head of a line, and what stands behind
// it. A command may be typed in any case, with - for _.
func findSlash(line string) (slashed, string, error) {
	known := slashCommands()
	var names []string
	for _, s := range known {
		names = append(names, s.name)
		words := strings.Fields(line)
		n := len(strings.Fields(s.name))
		if len(words) < n || !sameSlash(strings.Join(words[:n], " "), s.name) {
			continue
		}
		rest := line
		for range n {
			_, rest, _ = strings.Cut(strings.TrimSpace(rest)+" ", " ")
		}
		return s, strings.TrimSpace(rest), nil
	}
	first := strings.Fields(line)
	asked := strings.Join(first[:min(len(first), 2)], " ")
	if !strings.HasPrefix(asked, "/context") && len(first) > 0 {
		asked = first[0]
	}
	slices.Sort(names)
	if begun := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !strings.HasPrefix(name, asked+" ") }); len(begun) > 0 {
		names = begun
	}
	return slashed{}, "", &usageError{
		fmt.Sprintf("there is no slash command %q", short(asked, 60)),
		didYouMean(asked, names, "there are "+strings.Join(names, ", ")),
	}
}

func sameSlash(typed, name string) bool {
	return strings.EqualFold(strings.ReplaceAll(typed, "-", "_"), name)
}
