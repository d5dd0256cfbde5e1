package recall

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/forgemind/forgemind/internal/relevance"
)

// Around returns the messages of a session next to the one at index at: those of the n places
// before and after it that exist, in order.
func (p *Past) Around(session string, at, n int) (found []Found, err error) {
	err = p.ask(func() (err error) {
		found, err = p.around(session, at, n)
		return err
	})
	return found, err
}

func (p *Past) around(session string, at, n int) ([]Found, error) {
	t := p.talk(session)
	r := p.reader()
	defer r.close()
	var found []Found
	for place := max(0, at-max(0, n)); place < len(t.spots) && place-at <= n; place++ {
		if place == at {
			continue
		}
		h := t.hit(t.spots[place].seq)
		f, ok, err := r.read(h, p.volumes[h.Index].entry(h.Text))
		if err != nil {
			return nil, err
		}
		if f.At = place; ok {
			found = append(found, f)
		}
	}
	return found, nil
}

// A talk holds the messages of a session in order of time, each once.
type talk struct {
	spots []spot
	runs  []run
}

// A spot is a message. Messages of the same time are in the order of the files, and then in
// that of their file.
type spot struct {
	time int64
	seq  int // index of the message among those of all runs
}

func (a spot) compare(b spot) int {
	return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.seq, b.seq))
}

// A run is a sequence of texts in a volume.
type run struct{ index, first, end, seq int }

// talk returns the messages of a session; those of fs.Messages have the session "".
func (p *Past) talk(session string) *talk {
	if t := p.talks[session]; t != nil {
		return t
	}
	t := &talk{}
	p.talks[session] = t
	seq := 0
	for _, f := range p.files {
		if f.session != session || isFragment(f.stamp.Name) {
			continue
		}
		for i, at := range f.parts {
			if at != absent {
				of := &p.volumes[i].parts[at]
				t.runs = append(t.runs, run{i, of.first, of.end, seq})
				seq += of.end - of.first
			}
		}
	}
	t.spots = make([]spot, 0, seq)
	seen := newKeys(seq)
	for _, r := range t.runs {
		v := p.volumes[r.index]
		for text := r.first; text < r.end; text++ {
			if e := v.entry(text); seen.add(e.key) {
				t.spots = append(t.spots, spot{e.time, r.seq + text - r.first})
			}
		}
	}
	t.spots = inTime(t.spots)
	return t
}

// inTime sorts spots that are given in the order of their numbers. It sorts digit by digit,
// because a session may have a hundred thousand.
func inTime(spots []spot) []spot {
	first, last, ordered := int64(math.MaxInt64), int64(math.MinInt64), true
	for _, s := range spots {
		ordered = ordered && s.time >= last
		first, last = min(first, s.time), max(last, s.time)
	}
	if ordered {
		return spots
	}
	sorted := make([]spot, len(spots))
	for shift := 0; uint64(last-first)>>shift > 0; shift += 11 {
		var ends [1<<11 + 1]int
		digit := func(s spot) int { return int(uint64(s.time-first) >> shift & (1<<11 - 1)) }
		for _, s := range spots {
			ends[digit(s)+1]++
		}
		for d := range 1 << 11 {
			ends[d+1] += ends[d]
		}
		for _, s := range spots {
			sorted[ends[digit(s)]] = s
			ends[digit(s)]++
		}
		spots, sorted = sorted, spots
	}
	return spots
}

// hit returns the message with a number among those of all runs.
func (t *talk) hit(seq int) relevance.Hit {
	for _, r := range t.runs {
		if text := r.first + seq - r.seq; text < r.end {
			return relevance.Hit{Index: r.index, Text: text}
		}
	}
	return relevance.Hit{} // unreachable
}

// place returns the place of a message in its session, or that of its copy there.
func (p *Past) place(h relevance.Hit) int {
	t := p.talk(p.files[p.fileOf(h)].session)
	for _, r := range t.runs {
		if r.index != h.Index || h.Text < r.first || h.Text >= r.end {
			continue
		}
		e := p.volumes[h.Index].entry(h.Text)
		at, found := slices.BinarySearchFunc(t.spots, spot{e.time, r.seq + h.Text - r.first}, spot.compare)
		for before := at - 1; !found && before >= 0 && t.spots[before].time == e.time; before-- {
			if o := t.hit(t.spots[before].seq); p.volumes[o.Index].entry(o.Text).key == e.key {
				return before
			}
		}
		return at
	}
	return 0 // unreachable
}

// keys is a set of keys. A map would use several times the memory.
type keys []key

// newKeys returns a set for the given number of keys.
func newKeys(n int) keys { return make(keys, 1<<bits.Len(uint(2*n))) }

// add adds a key and reports whether it was new. The key 0 means no key and is always
// new.
func (s keys) add(k key) bool {
	for i := int(k) & (len(s) - 1); ; i = (i + 1) & (len(s) - 1) {
		switch s[i] {
		case 0:
			s[i] = k
			return true
		case k:
			return false
		}
	}
}
