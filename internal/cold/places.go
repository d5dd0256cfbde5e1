package cold

import (
	"cmp"
	"path"
	"slices"
	"time"

	"github.com/forgemind/forgemind/internal/relevance"
)

// Distances between chunks of a session that were not adjacent in it.
const (
	farLines = 16 // distance of a gap of so many lines or more
	farFiles = 16 // distance between the chunks of two compactions
)

// places holds the positions of the chunks of several shelves in their sessions.
type places struct {
	all      []chunkFile
	sessions []int            // of each shelf
	stood    []*sessionPlaces // of each session; nil until it is needed
	byName   map[string]int
}

// sessionPlaces holds the positions of the chunks of one session.
type sessionPlaces struct {
	runs []run       // sorted by position
	of   map[int]int // number of the run of a shelf
}

// A run holds the chunks of one shelf in the order of the conversation, with their positions.
type run struct {
	shelf  int
	chunks []int32
	at     []int32
	order  []int32 // index in chunks of each chunk
}

func newPlaces(all []chunkFile) *places {
	p := &places{all: all, byName: map[string]int{}}
	for _, s := range all {
		session := path.Base(path.Dir(s.name))
		n, known := p.byName[session]
		if !known {
			n = len(p.byName)
			p.byName[session] = n
		}
		p.sessions = append(p.sessions, n)
	}
	p.stood = make([]*sessionPlaces, len(p.byName))
	return p
}

// order returns the positions in the form that relevance needs.
func (p *places) order() relevance.Order {
	return relevance.Order{
		Place: p.place, At: p.at,
		Time: func(h relevance.Hit) time.Time {
			if ms := p.all[h.Index].entry(h.Text).time; ms != timeless {
				return time.UnixMilli(ms).UTC()
			}
			return time.Time{}
		},
		Less: func(a, b relevance.Hit) int {
			return cmp.Or(cmp.Compare(p.all[a.Index].entry(a.Text).time, p.all[b.Index].entry(b.Text).time),
				cmp.Compare(a.Index, b.Index), cmp.Compare(a.Text, b.Text))
		},
	}
}

func (p *places) place(h relevance.Hit) (session, at int, ok bool) {
	session = p.sessions[h.Index]
	s := p.session(session)
	r := &s.runs[s.of[h.Index]]
	return session, int(r.at[r.order[h.Text]]), true
}

func (p *places) at(session, at int) (relevance.Hit, bool) {
	for _, r := range p.session(session).runs {
		if n := len(r.at); n > 0 && at <= int(r.at[n-1]) {
			i, ok := slices.BinarySearch(r.at, int32(at))
			if !ok {
				return relevance.Hit{}, false
			}
			return relevance.Hit{Index: r.shelf, Text: int(r.chunks[i])}, true
		}
	}
	return relevance.Hit{}, false
}

// session returns the positions of a session's chunks. Compactions are sorted by the time of their
// first chunk. Within one, chunks are sorted by line and passage, with a gap for the lines that the
// conversation kept.
func (p *places) session(n int) *sessionPlaces {
	if p.stood[n] != nil {
		return p.stood[n]
	}
	s := &sessionPlaces{of: map[int]int{}}
	for i := range p.all {
		if p.sessions[i] == n {
			s.runs = append(s.runs, p.run(i))
		}
	}
	first := func(r run) int64 {
		if len(r.chunks) == 0 {
			return timeless
		}
		return p.all[r.shelf].entry(int(r.chunks[0])).time
	}
	slices.SortStableFunc(s.runs, func(a, b run) int { return cmp.Compare(first(a), first(b)) })
	at := int32(0)
	for i := range s.runs {
		r := &s.runs[i]
		s.of[r.shelf] = i
		for j := range r.at {
			r.at[j] += at
		}
		if n := len(r.at); n > 0 {
			at = r.at[n-1] + farFiles
		}
	}
	p.stood[n] = s
	return s
}

// run returns the chunks of a shelf with positions that begin at 0.
func (p *places) run(shelf int) run {
	x := p.all[shelf].index
	r := run{shelf: shelf, chunks: make([]int32, x.chunks()), at: make([]int32, x.chunks()), order: make([]int32, x.chunks())}
	inOrder := true
	for i := range r.chunks {
		r.chunks[i] = int32(i)
		inOrder = inOrder && (i == 0 || x.before(i-1, i) <= 0)
	}
	if !inOrder {
		slices.SortStableFunc(r.chunks, func(a, b int32) int { return x.before(int(a), int(b)) })
	}
	at := int32(0)
	for i, chunk := range r.chunks {
		if i > 0 {
			at += x.gap(int(r.chunks[i-1]), int(chunk))
		}
		r.at[i], r.order[chunk] = at, int32(i)
	}
	return r
}

// gap returns the distance between two chunks.
func (x *index) gap(one, other int) int32 {
	a, b := x.entry(one), x.entry(other)
	switch {
	case a.line == b.line && a.part == b.part: // the positions are unknown
		return farLines
	case a.line == b.line:
		return 1
	}
	return int32(min(b.line-a.line, farLines))
}

// before compares two chunks by their order in the conversation.
func (x *index) before(a, b int) int {
	one, other := x.entry(a), x.entry(b)
	return cmp.Or(cmp.Compare(one.line, other.line), cmp.Compare(one.part, other.part))
}
