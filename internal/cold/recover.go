package cold

import (
	"errors"
	"fmt"
	"math"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// A Found is a chunk that a query found.
type Found struct {
	schema.Chunk
	// Score is what it comes before others by: a ratio that no later one exceeds, of
	// the first its Match.
	Score float64 `json:"score"`
	// Match is how much of the query it answers, with what stood beside it: a ratio,
	// the similarity that relevance.Score takes.
	Match float64 `json:"-"`
}

// Recover returns the chunks that answer query best, the best first, at most
// limit (all where it is 0): by what they say, what stood beside them in the
// conversation and what else their session says. Equals come in the order of
// time. A chunk that several files hold comes once.
func Recover(tree *fs.Tree, query string, limit int) ([]Found, error) {
	var found []Found
	err := ask(tree, func(all []shelf) (err error) {
		found, err = search(all, query, limit)
		return err
	})
	return found, err
}

// get is Get by the indexes.
func get(tree *fs.Tree, id string) (chunk schema.Chunk, err error) {
	err = ask(tree, func(all []shelf) error {
		for _, s := range all {
			if i := s.find(id); i >= 0 {
				return s.read([]int{i}, func(_ int, c schema.Chunk) { chunk = c })
			}
		}
		return fmt.Errorf("chunk %s: %w", id, ErrUnknown)
	})
	if errors.Is(err, ErrUnknown) {
		if g := gone(tree, id); g != nil {
			return chunk, g
		}
	}
	return chunk, err
}

// ask puts a question to all shelves, and once more where an index turned out
// stale.
func ask(tree *fs.Tree, question func([]shelf) error) error {
	for try := 0; ; try++ {
		all, err := shelves(tree, try > 0)
		if err == nil {
			err = question(all)
		}
		if err == nil || !errors.Is(err, errStale) || try == 2 {
			return err
		}
	}
}

// atLeast is how many of the best are looked at before they are weighed against
// each other.
const atLeast = 500

// search finds chunks and reads those that are wanted, and no others.
func search(all []shelf, query string, limit int) ([]Found, error) {
	indexes := make([]*relevance.Index, len(all))
	for i, s := range all {
		indexes[i] = s.words
	}
	// Which chunks of which file, and the place of each in the answer.
	wanted, places := make([][]int, len(all)), make([][]int, len(all))
	found := []Found{}
	seen := map[string]bool{}
	n, first := 0, relevance.Hit{}
	if limit > 0 {
		n = max(atLeast, 4*limit)
	}
	order := newPlaces(all).order()
	order.Together = true // what comes back is read as a whole
	for h := range relevance.Rank(query, relevance.Best(n, query, indexes...), order, indexes...) {
		if limit > 0 && len(found) == limit {
			break
		}
		id := all[h.Index].id(h.Text)
		if seen[id] {
			continue
		}
		seen[id] = true
		wanted[h.Index] = append(wanted[h.Index], h.Text)
		places[h.Index] = append(places[h.Index], len(found))
		if len(found) == 0 {
			first = h
		}
		found = append(found, Found{Score: part(h, first), Match: h.Similarity})
	}
	for i, s := range all {
		if len(wanted[i]) == 0 {
			continue
		}
		if err := s.read(wanted[i], func(n int, c schema.Chunk) { found[places[i][n]].Chunk = c }); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// part is the score of a hit, of which the first has its similarity, to three
// decimals.
func part(h, first relevance.Hit) float64 {
	if first.Score <= 0 {
		return 0
	}
	return math.Round(1000*first.Similarity*min(1, h.Score/first.Score)) / 1000
}
