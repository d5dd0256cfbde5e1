package compact

import (
	"cmp"
	"slices"

	"github.com/forgemind/forgemind/schema"
)

// leastCluster is how many messages make a cluster.
const leastCluster = 4

// Clusters groups messages that say similar things, by the words they share,
// the rarer the more: lists of indexes into messages, each of more than three,
// in order; the lists are in the order of their first. A message is in one at
// most. All of a cluster are like the one in its middle, so that one does not
// run into the next. Decisions, summaries and messages of an importance of 0.9
// or more are in none; what a tool gave is only with what the same tool gave.
// It takes time in proportion to the text.
func Clusters(messages []schema.Message) [][]int {
	w := readWordings(messages)
	var clusters [][]int
	for _, members := range w.around(w.middles()) {
		if len(members) < leastCluster {
			continue
		}
		for i, text := range members {
			members[i] = w.texts[text].at
		}
		clusters = append(clusters, members)
	}
	slices.SortFunc(clusters, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return clusters
}

// middles are the texts that enough others are like. Each text, in the order of
// how much it shares with all, joins the one that it is most like of those
// before it, or begins anew.
func (w *wordings) middles() []int {
	n := newNeighbours(w)
	joined := make([]int, len(w.texts))
	for _, text := range w.byCentre() {
		if middle := n.nearest(text); middle >= 0 {
			joined[middle]++
			continue
		}
		n.add(text)
	}
	return slices.DeleteFunc(n.texts, func(text int) bool { return joined[text] < leastCluster-1 })
}

// around gathers the texts around the middle that each is most like.
func (w *wordings) around(middles []int) [][]int {
	n := newNeighbours(w)
	members := make([][]int, len(w.texts))
	for _, middle := range middles {
		n.add(middle)
	}
	for text := range w.texts {
		if middle := n.nearest(text); middle >= 0 {
			members[middle] = append(members[middle], text)
		}
	}
	return members
}

// byCentre is the texts in the order of how much they share with all.
func (w *wordings) byCentre() []int {
	order := make([]int, len(w.texts))
	shared := make([]float64, len(w.texts))
	for i, t := range w.texts {
		sum := 0
		for _, term := range t.terms {
			sum += w.weight[term] * w.frequency[term]
		}
		order[i], shared[i] = i, likeness(sum, t.weight, t.weight)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(shared[b], shared[a]) })
	return order
}
