package mcp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/query"
)

func searchTool() tool {
	return tool{
		name: "search", title: "Search what was said, decided and kept",
		about: "Find decisions, notes, open items, discussions, messages of every session, long-term memory and cold storage, the best first, each with its id and the part of its text that answers. recover gives the whole of one.",
		members: []member{
			{name: "query", kind: text, must: true, most: 2000, about: "what to look for, in words that it may have"},
			{name: "in", kind: text, words: []string{"all", "decisions", "notes", "memory", "cold_storage"}, about: "where; all by default; notes is goals, constraints, questions, actions, notes, discussions, sessions and all else that is recorded, memory is messages and fragments"},
			{name: "limit", kind: whole, least: 1, most: 30, about: "at most so many; 8 by default"},
		},
		plural: "results",
		run:    func(c *call) (answer, error) { return reading(c.server, c.search) },
	}
}

// A hit is a result of a search.
type hit struct {
	ID         string  `json:"id"`
	Kind       string  `json:"kind"` // decision, message, fragment, chunk, …; see query.Kinds
	Time       string  `json:"time,omitempty"`
	By         string  `json:"by,omitempty"`
	Session    string  `json:"session,omitempty"`
	Status     string  `json:"status,omitempty"`
	Superseded string  `json:"superseded_by,omitempty"` // id of the decision that superseded it
	Score      float64 `json:"score"`                   // from 0 to 1
	Text       string  `json:"text"`
}

// search searches all kinds of things and ranks the results together.
func (c *call) search(tree *fs.Tree) (answer, error) {
	l := list{plural: "results", more: "ask for more by limit, or by other words", none: "other words may find more; decision_list and work_list list all there is"}
	q := query.SearchQuery{Words: c.text("query"), Limit: c.number("limit", 8), Kinds: kindsIn(c.text("in")), Beside: true}
	if c.Edge.Embed != nil {
		var err error
		if q.Embed, err = c.Edge.Embed(); err != nil {
			l.note("only full text was searched: %s", err)
		}
	}
	found, err := query.Search(c.ctx, tree, q)
	if err != nil {
		return answer{}, err
	}
	for _, note := range found.Notes {
		l.note("%s", note)
	}
	for _, r := range found.Results {
		h := hit{
			ID: inline(r.ID, 100), Kind: r.Kind, Time: inline(r.Time, 40), By: r.By, Session: inline(r.Session, 80), Status: inline(r.Status, 40),
			Superseded: r.SupersededBy, Score: r.Score, Text: r.Text,
		}
		if !l.add(h, h.line()) {
			break
		}
	}
	return l.answer(len(found.Results))
}

// kindsIn returns the kinds of things of a place. None means all.
func kindsIn(place string) []string {
	elsewhere := map[string][]string{"decisions": {"decision"}, "memory": {"message", "fragment"}, "cold_storage": {"chunk"}}
	if place != "notes" {
		return elsewhere[place]
	}
	all := query.Kinds()
	for _, kinds := range elsewhere {
		all = slices.DeleteFunc(all, func(k string) bool { return slices.Contains(kinds, k) })
	}
	return all
}

// line returns the hit as a line of text.
func (h *hit) line() string {
	about := []string{h.Kind}
	for _, part := range []string{h.Time, inline(h.By, 40), h.Session} {
		if part != "" {
			about = append(about, part)
		}
	}
	switch {
	case h.Superseded != "":
		about = append(about, "superseded by "+h.Superseded)
	case h.Status != "":
		about = append(about, h.Status)
	}
	return fmt.Sprintf("%s (%s): %s", h.ID, strings.Join(about, ", "), h.Text)
}
