package compact

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

const (
	weighty    = 0.9     // importance from which a message is in no cluster
	wordingMax = 4 << 10 // bytes of a message that are compared
	termsMost  = 64      // terms of a message that are compared
	commonest  = 40      // weight of a term that every message has: equal texts are similar, too
)

// A wording holds the terms of one message, those with the largest weight first.
type wording struct {
	at     int    // index in the messages
	source string // only texts of the same source are compared
	terms  []int
	weight int // of all its terms, including those beyond termsMost
}

// wordings holds the messages that may be in a cluster.
type wordings struct {
	texts     []wording
	frequency []int // texts by term
	weight    []int // by term
}

func readWordings(messages []schema.Message) *wordings {
	w := &wordings{}
	l := lexicon{numbers: map[string]int{}, known: map[string][]int{}}
	for i, m := range messages {
		if m.Kind == Decision || m.Kind == Summary || m.Importance != nil && *m.Importance >= weighty {
			continue
		}
		if terms := l.distinct(head(m.Content, wordingMax)); len(terms) > 0 {
			w.texts = append(w.texts, wording{at: i, source: source(m), terms: terms})
		}
	}
	w.frequency = l.frequency
	w.weigh()
	return w
}

// A lexicon numbers terms, and counts the texts that they are in.
type lexicon struct {
	numbers   map[string]int
	frequency []int // texts by term
	last      []int // the last of these texts, counted from 1
	texts     int
	known     map[string][]int // terms of words between spaces that occurred before
}

// distinct returns the terms of a text, each once.
func (l *lexicon) distinct(text string) (terms []int) {
	l.texts++
	for field := range strings.FieldsSeq(text) {
		all, ok := l.known[field]
		if !ok {
			for _, term := range relevance.Terms(field) {
				all = append(all, l.number(term))
			}
			l.known[field] = all
		}
		for _, n := range all {
			if l.last[n] != l.texts {
				l.last[n] = l.texts
				l.frequency[n]++
				terms = append(terms, n)
			}
		}
	}
	return terms
}

func (l *lexicon) number(term string) int {
	n, ok := l.numbers[term]
	if !ok {
		n = len(l.numbers)
		l.numbers[term] = n
		l.frequency, l.last = append(l.frequency, 0), append(l.last, 0)
	}
	return n
}

// source returns the origin of a message for clusters: a tool, or the speakers
// together.
func source(m schema.Message) string {
	if m.Role == "tool" || m.Kind == ToolOutput || m.ToolName != "" {
		return "tool " + m.ToolName
	}
	return ""
}

// weigh sets the weights of terms by their rarity, in integers, whose sums do not depend on
// an order. A term of a single text, which matches nothing, counts half: many of these are
// figures and ids.
func (w *wordings) weigh() {
	w.weight = make([]int, len(w.frequency))
	all := float64(len(w.texts))
	for term, texts := range w.frequency {
		w.weight[term] = max(commonest, int(math.Round(100*math.Log((1+all)/float64(max(2, texts))))))
		if texts == 1 {
			w.weight[term] = (w.weight[term] + 1) / 2
		}
	}
	for i := range w.texts {
		t := &w.texts[i]
		for _, term := range t.terms {
			t.weight += w.weight[term]
		}
		t.terms = slices.DeleteFunc(t.terms, func(term int) bool { return w.frequency[term] == 1 })
		slices.SortStableFunc(t.terms, func(a, b int) int { return cmp.Compare(w.weight[b], w.weight[a]) })
		t.terms = t.terms[:min(len(t.terms), termsMost)]
	}
}
