package hook

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/health"
	past "github.com/forgemind/forgemind/internal/recall"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

const (
	mostSaid   = 1000 // characters of a message
	mostLooked = 50   // messages that are examined
	fewTerms   = 3    // least number of terms of a prompt that is searched for; a question may have one less
	fewAsking  = 2
)

// recalled returns what a prompt needs and the window lacks: chunks of cold storage, and messages
// from before the window was compacted. The result ids has the ids of the pieces, those of chunks
// first.
func (r *hookCall) recalled(tree *engine.Tree, m *memory, prompt string) (pieces, ids []string, brought []cold.Found) {
	if vague(prompt) || strings.HasPrefix(prompt, "/") {
		return nil, nil, nil
	}
	brought, err := r.needed(tree, m, prompt)
	if err != nil {
		r.fail(fmt.Errorf("cold storage: %w", err))
	}
	pieces, ids = fromCold(brought)
	said, saidIDs, err := r.saidBefore(tree.Tree, m, prompt, mostNeeded-len(brought))
	if err != nil {
		r.fail(fmt.Errorf("what was said: %w", err))
	}
	return append(pieces, said...), append(ids, saidIDs...), brought
}

// vague reports whether a prompt, such as "go on" or "commit this", has too few terms to show what
// it needs.
func vague(prompt string) bool {
	terms := relevance.Terms(prompt)
	slices.Sort(terms)
	n := len(slices.Compact(terms))
	return n < fewAsking || n < fewTerms && !strings.Contains(prompt, "?")
}

// readAgain reports whether a chunk is what a tool read from disk. The agent can read it again, and
// it may have changed.
func readAgain(f cold.Found) bool {
	m, ok := session.MessageOfChunk(f.Chunk)
	if !ok {
		return false
	}
	tool := strings.ToLower(m.ToolName)
	return !strings.HasPrefix(tool, "web") && slices.ContainsFunc([]string{"read", "grep", "glob", "search", "list", "view"}, func(word string) bool {
		return strings.Contains(tool, word)
	}) || tool == "ls"
}

// saidBefore returns messages of this session from before its window was compacted that answer the
// prompt and are still in the tree's conversation, not in cold storage. The best comes first; ids
// has their ids.
func (r *hookCall) saidBefore(tree *fs.Tree, m *memory, prompt string, most int) (pieces, ids []string, err error) {
	before, err := schema.ParseTime(m.CompactedAt)
	if err != nil || most < 1 || !strings.Contains(prompt, "?") { // never compacted, or no question
		return nil, nil, nil
	}
	k, err := health.Knobs(tree)
	if err != nil {
		return nil, nil, err
	}
	found, err := past.Search(tree, past.Query{Words: prompt, Limit: mostLooked})
	if err != nil {
		return nil, nil, err
	}
	var texts []relevance.Text
	var said []schema.Message
	for _, f := range found {
		msg := f.Message
		if msg == nil || msg.Session != r.payload.session || msg.ToolName != "" || msg.Kind != "" {
			continue
		}
		at, err := schema.ParseTime(msg.Timestamp)
		if err != nil || !at.Before(before) {
			continue
		}
		said = append(said, *msg)
		texts = append(texts, relevance.Text{Content: msg.Content, Role: msg.Role, Session: msg.Session, Time: at})
	}
	matches := relevance.Compare(prompt, texts)
	best := make([]int, 0, len(said))
	for i, msg := range said {
		asks := msg.Role == "user" && strings.HasSuffix(strings.TrimSpace(msg.Content), "?")
		if !asks && len(msg.Content) >= leastSaid && !slices.Contains(m.Given, msg.ID) && relevance.Score(k, matches[i].Similarity, 0, false).Score >= relevance.Thousandths(k.KeepThreshold) {
			best = append(best, i)
		}
	}
	slices.SortStableFunc(best, func(a, b int) int { return cmp.Compare(matches[b].Rank, matches[a].Rank) })
	head := "## Said before the compaction, for this prompt (" + asData + ")\n"
	for _, i := range best[:min(len(best), most)] {
		pieces = append(pieces, head+fmt.Sprintf("- %s, %s: %s\n", texts[i].Time.UTC().Format(time.DateOnly), said[i].Role, inShort(said[i].Content, mostSaid)))
		ids = append(ids, said[i].ID)
		head = ""
	}
	return pieces, ids, nil
}
