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
	past "github.com/forgemind/forgemind/internal/recall" // recall is a function here
	"github.com/forgemind/forgemind/internal/sanitize"
)

func (p *program) fragmentsCommand() *cli.Command {
	return &cli.Command{
		Name:  "fragments",
		Usage: "Search and show what earlier sessions left",
		Subcommands: []*cli.Command{
			{
				Name:  "list",
				Usage: "List the fragments, newest first",
				Flags: []cli.Flag{
					fragmentTypeFlag(),
					&cli.StringFlag{Name: "tag", Usage: "only those with the tag `WORD`"},
					&cli.StringFlag{Name: "session", Usage: "only those that were made of the session `ID`"},
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
				Description: "Words match by their stems, and rare words count more. Without words the newest come first. --type\n" +
					"searches fragments only.\n" +
					"\nExample:\n" +
					"  forgemind fragments search token refresh --tag jwt",
				Flags: []cli.Flag{
					fragmentTypeFlag(),
					&cli.StringFlag{Name: "tag", Usage: "only fragments with the tag `WORD`, and messages of sessions with it"},
					&cli.StringFlag{Name: "entity", Usage: "only what names `NAME`: a file, a person, a technology"},
					&cli.IntFlag{Name: "limit", Usage: "at most `N` of them; 0 is all", Value: 10},
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

// A listedFragment is a fragment as JSON for programs, without its body.
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
		return p.printJSON(struct {
			Version   int              `json:"version"`
			Fragments []listedFragment `json:"fragments"`
		}{1, list})
	}
	var lines strings.Builder
	for _, f := range list {
		lines.WriteString(fragmentLine(&f.Fragment) + "\n")
	}
	p.printLines(lines.String())
	return nil
}

// fragmentLine is a fragment on one line.
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

// fragments reads the fragments of a tree, and warns of those that are not quite
// in order.
func (p *program) fragments(tree *fs.Tree) ([]past.Fragment, error) {
	all, faults, err := past.Fragments(tree)
	for _, f := range faults {
		p.note("forgemind: warning: %s is not quite a fragment: %s", inline(p.at(f.Name)), short(f.Err.Error(), 300))
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
		return withHint(&unmetError{fmt.Sprintf("there is no fragment %q", short(wanted, 60))},
			"%s", didYouMean(wanted, known, "'forgemind fragments list' shows those there are"))
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
		return p.printJSON(called[0])
	}
	src, err := tree.Read(called[0].Name)
	if err != nil {
		return err
	}
	return p.verbatim([]byte(sanitize.Text(standing.Mark(string(src)))))
}

// fragmentsCalled are those that the user may mean: by path, by id, else by the
// name of the file.
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
		return &usageError{fmt.Sprintf("%s: --limit %d is no number of fragments", c.Command.HelpName, c.Int("limit")), usageLine(c.Command)}
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
		if c.NArg() > 0 { // without words nothing has a score
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
		return p.printJSON(struct {
			Version   int             `json:"version"`
			Fragments []foundFragment `json:"fragments"`
			Messages  []foundMessage  `json:"messages"`
		}{1, fragments, messages})
	}
	if len(found) == 0 {
		p.note("nothing is found")
	}
	p.printLines(lines.String())
	return nil
}
