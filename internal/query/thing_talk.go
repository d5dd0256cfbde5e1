package query

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// homes are the folders of a tree.
var homes = [...]string{fs.Forgemind, fs.Quaid}

// threads adds the threads, each with its messages.
func (g *gathering) threads() {
	if !g.wants(kindThread) {
		return
	}
	threads, _, _ := condense.Threads(g.tree)
	for _, t := range threads {
		var said strings.Builder
		said.WriteString(cmp.Or(t.Title, t.ID) + "\n")
		talk, _, _ := condense.Talk(g.tree, t.Talk())
		for _, m := range talk {
			fmt.Fprintf(&said, "%s: %s\n", cmp.Or(m.Agent, m.Role), m.Content)
		}
		thing := Thing{
			Kind: kindThread, ID: t.ID, Title: cmp.Or(t.Title, t.ID), Text: said.String(), Time: t.Opened, Status: t.Status,
			Closed: t.Status == condense.Archived, File: t.File, value: t.Thread,
		}
		if len(t.Participants) > 0 {
			thing.By = t.Participants[0]
		}
		g.locateThread(&thing, t)
		g.add(thing)
	}
}

// locateThread sets the file of a thread: its record or, without one, a file that exists.
func (g *gathering) locateThread(thing *Thing, t condense.Thread) {
	dir := strings.TrimSuffix(t.File, ".json")
	folder := records.Folder{Dir: dir, Kind: records.Thread}
	for name, err := range g.tree.Names(dir) {
		if err != nil || fs.Place(name) != fs.DocThreadRecord {
			continue
		}
		if rec, err := folder.Get(g.tree, strings.TrimSuffix(path.Base(name), ".json")); err == nil {
			thing.File, thing.record = rec.Name, rec
			return
		}
	}
	if _, err := g.tree.Look(t.File); err != nil {
		thing.File = t.Talk()
	}
}

// pins adds what is pinned in channels.
func (g *gathering) pins() {
	if !g.wants(kindPin) {
		return
	}
	for _, home := range homes {
		channels, _ := condense.PinnedChannels(g.tree, home)
		for _, channel := range channels {
			dir := home + "/" + fs.ChannelsDir + "/" + channel + "/pins"
			pins, _ := condense.Pins(g.tree, home, channel)
			for _, p := range pins {
				t := Thing{
					Kind: kindPin, ID: cmp.Or(p.ID, channel+"/"+p.Condensation), Title: p.Condensation, Text: "#" + channel + " " + p.Condensation,
					Time: p.PinnedAt, By: p.PinnedBy, File: dir + ".json", value: p,
				}
				if rec, err := (records.Folder{Dir: dir, Kind: records.Pin}).Get(g.tree, p.ID); err == nil {
					t.File, t.record = rec.Name, rec
				}
				g.add(t)
			}
		}
	}
}

// clarifications adds the answers to questions: each a file or, of older trees and other
// programs, a line.
func (g *gathering) clarifications() {
	if !g.wants(kindClarification) {
		return
	}
	for _, home := range homes {
		for name, err := range g.tree.Names(home + "/" + fs.ClarificationsDir) {
			if src, wrong := g.tree.Read(name); err == nil && wrong == nil && path.Ext(name) == ".json" {
				g.clarification(name, strings.TrimSuffix(path.Base(name), ".json"), src)
			}
		}
		name := home + "/" + fs.ClarificationsFile
		src, err := g.tree.Read(name)
		if err != nil {
			continue
		}
		for line := range jsonedit.Lines(src) {
			g.clarification(name, "", line.Text)
		}
	}
}

// clarification adds an answer from a file, or from a line of one.
func (g *gathering) clarification(name, id string, src []byte) {
	var c schema.Clarification
	if jsonedit.Decode(src, &c) != nil || c.Question == "" {
		return
	}
	if id == "" {
		id = schema.DerivedID(cmp.Or(c.ID, "Q")+"-", src)
	}
	text := c.Question
	for _, more := range []string{c.Answer, c.Context} {
		if more != "" {
			text += "\n" + more
		}
	}
	g.add(Thing{
		Kind: kindClarification, ID: id, Title: c.Question, Text: text, Time: cmp.Or(c.AnsweredAt, c.AskedAt), By: cmp.Or(c.AnsweredBy, c.AskedBy),
		File: name, value: c,
	})
}

// condensations adds the condensations.
func (g *gathering) condensations() {
	if !g.wants(kindCondensation) {
		return
	}
	for _, home := range homes {
		for name, err := range g.tree.Names(home + "/condensations") {
			src, wrong := g.tree.Read(name)
			if err != nil || wrong != nil || path.Ext(name) != ".md" {
				continue
			}
			c, _ := condense.ReadCondensation(path.Base(name), src)
			by, superseded := g.standing.SupersededBy(c.DecisionID)
			t := Thing{
				Kind: kindCondensation, ID: path.Base(name), Title: cmp.Or(c.Topic, path.Base(name)), Text: string(src), Time: g.timeOf(c),
				By: strings.Join(c.Participants, ", "), Closed: superseded, SupersededBy: by, File: name,
			}
			if superseded {
				t.Status = "superseded"
			}
			g.add(t)
		}
	}
}

// timeOf returns when a discussion was condensed: the time of its decision, if that is on the
// same day.
func (g *gathering) timeOf(c condense.Condensation) string {
	for _, d := range g.standing.All() {
		if d.ID == c.DecisionID && strings.HasPrefix(d.Timestamp, c.Date) {
			return d.Timestamp
		}
	}
	return c.Date
}

// projects adds the project of the tree, the projects with a CONTEXT.md, and their
// constraints.
func (g *gathering) projects() {
	if !g.wants(kindProject, records.Constraint.Name) {
		return
	}
	if rec, _ := records.ReadProject(g.tree); rec.Exists() {
		t := ofRecord(rec)
		t.Title, t.Closed = cmp.Or(rec.Members.Text("name"), rec.ID), false
		t.Text = t.Title + "\n" + rec.Members.Text("current_idea")
		g.add(t)
	} else if src, err := g.tree.Read(fs.State); err == nil {
		g.formerProject(src)
	}
	projects, _, _ := condense.Projects(g.tree)
	for _, p := range projects {
		g.add(Thing{
			Kind: kindProject, ID: p.Slug(), Alias: p.ID, Title: p.Name, Time: p.Created, File: p.File, value: p.ProjectRecord,
			Text: strings.TrimSpace(strings.Join([]string{p.Name, p.Phase, p.Active, p.Blocked}, "\n")),
		})
		for i, text := range p.Constraints {
			g.add(Thing{Kind: records.Constraint.Name, ID: fmt.Sprintf("%s-%d", p.Slug(), i+1), Title: text, Text: text, Time: p.Created, File: p.File})
		}
	}
}

// formerProject adds the project from the State, for a tree without a record of it.
func (g *gathering) formerProject(state []byte) {
	var s struct {
		Project records.Members `json:"project"`
	}
	if jsonedit.Decode(state, &s) != nil || len(s.Project) == 0 {
		return
	}
	name := cmp.Or(s.Project.Text("name"), "project")
	g.add(Thing{Kind: kindProject, ID: projectID, Title: name, Text: name, Status: s.Project.Text("status"), File: fs.State, value: s.Project})
}

// object returns the value for programs; nil if there is none.
func (t *Thing) object() (json.RawMessage, error) {
	if t.value == nil {
		return nil, nil
	}
	return jsonedit.Value(t.value)
}
