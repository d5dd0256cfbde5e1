package mcp

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/schema"
)

// noted returns what is noted in a tree beside decisions and conversations: what is open,
// what projects demand, agents' notes but for what they copy of decisions, condensations and
// threads. What cannot be read is left out; validate tells of it. Ids are those that governs
// gives.
func noted(tree *fs.Tree, standing schema.Standing) (all []item) {
	if id, open, err := work(tree, &list{}); err == nil {
		for _, w := range open {
			all = append(all, item{ID: w.ID, Kind: w.Kind, Time: w.Time, By: w.By, Session: id, Content: w.Text})
		}
	}
	projects, _, _ := condense.Projects(tree)
	for _, p := range projects {
		for i, text := range p.Constraints {
			all = append(all, item{ID: fmt.Sprintf("%s-%d", p.Slug(), i+1), Kind: "constraint", Time: p.Created, Content: text})
		}
	}
	names, load, _ := engine.Notes(tree)
	copies := memory.CopiesOf(standing.All())
	for _, name := range names {
		for _, entry := range entriesOf(load, name) {
			decision, whole := copies.Find(entry)
			if whole {
				continue
			}
			by, _ := standing.SupersededBy(decision)
			all = append(all, item{ID: memory.EntryID(name, entry), Kind: "note", By: path.Base(name), Content: entry, Superseded: by})
		}
	}
	return append(all, discussed(tree, standing)...)
}

// entriesOf are the entries of a note.
func entriesOf(load func(name string) ([]byte, error), name string) (entries []string) {
	src, err := load(name)
	if err != nil {
		return nil
	}
	sections, _ := memory.Read(src)
	for _, s := range sections {
		entries = append(entries, s.Entries...)
	}
	return entries
}

// discussed are the condensations, and the threads with what was said in them.
func discussed(tree *fs.Tree, standing schema.Standing) (all []item) {
	files, _ := markdownIn(tree, "condensations")
	for _, id := range slices.Sorted(maps.Keys(files)) {
		name := files[id]
		src, err := tree.Read(name)
		if err != nil {
			continue
		}
		c, _ := condense.ReadCondensation(path.Base(name), src)
		id := standing.Accepted(c.DecisionID)
		by, superseded := standing.SupersededBy(id)
		all = append(all, item{ID: path.Base(name), Kind: "condensation", Time: c.Date, Superseded: by, Proposed: !superseded && !standing.Holds(id), Content: string(src)})
	}
	threads, _, _ := condense.Threads(tree)
	for _, t := range threads {
		var said strings.Builder
		said.WriteString(cmp.Or(t.Title, t.ID) + "\n")
		talk, _, _ := condense.Talk(tree, t.Talk())
		for _, m := range talk {
			fmt.Fprintf(&said, "%s: %s\n", cmp.Or(m.Agent, m.Role), m.Content)
		}
		all = append(all, item{ID: t.ID, Kind: "thread", Time: t.Opened, Content: said.String()})
	}
	return all
}
