package main

import (
	"errors"
	"slices"

	"github.com/forgemind/forgemind/internal/assemble"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/tokens"
	"github.com/forgemind/forgemind/schema"
)

// Targets for the tiers from the Quaid document, in tokens.
const (
	leastTier   = 500 // of the hot context and of the summary
	mostTier    = 1000
	mostHistory = 3000
)

// A tier is one of the three tiers of a session, with the tokens that a prompt pays for all of it.
type tier struct {
	Name     string `json:"name"`
	Tokens   int    `json:"tokens"`
	Least    int    `json:"target_least,omitzero"` // tokens
	Most     int    `json:"target_most"`
	Messages int    `json:"messages,omitzero"` // number in the window
	Archived int    `json:"archived,omitzero"` // number that left it
}

func tiersOf(hot schema.HotContext, superseded map[string]string, window []schema.Message, archived int, summary string, counter *tokens.Counter) []tier {
	history := tier{Name: "recent history", Most: mostHistory, Messages: len(window), Archived: archived}
	for _, m := range window {
		if m.Tokens > 0 && m.Counter == counter.Name() {
			history.Tokens += int(m.Tokens)
		} else {
			history.Tokens += counter.Count(m.Content)
		}
	}
	return []tier{
		{Name: "hot context", Tokens: hotCost(hot, superseded, counter.Count), Least: leastTier, Most: mostTier},
		history,
		{Name: "summary", Tokens: counter.Count(summary), Least: leastTier, Most: mostTier},
	}
}

// hotCost returns the tokens of a hot context in a prompt.
func hotCost(hot schema.HotContext, superseded map[string]string, count func(string) int) int {
	held := func(id string) bool { return superseded[id] == "" }
	_, err := assemble.Make(assemble.Input{Session: hot.ConversationID, Hot: hot, Held: held}, assemble.Options{Count: count})
	var cost *assemble.TooSmallError // budget of no tokens
	if errors.As(err, &cost) {
		return cost.Need
	}
	return 0
}

// A spare is a part of a hot context that could be removed.
type spare struct {
	What   string `json:"what"`
	Count  int    `json:"count"`
	Tokens int    `json:"tokens"` // tokens that it takes
}

// spareOf returns the parts that could be removed until a hot context is small enough, least
// important first.
func spareOf(hot schema.HotContext, superseded map[string]string, count func(string) int) []spare {
	list := []spare{}
	cost := hotCost(hot, superseded, count)
	for _, kind := range []struct {
		what string
		take func(*schema.HotContext) int // removes the part and returns its tokens
	}{
		{"goals that are complete", func(h *schema.HotContext) int {
			return without(&h.ActiveGoals, func(_ int, g schema.Goal) bool { return g.Status == session.Complete })
		}},
		{"decisions that are superseded", func(h *schema.HotContext) int {
			return without(&h.KeyDecisions, func(_ int, d schema.KeyDecision) bool { return superseded[d.ID] != "" })
		}},
		{"names among the entities", func(h *schema.HotContext) (n int) {
			for _, names := range h.KeyEntities {
				n += len(names)
			}
			h.KeyEntities = nil
			return n
		}},
		{"decisions before the last three, which the Ledger keeps", func(h *schema.HotContext) int {
			last := len(h.KeyDecisions) - 3
			return without(&h.KeyDecisions, func(i int, d schema.KeyDecision) bool { return i < last && d.ID != "" })
		}},
		{"notes, the oldest first", func(h *schema.HotContext) int {
			return without(&h.Notes, func(int, schema.Note) bool { return true })
		}},
		{"pending actions that were only detected", func(h *schema.HotContext) int {
			return without(&h.PendingActions, func(_ int, a schema.Action) bool { return a.Origin == schema.OriginDetected })
		}},
	} {
		if cost <= mostTier {
			break
		}
		n := kind.take(&hot)
		if n == 0 {
			continue
		}
		left := hotCost(hot, superseded, count)
		list = append(list, spare{kind.what, n, cost - left})
		cost = left
	}
	return list
}

// without removes elements from a list and returns their number. It does not modify memory that the
// list shares.
func without[T any](list *[]T, goes func(int, T) bool) int {
	var stay []T
	for i, item := range *list {
		if !goes(i, item) {
			stay = append(stay, item)
		}
	}
	n := len(*list) - len(stay)
	*list = slices.Clip(stay)
	return n
}
