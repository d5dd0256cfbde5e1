package relevance

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// plainCurve is a curve by which also the shortest texts have different scores.
var plainCurve = newCurve(func(times int, length float64) float64 {
	return float64(times) * 2.2 / (float64(times) + 1.2*(0.25+0.75*length/40))
})

// weightedTerms returns terms with their weights.
func weightedTerms(weights map[string]float32, indexes []*Index) []queryTerm {
	var words []string
	for word := range weights {
		words = append(words, word)
	}
	slices.Sort(words)
	all := lookUp(words, indexes)
	for i, word := range words {
		all[i].weight = weights[word]
	}
	return all
}

// referenceTop computes the result of top text by text.
func referenceTop(n int, weights map[string]float32, indexes []*Index) []Hit {
	var hits []Hit
	for i, x := range indexes {
		scores := make([]float64, x.Texts())
		for word, weight := range weights {
			_, list := x.find(word)
			x.each(list, func(text, times int) {
				scores[text] += float64(weight) * plainCurve.score(times, roundLength(int(x.length(text))))
			})
		}
		for text, score := range scores {
			if score > 0 {
				hits = append(hits, Hit{Index: i, Text: text, Score: score})
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	if n > 0 {
		hits = hits[:min(n, len(hits))]
	}
	return hits
}

// compareScores returns an error if the scores of hits differ by more than a rounding
// error. Of texts with equal scores it accepts any.
func compareScores(got, want []Hit) error {
	slices.SortFunc(got, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	if len(got) != len(want) {
		return fmt.Errorf("got %d hits, want %d", len(got), len(want))
	}
	for i := range want {
		if math.Abs(got[i].Score-want[i].Score) > 1e-5*want[i].Score {
			return fmt.Errorf("hit %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
	return nil
}

func TestTopAgreesWithReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		indexes := []*Index{build(someTexts(t, "one")...), build(someTexts(t, "other")...)}
		if n := indexes[0].Texts(); n > 0 {
			from := rapid.IntRange(0, n).Draw(t, "from")
			indexes[0].LeaveOut(from, rapid.IntRange(from, n).Draw(t, "to"))
		}
		weights := map[string]float32{}
		for _, word := range []string{"alpha", "beta", "gamma", "delta", "nowhere"} {
			weights[word] = rapid.Float32Range(0, 5).Draw(t, word)
		}
		n := rapid.IntRange(0, 8).Draw(t, "n")
		got := top(n, plainCurve, weightedTerms(weights, indexes), indexes)
		rated := slices.Clone(got)
		if scoreHits(rated, plainCurve, weightedTerms(weights, indexes), indexes); !slices.Equal(rated, got) {
			t.Fatalf("scoreHits gives %v, top gives %v", rated, got)
		}
		if err := compareScores(got, referenceTop(n, weights, indexes)); err != nil {
			t.Fatal(err)
		}
	})
}

// manyTexts is an Index with several windows and spans. Every text has the term every,
// every second one the term half, and so on, some of them several times.
var manyTexts = sync.OnceValue(func() *Index {
	words := []struct {
		word  string
		every int
	}{{"every", 1}, {"half", 2}, {"seventh", 7}, {"fiftieth", 50}, {"rare", 997}, {"once", 70_000}, {"last", 89_999}}
	b := NewBuilder()
	for i := range 90_000 {
		var text strings.Builder
		for _, w := range words {
			if i%w.every == w.every-1 {
				text.WriteString(strings.Repeat(w.word+" ", 1+(i/w.every)%11/9*(i%5)))
			}
		}
		text.WriteString(strings.Repeat(".", i%90))
		b.Add(text.String())
	}
	return b.Index()
})

// The best texts do not depend on the lists that top skips or reads only for
// candidates.
func TestTopOfManyTexts(t *testing.T) {
	x := manyTexts()
	all := []*Index{build("rare half every"), x}
	for _, weights := range []map[string]float32{
		{"everi": 1}, {"everi": 0.1, "rare": 5}, {"everi": 0.7, "half": 1, "seventh": 2, "fiftieth": 4, "rare": 6.5, "once": 10, "last": 11},
		{"half": 1, "seventh": 2}, {"seventh": 2, "onc": 12, "last": 12}, {"everi": 5, "rare": 0.01},
	} {
		for _, n := range []int{1, 10, 300, 5000, 0} {
			got := top(n, plainCurve, weightedTerms(weights, all), all)
			rated := slices.Clone(got)
			if scoreHits(rated, plainCurve, weightedTerms(weights, all), all); !slices.Equal(rated, got) {
				t.Errorf("%v, %d: scoreHits differs from top", weights, n)
			}
			if err := compareScores(got, referenceTop(n, weights, all)); err != nil {
				t.Errorf("%v, %d: %v", weights, n, err)
			}
		}
	}
	first, second := top(100, plainCurve, weightedTerms(map[string]float32{"half": 1}, all), all), top(100, plainCurve, weightedTerms(map[string]float32{"half": 1}, all), all)
	if !slices.Equal(first, second) {
		t.Error("two equal calls differ")
	}
}

// An Index is safe for concurrent searches.
func TestConcurrentSearches(t *testing.T) {
	all := []*Index{manyTexts()}
	weights := map[string]float32{"half": 1, "fiftieth": 4, "rare": 6}
	want := top(50, plainCurve, weightedTerms(weights, all), all)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got := top(50, plainCurve, weightedTerms(weights, all), all); !slices.Equal(got, want) {
				t.Error("concurrent searches differ")
			}
		})
	}
	wg.Wait()
}

// A list has the texts and the numbers of occurrences that the Index was built from.
func TestListsOfManyTexts(t *testing.T) {
	x := manyTexts()
	n, list := x.find("seventh")
	next := 6
	x.each(list, func(text, times int) {
		if want := 1 + (text/7)%11/9*(text%5); text != next || times != want {
			t.Fatalf("got text %d with %d occurrences, want %d with %d", text, times, next, want)
		}
		next += 7
		n--
	})
	if n != 0 || next < 90_000 {
		t.Errorf("the list lacks %d texts from text %d on", n, next)
	}
}

func TestClasses(t *testing.T) {
	before := uint8(0)
	for length := uint32(0); length < 4_000_000; length += 1 + length/500 {
		class := classOf(length)
		if class < before || class == excludedClass {
			t.Fatalf("length %d has class %d, a shorter one has %d", length, class, before)
		}
		before = class
		if off := roundLength(int(length)) / float64(length); class < lastClass && length > 0 && math.Abs(off-1) > 0.04 {
			t.Fatalf("%d bytes count as %v", length, roundLength(int(length)))
		}
	}
	if before != lastClass || classOf(math.MaxUint32) != lastClass {
		t.Errorf("the longest texts have class %d", before)
	}
}

// Reading any list ends, and gives valid text numbers in ascending order.
func FuzzList(f *testing.F) {
	var l listWriter
	var good []byte
	for _, text := range []int{0, 3, 5, 65_535, 65_536, 200_000} {
		good = l.add(good, text, 1+text%3)
	}
	good = l.flush(good)
	f.Add(good)
	f.Add(binary.AppendUvarint(nil, math.MaxUint64))
	x := manyTexts()
	f.Fuzz(func(t *testing.T, list []byte) {
		before := -1
		x.each(list, func(text, times int) {
			if text <= before || text >= x.Texts() || times < 1 {
				t.Fatalf("got text %d with %d occurrences after text %d", text, times, before)
			}
			before = text
		})
		for _, h := range top(3, plainCurve, []queryTerm{{having: 1, weight: 1, lists: [][]byte{list}}}, []*Index{x}) {
			if h.Text < 0 || h.Text >= x.Texts() || !(h.Score > 0) {
				t.Errorf("%+v", h)
			}
		}
		for _, score := range x.scratch.Load().scores {
			if score != 0 {
				t.Fatal("the scratch has a score after the search")
			}
		}
	})
}

func BenchmarkTop(b *testing.B) {
	x := build(talk(100_000)...)
	for _, n := range []int{10, 300} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Best(n, "how does handleRequest53 in internal/pkg3 treat wordcing1c and worduing14", x)
			}
		})
	}
}

func BenchmarkRate(b *testing.B) {
	x := build(talk(100_000)...)
	const query = "how does handleRequest53 in internal/pkg3 treat wordcing1c and worduing14"
	hits := Best(300, query, x)
	_, terms := parseQuery(query, []*Index{x})
	for b.Loop() {
		scoreHits(hits, bm25Curve(), terms, []*Index{x})
	}
}
