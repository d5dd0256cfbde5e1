package relevance

import "encoding/binary"

// windowSize is how many texts are scored together: so many that what it takes is
// near at hand for a processor.
const windowSize = 1 << 13

// A window is what a span says of the texts of one.
type window struct {
	once, more, times []byte
	often             uint8 // the most of times
}

// cut takes the window of the texts from at on off the span.
func (p *part) cut(at int) {
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

// texts is how many texts of the window have the term.
func (w *window) texts() int { return len(w.once)/2 + len(w.times) }

// below is how many of numbers in order are below another.
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

// add adds what a term contributes to the scores of its texts.
func (s *scoring) add(p *part, classes *[windowSize]uint8) {
	const mask = windowSize - 1
	room, row := &s.room, &p.row
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
		room[t] += float32(p.weight * s.of(times)[classes[t]])
	}
}

// addSome is add for those alone that were gathered.
func (s *scoring) addSome(p *part, classes *[windowSize]uint8) {
	for i := range s.some {
		c := &s.some[i]
		class := classes[c.text%windowSize]
		if _, ok := find16(p.window.once, c.text); ok {
			c.score += p.row[class]
		} else if at, ok := find16(p.window.more, c.text); ok {
			c.score += float32(p.weight * s.of(p.window.times[at])[class])
		}
	}
}

// find16 is where a number stands among numbers in order.
func find16(all []byte, n uint16) (at int, ok bool) {
	at = below(all, int(n))
	return at, 2*at < len(all) && binary.LittleEndian.Uint16(all[2*at:]) == n
}

// gather takes the scores of a term's texts out of the room, to s.some those that
// are at least so much. The window's texts are those from at on.
func (s *scoring) gather(p *part, at int, least float32) {
	for _, texts := range [...][]byte{p.window.once, p.window.more} {
		for ; len(texts) >= 2; texts = texts[2:] {
			text := binary.LittleEndian.Uint16(texts) % windowSize
			score := &s.room[text]
			if *score > 0 && *score >= least {
				s.some = append(s.some, candidate{uint16(at) + text, *score})
			}
			*score = 0
		}
	}
}
