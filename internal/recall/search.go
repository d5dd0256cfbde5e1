package recall

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// A Query selects texts. Empty members select everything.
type Query struct {
	Words  string
	Type   string          // only fragments of this type
	Tag    string          // only fragments with this tag, and messages of sessions with it
	Entity string          // only fragments that name it, and messages that mention it
	Limit  int             // 0: all
	Not    map[string]bool // ids of messages to leave out
	Of     Kind            // only texts of this kind; "" is both
	Since  time.Time       // only texts of that time or later; texts without a time are left out
}

// A Kind is a kind of text that a Query searches.
type Kind string

// The kinds of texts.
const (
	Messages Kind = "message"
	Notes    Kind = "fragment"
)

// A Found is a message or a fragment that a Query found.
type Found struct {
	Session  string // the session of the message's folder, "" for fs.Messages; or the one that the fragment was made from
	Name     string // of the file
	At       int    // the message's index in its session: archive and window in order of time, from 0
	Message  *schema.Message
	Fragment *Fragment
	Score    float64 // higher is better
	Beside   bool    // it has none of the words, but is next to a message that has
}

// Search returns the texts that answer a query, the best first; equal ones in the order of
// time. Without words, it returns all texts that the rest of the query selects, the newest
// first. It uses an index below `.local/index/`, and makes it if it is missing or outdated.
// If the index cannot be written, Search works without one.
func Search(tree *fs.Tree, q Query) ([]Found, error) {
	p, err := Open(tree)
	if err != nil {
		return nil, err
	}
	return p.Search(q)
}

// Search is the function Search. A message at several places is found once, and so is a
// message next to a found one: the answer to a question rarely repeats its words. Summaries
// of messages are not found, and a long message that was split is found by its parts.
func (p *Past) Search(q Query) (found []Found, err error) {
	err = p.ask(func() (err error) {
		found, err = p.search(q)
		return err
	})
	return found, err
}

// search reads the texts of the best hits until it has enough. It requests more hits than are
// wanted, and then all if those are not enough.
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

// take reads the texts of hits.
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

// ranked yields the hits of a query and their neighbors, the best first; without words, the
// newest first.
func (p *Past) ranked(q Query, hits []relevance.Hit) iter.Seq[relevance.Hit] {
	if q.Words == "" {
		return relevance.InOrder(hits, p.newest)
	}
	by := relevance.Order{Place: p.standing, At: p.standingAt, Time: p.said, Less: p.earlier}
	return relevance.Rank(q.Words, hits, by, p.volumes[kept].words, p.volumes[loose].words)
}

// hits returns the texts that contain words of a query, or all texts if it has none,
// reduced to those that may mention its entity. If most is not 0, only the best ones
// are needed, at most that number.
func (p *Past) hits(q Query, most int) (hits []relevance.Hit) {
	if q.Words != "" {
		if q.Entity != "" {
			most = 0 // the best hits may not mention the entity
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

// earlier compares texts by time. Of the copies of a message, the one of a session comes
// first.
func (p *Past) earlier(a, b relevance.Hit) int {
	return cmp.Or(
		cmp.Compare(p.volumes[a.Index].time(a.Text), p.volumes[b.Index].time(b.Text)),
		cmp.Compare(p.fileOf(a), p.fileOf(b)), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Text, b.Text),
	)
}

// newest compares texts, the newest first.
func (p *Past) newest(a, b relevance.Hit) int {
	return cmp.Or(cmp.Compare(p.volumes[b.Index].time(b.Text), p.volumes[a.Index].time(a.Text)), p.earlier(a, b))
}

// fileOf returns the index in p.files of a hit.
func (p *Past) fileOf(h relevance.Hit) int {
	return p.owners[h.Index][p.volumes[h.Index].partOf(h.Text)]
}

// admits reports whether a query may match the file of a hit, without reading the file.
func (p *Past) admits(q Query, h relevance.Hit) bool {
	f := &p.files[p.fileOf(h)]
	switch {
	case q.Of != "" && (q.Of == Notes) != isFragment(f.stamp.Name):
		return false
	case !q.Since.IsZero() && p.volumes[h.Index].time(h.Text) < q.Since.UnixMilli():
		return false
	}
	return isFragment(f.stamp.Name) || q.Type == "" && (q.Tag == "" || f.session != "" && has(p.tagsOf(f.session), q.Tag))
}

// tagsOf returns the tags of a session.
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

// answers reports whether a query matches the text that was read.
func (f *Found) answers(q Query) bool {
	if m := f.Message; m != nil {
		return !q.Not[m.ID] && (q.Entity == "" || relevance.NewName(q.Entity).In(m.Content))
	}
	g := f.Fragment
	return (q.Type == "" || g.Type == q.Type) && (q.Tag == "" || has(g.Tags, q.Tag)) && (q.Entity == "" || has(g.Entities, q.Entity))
}

// has reports whether a list contains a text, ignoring case.
func has(list []string, text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	return slices.ContainsFunc(list, func(one string) bool { return strings.ToLower(strings.TrimSpace(one)) == text })
}
