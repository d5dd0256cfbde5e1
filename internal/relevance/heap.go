package relevance

import "iter"

// InOrder yields hits in the given order. It sorts lazily: O(n) time at first, and
// O(log n) for each hit it yields. It reorders hits.
func InOrder(hits []Hit, order func(a, b Hit) int) iter.Seq[Hit] {
	return func(yield func(Hit) bool) {
		for i := len(hits)/2 - 1; i >= 0; i-- {
			sink(hits, i, order)
		}
		for rest := hits; len(rest) > 0 && yield(rest[0]); {
			last := len(rest) - 1
			rest[0] = rest[last]
			rest = rest[:last]
			sink(rest, 0, order)
		}
	}
}

// sink moves the hit at i down to its place in a heap whose first hit is the first in
// order.
func sink(heap []Hit, i int, order func(a, b Hit) int) {
	for {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if other := child + 1; other < len(heap) && order(heap[other], heap[child]) < 0 {
			child = other
		}
		if order(heap[i], heap[child]) <= 0 {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}
