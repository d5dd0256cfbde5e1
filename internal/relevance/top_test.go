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

// plainCurve is a curve for the sake of these tests, by which also the shortest
// texts differ.
var plainCurve = newCurve(func(times int, length float64) float64 {
	return float64(times) * 2.2 / (float64(times) + 1.2*(0.25+0.75*length/40))
})

// weighed is terms to be asked for, each with its weight.
func weighed(weights map[string]float32, indexes []*Index) []asked {
	var words []string
	for word := range weights {
		words = append(words, word)
	}
	slices.Sort(words)
	all := look(words, indexes)
	for i, word := range words {
		all[i].weight = weights[word]
	}
	return all
}

// plainly is what top says, text by text.
func plainly(n int, weights map[string]float32, indexes []*Index) []Hit {
	var hits []Hit
	for i, x := range indexes {
		scores := make([]float64, x.Texts())
		for word, weight := range weights {
			_, list := x.find(word)
			x.each(list, func(text, times int) {
				scores[text] += float64(weight) * plainCurve.own(times, even(int(x.length(text))))
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

// alike says whether hits are the same but for what sums of another order differ
// in; of equals others may have been taken.
func alike(got, want []Hit) error {
	slices.SortFunc(got, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	if len(got) != len(want) {
		return fmt.Errorf("%d hits, want %d", len(got), len(want))
	}
	for i := range want {
		if math.Abs(got[i].Score-want[i].Score) > 1e-5*want[i].Score {
			return fmt.Errorf("hit %d: %+v, want %+v", i, got[i], want[i])
		}
	}
	return nil
}

func TestTheBestAreThoseOfAll(t *testing.T) {
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
		got := top(n, plainCurve, weighed(weights, indexes), indexes)
		rated := slices.Clone(got)
		if rate(rated, plainCurve, weighed(weights, indexes), indexes); !slices.Equal(rated, got) {
			t.Fatalf("rated %v, found %v", rated, got)
		}
		if err := alike(got, plainly(n, weights, indexes)); err != nil {
			t.Fatal(err)
		}
	})
}

// many is texts over several windows and spans: every has each text, half each
// second one, and so on, some of them more often.
var many = sync.OnceValue(func() *Index {
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

// Whichever lists are looked up for candidates alone, or passed over, the best
// are the same.
func TestTheBestOfManyTexts(t *testing.T) {
	x := many()
	all := []*Index{build("rare half every"), x}
	for _, weights := range []map[string]float32{
		{"everi": 1}, {"everi": 0.1, "rare": 5}, {"everi": 0.7, "half": 1, "seventh": 2, "fiftieth": 4, "rare": 6.5, "once": 10, "last": 11},
		{"half": 1, "seventh": 2}, {"seventh": 2, "onc": 12, "last": 12}, {"everi": 5, "rare": 0.01},
	} {
		for _, n := range []int{1, 10, 300, 5000, 0} {
			got := top(n, plainCurve, weighed(weights, all), all)
			rated := slices.Clone(got)
			if rate(rated, plainCurve, weighed(weights, all), all); !slices.Equal(rated, got) {
				t.Errorf("%v, %d: rated otherwise than found", weights, n)
			}
			if err := alike(got, plainly(n, weights, all)); err != nil {
				t.Errorf("%v, %d: %v", weights, n, err)
			}
		}
	}
	first, second := top(100, plainCurve, weighed(map[string]float32{"half": 1}, all), all), top(100, plainCurve, weighed(map[string]float32{"half": 1}, all), all)
	if !slices.Equal(first, second) {
		t.Error("two answers")
	}
}

// An index may be asked from several sides at once.
func TestQuestionsAtOnce(t *testing.T) {
	all := []*Index{many()}
	weights := map[string]float32{"half": 1, "fiftieth": 4, "rare": 6}
	want := top(50, plainCurve, weighed(weights, all), all)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got := top(50, plainCurve, weighed(weights, all), all); !slices.Equal(got, want) {
				t.Error("another answer")
			}
		})
	}
	wg.Wait()
}

// Each text of an index has the terms it was built of, so often.
func TestListsOfManyTexts(t *testing.T) {
	x := many()
	n, list := x.find("seventh")
	next := 6
	x.each(list, func(text, times int) {
		if want := 1 + (text/7)%11/9*(text%5); text != next || times != want {
			t.Fatalf("text %d %d times, want %d %d times", text, times, next, want)
		}
		next += 7
		n--
	})
	if n != 0 || next < 90_000 {
		t.Errorf("the list ended %d texts too soon, before text %d", n, next)
	}
}

func TestClasses(t *testing.T) {
	before := uint8(0)
	for length := uint32(0); length < 4_000_000; length += 1 + length/500 {
		class := classOf(length)
		if class < before || class == leftOut {
			t.Fatalf("length %d is of class %d, a shorter one of %d", length, class, before)
		}
		before = class
		if off := even(int(length)) / float64(length); class < lastClass && length > 0 && math.Abs(off-1) > 0.04 {
			t.Fatalf("%d bytes count as %v", length, even(int(length)))
		}
	}
	if before != lastClass || classOf(math.MaxUint32) != lastClass {
		t.Errorf("the longest are of class %d", before)
	}
}

// Whatever a list says, going through it ends, in order.
func FuzzList(f *testing.F) {
	var l lister
	var good []byte
	for _, text := range []int{0, 3, 5, 65_535, 65_536, 200_000} {
		good = l.add(good, text, 1+text%3)
	}
	good = l.flush(good)
	f.Add(good)
	f.Add(binary.AppendUvarint(nil, math.MaxUint64))
	x := many()
	f.Fuzz(func(t *testing.T, list []byte) {
		before := -1
		x.each(list, func(text, times int) {
			if text <= before || text >= x.Texts() || times < 1 {
				t.Fatalf("text %d %d times behind %d", text, times, before)
			}
			before = text
		})
		for _, h := range top(3, plainCurve, []asked{{having: 1, weight: 1, lists: [][]byte{list}}}, []*Index{x}) {
			if h.Text < 0 || h.Text >= x.Texts() || !(h.Score > 0) {
				t.Errorf("%+v", h)
			}
		}
		for _, score := range x.scratch.Load().room {
			if score != 0 {
				t.Fatal("a score was left behind")
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
	_, terms := askIn(query, []*Index{x})
	for b.Loop() {
		rate(hits, ownCurve(), terms, []*Index{x})
	}
}
