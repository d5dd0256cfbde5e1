package compact

import "math"

const (
	alike    = 0.35 // likeness from which texts are similar
	findable = 256  // texts that can be found by one term
)

// neighbours are texts to compare with, indexed by their terms. For each term only the
// first texts are found.
type neighbours struct {
	all     *wordings
	texts   []int
	by      [][]int // by term: indexes into texts
	shared  []int   // by index into texts: the weight that is shared with the present text
	terms   []int   // likewise: how many terms are
	touched []int   // indexes into texts that share anything with it
}

func newNeighbours(w *wordings) *neighbours {
	return &neighbours{all: w, by: make([][]int, len(w.frequency))}
}

func (n *neighbours) add(text int) {
	for _, term := range n.all.texts[text].terms {
		if len(n.by[term]) < findable {
			n.by[term] = append(n.by[term], len(n.texts))
		}
	}
	n.texts = append(n.texts, text)
	n.shared, n.terms = append(n.shared, 0), append(n.terms, 0)
}

// nearest returns the most similar text, the first of equal ones, -1 if none is
// similar.
func (n *neighbours) nearest(text int) int {
	t := &n.all.texts[text]
	n.touched = n.touched[:0]
	for _, term := range t.terms {
		for _, i := range n.by[term] {
			if n.terms[i] == 0 {
				n.touched = append(n.touched, i)
			}
			n.terms[i]++
			n.shared[i] += n.all.weight[term]
		}
	}
	best, most := -1, alike
	for _, i := range n.touched {
		other := &n.all.texts[n.texts[i]]
		like := likeness(n.shared[i], t.weight, other.weight)
		if n.terms[i] == 1 && like < 1 || t.source != other.source {
			like = 0 // by one word in common nothing is similar, but where that is all
		}
		if like > most || like == most && best > i {
			best, most = i, like
		}
		n.shared[i], n.terms[i] = 0, 0
	}
	if best < 0 {
		return -1
	}
	return n.texts[best]
}

// likeness returns the share of common terms of two texts, from 0 to 1, by the weights
// of the terms.
func likeness(shared, a, b int) float64 {
	return float64(shared) / math.Sqrt(float64(a)*float64(b))
}
