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
	gatheredMost = 200 // tokens of what stands for a cluster
	namedMost    = 8   // members that it names
	quotedMost   = 3   // sentences that it quotes
	quotedLength = 240 // bytes of one
)

// Gather is the message that stands for a cluster: kind summary, role system,
// extractive, at most 200 tokens by count. Its id derives from its members, its
// time is that of the last, it matters as much as the one that matters most, and
// its metadata names them all under `cluster` ({"members": [ids]}).
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

// gathered names the members and quotes of them what there is room for.
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
			if q != "" && !strings.ContainsAny(q[len(q)-1:], ".!?:") { // where it does not end, it would run into the next
				before = "; "
			}
		}
	}
	return text
}

// A quote is a sentence that a member says.
type quote struct {
	member int
	text   string
	terms  []int
}

// central is what is most like all that the members say, in up to quotedMost of
// their sentences, and what the last of them says, in the order in which they
// stand there.
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
			shared[term] = 0 // it is said
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

// weightiest is the first quote of those whose terms most members share; -1 if
// none has any that two do.
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

// quotesOf is the sentences of the members, of each the first few; all of its
// text where it has none.
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
