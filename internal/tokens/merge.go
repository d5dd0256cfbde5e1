package tokens

// countMerged returns the number of tokens that part is merged into. It joins, again
// and again, the two neighbors that form the token of the lowest rank, the leftmost
// first, until no neighbors form a token. It takes O(n log n) time.
func countMerged(part string) int {
	if rankOf(part) != noRank {
		return 1
	}
	n := len(part)
	ends, starts := make([]int32, n), make([]int32, n+1) // ends[i]: end of the token that begins at i, 0 if none; starts[i]: start of the one that ends at i
	for i := range n {
		ends[i], starts[i+1] = int32(i+1), int32(i)
	}
	var candidates heap
	addPair := func(from, to int32) {
		if rank := rankOf(part[from:to]); rank != noRank {
			candidates.push(pair{rank, from, to})
		}
	}
	for i := int32(0); i+2 <= int32(n); i++ {
		addPair(i, i+2)
	}
	count := n
	for len(candidates) > 0 {
		p := candidates.pop()
		middle := ends[p.from]
		if middle == 0 || middle >= p.to || ends[middle] != p.to {
			continue // one of the two is already merged
		}
		ends[p.from], starts[p.to], ends[middle] = p.to, p.from, 0
		count--
		if p.from > 0 {
			addPair(starts[p.from], p.to)
		}
		if int(p.to) < n {
			addPair(p.from, ends[p.to])
		}
	}
	return count
}

// A pair is two neighbors that form a token. from is the start of the left one, to
// the end of the right one.
type pair struct {
	rank     uint32
	from, to int32
}

func (p pair) before(q pair) bool {
	return p.rank < q.rank || p.rank == q.rank && p.from < q.from
}

// A heap is a priority queue of pairs. Unlike container/heap it does not allocate
// for each pair.
type heap []pair

func (h *heap) push(p pair) {
	*h = append(*h, p)
	s := *h
	for i := len(s) - 1; i > 0; {
		parent := (i - 1) / 2
		if !s[i].before(s[parent]) {
			return
		}
		s[i], s[parent] = s[parent], s[i]
		i = parent
	}
}

func (h *heap) pop() pair {
	s := *h
	first, last := s[0], len(s)-1
	s[0] = s[last]
	s = s[:last]
	*h = s
	for i := 0; ; {
		least := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < last && s[child].before(s[least]) {
				least = child
			}
		}
		if least == i {
			return first
		}
		s[i], s[least] = s[least], s[i]
		i = least
	}
}
