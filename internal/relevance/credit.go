package relevance

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// What a text is worth beyond what it says itself.
const (
	heard    = 0.7 // how much of what was said before it counts: an answer follows its question
	followed = 0.4 // likewise, of what was said after it
	fading   = 0.7 // what is left of either with each place between
	faint    = 1e-6
	dated    = 2.0 // for being of a month that the prompt names
	shared   = 0.5 // how much of the best of its session counts
	ofBest   = 4   // the mean of so many
)

// A text is one of those that are weighed against each other.
type text struct {
	Hit
	session, at int
	placed      bool // session and at are known
	time        time.Time
	length      int       // bytes
	own         float64   // the score without what is around it
	has         []float32 // what each term of the question contributes by being in the text
}

// inPlace is the order of texts by their places. Those that have none come last.
func inPlace(a, b text) int {
	switch {
	case a.placed && !b.placed:
		return -1
	case b.placed && !a.placed:
		return 1
	}
	return cmp.Or(cmp.Compare(a.session, b.session), cmp.Compare(a.at, b.at), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Text, b.Text))
}

// near says whether two texts are of one session.
func (t *text) near(other *text) bool {
	return t.placed && other.placed && t.session == other.session
}

// gap is how many places on in its session another text is.
func (t *text) gap(other *text) int { return max(t.at-other.at, other.at-t.at) }

// weigh gives each of texts, which stand in the order of their places, its score
// and its similarity.
//
// A term that was said beside a text counts for it as if the text itself had it,
// but less, and what it has itself counts only once: so a talk that names a thing
// again and again does not outweigh one that names all of what is asked for. The
// best of a session count for all of it, and so does the month of a text.
func (q *question) weigh(texts []text) {
	size := len(q.terms)
	all := make([]float32, len(texts)*size)
	row := func(i int) []float32 { return all[i*size : (i+1)*size] }
	for i := range texts {
		copy(row(i), texts[i].has)
		texts[i].own = 0
		for _, f := range texts[i].has {
			texts[i].own += float64(f)
		}
	}
	carry := make([]float32, size)
	pass := func(i, before int, rate float32) {
		if before < 0 || before >= len(texts) || !texts[i].near(&texts[before]) {
			clear(carry)
		} else {
			left := float32(math.Pow(fading, float64(texts[i].gap(&texts[before]))))
			for n := range carry {
				if carry[n] *= left; carry[n] < faint { // numbers that small are slow to work with
					carry[n] = 0
				}
			}
		}
		sum := row(i)
		for n, own := range texts[i].has {
			sum[n] = max(sum[n], rate*carry[n])
			carry[n] = max(carry[n], own)
		}
	}
	for i := range texts {
		pass(i, i-1, heard)
	}
	for i := range slices.Backward(texts) {
		pass(i, i+1, followed)
	}
	for i := range texts {
		t := &texts[i]
		t.Score = 0
		for _, f := range row(i) {
			t.Score += float64(f)
		}
		if slices.ContainsFunc(q.dates, func(d date) bool { return d.is(t.time) }) {
			t.Score += dated
		}
		t.Similarity, t.Beside = q.similarity(texts, i, nil), t.own == 0
	}
	share(texts)
}

// share adds what the best of a session are worth to all of it. A text without a
// place is a session of its own, all of which is as good.
func share(texts []text) {
	for from := 0; from < len(texts); {
		to := from + 1
		for to < len(texts) && texts[to].near(&texts[from]) {
			to++
		}
		if !texts[from].placed {
			texts[from].Score += shared * texts[from].own
		} else {
			var best [ofBest]float64
			for i := from; i < to; i++ {
				if last := ofBest - 1; texts[i].own > best[last] {
					best[last] = texts[i].own
					slices.SortFunc(best[:], compareDown)
				}
			}
			sum := 0.0
			for _, score := range best {
				sum += score
			}
			for i := from; i < to; i++ {
				texts[i].Score += shared * sum / ofBest
			}
		}
		from = to
	}
}
