package main

import (
	"cmp"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/copies"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/sync"
)

func (p *program) logCommand() *cli.Command {
	return &cli.Command{
		Name:  "log",
		Usage: "List what happened, newest first",
		Description: "Lists records and their changes, layers, sessions, discussions, compactions and triggers. Conversations,\n" +
			"compactions and triggers are those of this working copy. 'forgemind show ID' shows an entry in full.\n" +
			"NAME is a person, an agent that recorded it, or who sent it with 'forgemind sync'; see 'sync who'.\n" +
			"'forgemind log --since 2d --by ann'",
		Flags: []cli.Flag{
			kindsFlag(query.LogKinds()),
			sinceFlag(),
			&cli.StringFlag{Name: "by", Usage: "only what `NAME` did, recorded or sent"},
			&cli.IntFlag{Name: "limit", Value: 20, Usage: "at most `N` entries; 0 means all"},
			formatFlag(),
		},
		Action: takes(0, 0, p.log),
	}
}

func (p *program) log(c *cli.Context) error {
	since, err := p.since(c)
	if err = cmp.Or(checkLimit(c), err); err != nil {
		return err
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	by := c.String("by")
	var senders map[string]string
	if by != "" {
		senders = p.senders(c, tree)
	}
	entries := query.Log(tree, query.LogQuery{Kinds: kindFlagValue(c), By: by, Senders: senders, Since: since, Limit: c.Int("limit")})
	if wantsJSON(c) {
		return p.printJSON("log", logReport{entries})
	}
	if len(entries) == 0 {
		p.printf("nothing happened%s\n", map[bool]string{true: " that matches all flags; leave one out"}[c.NumFlags() > 0])
	}
	for _, e := range entries {
		parts := []string{cmp.Or(secondOf(e.Time), "undated"), e.Kind}
		if e.ID != "" {
			parts = append(parts, e.ID)
		}
		if e.By != "" {
			parts = append(parts, e.By)
		}
		switch { // why --by lists it
		case by == "" || strings.EqualFold(e.By, by):
		case strings.EqualFold(e.RecordedBy, by):
			parts = append(parts, "recorded by "+e.RecordedBy)
		default:
			parts = append(parts, "sent by "+e.SentBy)
		}
		p.printf("%s\n%s%s\n", short(strings.Join(parts, "  "), p.width()), indent, short(e.Text, p.width()-len(indent)))
	}
	return nil
}

// senders returns who sent each file to the other machines; nil if the tree is not synced.
func (p *program) senders(c *cli.Context, tree *fs.Tree) map[string]string {
	root, err := tree.RealRoot()
	var sent map[string]string
	if err == nil {
		sent, err = sync.Senders(c.Context, copies.Home(p.Getenv), root)
	}
	if err != nil {
		p.note("forgemind: warning: who sent what is not known: %s", inline(err.Error()))
	}
	return sent
}

// secondOf returns a time without fractions of a second.
func secondOf(time string) string {
	if day, rest, ok := strings.Cut(time, "."); ok && strings.HasSuffix(rest, "Z") {
		return day + "Z"
	}
	return inline(time)
}

// A logReport is the output of log with --format json.
type logReport struct {
	Entries []query.LogEntry `json:"entries"`
}
