package forgemind

import (
	"context"
	"time"

	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/query"
)

// DefaultBriefTokens is the size of a brief, in tokens, unless MaxTokens sets another.
const DefaultBriefTokens = brief.DefaultTokens

// BriefOptions select the subject of a brief. The zero value is all of the project.
type BriefOptions struct {
	MaxTokens int    // below 1 it is DefaultBriefTokens
	Project   string // id, name or unique text of a project; "" is all
}

// A Text is a text for a prompt.
type Text struct {
	Text    string
	Tokens  int    // of Text, by the tree's counter
	Session string // id of the active session; "" for none
}

// Brief returns the facts that an agent or a person needs at the start of a session: goals,
// constraints, decisions, questions, dead ends and next actions. It has as many items as
// MaxTokens allows, and counts those that it leaves out. The same state gives the same bytes.
// The error is a *NotFoundError or an *AmbiguousError of Project.
func (t *Tree) Brief(ctx context.Context, o BriefOptions) (Text, error) {
	b, err := query.Brief(ctx, t.tree.Tree, query.BriefQuery{MaxTokens: o.MaxTokens, Counter: t.counter.Name(), Project: o.Project})
	if err != nil {
		return Text{}, apiError(err)
	}
	return Text{Text: b.Text(), Tokens: b.Tokens, Session: b.Session}, nil
}

// DefaultContextTokens is the size of a context, in tokens, unless MaxTokens sets another.
const DefaultContextTokens = 8000

// ContextOptions select the subject and the size of a context.
type ContextOptions struct {
	Prompt    string // recalled texts answer it; "" is the subject of the session
	MaxTokens int    // below 1 it is DefaultContextTokens
}

// Context returns the context for a prompt: the items in force, the summary of the session,
// earlier texts that answer the prompt, and the latest messages. Items in force are never
// cut; the error is a *BudgetError if they do not fit. Parts that change least come first,
// and the same state gives the same bytes, so that prompt caches work.
func (t *Tree) Context(ctx context.Context, o ContextOptions) (Text, error) {
	if err := ctx.Err(); err != nil {
		return Text{}, err
	}
	if o.MaxTokens < 1 {
		o.MaxTokens = DefaultContextTokens
	}
	c, err := query.Context(ctx, t.tree.Tree, query.ContextQuery{Prompt: o.Prompt, MaxTokens: o.MaxTokens, Counter: t.counter.Name()})
	if err != nil {
		return Text{}, apiError(err)
	}
	return Text{Text: c.Text, Tokens: c.Tokens, Session: c.Session}, nil
}

// A Kind is a kind of things that a tree has.
type Kind string

// The kinds.
const (
	KindDecision      Kind = "decision"
	KindQuestion      Kind = "question"
	KindAction        Kind = "action"
	KindGoal          Kind = "goal"
	KindConstraint    Kind = "constraint"
	KindNote          Kind = "note"
	KindHandoff       Kind = "handoff"
	KindArtifact      Kind = "artifact"
	KindThread        Kind = "thread"
	KindPin           Kind = "pin"
	KindClarification Kind = "clarification"
	KindCondensation  Kind = "condensation"
	KindProject       Kind = "project"
	KindSession       Kind = "session"
	KindFragment      Kind = "fragment"
	KindMessage       Kind = "message"
	KindChunk         Kind = "chunk"
)

// SearchOptions select the parts of a tree to search. The zero value is all of it.
type SearchOptions struct {
	Kinds []Kind    // none is all
	Limit int       // 0 is all results
	Since time.Time // only things of that time or later; zero is all
}

// A Result is a thing that answers a query.
type Result struct {
	ID           string
	Kind         Kind
	Title        string
	Text         string  // the part that answers best, on one line
	Score        float64 // ratio, how much of the query it answers
	File         string  // slash path, relative to the project's directory
	Line         int     // from 1
	Time         string  // RFC 3339, or a day; "" if unknown
	By           string
	Session      string
	Status       string // of the record; "" if it has none
	SupersededBy string // id of a decision
}

// Search returns the things that answer a query, the best first. Of results with equal
// scores, those in force come first, then the newest.
func (t *Tree) Search(ctx context.Context, words string, o SearchOptions) ([]Result, error) {
	found, err := query.Search(ctx, t.tree.Tree, query.SearchQuery{
		Words: words, Kinds: each(o.Kinds, func(k Kind) string { return string(k) }), Limit: o.Limit, Since: o.Since,
	})
	return each(found.Results, func(r query.SearchResult) Result {
		return Result{
			ID: r.ID, Kind: Kind(r.Kind), Title: r.Title, Text: r.Text, Score: r.Score, File: r.File, Line: r.Line,
			Time: r.Time, By: r.By, Session: r.Session, Status: r.Status, SupersededBy: r.SupersededBy,
		}
	}), apiError(err)
}
