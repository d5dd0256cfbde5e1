package condense

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/relevance"
)

// chatter are stems that any talk is full of.
var chatter = strings.Fields(`yeah okay ok like think know get go see say want need look mean thing kind sort one two lot really
	actual actually just right well good great sure sorry thank thanks yep hmm um uh maybe guess let make us also much way bit
	come tell talk hello hi probabl basic nice cool fine stuff someth anyth everyth gonna wanna would could should put
	use even still might alreadi pretti time now first work question idea point fact bad big littl sound seem start`)

// weigh gives each term its weight: what several messages and people speak of
// tells what a discussion is about; what stands in every second sentence tells
// nothing.
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

// central are the terms that weigh most, letters before numbers.
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

// fit is how much of what the discussion is about s speaks of, a ratio: of its
// topic, and of what it comes back to.
func (d *discussion) fit(s sentence) float64 {
	return min(1, 1.2*d.share(s.terms, d.about)+d.share(s.terms, d.heart))
}

// share is how much of what wanted weighs the terms have, a ratio.
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

// sorted are the terms of a set in order, so that sums are the same every time.
func sorted(set map[string]bool) []string {
	all := make([]string, 0, len(set))
	for t := range set {
		all = append(all, t)
	}
	slices.Sort(all)
	return all
}

// overlap is how much two sentences speak of the same, a ratio of the one that
// says less.
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

// gain is what s adds to what has been said already, for its length; a ratio: 1 for
// a sentence of which every third word or so is among the heaviest.
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

// telling counts the terms of a sentence that say what it is about.
func (d *discussion) telling(s sentence) (n int) {
	for _, t := range s.terms {
		if d.weights[t] > 0 {
			n++
		}
	}
	return n
}

// termsOf are the terms of several sentences.
func termsOf(all []sentence) map[string]bool {
	set := map[string]bool{}
	for _, s := range all {
		for _, t := range s.terms {
			set[t] = true
		}
	}
	return set
}
