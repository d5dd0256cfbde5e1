package mcp

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/query"
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
			{name: "query", kind: text, most: 2000, about: "the question that chunks of cold storage should answer"},
			{name: "limit", kind: whole, least: 1, most: 10, about: "with query: the most chunks; 3 by default"},
			{name: "offset", kind: whole, least: 0, most: 100_000_000, about: "with id: begin after so many characters of the text"},
		},
		plural: "items",
		run:    func(c *call) (answer, error) { return reading(c.server, c.recover) },
	}
}

// An item is a complete text with its id.
type item struct {
	ID         string  `json:"id"`
	Kind       string  `json:"kind"`
	Time       string  `json:"time,omitempty"`
	By         string  `json:"by,omitempty"`
	Session    string  `json:"session,omitempty"`
	Superseded string  `json:"superseded_by,omitempty"` // id of the decision that superseded it
	Score      float64 `json:"score,omitempty"`         // how well it answers the query, from 0 to 1
	Offset     int     `json:"offset,omitempty"`        // offset of content in characters
	Length     int     `json:"length"`                  // length of the whole text in characters
	Content    string  `json:"content"`
}

func (c *call) recover(tree *fs.Tree) (answer, error) {
	id, words := c.text("id"), c.text("query")
	if (id == "") == (words == "") {
		return answer{}, misused("recover: either id or query; search finds ids")
	}
	l := list{plural: "items", none: "cold storage holds nothing that answers; search looks everywhere"}
	standing := engine.StandingOf(tree)
	var items []item
	var chunks []cold.Found
	if id != "" {
		found, err := whatIs(tree, id)
		if err != nil {
			return answer{}, err
		}
		items = []item{found}
		if found.Kind == "chunk" {
			chunks = []cold.Found{{Chunk: schema.Chunk{ChunkID: id, SessionID: found.Session}, Score: 1}}
		}
	} else {
		found, note, err := c.meant(tree, words, c.number("limit", 3))
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
	if note := c.logRecovery(chunks, words); note != "" {
		l.note("%s", note)
	}
	for i := range items {
		items[i].Content = standing.Mark(items[i].Content)
	}
	return c.items(&l, items)
}

// items returns a list of items, each with as much text as there is room for.
func (c *call) items(l *list, items []item) (answer, error) {
	const around, least = 2200, 300 // characters around the texts
	room := max(least, (maxAnswer-around)/2/max(1, len(items)))
	for _, i := range items {
		runes := []rune(sanitize.Text(i.Content))
		i.Length, i.Offset = len(runes), min(c.number("offset", 0), len(runes))
		runes = runes[i.Offset:]
		rest := 0
		for n := len(runes); ; n = n * 9 / 10 { // escaped characters take more room
			i.Content = string(runes[:n])
			rest = len(runes) - n
			if size := quotedSize(i.Content); size <= room || n <= least/2 {
				break
			}
		}
		i.By, i.Session, i.Time = inline(i.By, 60), inline(i.Session, 80), inline(i.Time, 40)
		h := hit{ID: i.ID, Kind: i.Kind, Time: i.Time, By: i.By, Session: i.Session, Superseded: i.Superseded}
		line := strings.TrimSuffix(h.line(), " ") + "\n" + setIn(i.Content)
		if rest > 0 {
			line += fmt.Sprintf("\n[cut: %d more characters; recover with id %s and offset %d goes on]", rest, i.ID, i.Length-rest)
		}
		if !l.add(i, line) {
			break
		}
	}
	l.more = "ask for each by its id"
	return l.answer(len(items))
}

// quotedSize returns the number of characters of a sanitized text as a JSON string.
func quotedSize(text string) int {
	return utf8.RuneCountInString(text) + strings.Count(text, `"`) + strings.Count(text, `\`) + strings.Count(text, "\n") + strings.Count(text, "\t")
}

// whatIs returns the item with an id, of any kind.
func whatIs(tree *fs.Tree, id string) (item, error) {
	t, ok, err := query.WhatIs(tree, id)
	if err != nil {
		return item{}, err
	}
	if !ok {
		return item{}, fmt.Errorf("nothing here has the id %s; search finds what there is", quoted(id))
	}
	return item{ID: id, Kind: t.Kind, Time: t.Time, By: t.By, Session: t.Session, Superseded: t.SupersededBy, Content: t.Text}, nil
}

func ofChunk(chunk schema.Chunk) item {
	m, _ := session.MessageOfChunk(chunk)
	return item{
		ID: chunk.ChunkID, Kind: "chunk", Time: cmp.Or(m.Timestamp, chunk.Timestamp), By: cmp.Or(m.Agent, m.Role),
		Session: chunk.SessionID, Content: chunk.Content,
	}
}

// meant returns the chunks that match a query by their words, and also by their meaning if the
// user's configuration names a model for that.
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

// logRecovery records in the tree's log what was recovered and for which query. A recovered chunk
// was dropped by mistake, and `tune` counts such mistakes. A read-only server records nothing.
func (c *call) logRecovery(found []cold.Found, query string) (note string) {
	if !c.AllowWrites || len(found) == 0 {
		return ""
	}
	tree, err := c.edit()
	if err == nil {
		defer tree.Close()
		tree.LockTimeout = time.Second // the client is waiting
		_, err = tree.Recovered(c.ctx, found, query)
	}
	if err != nil {
		return "the recovery is not in the log: " + err.Error()
	}
	return ""
}
