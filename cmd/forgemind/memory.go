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
		Usage: "Add, change and show entries of agents' notes",
		Subcommands: []*cli.Command{
			{
				Name:      "add",
				Usage:     "Add an entry",
				ArgsUsage: "TEXT",
				Description: "The entry is a record of its own, which the agent's notes show. Nothing is added twice. A boss_decision " +
					"becomes a decision.\n'forgemind memory add --type lesson_learned \"Clocks differ between machines\"'",
				Flags: []cli.Flag{
					entryTypeFlag(),
					&cli.StringFlag{Name: "agent", Usage: "agent whose notes get the entry (`NAME`); default: facilitator"},
					&cli.StringFlag{Name: "rationale", Usage: "reason (`TEXT`)"},
					formatFlag(), dryRunFlag(),
				},
				Action: takes(1, 1, p.addMemory),
			},
			{
				Name:      "revise",
				Usage:     "Change the text of an entry",
				ArgsUsage: "ENTRY TEXT",
				Description: "ENTRY is the entry's id, or a unique part of its text. The record keeps the former text.\n'forgemind " +
					"memory revise clocks \"Clocks differ by up to 5 minutes\"'",
				Flags:  []cli.Flag{reviserFlag(), formatFlag(), dryRunFlag()},
				Action: takes(2, 2, p.reviseMemory),
			},
			{
				Name:        "remove",
				Usage:       "Remove an entry",
				ArgsUsage:   "ENTRY",
				Description: "ENTRY is the entry's id, or a unique part of its text. Its record stays.",
				Flags:       []cli.Flag{reviserFlag(), formatFlag(), dryRunFlag()},
				Action:      takes(1, 1, p.reviseMemory),
			},
			{
				Name:      "show",
				Usage:     "Show an agent's notes, or list all",
				ArgsUsage: "[NOTE]",
				Flags:     []cli.Flag{formatFlag()},
				Action:    takes(0, 1, p.showMemory),
			},
		},
	}
}

func reviserFlag() cli.Flag {
	return &cli.StringFlag{Name: "agent", Usage: "who acts (`NAME`); default: git's author"}
}

// A revisedEntry is the JSON output of `memory revise` and `memory remove`.
type revisedEntry struct {
	ID      string `json:"id"`
	Note    string `json:"note"`
	Text    string `json:"text"`
	Removed bool   `json:"removed"`
}

// reviseMemory changes the text of an entry, or removes the entry if no text is given.
func (p *program) reviseMemory(c *cli.Context) error {
	text, what := "", "removed from "
	if c.NArg() > 1 {
		if text, what = strings.TrimSpace(c.Args().Get(1)), "revised in "; text == "" {
			return &usageError{c.Command.HelpName + ": the entry is empty", usageLine(c.Command)}
		}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		rec, out, err := tree.ReviseEntry(c.Context, c.Args().First(), text, c.String("agent"))
		if err != nil {
			return err
		}
		return p.changed(c, out, what+rec.Note+": "+inline(rec.Text), item{"memory_revision", revisedEntry{rec.Fact.ID, rec.Note, rec.Text, text == ""}})
	})
}

func entryTypeFlag() cli.Flag {
	types := memory.Types()
	flag := choice("type", "type of the entry", types...).(*choiceFlag)
	flag.Value = ""
	return flag
}

// A rememberedEntry is the JSON output of `memory add`.
type rememberedEntry struct {
	ID        string `json:"id"` // id of the record, or for an existing entry one derived from its text
	Type      string `json:"type"`
	Note      string `json:"note"`
	Text      string `json:"text"`
	Rationale string `json:"rationale,omitempty"`
	Added     bool   `json:"added"` // false if it existed
}

func (p *program) addMemory(c *cli.Context) error {
	e := memory.Entry{Type: c.String("type"), Text: c.Args().First(), Rationale: c.String("rationale"), Agent: c.String("agent")}
	switch {
	case e.Type == "":
		return &usageError{c.Command.HelpName + ": --type missing: one of " + strings.Join(memory.Types(), ", "), usageLine(c.Command)}
	case strings.TrimSpace(e.Text) == "":
		return &usageError{c.Command.HelpName + ": the entry is empty", usageLine(c.Command)}
	}
	if _, _, err := memory.Place(fs.Forgemind, e); err != nil {
		return &usageError{c.Command.HelpName + ": " + err.Error(), usageLine(c.Command)}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		name, out, err := tree.Remember(c.Context, e)
		if err != nil {
			return err
		}
		return p.changed(c, out, "remembered in "+name+": "+inline(e.Text), item{"memory_entry", remembered(e, name, out)})
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

// A shownNote is a note in the JSON output of `memory show`.
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
		err := missing(fmt.Sprintf("there is no note %q", short(wanted, 60)))
		return withHint(err, "%s", didYouMean(wanted, ids, "'forgemind memory show' lists them"))
	}
	src, err := load(name)
	if err != nil {
		return err
	}
	sections, err := memory.Read(src)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	standing := engine.StandingOf(tree)
	if wantsJSON(c) {
		return p.printJSON("memory_note", shownNote{noteID(name), name, marked(standing, sections)})
	}
	return p.verbatim([]byte(sanitize.Text(standing.Mark(string(src)))))
}

// listNotes prints every note, including unreadable ones.
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
			p.note("forgemind: warning: %s can't be read: %s", name, inline(err.Error()))
			continue
		}
		notes = append(notes, shownNote{noteID(name), name, marked(standing, sections)})
	}
	if wantsJSON(c) {
		return p.printJSON("memory_notes", shownNotes{notes})
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

// marked returns sections in which superseded decisions are marked.
func marked(standing schema.Standing, sections []memory.Section) []memory.Section {
	for _, s := range sections {
		for i, entry := range s.Entries {
			s.Entries[i] = standing.Mark(entry)
		}
	}
	return sections
}

// noteID returns the name of a note's file without folder and extension.
func noteID(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// noteCalled returns the note with a file, a name, or an agent.
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

// shownNotes are the output of memory show of all notes with --format json.
type shownNotes struct {
	Notes []shownNote `json:"notes"`
}
