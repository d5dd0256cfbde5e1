package main

import (
	"fmt"
	"path"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) memoryCommand() *cli.Command {
	return &cli.Command{
		Name:  "memory",
		Usage: "Add and edit agents' notes",
		Subcommands: []*cli.Command{
			{
				Name:      "add",
				Usage:     "Add an entry to a note",
				ArgsUsage: "TEXT",
				Description: "The entry is a record, which the note shows; the rest of the note stays byte for byte. The same entry is\n" +
					"not added twice. A boss_decision goes to the Ledger.\n" +
					"\nExample:\n" +
					"  forgemind memory add --type lesson_learned \"Ask before deleting\"",
				Flags: []cli.Flag{
					entryTypeFlag(),
					&cli.StringFlag{Name: "agent", Usage: "whose notes it goes to (`NAME`), where its type has no note of its own; the facilitator's by default"},
					&cli.StringFlag{Name: "rationale", Usage: "why (`TEXT`)"},
					formatFlag(), dryRunFlag(),
				},
				Action: takes(1, 1, p.addMemory),
			},
			{
				Name:      "revise",
				Usage:     "Change an entry",
				ArgsUsage: "ENTRY TEXT",
				Description: "ENTRY is its id, which 'memory add --format json' prints, or a part of its text that no other entry has.\n" +
					"The old text stays in the record.\n" +
					"\nExample:\n" +
					"  forgemind memory revise deleting \"Ask before deleting, and back up\"",
				Flags:  []cli.Flag{reviserFlag(), formatFlag(), dryRunFlag()},
				Action: takes(2, 2, p.reviseMemory),
			},
			{
				Name:        "remove",
				Usage:       "Remove an entry",
				ArgsUsage:   "ENTRY",
				Description: "ENTRY is its id, or a part of its text that no other entry has. Its record stays.",
				Flags:       []cli.Flag{reviserFlag(), formatFlag(), dryRunFlag()},
				Action:      takes(1, 1, p.reviseMemory),
			},
			{
				Name:      "show",
				Usage:     "Show a note, or list the notes",
				ArgsUsage: "[NOTE]",
				Flags:     []cli.Flag{formatFlag()},
				Action:    takes(0, 1, p.showMemory),
			},
		},
	}
}

func reviserFlag() cli.Flag {
	return &cli.StringFlag{Name: "agent", Usage: "who does it (`NAME`); git's author by default"}
}

// A revisedEntry is what `memory revise` and `memory remove` print.
type revisedEntry struct {
	ID      string `json:"id"`
	Note    string `json:"note"`
	Text    string `json:"text"`
	Removed bool   `json:"removed"`
}

// reviseMemory changes the text of an entry, or removes the entry where no text is
// given.
func (p *program) reviseMemory(c *cli.Context) error {
	text, what := "", "removed from "
	if c.NArg() > 1 {
		if text, what = strings.TrimSpace(c.Args().Get(1)), "revised in "; text == "" {
			return &usageError{c.Command.HelpName + ": the entry says nothing", usageLine(c.Command)}
		}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		rec, out, err := tree.ReviseEntry(c.Context, c.Args().First(), text, c.String("agent"))
		if err != nil {
			return err
		}
		return p.changed(c, out, what+rec.Note+": "+inline(rec.Text), revisedEntry{rec.Fact.ID, rec.Note, rec.Text, text == ""})
	})
}

func entryTypeFlag() cli.Flag {
	types := memory.Types()
	flag := choice("type", "what it is", types...).(*choiceFlag)
	flag.Value = ""
	return flag
}

// A rememberedEntry is what `memory add` prints.
type rememberedEntry struct {
	ID        string `json:"id"` // of the record; of an entry that was there, one that comes from its text
	Type      string `json:"type"`
	Note      string `json:"note"`
	Text      string `json:"text"`
	Rationale string `json:"rationale,omitempty"`
	Added     bool   `json:"added"` // false: it was there
}

func (p *program) addMemory(c *cli.Context) error {
	e := memory.Entry{Type: c.String("type"), Text: c.Args().First(), Rationale: c.String("rationale"), Agent: c.String("agent")}
	switch {
	case e.Type == "":
		return &usageError{c.Command.HelpName + ": --type missing: one of " + strings.Join(memory.Types(), ", "), usageLine(c.Command)}
	case strings.TrimSpace(e.Text) == "":
		return &usageError{c.Command.HelpName + ": the entry says nothing", usageLine(c.Command)}
	}
	if _, _, err := memory.Place(fs.Forgemind, e); err != nil {
		return &usageError{c.Command.HelpName + ": " + err.Error(), usageLine(c.Command)}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		name, out, err := tree.Remember(c.Context, e)
		if err != nil {
			return err
		}
		return p.changed(c, out, "remembered in "+inline(p.at(name))+": "+inline(e.Text), remembered(e, name, out))
	})
}

func remembered(e memory.Entry, name string, out engine.Outcome) rememberedEntry {
	entry := rememberedEntry{
		ID:   schema.DerivedID("entry-", []byte(e.Type+"\n"+name+"\n"+e.Text)),
		Type: e.Type, Note: name, Text: e.Text, Rationale: e.Rationale,
	}
	for _, ch := range out.Changes {
		entry.Added = entry.Added || ch.Name == name
		if doc := fs.Place(ch.Name); doc == fs.DocNote || e.Type == memory.BossDecision && doc == fs.DocDecision {
			entry.ID = noteID(ch.Name)
		}
	}
	return entry
}

// A shownNote is a note as `memory show` prints it.
type shownNote struct {
	ID       string           `json:"id"`
	Note     string           `json:"note"`
	Sections []memory.Section `json:"sections"`
}

func (p *program) showMemory(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	names, load, err := engine.Notes(tree)
	if err != nil {
		return err
	}
	if c.NArg() == 0 {
		return p.listNotes(c, tree, names, load)
	}
	wanted := c.Args().First()
	name := noteCalled(wanted, names)
	if name == "" {
		var ids []string
		for _, n := range names {
			ids = append(ids, noteID(n))
		}
		err := &unmetError{fmt.Sprintf("there is no note %q", short(wanted, 60))}
		return withHint(err, "%s", didYouMean(wanted, ids, "'forgemind memory show' lists those there are"))
	}
	src, err := load(name)
	if err != nil {
		return err
	}
	sections, err := memory.Read(src)
	if err != nil {
		return fmt.Errorf("%s: %w", p.at(name), err)
	}
	standing := engine.StandingOf(tree)
	if wantsJSON(c) {
		return p.printJSON(shownNote{noteID(name), name, marked(standing, sections)})
	}
	return p.verbatim([]byte(sanitize.Text(standing.Mark(string(src)))))
}

// listNotes prints every note, those that can't be read too.
func (p *program) listNotes(c *cli.Context, tree *fs.Tree, names []string, load func(name string) ([]byte, error)) error {
	notes := []shownNote{}
	standing := engine.StandingOf(tree)
	for _, name := range names {
		src, err := load(name)
		var sections []memory.Section
		if err == nil {
			sections, err = memory.Read(src)
		}
		if err != nil {
			p.note("forgemind: warning: %s can't be read: %s", inline(p.at(name)), inline(err.Error()))
			continue
		}
		notes = append(notes, shownNote{noteID(name), name, marked(standing, sections)})
	}
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version int         `json:"version"`
			Notes   []shownNote `json:"notes"`
		}{1, notes})
	}
	for _, n := range notes {
		entries := 0
		for _, s := range n.Sections {
			entries += len(s.Entries)
		}
		held := fmt.Sprintf("%d entries", entries)
		if entries == 1 {
			held = "1 entry"
		}
		p.printf("%s  %s in %s  %s\n", inline(n.ID), held, count(len(n.Sections), "section"), inline(n.Note))
	}
	return nil
}

// marked are sections that say of a decision which they name that it holds no more.
func marked(standing schema.Standing, sections []memory.Section) []memory.Section {
	for _, s := range sections {
		for i, entry := range s.Entries {
			s.Entries[i] = standing.Mark(entry)
		}
	}
	return sections
}

// noteID is what a file is called by: its name without the folders and the
// ending.
func noteID(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// noteCalled gives the note that the user means: by its file, its name, or the
// agent whose notes they are.
func noteCalled(wanted string, names []string) string {
	own, _, _ := memory.Place(fs.Forgemind, memory.Entry{Type: memory.BossDecision, Agent: wanted})
	for _, is := range []func(name string) bool{
		func(name string) bool { return name == wanted || path.Base(name) == wanted || noteID(name) == wanted },
		func(name string) bool { return own != "" && path.Base(name) == path.Base(own) },
	} {
		for _, name := range names {
			if is(name) {
				return name
			}
		}
	}
	return ""
}
