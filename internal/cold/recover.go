package cold

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// A Found is a chunk that a query found.
type Found struct {
	schema.Chunk
	Score float64 `json:"score"` // higher is better
}

// Recover returns the chunks that answer query best, the best first, at most
// limit (all where it is 0). Equal scores come in the order of time. A chunk
// that several files hold comes once.
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

// order is that of hits, the best first.
func order(all []shelf) func(a, b relevance.Hit) int {
	return func(a, b relevance.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score),
			cmp.Compare(all[a.Index].entry(a.Text).time, all[b.Index].entry(b.Text).time),
			cmp.Compare(a.Index, b.Index), cmp.Compare(a.Text, b.Text))
	}
}

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
	for h := range relevance.Ranked(relevance.Search(query, indexes...), order(all)) {
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
		found = append(found, Found{Score: h.Score})
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
