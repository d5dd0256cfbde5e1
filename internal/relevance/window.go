package relevance

import "encoding/binary"

// windowSize is the number of texts that are scored together: their scores fit into
// the cache of a processor.
const windowSize = 1 << 13

// A window is the part of a span for the texts of one window.
type window struct {
	once, more, times []byte
	often             uint8 // the highest of times, at least 1
}

// nextWindow moves the texts of the window that begins at at from the span to
// p.window.
func (p *cursor) nextWindow(at int) {
	w := &p.window
	n := 2 * below(p.once, at+windowSize)
	w.once, p.once = p.once[:n], p.once[n:]
	n = below(p.more, at+windowSize)
	w.more, p.more = p.more[:2*n], p.more[2*n:]
	w.times, p.times = p.times[:n], p.times[n:]
	w.often = 1
	for _, times := range w.times {
		w.often = max(w.often, times)
	}
}

// texts returns the number of texts of the window that have the term.
func (w *window) texts() int { return len(w.once)/2 + len(w.times) }

// below returns how many of the sorted 16-bit numbers are less than limit.
func below(all []byte, limit int) int {
	from, to := 0, len(all)/2
	for from < to {
		middle := int(uint(from+to) / 2)
		if int(binary.LittleEndian.Uint16(all[2*middle:])) < limit {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from
}

// add adds the score of a term to all texts of the window that have it.
func (s *topSearch) add(p *cursor, classes *[windowSize]uint8) {
	const mask = windowSize - 1
	room, row := &s.scores, &p.row
	once := p.window.once
	for ; len(once) >= 8; once = once[8:] {
		four := binary.LittleEndian.Uint64(once)
		t0, t1, t2, t3 := four&mask, four>>16&mask, four>>32&mask, four>>48&mask
		room[t0] += row[classes[t0]]
		room[t1] += row[classes[t1]]
		room[t2] += row[classes[t2]]
		room[t3] += row[classes[t3]]
	}
	for ; len(once) >= 2; once = once[2:] {
		t := binary.LittleEndian.Uint16(once) & mask
		room[t] += row[classes[t]]
	}
	for i, times := range p.window.times {
		t := binary.LittleEndian.Uint16(p.window.more[2*i:]) & mask
		room[t] += float32(p.weight * s.get(times)[classes[t]])
	}
}

// addToCandidates adds the score of a term to the candidates that have it.
func (s *topSearch) addToCandidates(p *cursor, classes *[windowSize]uint8) {
	for i := range s.candidates {
		c := &s.candidates[i]
		class := classes[c.text%windowSize]
		if _, ok := find16(p.window.once, c.text); ok {
			c.score += p.row[class]
		} else if at, ok := find16(p.window.more, c.text); ok {
			c.score += float32(p.weight * s.get(p.window.times[at])[class])
		}
	}
}

// find16 returns the index of n in the sorted 16-bit numbers.
func find16(all []byte, n uint16) (at int, ok bool) {
	at = below(all, int(n))
	return at, 2*at < len(all) && binary.LittleEndian.Uint16(all[2*at:]) == n
}

// gather resets the scores of a term's texts in the window that begins at at, and adds
// those of at least least to the candidates.
func (s *topSearch) gather(p *cursor, at int, least float32) {
	for _, texts := range [...][]byte{p.window.once, p.window.more} {
		for ; len(texts) >= 2; texts = texts[2:] {
			text := binary.LittleEndian.Uint16(texts) % windowSize
			score := &s.scores[text]
			if *score > 0 && *score >= least {
				s.candidates = append(s.candidates, candidate{uint16(at) + text, *score})
			}
			*score = 0
		}
	}
}
