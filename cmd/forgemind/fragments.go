package main

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	past "github.com/forgemind/forgemind/internal/recall" // recall is a function in this package
	"github.com/forgemind/forgemind/internal/sanitize"
)

func (p *program) fragmentCommand() *cli.Command {
	return &cli.Command{
		Name:    "fragment",
		Aliases: []string{"fragments"},
		Usage:   "List, show and search the fragments that sessions left",
		Subcommands: []*cli.Command{
			{
				Name:  "list",
				Usage: "List the fragments, newest first",
				Flags: []cli.Flag{
					fragmentTypeFlag(),
					&cli.StringFlag{Name: "tag", Usage: "only fragments with tag `WORD`"},
					&cli.StringFlag{Name: "session", Usage: "only fragments of session `ID`"},
					formatFlag(),
				},
				Action: takes(0, 0, p.listFragments),
			},
			{
				Name:      "show",
				Usage:     "Show a fragment",
				ArgsUsage: "ID|NAME",
				Flags:     []cli.Flag{formatFlag()},
				Action:    takes(1, 1, p.showFragment),
			},
			{
				Name:      "search",
				Usage:     "Search fragments and messages of all sessions",
				ArgsUsage: "[WORDS…]",
				Description: "Words are compared by their stems; rare words count more. Without words, lists the newest that match the " +
					"flags. --type finds fragments only.\n'forgemind fragment search token refresh --tag jwt'",
				Flags: []cli.Flag{
					fragmentTypeFlag(),
					&cli.StringFlag{Name: "tag", Usage: "only fragments and messages of sessions with tag `WORD`"},
					&cli.StringFlag{Name: "entity", Usage: "only what mentions `NAME`: a file, a person, a technology"},
					&cli.IntFlag{Name: "limit", Usage: "at most `N` results; 0 means all", Value: 10},
					formatFlag(),
				},
				Action: takes(0, -1, p.searchFragments),
			},
		},
	}
}

func fragmentTypeFlag() cli.Flag {
	return optional("type", "only fragments of this type", "any", past.Types()...)
}

// A listedFragment is a fragment in JSON output without its body.
type listedFragment struct {
	past.Fragment
	Body string `json:"body,omitempty"` // left out
}

func (p *program) listFragments(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	all, err := p.fragments(tree)
	if err != nil {
		return err
	}
	is := func(flag string, texts ...string) bool {
		wanted := strings.TrimSpace(c.String(flag))
		return wanted == "" || slices.ContainsFunc(texts, func(text string) bool { return strings.EqualFold(text, wanted) })
	}
	list := []listedFragment{}
	for _, f := range all {
		if is("type", f.Type) && is("tag", f.Tags...) && is("session", f.Session) {
			list = append(list, listedFragment{Fragment: f})
		}
	}
	if wantsJSON(c) {
		return p.printList("fragments", list)
	}
	var lines strings.Builder
	for _, f := range list {
		lines.WriteString(fragmentLine(&f.Fragment) + "\n")
	}
	p.printLines(lines.String())
	return nil
}

// fragmentLine returns a fragment on one line.
func fragmentLine(f *past.Fragment) string {
	line := fmt.Sprintf("%s  %s  %s  %s", f.ID, cmp.Or(f.Created, "no date"), f.Type, short(f.Title, 80))
	if len(f.Tags) > 0 {
		line += "  [" + short(strings.Join(f.Tags, ", "), 60) + "]"
	}
	if f.Session != "" {
		line += "  (" + f.Session + ")"
	}
	return line
}

// fragments reads the fragments of a tree, and warns about invalid ones.
func (p *program) fragments(tree *fs.Tree) ([]past.Fragment, error) {
	all, faults, err := past.Fragments(tree)
	for _, f := range faults {
		p.note("forgemind: warning: %s is not a complete fragment: %s", inline(f.Name), short(f.Err.Error(), 300))
	}
	return all, err
}

func (p *program) showFragment(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	all, err := p.fragments(tree)
	if err != nil {
		return err
	}
	wanted := c.Args().First()
	called := fragmentsCalled(wanted, all)
	switch len(called) {
	case 0:
		var known []string
		for _, f := range all {
			known = append(known, f.ID, noteID(f.Name))
		}
		return withHint(missing(fmt.Sprintf("there is no fragment %q", short(wanted, 60))),
			"%s", didYouMean(wanted, known, "'forgemind fragment list' lists them"))
	case 1:
	default:
		var names []string
		for _, f := range called {
			names = append(names, f.Name)
		}
		return withHint(&unmetError{fmt.Sprintf("%q is the name of %d fragments", short(wanted, 60), len(called))}, "there are %s", listed(names))
	}
	standing := engine.StandingOf(tree)
	if wantsJSON(c) {
		called[0].Body = standing.Mark(called[0].Body)
		return p.printJSON("fragment", called[0])
	}
	src, err := tree.Read(called[0].Name)
	if err != nil {
		return err
	}
	return p.verbatim([]byte(sanitize.Text(standing.Mark(string(src)))))
}

// fragmentsCalled returns the fragments with a path, an id, or else a file name.
func fragmentsCalled(wanted string, all []past.Fragment) (meant []past.Fragment) {
	for _, is := range []func(f past.Fragment) bool{
		func(f past.Fragment) bool { return f.Name == wanted },
		func(f past.Fragment) bool { return f.ID == wanted },
		func(f past.Fragment) bool { return path.Base(f.Name) == wanted || noteID(f.Name) == wanted },
	} {
		for _, f := range all {
			if is(f) {
				meant = append(meant, f)
			}
		}
		if len(meant) > 0 {
			break
		}
	}
	return meant
}

// A foundFragment is a fragment that a search found.
type foundFragment struct {
	Score float64 `json:"score"`
	Date  string  `json:"date"`
	past.Fragment
}

// A foundMessage is a message that a search found.
type foundMessage struct {
	shownMessage
	Score   float64 `json:"score"`
	Date    string  `json:"date"`
	Session string  `json:"session"` // "" for a conversation outside sessions
	Name    string  `json:"name"`    // of the file
}

func (p *program) searchFragments(c *cli.Context) error {
	if c.Int("limit") < 0 {
		return &usageError{fmt.Sprintf("%s: --limit %d is not a number of fragments", c.Command.HelpName, c.Int("limit")), usageLine(c.Command)}
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	found, err := past.Search(tree, past.Query{
		Words: strings.Join(c.Args().Slice(), " "),
		Type:  c.String("type"), Tag: c.String("tag"), Entity: c.String("entity"),
		Limit: c.Int("limit"),
	})
	if err != nil {
		return err
	}
	standing := engine.StandingOf(tree)
	fragments, messages := []foundFragment{}, []foundMessage{}
	var lines strings.Builder
	for _, f := range found {
		if c.NArg() > 0 { // without search words there is no score
			fmt.Fprintf(&lines, "%.3f  ", f.Score)
		}
		if f.Fragment != nil {
			fragments = append(fragments, foundFragment{f.Score, f.Fragment.Created, *f.Fragment})
			fragments[len(fragments)-1].Body = standing.Mark(f.Fragment.Body)
			lines.WriteString(fragmentLine(f.Fragment) + "\n")
			continue
		}
		m := f.Message
		messages = append(messages, foundMessage{showMessage(*m), f.Score, m.Timestamp, f.Session, f.Name})
		fmt.Fprintf(&lines, "%s  %s  %s  %s", inline(m.ID), inline(m.Timestamp), short(m.Agent, 40), short(m.Content, 120))
		if f.Session != "" {
			fmt.Fprintf(&lines, "  (%s)", inline(f.Session))
		}
		lines.WriteString("\n")
	}
	if wantsJSON(c) {
		return p.printJSON("fragment_search", fragmentSearch{fragments, messages})
	}
	if len(found) == 0 {
		p.note("no results")
	}
	p.printLines(lines.String())
	return nil
}

// A fragmentSearch is the output of fragment search with --format json.
type fragmentSearch struct {
	Fragments []foundFragment `json:"fragments"`
	Messages  []foundMessage  `json:"messages"`
}
