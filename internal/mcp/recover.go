package mcp

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	iofs "io/fs"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/recall"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func recoverTool() tool {
	return tool{
		name: "recover", title: "Get back what left a conversation",
		about: "The whole text of one item by its id, whatever tool gave it (a chunk of cold storage, a message, a decision, a note, a condensation), or the chunks of cold storage that answer a query best.",
		members: []member{
			{name: "id", kind: text, most: 200, about: "the id of one item; either this or query"},
			{name: "query", kind: text, most: 2000, about: "what the chunks of cold storage are to answer"},
			{name: "limit", kind: whole, least: 1, most: 10, about: "with query: at most so many chunks; 3 by default"},
			{name: "offset", kind: whole, least: 0, most: 100_000_000, about: "with id: begin behind so many characters of the text"},
		},
		plural: "items",
		run:    func(c *call) (answer, error) { return reading(c.server, c.recover) },
	}
}

// An item is something whole.
type item struct {
	ID         string  `json:"id"`
	Kind       string  `json:"kind"`
	Time       string  `json:"time,omitempty"`
	By         string  `json:"by,omitempty"`
	Session    string  `json:"session,omitempty"`
	Superseded string  `json:"superseded_by,omitempty"` // by the decision of that id
	Proposed   bool    `json:"proposed,omitempty"`      // what it decides is not in force
	Score      float64 `json:"score,omitempty"`         // how well it answers, from 0 to 1
	Offset     int     `json:"offset,omitempty"`        // of the first character of content
	Length     int     `json:"length"`                  // of all of it, in characters
	Content    string  `json:"content"`
	Hint       string  `json:"hint,omitempty"` // how to get the rest of it
}

func (c *call) recover(tree *fs.Tree) (answer, error) {
	id, query := c.text("id"), c.text("query")
	if (id == "") == (query == "") {
		return answer{}, misused("recover: either id or query; search finds ids")
	}
	l := list{plural: "items", none: "cold storage holds nothing that answers; search looks everywhere"}
	standing := engine.StandingOf(tree)
	var items []item
	var chunks []cold.Found
	if id != "" {
		found, err := whatIs(tree, id, standing)
		if err != nil {
			return answer{}, err
		}
		items = []item{found}
		if found.Kind == "chunk" {
			chunks = []cold.Found{{Chunk: schema.Chunk{ChunkID: id, SessionID: found.Session}, Score: 1}}
		}
	} else {
		found, note, err := c.meant(tree, query, c.number("limit", 3))
		if err != nil {
			return answer{}, err
		}
		if note != "" {
			l.note("%s", note)
		}
		for _, f := range found {
			i := ofChunk(f.Chunk)
			i.Score = f.Score
			items = append(items, i)
		}
		chunks = found
	}
	if note := c.logRecovery(chunks, query); note != "" {
		l.note("%s", note)
	}
	for i := range items {
		items[i].Content = standing.Mark(items[i].Content)
	}
	return c.items(&l, items)
}

// items lists whole items, each as far as there is room for it.
func (c *call) items(l *list, items []item) (answer, error) {
	l.more = "ask for each by its id"
	const around, least = 2200, 300 // characters: what goes around the texts
	room := max(least, (maxAnswer-around)/2/max(1, len(items)))
	for _, i := range items {
		runes := []rune(sanitize.Text(i.Content))
		i.Length, i.Offset = len(runes), min(c.number("offset", 0), len(runes))
		runes = runes[i.Offset:]
		rest := 0
		for n := len(runes); ; n = n * 9 / 10 { // what must be escaped takes more
			i.Content = string(runes[:n])
			rest = len(runes) - n
			if size := quotedSize(i.Content); size <= room || n <= least/2 {
				break
			}
		}
		i.By, i.Session, i.Time = inline(i.By, 60), inline(i.Session, 80), inline(i.Time, 40)
		h := hit{ID: i.ID, Kind: i.Kind, Time: i.Time, By: i.By, Session: i.Session, Superseded: i.Superseded, Proposed: i.Proposed}
		line := strings.TrimSuffix(h.line(), " ") + "\n" + setIn(i.Content)
		if rest > 0 {
			i.Hint = fmt.Sprintf("%d more characters; recover with id %s and offset %d goes on", rest, i.ID, i.Length-rest)
			line += "\n[cut: " + i.Hint + "]"
		}
		if !l.add(i, line) {
			break
		}
	}
	return l.answer(len(items))
}

// quotedSize returns the number of characters of a sanitized text as a JSON string.
func quotedSize(text string) int {
	return utf8.RuneCountInString(text) + strings.Count(text, `"`) + strings.Count(text, `\`) + strings.Count(text, "\n") + strings.Count(text, "\t")
}

// whatIs is the thing of that id, whatever it is.
func whatIs(tree *fs.Tree, id string, standing schema.Standing) (item, error) {
	chunk, err := cold.Get(tree, id)
	if err == nil {
		return ofChunk(chunk), nil
	}
	if !errors.Is(err, cold.ErrUnknown) {
		return item{}, err
	}
	for _, d := range standing.All() {
		if d.ID == id {
			by, _ := standing.SupersededBy(id)
			return item{ID: id, Kind: "decision", Time: d.Timestamp, By: d.DecisionMaker, Superseded: by, Content: saysOf(d)}, nil
		}
	}
	fragments, _, err := recall.Fragments(tree)
	if err != nil {
		return item{}, err
	}
	for _, f := range fragments {
		if f.ID == id {
			return item{ID: id, Kind: "fragment", Time: f.Created, Session: f.Session, Content: f.Title + "\n\n" + f.Body}, nil
		}
	}
	for _, i := range noted(tree, standing) {
		if i.ID == id {
			return i, nil
		}
	}
	if m, ok, err := message(tree, id); ok || err != nil {
		return m, err
	}
	return item{}, fmt.Errorf("nothing here has the id %s; search finds what there is", quoted(id))
}

func ofChunk(chunk schema.Chunk) item {
	m, _ := session.Left(chunk)
	return item{
		ID: chunk.ChunkID, Kind: "chunk", Time: cmp.Or(m.Timestamp, chunk.Timestamp), By: cmp.Or(m.Agent, m.Role),
		Session: chunk.SessionID, Content: chunk.Content,
	}
}

// message finds a message of any session by its id.
func message(tree *fs.Tree, id string) (item, bool, error) {
	sessions, err := session.List(tree)
	if err != nil {
		return item{}, false, err
	}
	names := map[string]string{fs.Messages: ""}
	order := []string{fs.Messages}
	for _, s := range sessions {
		for _, name := range []string{session.Window(s.SessionID), session.ArchiveFile(s.SessionID)} {
			names[name] = s.SessionID
			order = append(order, name)
		}
	}
	for _, name := range order {
		src, err := tree.Read(name)
		if err != nil && !errors.Is(err, iofs.ErrNotExist) {
			return item{}, false, fmt.Errorf("%s: %w", name, err)
		}
		if !bytes.Contains(src, []byte(id)) {
			continue
		}
		messages := session.Messages(session.Read(src))
		session.InOrder(messages)
		for _, m := range session.Join(messages) {
			if m.ID == id {
				return item{ID: id, Kind: "message", Time: m.Timestamp, By: cmp.Or(m.Agent, m.Role), Session: names[name], Content: m.Content}, true, nil
			}
		}
	}
	return item{}, false, nil
}

// meant finds chunks by what they say, and by what they mean where the user's
// configuration names somebody who knows.
func (c *call) meant(tree *fs.Tree, query string, limit int) ([]cold.Found, string, error) {
	var by engine.Embedder
	note := ""
	if c.Edge.Embed != nil {
		var err error
		if by, err = c.Edge.Embed(); err != nil {
			note = "full text alone is searched: " + err.Error()
		}
	}
	found, more, err := engine.FindMeant(c.ctx, tree, by, engine.Recovery{Query: query, Limit: limit})
	return found, cmp.Or(note, more), err
}

// logRecovery notes in the tree's log what was recovered, and for what: a drop
// that has to be recovered was a mistake, which `tune` counts. A server that is
// read-only leaves it.
func (c *call) logRecovery(found []cold.Found, query string) (note string) {
	if !c.AllowWrites || len(found) == 0 {
		return ""
	}
	tree, err := c.edit()
	if err == nil {
		defer tree.Close()
		tree.LockTimeout = time.Second // who asks for a chunk waits for it
		_, err = tree.Recovered(c.ctx, found, query)
	}
	if err != nil {
		return "the recovery is not in the log: " + err.Error()
	}
	return ""
}
