package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/relevance"
)

const (
	maxMeant   = 2000 // largest cold storage, in chunks, of which all vectors are requested
	someMeant  = 200  // chunks of a larger one: the best matches of full text
	leastMeant = 0.3  // least closeness of a chunk that full text does not find
)

// FindMeant is Find that uses the vectors of the tree's Embedder, if there is one.
func (t *Tree) FindMeant(ctx context.Context, what Recovery) (found []cold.Found, note string, err error) {
	by, note := t.embedder()
	found, more, err := FindMeant(ctx, t.Tree, by, what)
	return found, cmp.Or(note, more), err
}

// FindMeant is Find that also finds chunks of the same meaning in other words, if by
// computes vectors. note says why only full text was used; "" if vectors were, or if
// there is no Embedder.
func FindMeant(ctx context.Context, tree *fs.Tree, by Embedder, what Recovery) (found []cold.Found, note string, err error) {
	if by.Embed == nil || strings.TrimSpace(what.Query) == "" {
		found, err = Find(tree, what)
		return found, "", err
	}
	limit := what.Limit
	what.Limit = 0
	if found, err = Find(tree, what); err != nil {
		return nil, "", err
	}
	compared, err := meant(tree, found)
	if err != nil {
		return nil, "", err
	}
	compared = WithoutCopies(compared)
	texts := []string{what.Query}
	for _, f := range compared {
		texts = append(texts, f.Content)
	}
	vectors, err := embed(ctx, tree, by, texts)
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case err != nil:
		note = fullText(err)
	default:
		found = append(blendRankings(compared, vectors), found[min(len(found), len(compared)):]...)
	}
	if limit > 0 && len(found) > limit {
		found = found[:limit]
	}
	return found, note, nil
}

// meant returns the chunks whose meanings are compared with a query: those that full
// text found, followed by all others, unless there are more than maxMeant.
func meant(tree *fs.Tree, found []cold.Found) ([]cold.Found, error) {
	all, _, err := cold.List(tree)
	if err != nil {
		return nil, err
	}
	if len(all) > maxMeant {
		return found[:min(len(found), someMeant)], nil
	}
	there := map[string]bool{}
	for _, f := range found {
		there[f.ChunkID] = true
	}
	found = slices.Clone(found)
	for _, c := range all {
		if !there[c.ChunkID] {
			there[c.ChunkID] = true
			found = append(found, cold.Found{Chunk: c})
		}
	}
	return found, nil
}

// blendRankings sorts chunks by full text and vectors together and leaves out those
// that neither finds. The first vector is the query's.
func blendRankings(found []cold.Found, vectors [][]float32) []cold.Found {
	matches := make([]relevance.Match, len(found))
	for i, f := range found {
		matches[i] = relevance.Match{Similarity: f.Match, Rank: f.Match}
	}
	closeness := relevance.Closeness(vectors[0], vectors[1:])
	var mixed []cold.Found
	for i, m := range relevance.Blend(matches, vectors[0], vectors[1:]) {
		if f := found[i]; f.Match > 0 || closeness[i] >= leastMeant {
			f.Score, f.Match = m.Similarity, m.Similarity
			mixed = append(mixed, f)
		}
	}
	slices.SortStableFunc(mixed, func(a, b cold.Found) int { return cmp.Compare(b.Score, a.Score) })
	return mixed
}
