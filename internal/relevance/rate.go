package relevance

// scoreHits sets the scores of hits to those that top computes, 0 for hits without any
// of the terms. It looks up each hit in each list, so it is for few hits.
func scoreHits(hits []Hit, c *curve, terms []queryTerm, indexes []*Index) {
	r := curveRows{curve: c}
	scores := make([]float32, len(hits))
	var spans []span
	for _, t := range rarestFirst(terms) {
		for j, x := range indexes {
			spans = spans[:0]
			for s, rest, ok := readSpan(t.lists[j]); ok; s, rest, ok = readSpan(rest) {
				spans = append(spans, s)
			}
			for i, h := range hits {
				if h.Index == j {
					scores[i] += float32(t.weight * r.get(timesIn(spans, h.Text))[x.classes[h.Text]])
				}
			}
		}
	}
	for i, score := range scores {
		hits[i].Score = float64(score)
	}
}

// timesIn returns the number of occurrences in a text, from the spans of a term's list.
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
