package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/relevance"
)

// An Embedder computes vectors of texts: texts of similar meaning have vectors that are
// close to each other. The zero Embedder computes none.
type Embedder struct {
	Name string // vectors of one name can be compared with each other
	// Embed returns a vector of length 1 for each text; nil for a text that has none.
	Embed func(ctx context.Context, texts []string) ([][]float32, error)
}

// A comparison rates how well each of the texts answers a prompt.
type comparison = func(prompt string, texts []relevance.Text) []relevance.Match

// A comparer compares texts with a prompt by their vectors. It records the texts that lack a
// vector.
type comparer struct {
	by     Embedder
	kept   *vectorFile
	lacks  []string // texts that were compared without a vector
	silent bool     // compare by full text alone, without the Embedder
}

// errLacks ends a transaction that compared texts without their vectors. The vectors
// are fetched outside of the lock, and the transaction is retried.
var errLacks = errors.New("vectors are missing")

// asks limits how often a transaction is retried because others added messages.
const asks = 3

// doComparing is do for a change that compares texts with a prompt. If an Embedder is
// configured, the comparison uses its vectors; if it fails, the comparison is by full
// text alone, and a note says so.
func (t *Tree) doComparing(ctx context.Context, change func(*WorkingSet) error) (Outcome, error) {
	by, note := t.embedder()
	if by.Embed == nil {
		out, err := t.do(ctx, change)
		return noting(out, note, err)
	}
	m := &comparer{by: by, kept: readVectors(t.Tree, by.Name)}
	for ask := 1; ; ask++ {
		out, err := t.do(ctx, func(r *WorkingSet) error {
			m.lacks = nil
			r.compare = m.compare
			if err := change(r); err != nil {
				return err
			}
			if len(m.lacks) > 0 && !m.silent {
				return errLacks
			}
			return nil
		})
		if !errors.Is(err, errLacks) {
			return noting(out, note, err)
		}
		if ask == asks {
			m.silent, note = true, "only full text was used for relevance: the conversation kept changing"
			continue
		}
		if err := m.kept.fill(ctx, m.by, m.lacks); err != nil {
			if ctx.Err() != nil {
				return Outcome{}, ctx.Err()
			}
			m.silent, note = true, fullText(err)
		}
	}
}

// embedder returns the configured Embedder, or the zero one. note says why a configured
// one is not used; otherwise it is "".
func (t *Tree) embedder() (by Embedder, note string) {
	if t.edge.Embed == nil {
		return Embedder{}, ""
	}
	by, err := t.edge.Embed()
	if err != nil {
		return Embedder{}, fullText(err)
	}
	return by, ""
}

// noting adds note to the notes of out, unless it is "" or there is an error.
func noting(out Outcome, note string, err error) (Outcome, error) {
	if note != "" && err == nil {
		out.Notes = append(out.Notes, note)
	}
	return out, err
}

// fullText returns the note that embeddings were not available.
func fullText(err error) string {
	return fmt.Sprintf("only full text was used for relevance: %v", err)
}

// compare is relevance.Compare, blended with vectors. If a vector is missing, compare
// uses none and remembers the texts that lack one.
func (m *comparer) compare(prompt string, texts []relevance.Text) []relevance.Match {
	matches := relevance.Compare(prompt, texts)
	if m.silent {
		return matches
	}
	all := []string{prompt}
	for _, text := range texts {
		all = append(all, text.Content)
	}
	vectors, lacks := m.kept.of(all)
	if len(lacks) > 0 {
		m.lacks = append(m.lacks, lacks...)
		return matches
	}
	return relevance.Blend(matches, vectors[0], vectors[1:])
}

// embed returns the vectors of texts. It asks the Embedder for those that are not
// stored, and stores them.
func embed(ctx context.Context, tree *fs.Tree, by Embedder, texts []string) ([][]float32, error) {
	kept := readVectors(tree, by.Name)
	if _, lacks := kept.of(texts); len(lacks) > 0 {
		if err := kept.fill(ctx, by, lacks); err != nil {
			return nil, err
		}
	}
	vectors, _ := kept.of(texts)
	return vectors, nil
}
