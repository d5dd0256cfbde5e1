package recall

import (
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/relevance"
)

const (
	// pause is the time without messages after which the subject has probably changed,
	// in milliseconds.
	pause = 6 * 60 * 60 * 1000
	// maxChain is the maximum number of sessions, each continuing the one before, that
	// count as one conversation.
	maxChain = 32
)

// A chain is a series of sessions that continue each other. Its messages without a pause
// between them are one stretch, even across the end of a session.
type chain struct {
	talks  []*talk
	starts []int         // the first message of each talk, as an index in the chain
	ends   []int         // the end of each stretch
	member map[*talk]int // the number of a talk
	number int           // of the first stretch, among all of the Past
}

// A stretch is a series of messages without a pause.
type stretch struct {
	*chain
	from, to int
}

// standing returns the place of a message: its stretch, and its index in the chain. It
// returns false for fragments, which have none.
func (p *Past) standing(h relevance.Hit) (number, at int, ok bool) {
	f := &p.files[p.fileOf(h)]
	if isFragment(f.stamp.Name) {
		return 0, 0, false
	}
	c := p.chain(f.session)
	at = c.starts[c.member[p.talk(f.session)]] + p.place(h)
	for number = c.number; p.stretches[number].to <= at && number+1 < c.number+len(c.ends); number++ {
	}
	return number, at, true
}

// standingAt returns the message at a place of the chain of a stretch, if it is in the
// stretch.
func (p *Past) standingAt(number, at int) (relevance.Hit, bool) {
	s := p.stretches[number]
	if at < s.from || at >= s.to {
		return relevance.Hit{}, false
	}
	i := len(s.starts) - 1
	for s.starts[i] > at {
		i--
	}
	t := s.talks[i]
	return t.hit(t.spots[at-s.starts[i]].seq), true
}

// chain returns the chain of a session.
func (p *Past) chain(session string) *chain {
	if c := p.chains[session]; c != nil {
		return c
	}
	before, after := p.links()
	first := session
	for n := 1; n < maxChain && before[first] != "" && p.chains[before[first]] == nil; n++ {
		first = before[first]
	}
	if p.chains[session] == nil {
		p.join(first, after)
	}
	if p.chains[session] == nil { // it shares a session with another chain
		p.join(session, nil)
	}
	return p.chains[session]
}

// join makes a chain of a session and those that continue it.
func (p *Past) join(session string, after map[string]string) {
	c := &chain{member: map[*talk]int{}, number: len(p.stretches)}
	total, last := 0, int64(timeless)
	for n := 0; n < maxChain && p.chains[session] == nil; n++ {
		p.chains[session] = c
		t := p.talk(session)
		c.member[t] = len(c.talks)
		c.talks = append(c.talks, t)
		c.starts = append(c.starts, total)
		for i, s := range t.spots {
			if last != timeless && s.time > last+pause {
				c.ends = append(c.ends, total+i)
			}
			last = s.time
		}
		total += len(t.spots)
		next, ok := after[session]
		if !ok {
			break
		}
		session = next
	}
	c.ends = append(c.ends, total)
	from := 0
	for _, end := range c.ends {
		p.stretches = append(p.stretches, stretch{c, from, end})
		from = end
	}
}

// links returns which session each one continues, and the reverse, from the list of sessions.
// If the list cannot be read, both are empty.
func (p *Past) links() (before, after map[string]string) {
	if p.before != nil {
		return p.before, p.after
	}
	p.before, p.after = map[string]string{}, map[string]string{}
	src, err := p.tree.Read(fs.SessionIndex)
	if err != nil {
		return p.before, p.after
	}
	for line := range jsonedit.Lines(src) {
		var s struct {
			ID        string `json:"session_id"`
			Continues string `json:"continues"`
		}
		if jsonedit.Decode(line.Text, &s) != nil || s.Continues == "" || s.ID == "" {
			continue
		}
		p.before[s.ID] = s.Continues
		if p.after[s.Continues] == "" {
			p.after[s.Continues] = s.ID
		}
	}
	return p.before, p.after
}

// said returns the time of a message.
func (p *Past) said(h relevance.Hit) time.Time {
	if at := p.volumes[h.Index].time(h.Text); at != timeless {
		return time.UnixMilli(at).UTC()
	}
	return time.Time{}
}
