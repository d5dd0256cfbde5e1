package condense

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/relevance"
)

// chatter lists stems that occur in every discussion.
var chatter = strings.Fields(`yeah okay ok like think know get go see say want need look mean thing kind sort one two lot really
	actual actually just right well good great sure sorry thank thanks yep hmm um uh maybe guess let make us also much way bit
	come tell talk hello hi probabl basic nice cool fine stuff someth anyth everyth gonna wanna would could should put
	use even still might alreadi pretti time now first work question idea point fact bad big littl sound seem start`)

// weigh computes the weight of each term. Terms that several messages and people use weigh more;
// terms in every second sentence weigh nothing.
func (d *discussion) weigh() {
	said := map[string]map[int]bool{}
	by := map[string]map[string]bool{}
	for _, s := range d.sentences {
		for _, t := range s.terms {
			if said[t] == nil {
				said[t], by[t] = map[int]bool{}, map[string]bool{}
			}
			said[t][s.at] = true
			by[t][s.who] = true
		}
	}
	d.weights = make(map[string]float64, len(said))
	total := float64(max(1, len(d.messages)))
	for t, at := range said {
		n := float64(len(at))
		d.weights[t] = math.Log2(1+n) * math.Log2(1+float64(min(3, len(by[t])))) * math.Log2(1+total/n)
	}
	for _, t := range chatter {
		delete(d.weights, t)
	}
	d.heart = map[string]bool{}
	for i, t := range d.central(12) {
		d.heart[t] = true
		if i < 6 {
			d.much += d.weights[t]
		}
	}
	d.about = map[string]bool{}
	for _, t := range relevance.Terms(d.o.Topic) {
		if d.weights[t] > 0 {
			d.about[t] = true
		}
	}
	if len(d.about) == 0 {
		d.about = d.heart
	}
}

// central returns the terms with the largest weights, letters before numbers.
func (d *discussion) central(most int) []string {
	terms := make([]string, 0, len(d.weights))
	for t := range d.weights {
		if len(t) > 1 && strings.Trim(t, "0123456789.,") != "" {
			terms = append(terms, t)
		}
	}
	slices.SortFunc(terms, func(a, b string) int {
		return cmp.Or(cmp.Compare(d.weights[b], d.weights[a]), strings.Compare(a, b))
	})
	return terms[:min(len(terms), most)]
}

// fit returns how much of the topic and the central terms s covers, a ratio.
func (d *discussion) fit(s sentence) float64 {
	return min(1, 1.2*d.share(s.terms, d.about)+d.share(s.terms, d.heart))
}

// share returns the weight of terms relative to that of wanted, a ratio.
func (d *discussion) share(terms []string, wanted map[string]bool) float64 {
	has, all := 0.0, 0.0
	for _, t := range sorted(wanted) {
		all += d.weights[t]
	}
	for _, t := range terms {
		if wanted[t] {
			has += d.weights[t]
		}
	}
	if all == 0 {
		return 0
	}
	return has / all
}

// sorted returns the sorted terms of a set, so that sums are reproducible.
func sorted(set map[string]bool) []string {
	all := make([]string, 0, len(set))
	for t := range set {
		all = append(all, t)
	}
	slices.Sort(all)
	return all
}

// overlap returns how similar the terms of two sentences are, a ratio relative to the shorter one.
func (d *discussion) overlap(a, b sentence) float64 {
	common, of, other := 0.0, 0.0, 0.0
	for _, t := range a.terms {
		of += d.weights[t]
		if slices.Contains(b.terms, t) {
			common += d.weights[t]
		}
	}
	for _, t := range b.terms {
		other += d.weights[t]
	}
	if least := min(of, other); least > 0 {
		return common / least
	}
	return 0
}

// gain returns how much s adds to what was said, relative to its length. It is a ratio; 1 means
// that about every third word is among the heaviest.
func (d *discussion) gain(s sentence, said map[string]bool) float64 {
	sum := 0.0
	for _, t := range s.terms {
		if !said[t] {
			sum += d.weights[t]
		}
	}
	if d.much == 0 {
		return 0
	}
	if s.stumbled {
		sum *= 0.7
	}
	return min(1, 30*sum/d.much/float64(len(strings.Fields(s.text))+5))
}

// telling returns the number of significant terms of a sentence.
func (d *discussion) telling(s sentence) (n int) {
	for _, t := range s.terms {
		if d.weights[t] > 0 {
			n++
		}
	}
	return n
}

// termsOf returns the terms of several sentences.
func termsOf(all []sentence) map[string]bool {
	set := map[string]bool{}
	for _, s := range all {
		for _, t := range s.terms {
			set[t] = true
		}
	}
	return set
}
