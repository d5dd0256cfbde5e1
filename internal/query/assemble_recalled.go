package query

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/assemble"
	"github.com/forgemind/forgemind/internal/recall"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// What of the past is worth a place in a prompt.
const (
	mostHits  = 100 // are looked at
	leastPart = 0.3 // of the best hit's score makes a hit
	reach     = 2   // places before and after a hit gain by it: the next an eighth of its score, the others a sixteenth
)

// recalled returns what answers words best, the best first: of what was said and is not
// gone, of fragments, and of what left conversations for cold storage.
func recalled(tree *fs.Tree, words string, gone session.IDs) ([]assemble.Recalled, error) {
	if words == "" {
		return nil, nil
	}
	type answer struct {
		all []assemble.Recalled
		err error
	}
	left := make(chan answer, 1)
	go func() {
		all, err := recalledCold(tree, words)
		left <- answer{all, err}
	}()
	all, err := recalledSaid(tree, words, gone)
	others := <-left
	if err = errors.Join(err, others.err); err != nil {
		return nil, err
	}
	alike(words, all, others.all)
	all = append(all, others.all...)
	slices.SortStableFunc(all, func(a, b assemble.Recalled) int { return cmp.Compare(b.Score, a.Score) })
	return all, nil
}

// recalledSaid is what was said and noted that answers words, and what was said
// around it: an answer often stands beside the words of its question. What stands
// near several hits gains by each.
func recalledSaid(tree *fs.Tree, words string, gone session.IDs) ([]assemble.Recalled, error) {
	past, err := recall.Open(tree)
	if err != nil {
		return nil, err
	}
	hits, err := past.Search(recall.Query{Words: words, Limit: mostHits})
	if err != nil || len(hits) == 0 {
		return nil, err
	}
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
		if gone.Has(*hit.Message) {
			continue
		}
		var around []recall.Found
		if !hit.Beside {
			if around, err = past.Around(hit.Session, hit.At, reach); err != nil {
				return nil, err
			}
		}
		for _, f := range append(around, hit) {
			if gone.Has(*f.Message) {
				continue
			}
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

// withDecisions returns in with the decisions that answer words among what is
// recalled: an old one may have no room among the newest.
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

// quoteOf is what was found, as it is quoted.
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

// concern is what a hot context is about, as words to search for.
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
