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
	mostSaid   = 1000 // characters of what was said
	mostLooked = 50   // messages that are looked at
	fewTerms   = 3    // that a prompt has at least, for something to be brought back; a question may have one less
	fewAsking  = 2
)

// recalled is what a prompt needs of what is not in the window: chunks of cold
// storage, and what was said before the window was compacted. ids are those of the
// pieces; the first of them are the chunks that were brought.
func (r *running) recalled(tree *engine.Tree, m *memory, prompt string) (pieces, ids []string, brought []cold.Found) {
	if vague(prompt) {
		return nil, nil, nil
	}
	brought, err := r.needed(tree, m, prompt)
	if err != nil {
		r.fail(fmt.Errorf("cold storage: %w", err))
	}
	pieces, ids = r.fromCold(brought)
	said, saidIDs, err := r.saidBefore(tree.Tree, m, prompt, mostNeeded-len(brought))
	if err != nil {
		r.fail(fmt.Errorf("what was said: %w", err))
	}
	return append(pieces, said...), append(ids, saidIDs...), brought
}

// vague says whether a prompt says too little for it to be known what it needs, as
// "go on" and "commit this" do: whatever has that one word would answer it.
func vague(prompt string) bool {
	terms := relevance.Terms(prompt)
	slices.Sort(terms)
	n := len(slices.Compact(terms))
	return n < fewAsking || n < fewTerms && !strings.Contains(prompt, "?")
}

// readAgain says whether a chunk is what a tool saw on the disk: that can be had
// again, and may be otherwise by now.
func readAgain(f cold.Found) bool {
	m, ok := session.Left(f.Chunk)
	if !ok {
		return false
	}
	tool := strings.ToLower(m.ToolName)
	return !strings.HasPrefix(tool, "web") && slices.ContainsFunc([]string{"read", "grep", "glob", "search", "list", "view"}, func(word string) bool {
		return strings.Contains(tool, word)
	}) || tool == "ls"
}

// saidBefore is what was said in this session before its window was compacted and
// still stands in the tree's conversation, as far as it answers the prompt: cold
// storage has it only later. The best comes first; ids say which messages they are.
func (r *running) saidBefore(tree *fs.Tree, m *memory, prompt string, most int) (pieces, ids []string, err error) {
	before, err := schema.ParseTime(m.CompactedAt)
	if err != nil || most < 1 || !strings.Contains(prompt, "?") { // it never was; or nothing is asked
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
		pieces = append(pieces, head+fmt.Sprintf("- %s, %s: %s\n", texts[i].Time.UTC().Format(time.DateOnly), said[i].Role, r.quote(said[i].Content, mostSaid)))
		ids = append(ids, said[i].ID)
		head = ""
	}
	return pieces, ids, nil
}
