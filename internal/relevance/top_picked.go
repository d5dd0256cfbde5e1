package relevance

// A picked is the best of what was offered, and at times more.
type picked struct {
	n     int // how many are wanted; 0: all
	all   []pick
	last  pick    // the n-th of those that were offered before the last cut
	floor float32 // its score; 0 before
}

// A pick is a text with its score.
type pick struct {
	score       float32
	index, text uint32
}

// better says which of two is picked before the other.
func (a pick) better(b pick) bool {
	switch {
	case a.score != b.score:
		return a.score > b.score
	case a.index != b.index:
		return a.index < b.index
	}
	return a.text < b.text
}

func (p *picked) offer(one pick) {
	if p.floor > 0 && !one.better(p.last) {
		return
	}
	p.all = append(p.all, one)
	if p.n > 0 && len(p.all) >= 2*p.n+64 {
		p.cut()
	}
}

// full says whether there are enough; it takes floor then to be one of them.
func (p *picked) full() bool {
	if p.floor == 0 && len(p.all) > p.n {
		p.cut()
	}
	return p.floor > 0
}

// hits is the best.
func (p *picked) hits() []Hit {
	if p.n > 0 && len(p.all) > p.n {
		p.cut()
	}
	hits := make([]Hit, len(p.all))
	for i, one := range p.all {
		hits[i] = Hit{Index: int(one.index), Text: int(one.text), Score: float64(one.score)}
	}
	return hits
}

// cut leaves the best n of more.
func (p *picked) cut() {
	all := p.all
	for from, to := 0, len(all); to-from > 1; { // the n-th is among these
		i, j := parted(all, from, to)
		switch {
		case p.n-1 <= j:
			to = j + 1
		case p.n-1 >= i:
			from = i
		default:
			from, to = p.n-1, p.n
		}
	}
	p.all = all[:p.n]
	p.last = p.all[p.n-1]
	p.floor = p.last.score
}

// parted parts picks between two places: up to j none is worse than one from i on;
// those between are equal.
func parted(all []pick, from, to int) (i, j int) {
	pivot := all[from+(to-from)/2]
	for i, j = from, to-1; i <= j; {
		for all[i].better(pivot) {
			i++
		}
		for pivot.better(all[j]) {
			j--
		}
		if i <= j {
			all[i], all[j] = all[j], all[i]
			i++
			j--
		}
	}
	return i, j
}
