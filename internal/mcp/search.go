package mcp

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/recall"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func searchTool() tool {
	return tool{
		name: "search", title: "Search what was said, decided and kept",
		about: "Find decisions, notes and what is open, messages of every session, long-term memory, and what left a conversation for cold storage, the best first, each with its id and what of its text answers. recover gives the whole of one.",
		members: []member{
			{name: "query", kind: text, must: true, most: 2000, about: "what to look for, in words that it may have"},
			{name: "in", kind: text, words: []string{"all", "decisions", "notes", "memory", "cold_storage"}, about: "where; all by default; notes is goals, constraints, questions, actions, notes, condensations and threads, memory is messages and fragments"},
			{name: "limit", kind: whole, least: 1, most: 30, about: "at most so many; 8 by default"},
		},
		plural: "results",
		run:    func(c *call) (answer, error) { return reading(c.server, c.search) },
	}
}

// A hit is what a search found.
type hit struct {
	ID         string  `json:"id"`
	Kind       string  `json:"kind"` // decision, message, fragment, chunk, or one of noted
	Time       string  `json:"time,omitempty"`
	By         string  `json:"by,omitempty"`
	Session    string  `json:"session,omitempty"`
	Superseded string  `json:"superseded_by,omitempty"` // by the decision of that id
	Proposed   bool    `json:"proposed,omitempty"`      // what it decides is not in force
	Score      float64 `json:"score"`                   // from 0 to 1
	Text       string  `json:"text"`
}

// A search is one, of a tree.
type search struct {
	*call
	tree     *fs.Tree
	standing schema.Standing
	query    string
	limit    int
}

// search looks in all places and weighs what it found against each other.
func (c *call) search(tree *fs.Tree) (answer, error) {
	s := search{c, tree, engine.StandingOf(tree), c.text("query"), c.number("limit", 8)}
	in := cmp.Or(c.text("in"), "all")
	l := list{plural: "results", more: "ask for more by limit, or by other words", none: "other words may find more; decision_list and work_list list all there is"}
	var all []hit
	for _, place := range []struct {
		name string
		look func() ([]hit, string, error)
	}{{"decisions", s.decisions}, {"notes", s.notes}, {"memory", s.memory}, {"cold_storage", s.cold}} {
		if in != "all" && in != place.name {
			continue
		}
		found, note, err := place.look()
		if err != nil {
			return answer{}, err
		}
		if note != "" {
			l.note("%s", note)
		}
		all = append(all, found...)
	}
	weigh(s.query, all)
	slices.SortStableFunc(all, func(a, b hit) int { return cmp.Compare(b.Score, a.Score) })
	all = all[:min(len(all), s.limit)]
	cut := excerpter{s.query, s.standing}
	for _, h := range all {
		h.Text = cut.excerpt(h.Text, min(400, max(100, maxAnswer/3/len(all))))
		h.Score = float64(relevance.Thousandths(h.Score)) / 1000
		if !l.add(h, h.line()) {
			break
		}
	}
	return l.answer(len(all))
}

// line is the hit as people read it.
func (h *hit) line() string {
	about := []string{h.Kind}
	for _, part := range []string{h.Time, inline(h.By, 40), h.Session} {
		if part != "" {
			about = append(about, part)
		}
	}
	if h.Superseded != "" {
		about = append(about, "superseded by "+h.Superseded)
	}
	if h.Proposed {
		about = append(about, "only proposed")
	}
	return fmt.Sprintf("%s (%s): %s", h.ID, strings.Join(about, ", "), h.Text)
}

// weigh gives what was found in several places scores by one measure.
func weigh(query string, all []hit) {
	texts := make([]relevance.Text, len(all))
	for i, h := range all {
		texts[i] = relevance.Text{Content: h.Text, Session: h.ID} // no neighbours
	}
	for i, match := range relevance.Compare(query, texts) {
		all[i].Score = match.Similarity
	}
}

// decisions finds decisions; one that is superseded comes after those that hold
// and answer as well.
func (s *search) decisions() ([]hit, string, error) {
	all := s.standing.All()
	hits := s.best(len(all), func(i int) string { return saysOf(all[i]) }, func(i int) hit {
		d := all[i]
		by, _ := s.standing.SupersededBy(d.ID)
		return hit{ID: d.ID, Kind: "decision", Time: d.Timestamp, By: d.DecisionMaker, Superseded: by, Text: saysOf(d)}
	})
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(min(1, len(a.Superseded)), min(1, len(b.Superseded))) })
	return hits, "", nil
}

// notes finds what is noted.
func (s *search) notes() ([]hit, string, error) {
	all := noted(s.tree, s.standing)
	return s.best(len(all), func(i int) string { return all[i].Content }, func(i int) hit {
		n := all[i]
		return hit{ID: inline(n.ID, 100), Kind: n.Kind, Time: inline(n.Time, 40), By: n.By, Session: n.Session, Superseded: n.Superseded, Proposed: n.Proposed, Text: n.Content}
	}), "", nil
}

// best are those of n texts that answer the query best.
func (s *search) best(n int, text func(int) string, as func(int) hit) (hits []hit) {
	texts := make([]relevance.Text, n)
	for i := range texts {
		texts[i] = relevance.Text{Content: text(i), Session: strconv.Itoa(i)} // no neighbours
	}
	type scored struct {
		at   int
		rank float64
	}
	var found []scored
	for i, match := range relevance.Compare(s.query, texts) {
		if match.Similarity > 0 {
			found = append(found, scored{i, match.Rank})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.rank, a.rank) })
	for _, f := range found[:min(len(found), s.limit)] {
		hits = append(hits, as(f.at))
	}
	return hits
}

// saysOf is what a decision says, as one text.
func saysOf(d schema.Decision) string {
	parts := []string{d.Decision}
	if d.Rationale != "" {
		parts = append(parts, "because "+d.Rationale)
	}
	if len(d.AlternativesRejected) > 0 {
		parts = append(parts, "rejected: "+strings.Join(d.AlternativesRejected, "; "))
	}
	if len(d.Impact) > 0 {
		parts = append(parts, "impact: "+strings.Join(d.Impact, "; "))
	}
	if len(d.Files) > 0 {
		parts = append(parts, "files: "+strings.Join(d.Files, ", "))
	}
	return strings.Join(parts, "\n")
}

// memory finds messages and fragments.
func (s *search) memory() (hits []hit, note string, err error) {
	found, err := recall.Search(s.tree, recall.Query{Words: s.query, Limit: s.limit})
	for _, f := range found {
		if f.Fragment != nil {
			hits = append(hits, hit{ID: f.Fragment.ID, Kind: "fragment", Time: f.Fragment.Created, Session: f.Session, Text: f.Fragment.Title + "\n" + f.Fragment.Body})
			continue
		}
		m := f.Message
		hits = append(hits, hit{ID: m.ID, Kind: "message", Time: m.Timestamp, By: cmp.Or(m.Agent, m.Role), Session: f.Session, Text: m.Content})
	}
	if fi, wrong := s.tree.Look(fs.Messages); wrong == nil && fi.Size() > recall.MaxSearched {
		note = fs.Messages + " is too large to be searched; 'forgemind compact' makes it smaller"
	}
	return hits, note, err
}

// cold finds chunks of cold storage.
func (s *search) cold() (hits []hit, note string, err error) {
	found, note, err := s.meant(s.tree, s.query, s.limit)
	for _, f := range found {
		m, _ := session.Left(f.Chunk)
		hits = append(hits, hit{
			ID: f.ChunkID, Kind: "chunk", Time: cmp.Or(m.Timestamp, f.Timestamp), By: cmp.Or(m.Agent, m.Role), Session: f.SessionID, Text: f.Content,
		})
	}
	return hits, note, err
}
