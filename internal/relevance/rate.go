package relevance

// rate gives hits the scores that top would, 0 to those that have none of the
// terms. It looks each of them up: it is for few.
func rate(hits []Hit, c *curve, terms []asked, indexes []*Index) {
	r := rows{curve: c}
	scores := make([]float32, len(hits))
	var spans []span
	for _, t := range rarestFirst(terms) {
		for j, x := range indexes {
			spans = spans[:0]
			for s, rest, ok := cutSpan(t.lists[j]); ok; s, rest, ok = cutSpan(rest) {
				spans = append(spans, s)
			}
			for i, h := range hits {
				if h.Index == j {
					scores[i] += float32(t.weight * r.of(timesIn(spans, h.Text))[x.classes[h.Text]])
				}
			}
		}
	}
	for i, score := range scores {
		hits[i].Score = float64(score)
	}
}

// timesIn is how often a text has the term whose list has these spans.
func timesIn(spans []span, text int) uint8 {
	for _, s := range spans {
		if text&^(spanSize-1) != s.first {
			continue
		}
		if _, ok := find16(s.once, uint16(text)); ok {
			return 1
		}
		if at, ok := find16(s.more, uint16(text)); ok {
			return s.times[at]
		}
	}
	return 0
}
