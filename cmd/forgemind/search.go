package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	briefing "github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/query"
)

func (p *program) searchCommand() *cli.Command {
	return &cli.Command{
		Name:      "search",
		Usage:     "Search records, discussions, messages and cold storage",
		ArgsUsage: "QUERY…",
		Description: "Words are compared by their stems; rare words count more. Of equally good results, what is in force comes\n" +
			"first. Results that are superseded, done or removed are marked. 'forgemind show ID' shows a result in full.\n" +
			"'forgemind search token expiry --kind decision --since 30d'",
		Flags: []cli.Flag{
			kindsFlag(query.Kinds()),
			&cli.IntFlag{Name: "limit", Value: 10, Usage: "at most `N` results; 0 means all"},
			sinceFlag(), formatFlag(),
		},
		Action: takes(1, -1, p.search),
	}
}

// kindsFlag returns `--kind`, for commands that list things of several kinds.
func kindsFlag(kinds []string) cli.Flag {
	return &choiceFlag{
		StringFlag: &cli.StringFlag{
			Name: "kind", Usage: "only this kind (`WORD`): " + strings.Join(kinds, ", "),
			Action: func(c *cli.Context, value string) error {
				if slices.Contains(kinds, value) {
					return nil
				}
				return &usageError{
					fmt.Sprintf("%s: --kind %q is not one of %s", c.Command.HelpName, short(value, 40), strings.Join(kinds, ", ")),
					didYouMean(value, kinds, usageLine(c.Command)),
				}
			},
		},
		choices: kinds,
	}
}

// kindFlagValue returns the kinds in --kind. None means all.
func kindFlagValue(c *cli.Context) []string {
	if !c.IsSet("kind") {
		return nil
	}
	return []string{c.String("kind")}
}

// checkLimit returns an error for an invalid --limit.
func checkLimit(c *cli.Context) error {
	if n := c.Int("limit"); n < 0 {
		return &usageError{fmt.Sprintf("%s: --limit %d is less than 0", c.Command.HelpName, n), usageLine(c.Command)}
	}
	return nil
}

// searchQuery returns the query of a command line.
func (p *program) searchQuery(c *cli.Context) (query.SearchQuery, error) {
	words := strings.TrimSpace(strings.Join(c.Args().Slice(), " "))
	if words == "" {
		return query.SearchQuery{}, &usageError{c.Command.HelpName + ": the query is empty", usageLine(c.Command)}
	}
	since, err := p.since(c)
	q := query.SearchQuery{Words: words, Kinds: kindFlagValue(c), Limit: c.Int("limit"), Since: since}
	if !wantsJSON(c) {
		q.Width = p.width() - len(indent)
	}
	return q, cmp.Or(checkLimit(c), err)
}

func (p *program) search(c *cli.Context) error {
	q, err := p.searchQuery(c)
	if err != nil {
		return err
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	if q.Embed, err = p.embedder(); err != nil {
		p.note("forgemind: warning: only full text was searched: %s", inline(err.Error()))
	}
	found, err := query.Search(c.Context, tree, q)
	if err != nil {
		return err
	}
	for _, n := range found.Notes {
		p.note("forgemind: warning: %s", inline(n))
	}
	if wantsJSON(c) {
		return p.printJSON("search", searchReport{found.Results})
	}
	if len(found.Results) == 0 {
		p.printf("%s\n", nothingFound(c, q.Words))
	}
	for _, r := range found.Results {
		p.printf("%s\n%s%s\n", short(headOf(r.Kind, r.ID, r.Time, standsAs(r.Status, r.SupersededBy)), p.width()), indent, briefing.Line(r.Text, q.Width))
	}
	return nil
}

// indent begins the lines below a heading.
const indent = "    "

// headOf returns the first line of the output for an item.
func headOf(kind, id, time, note string) string {
	head := kind + "  " + inline(id)
	if day, _, _ := strings.Cut(time, "T"); day != "" {
		head += "  " + inline(day)
	}
	if note != "" {
		head += "  (" + note + ")"
	}
	return head
}

// standsAs returns the status of an item, or "" for the usual one.
func standsAs(status, supersededBy string) string {
	switch {
	case supersededBy != "":
		return "superseded by " + supersededBy
	case status == "active" || status == "open":
		return ""
	}
	return inline(status)
}

// nothingFound returns a sentence about how to find more.
func nothingFound(c *cli.Context, words string) string {
	var flags []string
	for _, name := range []string{"kind", "since"} {
		if c.IsSet(name) {
			flags = append(flags, "without --"+name)
		}
	}
	flags = append(flags, "with other or fewer words")
	return fmt.Sprintf("no results for %q; search %s", short(words, 60), strings.Join(flags, ", or "))
}

// A searchReport is the output of search with --format json.
type searchReport struct {
	Results []query.SearchResult `json:"results"`
}
