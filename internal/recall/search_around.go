package recall

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/forgemind/forgemind/internal/relevance"
)

// Around returns the messages of a session next to the one at place at: those of
// the n places before and after it that are there, in order.
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

// A talk is the messages of a session in order of time, each once.
type talk struct {
	spots []spot
	runs  []run
}

// A spot is a message. Among those of one time the order of the files decides,
// and then that in the file.
type spot struct {
	time int64
	seq  int // of the message among those of all runs
}

func (a spot) compare(b spot) int {
	return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.seq, b.seq))
}

// A run is texts of a volume that follow each other.
type run struct{ index, first, end, seq int }

// talk is the messages of a session; those of fs.Messages are of "".
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

// inTime sorts spots that come in the order of their numbers: digit by digit,
// for a session may have a hundred thousand.
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

// hit is the message of a number among those of all runs.
func (t *talk) hit(seq int) relevance.Hit {
	for _, r := range t.runs {
		if text := r.first + seq - r.seq; text < r.end {
			return relevance.Hit{Index: r.index, Text: text}
		}
	}
	return relevance.Hit{} // never
}

// place is the place of a message in its session, or that of the copy of it that
// stands there.
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
	return 0 // never
}

// keys is a set of keys, of which a map would take several times as long.
type keys []key

// newKeys is a set for so many keys.
func newKeys(n int) keys { return make(keys, 1<<bits.Len(uint(2*n))) }

// add says whether a key is new; one of 0, which is none, always is.
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
