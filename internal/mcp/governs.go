package mcp

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/audit"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/query"
)

func governsTool() tool {
	return tool{
		name: "governs", title: "What governs a file",
		about: "The constraints, decisions, condensed discussions, threads and notes that name a file or a folder above it. Call it before you change a file.",
		members: []member{
			{name: "path", kind: text, must: true, most: 1000, about: "the file, relative to the project directory or in full, or a folder with a slash at its end; it need not exist"},
			{name: "superseded", kind: yes, about: "also decisions that hold no more; false by default"},
			limitMember(15, 50), offsetMember(),
		},
		plural: "items",
		run:    func(c *call) (answer, error) { return reading(c.server, c.governs) },
	}
}

// A governor is something that governs a file.
type governor struct {
	Kind string `json:"kind"`
	brief.Governor
}

func (c *call) governs(tree *fs.Tree) (answer, error) {
	at, err := pathIn(tree.Root(), c.text("path"))
	if err != nil {
		return answer{}, err
	}
	g, err := query.Governs(c.ctx, tree, at)
	if err != nil {
		return answer{}, err
	}
	var all []governor
	for _, kind := range []struct {
		name string
		of   []brief.Governor
	}{
		{"constraint", g.Constraints}, {"decision", g.Decisions}, {"condensation", g.Condensations}, {"thread", g.Threads}, {"note", g.Notes},
	} {
		for _, one := range kind.of {
			all = append(all, governor{kind.name, one})
		}
	}
	if !c.yes("superseded") {
		all = slices.DeleteFunc(all, func(g governor) bool { return g.SupersededBy != "" && g.Kind != "note" })
	}
	l := list{plural: "items", offset: c.number("offset", 0), none: "nothing that is recorded names it"}
	l.head = "what names " + inline(at, 200) + " or a folder above it"
	if g.Unrelated != nil {
		l.note("%s", audit.UnrelatedText(g.Unrelated, g.Path))
	}
	for _, fault := range g.Faults {
		l.note("%s", fault)
	}
	from, to := page(len(all), l.offset, c.number("limit", 15))
	l.offset = from
	for _, g := range all[from:to] {
		if g.File != "" && path.Base(g.File) == g.ID {
			g.File = ""
		}
		line := fmt.Sprintf("%s (%s, %s, names %s): %s", cmp.Or(g.ID, "-"), g.Kind, cmp.Or(g.Date, "undated"), g.Names, g.Text)
		if g.SupersededBy != "" {
			line += " (superseded by " + g.SupersededBy + ")"
		}
		if !l.add(g, line) {
			break
		}
	}
	return l.answer(len(all))
}
