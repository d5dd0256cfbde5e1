package query

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/recall"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A SearchQuery holds the words of a search and the places to search.
type SearchQuery struct {
	Words string
	Kinds []string  // see [Kinds]; none is all
	Limit int       // 0 is all
	Since time.Time // only things of that time or later; zero is all
	Width int       // of an excerpt, in characters; 0 divides a few thousand among all
	// Beside also finds messages next to a match: an answer seldom repeats the words of its
	// question.
	Beside bool
	// Embed, if set, also finds chunks of cold storage by their meaning.
	Embed engine.Embedder
}

// A SearchResult is a thing that answers a query.
type SearchResult struct {
	ID           string  `json:"id"`
	Kind         string  `json:"kind"`
	Title        string  `json:"title"`
	Text         string  `json:"text"`  // the part that answers best, on one line
	Score        float64 `json:"score"` // 0–1, how much of the query it answers
	File         string  `json:"file"`
	Line         int     `json:"line"` // from 1
	Time         string  `json:"time"`
	By           string  `json:"by,omitempty"`
	Session      string  `json:"session,omitempty"`
	Status       string  `json:"status,omitempty"`
	SupersededBy string  `json:"superseded_by,omitempty"`
}

// SearchResults are the matches of a query, the best first. Among equal scores, those in
// force come first, then the newest, then the order of ids.
type SearchResults struct {
	Results []SearchResult
	Notes   []string // what was not searched, and why
}

// A scoredThing is a thing and how well it answers.
type scoredThing struct {
	Thing
	score float64
}

// Search returns the things of a tree that answer a query. It writes nothing but derived
// indexes.
func Search(ctx context.Context, tree *fs.Tree, q SearchQuery) (SearchResults, error) {
	type answer struct {
		all  []Thing
		note string
		err  error
	}
	said, left := make(chan answer, 1), make(chan answer, 1)
	go func() {
		all, note, err := searchSaid(tree, q)
		said <- answer{all, note, err}
	}()
	go func() {
		all, note, err := searchCold(ctx, tree, q)
		left <- answer{all, note, err}
	}()
	g := gather(tree, q.Kinds, false)
	all := bestOf(q, g.all)
	messages, chunks := <-said, <-left
	if err := errors.Join(messages.err, chunks.err, ctx.Err()); err != nil {
		return SearchResults{}, err
	}
	all = append(append(all, messages.all...), withoutMessages(chunks.all, messages.all)...)
	out := SearchResults{Results: []SearchResult{}}
	for _, note := range []string{messages.note, chunks.note} {
		if note != "" {
			out.Notes = append(out.Notes, note)
		}
	}
	found := weigh(q, all)
	cut, where := excerpter{q.Words, g.standing}, newSources(tree)
	for i := range found {
		out.Results = append(out.Results, found[i].result(cut, where, q.width(len(found))))
	}
	return out, nil
}

// width returns the number of characters of each of n excerpts.
func (q SearchQuery) width(n int) int {
	const most, least, room = 400, 100, 3333
	if q.Width > 0 {
		return q.Width
	}
	return min(most, max(least, room/n))
}

// result returns the search result of a thing.
func (t *scoredThing) result(cut excerpter, where *sources, width int) SearchResult {
	e := cut.excerpt(t.Text, width)
	file, line := where.place(&t.Thing, e.line)
	return SearchResult{
		ID: word(t.ID), Kind: t.Kind, Title: cut.title(&t.Thing), Text: e.text, Score: t.score, File: file, Line: line, Time: word(t.Time),
		By: word(t.By), Session: word(t.Session), Status: word(t.Status), SupersededBy: word(t.SupersededBy),
	}
}

// title returns the title of a thing on one line, with notes on superseded decisions that it
// names.
func (e excerpter) title(t *Thing) string {
	const columns = 200
	return e.standing.Mark(brief.Line(masked(t.Title), columns))
}

// word returns an id, a name or a time on one line, sanitized. The id of an item that has
// none in a view is its text.
func word(text string) string {
	const columns = 200
	if schema.ValidID(text) {
		return text
	}
	return brief.Line(masked(text), columns)
}

// bestOf returns the things that answer a query best, up to the query's limit.
func bestOf(q SearchQuery, all []Thing) []Thing {
	all = slices.DeleteFunc(all, func(t Thing) bool { return t.repeats || !q.Since.IsZero() && !IsSince(t.Time, q.Since) })
	texts := make([]relevance.Text, len(all))
	for i := range all {
		texts[i] = relevance.Text{Content: all[i].Text, Session: strconv.Itoa(i)} // no neighbors
	}
	var found []scoredThing
	for i, match := range relevance.Compare(q.Words, texts) {
		switch {
		case all[i].is(q.Words):
			found = append(found, scoredThing{all[i], 1 << 20})
		case match.Similarity > 0:
			found = append(found, scoredThing{all[i], match.Rank})
		}
	}
	slices.SortFunc(found, byScore)
	if q.Limit > 0 {
		found = found[:min(len(found), q.Limit)]
	}
	best := make([]Thing, len(found))
	for i, f := range found {
		best[i] = f.Thing
	}
	return best
}

// weigh rates things from several sources by one measure, and returns the best.
func weigh(q SearchQuery, all []Thing) []scoredThing {
	texts := make([]relevance.Text, len(all))
	for i, t := range all {
		texts[i] = relevance.Text{Content: t.Text, Session: strconv.Itoa(i)} // no neighbors
	}
	found := make([]scoredThing, len(all))
	for i, match := range relevance.Compare(q.Words, texts) {
		found[i] = scoredThing{all[i], float64(relevance.Thousandths(match.Similarity)) / 1000}
		if all[i].is(q.Words) {
			found[i].score = 1
		}
	}
	slices.SortFunc(found, byScore)
	if q.Limit > 0 {
		found = found[:min(len(found), q.Limit)]
	}
	return found
}

// byScore compares results; see [SearchResults].
func byScore(a, b scoredThing) int {
	return cmp.Or(cmp.Compare(b.score, a.score), compareBool(a.Closed, b.Closed), compareTimes(b.Time, a.Time),
		strings.Compare(a.ID, b.ID), strings.Compare(a.Kind, b.Kind))
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// searchSaid finds messages and fragments.
func searchSaid(tree *fs.Tree, q SearchQuery) (all []Thing, note string, err error) {
	of, wanted := saidKinds(q.Kinds)
	if !wanted {
		return nil, "", nil
	}
	const most = 3 // about one in three matches has the words
	limit := q.Limit
	if !q.Beside {
		limit *= most
	}
	found, err := recall.Search(tree, recall.Query{Words: q.Words, Limit: limit, Of: of, Since: q.Since})
	for _, f := range found {
		switch {
		case f.Beside && !q.Beside:
		case f.Fragment != nil:
			all = append(all, ofFragment(f.Fragment))
		default:
			all = append(all, ofMessage(f.Message, f.Session, f.Name))
		}
	}
	if fi, wrong := tree.Look(fs.Messages); wrong == nil && fi.Size() > recall.MaxSearched {
		note = fs.Messages + " is too large to be searched; 'forgemind compact' makes it smaller"
	}
	return all, note, err
}

// saidKinds returns which of messages and fragments the kinds include.
func saidKinds(kinds []string) (of recall.Kind, wanted bool) {
	messages, fragments := slices.Contains(kinds, kindMessage), slices.Contains(kinds, kindFragment)
	switch {
	case len(kinds) == 0, messages && fragments:
		return "", true
	case messages:
		return recall.Messages, true
	}
	return recall.Notes, fragments
}

// searchCold finds chunks of cold storage.
func searchCold(ctx context.Context, tree *fs.Tree, q SearchQuery) (all []Thing, note string, err error) {
	if len(q.Kinds) > 0 && !slices.Contains(q.Kinds, kindChunk) {
		return nil, "", nil
	}
	what := engine.Recovery{Query: q.Words, Limit: q.Limit}
	if !q.Since.IsZero() {
		what.Limit = 0 // the best may be older
	}
	var found []cold.Found
	if strings.TrimSpace(q.Words) != "" {
		found, note, err = engine.FindMeant(ctx, tree, q.Embed, what)
	}
	for _, f := range found {
		if t := ofChunk(f.Chunk); q.Since.IsZero() || IsSince(t.Time, q.Since) {
			all = append(all, t)
		}
	}
	return all, note, err
}

// withoutMessages returns the chunks that are not among the messages: a recovered chunk is in
// both.
func withoutMessages(chunks, messages []Thing) []Thing {
	there := map[string]bool{}
	for _, m := range messages {
		there[m.ID] = true
	}
	return slices.DeleteFunc(chunks, func(c Thing) bool {
		chunk, ok := c.value.(schema.Chunk)
		m, left := session.MessageOfChunk(chunk)
		return ok && left && there[m.ID]
	})
}
