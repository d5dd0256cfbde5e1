package query

import (
	"bytes"
	"cmp"
	"errors"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/recall"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// artifacts adds the artifacts of the State.
func (g *gathering) artifacts() {
	if !g.wants(kindArtifact) {
		return
	}
	all, _ := artifact.List(g.tree)
	for _, a := range all {
		t := Thing{
			Kind: kindArtifact, ID: a.ID, Alias: a.Path, Title: cmp.Or(a.Name, a.Path, a.ID), Time: a.LoadTime, File: a.Path, value: a,
			Text: strings.TrimSpace(strings.Join([]string{a.Name, a.Path, a.Summary}, "\n")),
		}
		if a.Outdated {
			t.Status = "outdated"
		}
		g.add(t)
	}
}

// sessions adds the sessions of this working copy, each with its summary, and the goals and
// actions that were completed in them and have no record.
func (g *gathering) sessions() {
	if !g.wants(kindSession, records.Goal.Name, records.Action.Name) {
		return
	}
	all, _ := session.List(g.tree)
	for _, s := range all {
		for _, d := range s.Completed {
			g.completed(s, d)
		}
		if !g.wants(kindSession) {
			continue
		}
		summary, _ := g.tree.Read(session.SummaryFile(s.SessionID))
		g.add(Thing{
			Kind: kindSession, ID: s.SessionID, Title: cmp.Or(s.Title, s.SessionID), Text: s.Title + "\n" + string(summary), Status: s.Status,
			Time: cmp.Or(s.LastActivity, s.Started), By: strings.Join(s.Agents, ", "), Session: s.SessionID, File: session.MetadataFile(s.SessionID),
			value: s.SessionMetadata,
		})
	}
}

// completed adds a goal or an action that was completed in a session and has no record.
func (g *gathering) completed(s session.Listed, d schema.Done) {
	kind := records.Goal.Name
	if d.Goal == "" {
		kind = records.Action.Name
	}
	text := cmp.Or(d.Goal, d.Action)
	if id := cmp.Or(d.ID, text); !g.has(kind, id) {
		g.add(Thing{
			Kind: kind, ID: id, Title: text, Text: text, Status: records.Done, Closed: true, Time: cmp.Or(d.Created, d.Completed),
			By: cmp.Or(d.CompletedBy, d.Agent), Session: s.SessionID, File: session.MetadataFile(s.SessionID), value: d,
		})
	}
}

// fragments adds long-term memory.
func (g *gathering) fragments() {
	if !g.wants(kindFragment) {
		return
	}
	all, _, _ := recall.Fragments(g.tree)
	for i := range all {
		g.add(ofFragment(&all[i]))
	}
}

func ofFragment(f *recall.Fragment) Thing {
	return Thing{
		Kind: kindFragment, ID: f.ID, Title: f.Title, Text: f.Title + "\n\n" + f.Body, Time: f.Created, Session: f.Session, File: f.Name, value: f,
	}
}

// ofMessage returns a message of the session id; id is "" if it has no session.
func ofMessage(m *schema.Message, id, file string) Thing {
	by := cmp.Or(m.Agent, m.Role)
	return Thing{Kind: kindMessage, ID: m.ID, Title: by, Text: m.Content, Time: m.Timestamp, By: by, Session: id, File: file, value: m}
}

func ofChunk(c schema.Chunk) Thing {
	m, _ := session.MessageOfChunk(c)
	by := cmp.Or(m.Agent, m.Role)
	return Thing{
		Kind: kindChunk, ID: c.ChunkID, Title: by, Text: c.Content, Time: cmp.Or(m.Timestamp, c.Timestamp), By: by, Session: c.SessionID, value: c,
	}
}

// WhatIs returns the thing with an id, whatever its kind; false if there is none. For a chunk
// that left cold storage, the error names the file that has it now.
func WhatIs(tree *fs.Tree, id string) (Thing, bool, error) {
	chunk, err := cold.Get(tree, id)
	if err == nil {
		return ofChunk(chunk), true, nil
	}
	g := gather(tree, nil, true)
	for _, t := range g.all {
		if t.is(id) {
			return t, true, nil
		}
	}
	all, wrong := messagesWith(tree, id, func(found string) bool { return found == id })
	if len(all) > 0 {
		return all[0], true, nil
	}
	if gone := new(cold.GoneError); errors.As(err, &gone) {
		return Thing{}, false, err
	}
	return Thing{}, false, wrong
}

// messagesWith returns the wanted messages of all sessions whose ids contain part, each once.
func messagesWith(tree *fs.Tree, part string, wanted func(id string) bool) (found []Thing, err error) {
	sessions, err := session.List(tree)
	if err != nil {
		return nil, err
	}
	type place struct{ session, name string }
	places := []place{{"", fs.Messages}}
	for _, s := range sessions {
		places = append(places, place{s.SessionID, session.Window(s.SessionID)}, place{s.SessionID, session.ArchiveFile(s.SessionID)})
	}
	known := map[string]bool{}
	for _, p := range places {
		src, err := maybe(tree, p.name)
		if err != nil {
			return nil, err
		}
		if !bytes.Contains(src, []byte(part)) {
			continue
		}
		messages := session.Messages(session.Read(src))
		session.InOrder(messages)
		for _, m := range session.Join(messages) {
			if wanted(m.ID) && !known[m.ID] {
				known[m.ID] = true
				found = append(found, ofMessage(&m, p.session, p.name))
			}
		}
	}
	return found, nil
}
