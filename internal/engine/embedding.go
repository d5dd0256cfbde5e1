package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/relevance"
)

// An Embedder gives texts vectors by which those of one meaning are near each
// other. The zero Embedder gives none, and nobody is asked.
type Embedder struct {
	Name string // vectors of one name can be compared with each other
	// Embed returns a vector of length 1 for each text; nil for one that has none.
	Embed func(ctx context.Context, texts []string) ([][]float32, error)
}

// A comparison says of each text how well it answers a prompt.
type comparison = func(prompt string, texts []relevance.Text) []relevance.Match

// A meaning is what vectors are known of, and which texts lack one, while texts
// are compared with a prompt.
type meaning struct {
	by     Embedder
	kept   *vectors
	lacks  []string // texts that were compared without a vector
	silent bool     // nobody is to be asked any more: full text alone says it
}

// errLacks ends a transaction that has compared texts without their vectors: the
// server is asked outside of the lock, and the transaction begins again.
var errLacks = errors.New("vectors are missing")

// asks is how often a transaction begins again because somebody said more.
const asks = 3

// doComparing is do for a change that compares texts with a prompt. Where an
// Embedder is named their vectors are taken into account; where it fails, full
// text alone is, and people are told.
func (t *Tree) doComparing(ctx context.Context, change func(*round) error) (Outcome, error) {
	by, note := t.embedder()
	if by.Embed == nil {
		out, err := t.do(ctx, change)
		return noting(out, note, err)
	}
	m := &meaning{by: by, kept: readVectors(t.Tree, by.Name)}
	for ask := 1; ; ask++ {
		out, err := t.do(ctx, func(r *round) error {
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
			m.silent, note = true, "full text alone decided what is relevant: the conversation did not stand still"
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

// embedder is who gives texts vectors. note is for people: why nobody does who was
// to; "" for no reason.
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

// noting adds a note, unless it is none, to what was done.
func noting(out Outcome, note string, err error) (Outcome, error) {
	if note != "" && err == nil {
		out.Notes = append(out.Notes, note)
	}
	return out, err
}

// fullText tells people that embeddings were not to be had.
func fullText(err error) string {
	return fmt.Sprintf("full text alone decided what is relevant: %v", err)
}

// compare is relevance.Compare with what vectors say. Where one lacks that could
// be asked for, none counts.
func (m *meaning) compare(prompt string, texts []relevance.Text) []relevance.Match {
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

// embed returns the vectors of texts: those that are kept, and of the others what
// the Embedder says, which are kept then.
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
