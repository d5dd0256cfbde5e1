package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	iofs "io/fs"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) historyCommand() *cli.Command {
	return &cli.Command{
		Name:  "history",
		Usage: "List, show and compare snapshots of the State",
		Subcommands: []*cli.Command{
			{
				Name:   "list",
				Usage:  "List the snapshots, oldest first",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 0, p.listHistory),
			},
			{
				Name:      "show",
				Usage:     "Show the State of a snapshot",
				ArgsUsage: "ID",
				Flags:     []cli.Flag{formatFlag()},
				Action:    takes(1, 1, p.showHistory),
			},
			{
				Name:      "diff",
				Usage:     "Show what changed between two snapshots, or since one",
				ArgsUsage: "A [B]",
				Description: "Each line is a value with its JSON pointer, with ids in place of indexes: ~ changed, + added, - removed.\n" +
					"\nExample:\n" +
					"  forgemind history diff session-2026-11-20-7f3k2q-layer-1-20261120T090000.000Z",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(1, 2, p.diffHistory),
			},
		},
	}
}

// A listedPast is a snapshot as `history list --format json` prints it.
type listedPast struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	Session   string  `json:"session"`
	Reason    string  `json:"reason"`
	Time      *string `json:"time"`  // RFC 3339 UTC; null: not known
	Layer     *int    `json:"layer"` // null: not known
	LayerName string  `json:"layer_name,omitzero"`
	Clarity   float64 `json:"clarity"` // percent
	Fault     string  `json:"fault,omitzero"`
}

func listPast(s state.Past) listedPast {
	l := listedPast{ID: s.ID, Name: s.Name, Session: s.Session, Reason: s.Reason, Clarity: s.Clarity}
	if !s.Time.IsZero() {
		at := schema.FormatTime(s.Time)
		l.Time = &at
	}
	if name, ok := schema.LayerName(s.Layer); ok {
		l.Layer, l.LayerName = &s.Layer, name
	}
	if s.Err != nil {
		l.Fault = s.Err.Error()
	}
	return l
}

func (p *program) listHistory(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	all, err := state.History(tree)
	if err != nil {
		return err
	}
	list := []listedPast{}
	for _, s := range all {
		list = append(list, listPast(s))
	}
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version   int          `json:"version"`
			Snapshots []listedPast `json:"snapshots"`
		}{1, list})
	}
	var lines strings.Builder
	for _, l := range list {
		l.write(&lines)
	}
	p.printf("%s", lines.String())
	return nil
}

// write writes l as a line for people.
func (l *listedPast) write(to *strings.Builder) {
	to.WriteString(inline(l.ID))
	if l.Time != nil {
		to.WriteString("  " + *l.Time)
	}
	if l.Fault != "" {
		fmt.Fprintf(to, "  cannot be gone back to: %s\n", inline(l.Fault))
		return
	}
	fmt.Fprintf(to, "  layer %d %s  clarity %v %%\n", *l.Layer, l.LayerName, l.Clarity)
}

func (p *program) showHistory(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	past, src, err := recall(tree, c.Args().First())
	if err != nil {
		return err
	}
	if past.Err != nil {
		p.note("forgemind: warning: %s cannot be gone back to: %s", inline(past.ID), inline(past.Err.Error()))
	}
	if !wantsJSON(c) {
		p.printf("%s", src)
		return nil
	}
	shown := struct {
		listedPast
		State json.RawMessage `json:"state,omitzero"` // missing: no JSON that could be printed
	}{listPast(past), src}
	if doc, err := jsonedit.Parse(src); err != nil || len(doc.Duplicates) > 0 {
		shown.State = nil
	}
	return p.printJSON(shown)
}

func (p *program) diffHistory(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	from, before, err := recall(tree, c.Args().First())
	if err != nil {
		return err
	}
	to := fs.State
	var after []byte
	if c.NArg() > 1 {
		var past state.Past
		past, after, err = recall(tree, c.Args().Get(1))
		to = past.ID
	} else if after, err = tree.Read(fs.State); errors.Is(err, iofs.ErrNotExist) {
		err = state.ErrNoState
	}
	if err != nil {
		return err
	}
	found, err := state.Diff(before, after)
	if err != nil {
		return withHint(fmt.Errorf("compare %s with %s: %w", inline(from.ID), inline(to), err),
			"'forgemind validate' says what is wrong with them")
	}
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version     int                `json:"version"`
			From        string             `json:"from"`
			To          string             `json:"to"` // the State: its name
			Differences []state.Difference `json:"differences"`
		}{1, from.ID, to, found})
	}
	for _, d := range found {
		p.printf("%s\n", differenceLine(d))
	}
	if len(found) == 0 {
		p.printf("nothing differs\n")
	}
	return nil
}

// recall reads the snapshot of that id, which may be given as its file's name.
func recall(tree *fs.Tree, id string) (state.Past, []byte, error) {
	id = strings.TrimSuffix(strings.TrimPrefix(id, fs.History+"/"), ".json")
	past, src, err := state.Recall(tree, id)
	var unknown *state.Unknown
	if errors.As(err, &unknown) {
		err = withHint(&unmetError{err.Error()}, "%s",
			didYouMean(unknown.ID, unknown.Known, "'forgemind history list' shows those there are"))
	}
	return past, src, err
}

// differenceLine tells of a difference on one line.
func differenceLine(d state.Difference) string {
	path := inline(d.Path)
	switch d.Kind {
	case state.Added:
		return "+ " + path + " " + plainJSON(d.After)
	case state.Removed:
		return "- " + path + " " + plainJSON(d.Before)
	case state.Reordered:
		path += " in another order:"
	}
	return "~ " + path + " " + plainJSON(d.Before) + " → " + plainJSON(d.After)
}

// plainJSON is a JSON text on one line, cut where it is long.
func plainJSON(text []byte) string {
	var line bytes.Buffer
	if json.Compact(&line, text) != nil {
		return short(string(text), 100)
	}
	return short(line.String(), 100)
}
