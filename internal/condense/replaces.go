package condense

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/relevance"
)

// A Document is the text of a decision, of a line or of pages.
type Document struct {
	ID   string
	Text string
}

// A Replacement is a document that a newer one may replace, with a score: about 0.5 for two
// documents on the same subject, above 1 if one of them says so.
type Replacement struct {
	ID    string
	Score float64
}

// The shares of a score, and values added to it.
const (
	shareOfTitle = 0.5
	shareOfText  = 0.5
	namedAsOld   = 1.0 // the newer document names the older one as replaced, or the other way round
	titleQuoted  = 0.8
	markedAsOld  = 0.1 // the older document says that it is no longer in force
)

// leastReplaced is the least score of a document that may be replaced.
const leastReplaced = 0.12

var (
	titleMark   = lazyregexp.New(`^(?:#{1,6}\s+|title\s*:\s*)?(?:(?:adr|rfc|pep|kep|dec|decision(?: record)?)[\s#:-]*)?0*(\d{1,5})?[\s.:–—-]*`)
	replacesDoc = lazyregexp.New(`\b(?:supersed(?:es|ing)|replac(?:es|ing)|obsoletes|overrid(?:es|ing)|overturns|revises|ersetzt|löst)\b[*_: \t]*([^\n]{0,160})|取代([^\n]{0,160})`)
	replacedDoc = lazyregexp.New(`\b(?:superseded|replaced|obsoleted|deprecated in favou?r of)(?: by)?\b[*_: \t]*([^\n]{0,160})|ersetzt durch([^\n]{0,160})`)
	oldStatus   = lazyregexp.New(`(?m)^[\s*_#>|-]*status\b[*_\s:|]*\s*(?:\n\s*)*[*_]*(?:superseded|deprecated|replaced|obsolete|historical|withdrawn)\b`)
	number      = lazyregexp.New(`\d{1,5}`)
)

// A compared is a Document in a form for comparisons.
type compared struct {
	id, low, title string
	number         string // of the document, such as "12" in "# 12. Use Go"; "" for none
	titled, terms  map[string]float64
	size, titleBig float64 // lengths of the vectors
}

// Replaces returns the documents that a newer one may replace, best first, at most most. It
// compares titles, whole texts and statements about one another. Their order and distance do
// not count.
func Replaces(newer Document, older []Document, most int) []Replacement {
	all := make([]*compared, 0, len(older)+1)
	for _, d := range older {
		all = append(all, read(d))
	}
	n := read(newer)
	weigh(append(all, n))
	var found []Replacement
	for _, o := range all {
		if score := n.replaces(o); o.id != n.id && score >= leastReplaced {
			found = append(found, Replacement{o.id, score})
		}
	}
	slices.SortStableFunc(found, func(a, b Replacement) int { return cmp.Compare(b.Score, a.Score) })
	return found[:min(len(found), most)]
}

// read returns a document in a form for comparisons, without weights.
func read(d Document) *compared {
	text := d.Text[:min(len(d.Text), longRead)]
	c := &compared{id: d.ID, low: strings.ToLower(text), titled: map[string]float64{}, terms: map[string]float64{}}
	for line := range strings.Lines(c.low) {
		if line = strings.TrimSpace(line); line != "" && line != "---" {
			m := titleMark.FindStringSubmatch(line)
			c.number, c.title = m[1], strings.Trim(line[len(m[0]):], " #*_.")
			break
		}
	}
	for _, t := range relevance.Terms(c.title) {
		c.titled[t]++
	}
	for _, t := range relevance.Terms(text) {
		c.terms[t]++
	}
	return c
}

// weigh multiplies the terms of documents by their rarity among the documents.
func weigh(all []*compared) {
	in := map[string]int{}
	for _, c := range all {
		for t := range c.terms {
			in[t]++
		}
	}
	for _, c := range all {
		for _, vector := range []map[string]float64{c.terms, c.titled} {
			for t, n := range vector {
				vector[t] = math.Sqrt(n) * math.Log(1+float64(len(all))/float64(max(1, in[t])))
			}
		}
		c.size, c.titleBig = length(c.terms), length(c.titled)
	}
}

// length returns the length of a vector. It adds in the order of the terms, so that the sum is the
// same for each call.
func length(vector map[string]float64) float64 {
	sum := 0.0
	for _, t := range slices.Sorted(maps.Keys(vector)) {
		sum += vector[t] * vector[t]
	}
	return math.Sqrt(sum)
}

// cosine returns the similarity of two vectors of known lengths, a ratio.
func cosine(a, b map[string]float64, sizes float64) float64 {
	if sizes == 0 {
		return 0
	}
	sum := 0.0
	for _, t := range slices.Sorted(maps.Keys(a)) {
		sum += a[t] * b[t]
	}
	return sum / sizes
}

// replaces returns the score of the statement that n replaces o.
func (n *compared) replaces(o *compared) float64 {
	score := shareOfTitle*cosine(n.titled, o.titled, n.titleBig*o.titleBig) + shareOfText*cosine(n.terms, o.terms, n.size*o.size)
	switch {
	case saysOf(replacesDoc, n.low, o) || saysOf(replacedDoc, o.low, n):
		score += namedAsOld
	case len(o.titled) > 1 && len(o.title) > 12 && strings.Contains(n.low, o.title):
		score += titleQuoted * score
	}
	if oldStatus.MatchString(o.low) {
		score += markedAsOld
	}
	return score
}

// saysOf reports whether a statement in a text names a document: its id, its number or its
// title.
func saysOf(statement *lazyregexp.Regexp, low string, d *compared) bool {
	for _, m := range statement.FindAllStringSubmatch(low, mostSupersedes) {
		said := strings.Join(m[1:], " ")
		if len(d.id) > 3 && strings.Contains(said, strings.ToLower(d.id)) || len(d.title) > 5 && strings.Contains(said, d.title) {
			return true
		}
		for _, n := range number.FindAllString(said, -1) {
			if d.number != "" && strings.TrimLeft(n, "0") == strings.TrimLeft(d.number, "0") {
				return true
			}
		}
	}
	return false
}
