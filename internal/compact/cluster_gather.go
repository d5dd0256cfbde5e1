package compact

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

const (
	gatheredMost = 200 // tokens of the message for a cluster
	namedMost    = 8   // members that it names
	quotedMost   = 3   // sentences that it quotes
	quotedLength = 240 // bytes of one
)

// Gather returns the message that replaces a cluster: kind summary, role system, at
// most 200 tokens by count, with sentences of the members. Its id is derived from its
// members, its time is that of the last one, its importance is the highest of theirs,
// and its metadata lists them under `cluster` ({"members": [ids]}).
func Gather(members []schema.Message, count func(string) int, counter string) schema.Message {
	m := schema.Message{Agent: "forgemind", Role: "system", Kind: Summary, Counter: counter}
	ids := make([]string, len(members))
	for i, member := range members {
		ids[i] = member.ID
		m.Timestamp = cmp.Or(member.Timestamp, m.Timestamp)
		if member.Importance != nil && (m.Importance == nil || *member.Importance > *m.Importance) {
			m.Importance = new(*member.Importance)
		}
		if i == 0 {
			m.Session = member.Session
		} else if m.Session != member.Session {
			m.Session = ""
		}
	}
	m.ID = schema.DerivedID("msg-", []byte(strings.Join(ids, "\n")))
	m.Metadata, _ = json.Marshal(map[string]any{"cluster": map[string]any{"members": ids}}) // strings: cannot fail
	m.Content = gathered(ids, central(members), count)
	m.Tokens = schema.Int(count(m.Content))
	return m
}

// gathered returns a text that names the members and quotes as much of them as has room.
func gathered(ids, quotes []string, count func(string) int) string {
	text := ""
	for named := min(len(ids), namedMost); ; named-- {
		text = fmt.Sprintf("%d similar messages", len(ids))
		if named > 0 {
			text += " (" + oneLine(strings.Join(ids[:named], ", "), 400)
			if named < len(ids) {
				text += fmt.Sprintf(" and %d more", len(ids)-named)
			}
			text += ")"
		}
		if named == 0 || count(text) <= gatheredMost/2 {
			break
		}
	}
	before := ": "
	for _, q := range quotes {
		if longer := text + before + q; count(longer) <= gatheredMost {
			text, before = longer, " "
			if q != "" && !strings.ContainsAny(q[len(q)-1:], ".!?:") { // so that it does not run into the next sentence
				before = "; "
			}
		}
	}
	return text
}

// A quote is a sentence of a member.
type quote struct {
	member int
	text   string
	terms  []int
}

// central returns the sentences that are most similar to all members, at most
// quotedMost, and one of the last member, in their order.
func central(members []schema.Message) (said []string) {
	l := lexicon{numbers: map[string]int{}, known: map[string][]int{}}
	for _, m := range members {
		l.distinct(head(m.Content, wordingMax))
	}
	shared := slices.Clone(l.frequency) // members by term
	quotes := quotesOf(members, &l)
	if len(quotes) == 0 {
		return nil
	}
	last, first := len(members)-1, 0
	for first < len(quotes) && quotes[first].member != last {
		first++
	}
	final := first + max(0, weightiest(quotes[first:], shared))
	var chosen []int
	for range quotedMost {
		best := weightiest(quotes, shared)
		if best < 0 {
			break
		}
		chosen = append(chosen, best)
		for _, term := range quotes[best].terms {
			shared[term] = 0 // the term is covered
		}
	}
	if !slices.ContainsFunc(chosen, func(i int) bool { return quotes[i].member == last }) {
		chosen = append(chosen, final)
	}
	slices.Sort(chosen)
	for _, i := range chosen {
		if text := quotes[i].text; text != "" && !slices.Contains(said, text) {
			said = append(said, text)
		}
	}
	return said
}

// weightiest returns the index of the first quote whose terms most members share, -1 if
// no two members share a term.
func weightiest(quotes []quote, shared []int) int {
	best, most := -1, 0.0
	for i, q := range quotes {
		sum := 0
		for _, term := range q.terms {
			if shared[term] > 1 {
				sum += shared[term] * shared[term]
			}
		}
		if worth := float64(sum) / float64(len(q.terms)+4); worth > most {
			best, most = i, worth
		}
	}
	return best
}

// quotesOf returns the first few sentences of each member, or its whole text if it has
// no sentences.
func quotesOf(members []schema.Message, l *lexicon) (quotes []quote) {
	for i, m := range members {
		text := head(m.Content, wordingMax)
		said := sentences(text)
		if len(said) == 0 {
			said = []string{text}
		}
		for _, s := range said[:min(len(said), 20)] {
			quotes = append(quotes, quote{i, oneLine(s, quotedLength), l.distinct(s)})
		}
	}
	return quotes
}
