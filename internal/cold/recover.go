package cold

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// A Found is a chunk that a query found, with its scores.
type Found struct {
	schema.Chunk
	// Score is the value by which the results are sorted, a ratio. The score of the first result is
	// its Match.
	Score float64 `json:"score"`
	// Match tells how much of the query the chunk answers, together with its neighbors: a ratio,
	// the similarity of relevance.Score.
	Match float64 `json:"-"`
}

// Recover returns the chunks that answer query best, best first. It returns at most limit chunks,
// or all if limit is 0. The score depends on the text of a chunk, its neighbors in the conversation
// and the rest of its session. Equal scores are sorted by time. A chunk that is in several files is
// returned once, one whose time is over never.
func Recover(tree *fs.Tree, query string, limit int) ([]Found, error) {
	for most := limit; ; most *= 4 {
		var found []Found
		err := ask(tree, func(all []chunkFile) (err error) {
			found, err = search(all, query, most)
			return err
		})
		whole := most == 0 || len(found) < most
		found = slices.DeleteFunc(found, func(f Found) bool { return isOver(tree, f.Chunk) })
		if limit > 0 && len(found) > limit {
			found = found[:limit]
		}
		if err != nil || whole || len(found) == limit {
			return found, err
		}
	}
}

// isOver reports whether the time of a chunk is over, by the clock of the tree.
func isOver(tree *fs.Tree, c schema.Chunk) bool {
	until, err := schema.ParseTime(c.RecoverableUntil)
	return err == nil && tree.Date != nil && !until.After(tree.Date())
}

// get is like Get but uses the indexes.
func get(tree *fs.Tree, id string) (chunk schema.Chunk, err error) {
	err = ask(tree, func(all []chunkFile) error {
		for _, s := range all {
			if i := s.find(id); i >= 0 {
				return s.read([]int{i}, func(_ int, c schema.Chunk) { chunk = c })
			}
		}
		return fmt.Errorf("chunk %s: %w", id, ErrUnknown)
	})
	if errors.Is(err, ErrUnknown) {
		if g := findInTrash(tree, id); g != nil {
			return chunk, g
		}
	}
	return chunk, err
}

// ask calls question with all shelves. If an index turns out to be stale, it builds the indexes
// again and asks once more.
func ask(tree *fs.Tree, question func([]chunkFile) error) error {
	for try := 0; ; try++ {
		all, err := openChunkFiles(tree, try > 0)
		if err == nil {
			err = question(all)
		}
		if err == nil || !errors.Is(err, errStale) || try == 2 {
			return err
		}
	}
}

// atLeast is the smallest number of candidates that are ranked against each other.
const atLeast = 500

// search ranks the chunks of all shelves and reads only those that it returns.
func search(all []chunkFile, query string, limit int) ([]Found, error) {
	indexes := make([]*relevance.Index, len(all))
	for i, s := range all {
		indexes[i] = s.words
	}
	// For each file, the chunks to read and the place of each in the result.
	wanted, places := make([][]int, len(all)), make([][]int, len(all))
	found := []Found{}
	seen := map[string]bool{}
	n, first := 0, relevance.Hit{}
	if limit > 0 {
		n = max(atLeast, 4*limit)
	}
	order := newPlaces(all).order()
	order.Together = true // a result is read as a whole
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

// part returns the score of a hit in proportion to the first, which has its similarity as score. It
// has three decimals.
func part(h, first relevance.Hit) float64 {
	if first.Score <= 0 {
		return 0
	}
	return math.Round(1000*first.Similarity*min(1, h.Score/first.Score)) / 1000
}
