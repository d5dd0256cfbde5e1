package tokens

// merged is how many tokens a part of a piece is merged into: of all neighbours
// that make a token together, those of the lowest rank become one, the leftmost of
// these first, until there are none. Its time is n log n.
func merged(part string) int {
	if rankOf(part) != noRank {
		return 1
	}
	n := len(part)
	ends, starts := make([]int32, n), make([]int32, n+1) // of the token that begins, or ends, there; 0: none does
	for i := range n {
		ends[i], starts[i+1] = int32(i+1), int32(i)
	}
	var waiting heap
	offer := func(from, to int32) {
		if rank := rankOf(part[from:to]); rank != noRank {
			waiting.push(pair{rank, from, to})
		}
	}
	for i := int32(0); i+2 <= int32(n); i++ {
		offer(i, i+2)
	}
	count := n
	for len(waiting) > 0 {
		p := waiting.pop()
		middle := ends[p.from]
		if middle == 0 || middle >= p.to || ends[middle] != p.to {
			continue // one of both was merged with another
		}
		ends[p.from], starts[p.to], ends[middle] = p.to, p.from, 0
		count--
		if p.from > 0 {
			offer(starts[p.from], p.to)
		}
		if int(p.to) < n {
			offer(p.from, ends[p.to])
		}
	}
	return count
}

// A pair is two neighbours that make a token: from where the left begins to where
// the right ends.
type pair struct {
	rank     uint32
	from, to int32
}

func (p pair) before(q pair) bool {
	return p.rank < q.rank || p.rank == q.rank && p.from < q.from
}

// A heap gives pairs in their order. It is container/heap's, without an allocation
// for each.
type heap []pair

func (h *heap) push(p pair) {
	*h = append(*h, p)
	s := *h
	for i := len(s) - 1; i > 0; {
		up := (i - 1) / 2
		if !s[i].before(s[up]) {
			return
		}
		s[i], s[up] = s[up], s[i]
		i = up
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
		for _, down := range []int{2*i + 1, 2*i + 2} {
			if down < last && s[down].before(s[least]) {
				least = down
			}
		}
		if least == i {
			return first
		}
		s[i], s[least] = s[least], s[i]
		i = least
	}
}
