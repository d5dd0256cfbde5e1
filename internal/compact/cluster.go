package compact

import (
	"cmp"
	"slices"

	"github.com/forgemind/forgemind/schema"
)

// leastCluster is the minimum number of messages in a cluster.
const leastCluster = 4

// Clusters groups messages that say similar things, by the words they share; rare words count
// more. It returns lists of indexes into messages, each of more than three, in order; the
// lists are in the order of their first index. A message is in one list at most. All messages
// of a cluster are similar to the one in its middle, so that clusters do not run into each
// other. Decisions, summaries and messages of an importance of 0.9 or more are in none;
// outputs of a tool are only with outputs of the same tool. The time is linear in the size of
// the text.
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

// middles returns the centers of clusters. In descending order of similarity to all
// texts, each text joins the most similar earlier one or begins a new cluster.
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

// around returns the clusters: for each middle, the texts that are most similar to it.
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

// byCentre returns the texts in descending order of similarity to all.
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
