package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	iofs "io/fs"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/hook"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) atticCommand() *cli.Command {
	return &cli.Command{
		Name:  "attic",
		Usage: "List and restore what forgemind kept aside",
		Subcommands: []*cli.Command{
			{
				Name:      "list",
				Usage:     "List what is kept",
				ArgsUsage: "[FILE]",
				Description: "Lists saves that could not be merged, edits of views that were not adopted and files that a command removed,\n" +
					"then versions that were replaced in the last 7 days. With FILE, lists what belongs to that file.",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 1, p.listAttic),
			},
			{
				Name:        "show",
				Usage:       "Print the bytes of an entry",
				ArgsUsage:   "ID",
				Description: "'forgemind attic show att-1f2e3d4c5b --diff' prints what 'attic restore' would change.",
				Flags: []cli.Flag{
					&cli.BoolFlag{Name: "diff", Usage: "print the difference from the current file", DisableDefaultText: true},
					formatFlag(),
				},
				Action: takes(1, 1, p.showAttic),
			},
			{
				Name:      "restore",
				Usage:     "Put the bytes of an entry back in their file",
				ArgsUsage: "ID",
				Description: "The current file goes to the attic first. The result is checked like any change. A restored view, such as the\n" +
					"State, counts as an edit: values go back to what they were, and items that were added since stay.",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "to", Usage: "write to `PATH` in the project directory instead"},
					formatFlag(), dryRunFlag(),
				},
				Action: takes(1, 1, p.restoreAttic),
			},
			{
				Name:        "remove",
				Usage:       "Remove entries for good, and the findings about them",
				ArgsUsage:   "[ID…]",
				Description: "'forgemind attic remove --older-than 30d'",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "older-than", Usage: "entries from before `TIME`: 30d, 36h, 2026-11-20"},
					formatFlag(), dryRunFlag(),
				},
				Action: takes(0, -1, p.removeAttic),
			},
		},
	}
}

// A listedEntry is an entry of the attic in JSON output.
type listedEntry struct {
	ID      string `json:"id"`
	File    string `json:"file"` // "" if unknown
	When    string `json:"when"`
	Why     string `json:"why"`
	Bytes   int64  `json:"bytes"`
	Kept    string `json:"kept"`             // place of the bytes; "" if none could be kept
	Finding bool   `json:"finding,omitzero"` // validate reports it
}

func entryOf(e fs.AtticEntry) listedEntry {
	return listedEntry{e.ID, e.Name, schema.FormatTime(e.Time), e.Why, e.Size, e.Kept, !e.Note}
}

// entriesJSON is the JSON output of list and remove.
type entriesJSON struct {
	DryRun  bool          `json:"dry_run,omitzero"`
	Entries []listedEntry `json:"entries"`
}

func (e entriesJSON) text() string {
	var lines strings.Builder
	for _, one := range e.Entries {
		fmt.Fprintf(&lines, "%s  %s  %s  %s bytes  %s\n", one.ID, one.When, inline(nameOf(one.File)), thousands(int(one.Bytes)), inline(one.Why))
	}
	return lines.String()
}

// nameOf returns the name of a file for people.
func nameOf(file string) string {
	if file == "" {
		return "(unknown file)"
	}
	return file
}

func (p *program) listAttic(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	only := ""
	if c.NArg() > 0 {
		if only, err = p.inTree(c, c.Args().First(), tree.Root()); err != nil {
			return err
		}
	}
	all, err := tree.Attic()
	if err != nil {
		return err
	}
	list := entriesJSON{Entries: []listedEntry{}}
	for _, e := range all {
		if only == "" || e.Name == only {
			list.Entries = append(list.Entries, entryOf(e))
		}
	}
	if wantsJSON(c) {
		return p.printJSON("attic", list)
	}
	p.printLines(list.text())
	return nil
}

// atticEntry returns the entry with an id. The error for an unknown id suggests a similar one.
func atticEntry(all []fs.AtticEntry, id string) (fs.AtticEntry, error) {
	var ids []string
	for _, e := range all {
		if e.ID == id {
			return e, nil
		}
		ids = append(ids, e.ID)
	}
	return fs.AtticEntry{}, withHint(&session.UnknownError{What: "entry of the attic", Which: id, Known: ids},
		"%s", didYouMean(id, ids, "'forgemind attic list' lists them"))
}

// readEntry returns an entry of the attic, and its bytes.
func readEntry(tree *fs.Tree, id string) (fs.AtticEntry, []byte, error) {
	all, err := tree.Attic()
	if err != nil {
		return fs.AtticEntry{}, nil, err
	}
	e, err := atticEntry(all, id)
	if err != nil {
		return e, nil, err
	}
	if e.Kept == "" {
		return e, nil, withHint(&unmetError{fmt.Sprintf("%s: the bytes of %s could not be kept", e.ID, nameOf(e.Name))},
			"'forgemind attic remove %s' forgets it", e.ID)
	}
	data, err := tree.Read(e.Kept)
	return e, data, err
}

// A shownEntry is the JSON output of show: an entry with its bytes.
type shownEntry struct {
	Entry  listedEntry `json:"entry"`
	Text   *string     `json:"text,omitempty"`   // the bytes, if they are UTF-8
	Base64 string      `json:"base64,omitempty"` // the bytes, if they are not
	Diff   *string     `json:"diff,omitempty"`   // with --diff, instead of the bytes
}

func (p *program) showAttic(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	e, data, err := readEntry(tree, c.Args().First())
	if err != nil {
		return err
	}
	text := string(data)
	if c.Bool("diff") {
		if text, err = differenceFrom(tree, e, data); err != nil {
			return err
		}
	}
	if wantsJSON(c) {
		shown := shownEntry{Entry: entryOf(e)}
		switch {
		case c.Bool("diff"):
			shown.Diff = &text
		case utf8.Valid(data):
			shown.Text = &text
		default:
			shown.Base64 = base64.StdEncoding.EncodeToString(data)
		}
		return p.printJSON("attic_entry", shown)
	}
	p.verbatim([]byte(text))
	return nil
}

// differenceFrom returns the difference between the present file and the bytes of an entry.
func differenceFrom(tree *fs.Tree, e fs.AtticEntry, data []byte) (string, error) {
	if e.Name == "" || e.Cut {
		return "", &unmetError{fmt.Sprintf("%s: nothing to compare with: the file that it belongs to is not known", e.ID)}
	}
	now, err := tree.ReadStored(e.Name)
	if errors.Is(err, iofs.ErrNotExist) {
		now, err = nil, nil
	}
	return hook.Diff(e.Name, now, data), err
}
