package recall

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// A Query is what is searched for. What it leaves empty it does not ask for.
type Query struct {
	Words  string
	Type   string          // only fragments of this type
	Tag    string          // only fragments with it, and messages of sessions with it
	Entity string          // only fragments that name it, and messages that mention it
	Limit  int             // 0: all
	Not    map[string]bool // ids of messages to leave out
}

// A Found is a message or a fragment that a Query found.
type Found struct {
	Session  string // whose folder the message stands in, "" in fs.Messages; or the one that the fragment was made of
	Name     string // of the file
	At       int    // the message's place in its session: archive and window in order of time, from 0
	Message  *schema.Message
	Fragment *Fragment
	Score    float64 // higher is better
	Beside   bool    // it has none of the words: it stands beside a message that has
}

// Search returns what answers a query best, the best first; equal ones in the
// order of time. Without words it is what the rest of the query admits, the
// newest first. It uses an index below `.local/index/`, which it makes where it
// is missing or stale; where none can be written it searches without one.
func Search(tree *fs.Tree, q Query) ([]Found, error) {
	p, err := Open(tree)
	if err != nil {
		return nil, err
	}
	return p.Search(q)
}

// Search is the function Search. A message that stands in several places is
// found once, and so is one that stands beside such an answer: that of a question
// seldom repeats its words. Summaries of messages are not found, and a long message that was
// split is found by its parts.
func (p *Past) Search(q Query) (found []Found, err error) {
	err = p.ask(func() (err error) {
		found, err = p.search(q)
		return err
	})
	return found, err
}

// search reads what the best hits lead to until there is enough of it. It looks at
// more of them than are wanted, and at all where those are not enough.
func (p *Past) search(q Query) ([]Found, error) {
	most := 0
	if q.Limit > 0 {
		most = 256 + 4*q.Limit
	}
	hits := p.hits(q, most)
	found, err := p.take(q, hits)
	if err == nil && most > 0 && len(hits) >= most && len(found) < q.Limit {
		found, err = p.take(q, p.hits(q, 0))
	}
	return found, err
}

// take reads what hits lead to.
func (p *Past) take(q Query, hits []relevance.Hit) ([]Found, error) {
	found := []Found{}
	seen := map[key]bool{}
	r := p.reader()
	defer r.close()
	for h := range p.ranked(q, hits) {
		if q.Limit > 0 && len(found) == q.Limit {
			break
		}
		e := p.volumes[h.Index].entry(h.Text)
		if seen[e.key] || !p.admits(q, h) {
			continue
		}
		f, ok, err := r.read(h, e)
		if err != nil {
			return nil, err
		}
		if ok && f.answers(q) {
			seen[e.key] = true
			f.Score, f.Beside = h.Score, h.Beside
			if f.Message != nil {
				f.At = p.place(h)
			}
			found = append(found, f)
		}
	}
	return found, nil
}

// ranked yields what hits of a query lead to, the best first; without words the
// newest first.
func (p *Past) ranked(q Query, hits []relevance.Hit) iter.Seq[relevance.Hit] {
	if q.Words == "" {
		return relevance.InOrder(hits, p.newest)
	}
	by := relevance.Order{Place: p.standing, At: p.standingAt, Time: p.said, Less: p.earlier}
	return relevance.Rank(q.Words, hits, by, p.volumes[kept].words, p.volumes[loose].words)
}

// hits are the texts that have words of a query, all where it has none; of those
// the ones that may mention its entity. Where most is not 0 the best of them will
// do, so many.
func (p *Past) hits(q Query, most int) (hits []relevance.Hit) {
	if q.Words != "" {
		if q.Entity != "" {
			most = 0 // the best may not mention it
		}
		hits = relevance.Best(most, q.Words, p.volumes[kept].words, p.volumes[loose].words)
	}
	name := relevance.NewName(q.Entity)
	var may [2][]bool
	for i, v := range p.volumes {
		take := func(text int) { hits = append(hits, relevance.Hit{Index: i, Text: text}) }
		switch {
		case q.Words != "" && q.Entity != "":
			may[i] = make([]bool, v.texts())
			name.Candidates(v.words, func(text int) { may[i][text] = true })
		case q.Entity != "":
			name.Candidates(v.words, take)
		case q.Words == "":
			v.words.All(take)
		}
	}
	if q.Words != "" && q.Entity != "" {
		hits = slices.DeleteFunc(hits, func(h relevance.Hit) bool { return !may[h.Index][h.Text] })
	}
	return hits
}

// earlier is the order of texts in time. Of the copies of a message the one comes
// first that a talk has.
func (p *Past) earlier(a, b relevance.Hit) int {
	return cmp.Or(
		cmp.Compare(p.volumes[a.Index].time(a.Text), p.volumes[b.Index].time(b.Text)),
		cmp.Compare(p.fileOf(a), p.fileOf(b)), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Text, b.Text),
	)
}

// newest is the order of texts, the newest first.
func (p *Past) newest(a, b relevance.Hit) int {
	return cmp.Or(cmp.Compare(p.volumes[b.Index].time(b.Text), p.volumes[a.Index].time(a.Text)), p.earlier(a, b))
}

// fileOf says in which of p.files a hit is.
func (p *Past) fileOf(h relevance.Hit) int {
	return p.owners[h.Index][p.volumes[h.Index].partOf(h.Text)]
}

// admits says whether a query asks for what is in the file of a hit, as far as
// that can be told without reading it.
func (p *Past) admits(q Query, h relevance.Hit) bool {
	f := &p.files[p.fileOf(h)]
	return isFragment(f.stamp.Name) || q.Type == "" && (q.Tag == "" || f.session != "" && has(p.tagsOf(f.session), q.Tag))
}

// tagsOf is the tags of a session.
func (p *Past) tagsOf(session string) []string {
	tags, known := p.tags[session]
	if !known {
		var about struct {
			Tags []string `json:"tags"`
		}
		if src, err := p.tree.Read(fs.Sessions + "/" + session + "/metadata.json"); err == nil && jsonedit.Decode(src, &about) == nil {
			tags = about.Tags
		}
		p.tags[session] = tags
	}
	return tags
}

// answers says whether a query asks for what was read.
func (f *Found) answers(q Query) bool {
	if m := f.Message; m != nil {
		return !q.Not[m.ID] && (q.Entity == "" || relevance.NewName(q.Entity).In(m.Content))
	}
	g := f.Fragment
	return (q.Type == "" || g.Type == q.Type) && (q.Tag == "" || has(g.Tags, q.Tag)) && (q.Entity == "" || has(g.Entities, q.Entity))
}

// has says whether a list has a text, whatever its case.
func has(list []string, text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	return slices.ContainsFunc(list, func(one string) bool { return strings.ToLower(strings.TrimSpace(one)) == text })
}
