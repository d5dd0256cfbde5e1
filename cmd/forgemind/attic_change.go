package main

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
)

func (p *program) restoreAttic(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		e, data, err := readEntry(tree.Tree, c.Args().First())
		if err != nil {
			return err
		}
		to := e.Name
		if c.IsSet("to") {
			if to, err = p.inTree(c, c.String("to"), tree.Root()); err != nil {
				return err
			}
		}
		headline := fmt.Sprintf("restored %s to %s", e.ID, inline(to))
		switch {
		case c.IsSet("to") && !fs.IsHome(to):
			return p.copyOut(c, tree, to, data, headline)
		case c.IsSet("to") && fs.IsLocal(to):
			return &unmetError{fmt.Sprintf("%s: forgemind keeps its own files there", inline(to))}
		case to == "" || e.Cut && !c.IsSet("to") || fs.IsLocal(to):
			return withHint(&unmetError{fmt.Sprintf("%s: the file that it belongs to is not known, or not a document", e.ID)}, "--to PATH says where to write it")
		case e.Torn && !c.IsSet("to"):
			return withHint(&unmetError{fmt.Sprintf("%s is only the torn end of %s", e.ID, to)}, "--to PATH writes it to another file")
		}
		out, err := tree.RestoreAttic(c.Context, engine.FormerBytes{Name: to, Data: data})
		if err != nil {
			return err
		}
		if wantsJSON(c) {
			return p.printJSON("outcome", outcomeJSON(out, c.Bool("dry-run")))
		}
		p.outcome(out, headline, c.Bool("dry-run"))
		return nil
	})
}

// copyOut writes an entry to a file of the project that is no document of the tree.
func (p *program) copyOut(c *cli.Context, tree *engine.Tree, to string, data []byte, headline string) error {
	for part := range strings.SplitSeq(strings.ToLower(to), "/") {
		if part == ".git" {
			return &unmetError{fmt.Sprintf("%s: git keeps its own files there", inline(to))}
		}
	}
	err := tree.CopyOut(to, data)
	switch {
	case errors.Is(err, iofs.ErrExist):
		return withHint(&unmetError{fmt.Sprintf("%s: the file exists", inline(to))}, "name a file that does not exist")
	case err != nil:
		return err
	case wantsJSON(c):
		return p.printJSON("outcome", outcomeReport{DryRun: c.Bool("dry-run"), Changed: []string{to}, Fired: []firedReport{}})
	}
	p.printf("%s\n", headline)
	return nil
}

func (p *program) removeAttic(c *cli.Context) error {
	if (c.NArg() > 0) == c.IsSet("older-than") {
		return &usageError{c.Command.HelpName + ": name entries, or those --older-than a time", usageLine(c.Command)}
	}
	before, ok := parseSince(c.String("older-than"), p.Now())
	if c.IsSet("older-than") && !ok {
		return &usageError{fmt.Sprintf("%s: --older-than %q is not a time", c.Command.HelpName, short(c.String("older-than"), 40)),
			"use an age (30d, 36h) or a UTC date (2026-11-20)"}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		all, err := tree.Attic()
		if err != nil {
			return err
		}
		var gone []fs.AtticEntry
		for _, id := range c.Args().Slice() {
			e, err := atticEntry(all, id)
			if err != nil {
				return err
			}
			gone = append(gone, e)
		}
		for _, e := range all {
			if c.IsSet("older-than") && e.Time.Before(before) {
				gone = append(gone, e)
			}
		}
		if err := tree.RemoveKept(c.Context, gone); err != nil {
			return err
		}
		list := entriesJSON{c.Bool("dry-run"), []listedEntry{}}
		for _, e := range gone {
			list.Entries = append(list.Entries, entryOf(e))
		}
		return p.tellRemoved(c, list)
	})
}

// tellRemoved prints which entries were removed, or would be.
func (p *program) tellRemoved(c *cli.Context, list entriesJSON) error {
	if wantsJSON(c) {
		return p.printJSON("attic", list)
	}
	verb := "removed"
	if list.DryRun {
		verb = "would remove"
	}
	if len(list.Entries) == 0 {
		p.printf("nothing to remove\n")
	}
	for _, e := range list.Entries {
		p.printf("%s %s  %s\n", verb, e.ID, inline(nameOf(e.File)))
	}
	return nil
}
