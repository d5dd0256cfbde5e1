package relevance

// A topK collects the n best of the texts that offer gets. It prunes lazily.
type topK struct {
	n     int // 0 for all
	all   []scoredText
	last  scoredText // the n-th best text at the last prune
	floor float32    // its score; 0 before the first prune
}

// A scoredText is a text with its score.
type scoredText struct {
	score       float32
	index, text uint32
}

// better reports whether a comes before b: by score, then by number.
func (a scoredText) better(b scoredText) bool {
	switch {
	case a.score != b.score:
		return a.score > b.score
	case a.index != b.index:
		return a.index < b.index
	}
	return a.text < b.text
}

// offer adds a text, unless it is not among the n best.
func (p *topK) offer(one scoredText) {
	if p.floor > 0 && !one.better(p.last) {
		return
	}
	p.all = append(p.all, one)
	if p.n > 0 && len(p.all) >= 2*p.n+64 {
		p.prune()
	}
}

// full reports whether there are n texts, so that another one needs at least floor.
func (p *topK) full() bool {
	if p.floor == 0 && len(p.all) > p.n {
		p.prune()
	}
	return p.floor > 0
}

// hits returns the n best texts, not sorted.
func (p *topK) hits() []Hit {
	if p.n > 0 && len(p.all) > p.n {
		p.prune()
	}
	hits := make([]Hit, len(p.all))
	for i, one := range p.all {
		hits[i] = Hit{Index: int(one.index), Text: int(one.text), Score: float64(one.score)}
	}
	return hits
}

// prune keeps only the n best texts, of which there must be more (quickselect).
func (p *topK) prune() {
	all := p.all
	for from, to := 0, len(all); to-from > 1; { // the n-th is in all[from:to]
		i, j := partition(all, from, to)
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

// partition partitions all[from:to] so that no text up to j is worse than any from i
// on. The texts between j and i are equal.
func partition(all []scoredText, from, to int) (i, j int) {
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
