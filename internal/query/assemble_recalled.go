package query

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/assemble"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/recall"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// Limits on the texts that are recalled for a prompt.
const (
	mostHits  = 100 // matches that are examined
	leastPart = 0.3 // of the best score: the lowest score of a match
	reach     = 2   // messages before and after a match that gain from it: the next one an eighth of its score, the others a sixteenth
)

// An answer is a recalled text.
type answer struct {
	all []assemble.Recalled
	err error
}

// recallAll sends the texts that answer words best.
func recallAll(tree *fs.Tree, words string, into chan<- answer) {
	all, err := recalled(tree, words)
	into <- answer{all, err}
}

// recalled returns the best matches of words, the best first: messages, fragments, and chunks
// of cold storage.
func recalled(tree *fs.Tree, words string) ([]assemble.Recalled, error) {
	if words == "" {
		return nil, nil
	}
	left := make(chan answer, 1)
	go func() {
		all, err := recalledCold(tree, words)
		left <- answer{all, err}
	}()
	all, err := recalledSaid(tree, words)
	others := <-left
	if err = errors.Join(err, others.err); err != nil {
		return nil, err
	}
	alike(words, all, others.all)
	all = append(all, others.all...)
	slices.SortStableFunc(all, func(a, b assemble.Recalled) int { return cmp.Compare(b.Score, a.Score) })
	return all, nil
}

// recalledSaid returns the messages and notes that match words, and the messages around them:
// an answer is often next to the question, and has other words. A message near several
// matches gains from each.
func recalledSaid(tree *fs.Tree, words string) ([]assemble.Recalled, error) {
	past, err := recall.Open(tree)
	if err != nil {
		return nil, err
	}
	hits, err := past.Search(recall.Query{Words: words, Limit: mostHits})
	if err != nil || len(hits) == 0 {
		return nil, err
	}
	for i := range hits {
		if m := hits[i].Message; m != nil && engine.IsOutput(*m) {
			hits[i].Score *= engine.OutputWeight
		}
	}
	slices.SortStableFunc(hits, func(a, b recall.Found) int { return cmp.Compare(b.Score, a.Score) })
	type place struct {
		session string
		at      int
	}
	var all []assemble.Recalled
	known := map[place]int{} // in all
	for _, hit := range hits {
		if hit.Score < leastPart*hits[0].Score {
			break
		}
		if hit.Message == nil {
			all = append(all, quoteOf(hit))
			continue
		}
		var around []recall.Found
		if !hit.Beside {
			if around, err = past.Around(hit.Session, hit.At, reach); err != nil {
				return nil, err
			}
		}
		for _, f := range append(around, hit) {
			p := place{f.Session, f.At}
			i, ok := known[p]
			if !ok {
				i = len(all)
				known[p] = i
				f.Score = 0
				all = append(all, quoteOf(f))
			}
			if f.At == hit.At {
				all[i].Score += hit.Score
			} else {
				all[i].Score += hit.Score / float64(int(4)<<abs(f.At-hit.At))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b assemble.Recalled) int { return cmp.Compare(b.Score, a.Score) })
	return all, nil
}

// withDecisions adds the decisions that answer words to the recalled texts of in: old ones
// may have no room among the newest.
func withDecisions(words string, in assemble.Input) assemble.Input {
	if words == "" {
		return in
	}
	texts := make([]relevance.Text, len(in.Decided))
	for i, d := range in.Decided {
		texts[i] = relevance.Text{Content: d.Decision + ". " + d.Rationale, Session: d.ID}
	}
	var found []assemble.Recalled
	for i, m := range relevance.Compare(words, texts) {
		if d := in.Decided[i]; m.Similarity > 0 {
			found = append(found, assemble.Recalled{
				ID: d.ID, From: fs.DecisionsDir, Date: d.Timestamp, Speaker: cmp.Or(d.Agent, "unknown"), Text: d.Decision, Noted: true, Score: m.Similarity,
			})
		}
	}
	byScore := func(a, b assemble.Recalled) int { return cmp.Compare(b.Score, a.Score) }
	slices.SortStableFunc(found, byScore)
	found = found[:min(len(found), mostCold)]
	alike(words, in.Recalled, found)
	in.Recalled = slices.Concat(in.Recalled, found)
	slices.SortStableFunc(in.Recalled, byScore)
	return in
}

func abs(n int) int { return max(n, -n) }

// quoteOf returns a recalled text in the form in which it is quoted.
func quoteOf(f recall.Found) assemble.Recalled {
	if f.Message == nil {
		return assemble.Recalled{
			ID: f.Fragment.ID, From: f.Name, Date: f.Fragment.Created, Speaker: f.Fragment.Title, Text: f.Fragment.Body, Noted: true, Score: f.Score,
		}
	}
	m := f.Message
	return assemble.Recalled{
		ID: m.ID, From: cmp.Or(f.Session, path.Base(f.Name)), Date: m.Timestamp, Speaker: m.Agent, Text: m.Content, At: f.At, Score: f.Score,
	}
}

// concern returns the subject of a hot context, as words to search for.
func concern(hot schema.HotContext) string {
	var words []string
	for _, g := range hot.ActiveGoals {
		words = append(words, g.Goal)
	}
	if f := hot.CurrentFileContext; f != nil {
		words = append(words, f.LastEdited, f.CurrentFunction)
	}
	return strings.TrimSpace(strings.Join(words, " "))
}
