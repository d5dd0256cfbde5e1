package relevance

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// build returns the Index of texts.
func build(texts ...string) *Index {
	b := NewBuilder()
	for _, text := range texts {
		b.Add(text)
	}
	return b.Index()
}

// best returns the numbers of the texts that query finds, the best first.
func best(query string, x *Index) []int {
	hits := Search(query, x)
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	var texts []int
	for _, h := range hits {
		texts = append(texts, h.Text)
	}
	return texts
}

func TestSearch(t *testing.T) {
	x := build(
		"We decided to deploy on Fridays.",          // 0
		"The parser lives in internal/parse/doc.go", // 1
		"deploying deploys deployment deploy",       // 2
		"Lunch was good",                            // 3
		"A long talk that mentions the parser once, among the weather, the traffic, and everything else that people talk about", // 4
		"東京で会議", // 5
	)
	tests := []struct {
		query string
		want  []int
	}{
		{"when do we deploy?", []int{2, 0}},
		{"Parser", []int{1, 4}},
		{"doc.go", []int{1}},
		{"会議", []int{5}},
		{"the of and", nil},
		{"nothing here knows zebras", nil},
		{"", nil},
	}
	for _, tt := range tests {
		if got := best(tt.query, x); !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %v, want %v", tt.query, got, tt.want)
		}
	}
	if Search("deploy") != nil || Search("deploy", &Index{}, build()) != nil {
		t.Error("got hits without texts")
	}
}

var vocabulary = strings.Fields("alpha beta gamma deltaEpsilon zeta_eta theta/iota 会議室 the 42")

// The scores of Search are those of the formula, also if the texts are in several
// indexes.
func TestSearchScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 80).Draw(t, "words"), " ")
		})
		texts := rapid.SliceOfN(text, 1, 20).Draw(t, "texts")
		cut := rapid.IntRange(0, len(texts)).Draw(t, "cut")
		query := text.Draw(t, "query")

		got := map[int]float64{}
		for _, h := range Search(query, build(texts[:cut]...), build(texts[cut:]...)) {
			got[h.Text+h.Index*cut] = h.Score
		}
		want := referenceScores(query, texts)
		if len(got) != len(want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-5*want[i] {
				t.Fatalf("text %d: got %v, want %v", i, got[i], want[i])
			}
		}
	})
}

// referenceScores returns the scores above 0. Each term of the query adds
// ln(1 + texts without it / texts with it) × 1.9 n / (n + 0.9) for n occurrences,
// × (400 / length) ^ 0.7 for a text of more than 400 bytes.
func referenceScores(query string, texts []string) map[int]float64 {
	asked := Terms(query)
	slices.Sort(asked)
	asked = slices.Compact(asked)
	scores := map[int]float64{}
	for _, q := range asked {
		times := make([]float64, len(texts))
		have := 0.0
		for i, text := range texts {
			for _, term := range Terms(text) {
				if term == q {
					times[i]++
				}
			}
			if times[i] > 0 {
				have++
			}
		}
		for i, n := range times {
			if n > 0 {
				idf := math.Log(1 + (float64(len(texts))-have+0.5)/(have+0.5))
				scores[i] += idf * 1.9 * n / (n + 0.9) * min(1, math.Pow(400/roundLength(len(texts[i])), 0.7))
			}
		}
	}
	return scores
}

func TestBuilderIsDeterministic(t *testing.T) {
	made := func() []byte {
		b := NewBuilder()
		for i := range 100 {
			b.Add(fmt.Sprintf("text %d of words%d and pathA/file%d.go", i, i%7, i%13))
		}
		return b.Append([]byte("before"))
	}
	if first, second := made(), made(); string(first) != string(second) {
		t.Error("two indexes of the same texts differ")
	}
}

func TestOpenTruncated(t *testing.T) {
	b := NewBuilder()
	b.Add("some words")
	b.Add("more words")
	whole := b.Append(nil)
	for n := range whole {
		if _, err := Open(whole[:n]); !errors.Is(err, ErrDamaged) {
			t.Errorf("%d bytes of %d: got %v", n, len(whole), err)
		}
	}
	if _, err := Open(append(whole, 0)); !errors.Is(err, ErrDamaged) {
		t.Errorf("one byte too many: got %v", err)
	}
}

// A search of any bytes ends, finds only valid text numbers, and uses memory in
// proportion to the bytes.
func FuzzOpen(f *testing.F) {
	b := NewBuilder()
	for _, text := range []string{"alpha beta alpha", "beta gamma", "", "theta/iota 会議室 alpha"} {
		b.Add(text)
	}
	good := b.Append(nil)
	f.Add(good)
	f.Add([]byte{})
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Add([]byte("\x00\x00\x00\x00\xff\xff\xff\x7f"))
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 0xff
		f.Add(slices.Clone(bad))
		bad[i] = good[i] + 1
		f.Add(bad)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		x, err := Open(src)
		if err != nil {
			return
		}
		if 4*x.Texts() > len(src) {
			t.Fatalf("got %d texts in %d bytes", x.Texts(), len(src))
		}
		for _, h := range Search("alpha beta gamma theta/iota 会議室", x, build("alpha")) {
			if h.Index == 0 && (h.Text < 0 || h.Text >= x.Texts()) || math.IsNaN(h.Score) || h.Score <= 0 {
				t.Errorf("got %+v of %d texts", h, x.Texts())
			}
		}
	})
}

// talk returns n texts of about 200 bytes whose words have realistic frequencies.
func talk(n int) []string {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 5, 30_000)
	texts := make([]string, n)
	var sb strings.Builder
	for i := range texts {
		sb.Reset()
		for sb.Len() < 200 {
			switch k := zipf.Uint64(); {
			case k%97 == 0:
				fmt.Fprintf(&sb, "internal/pkg%d/file%d.go:%d ", k%50, k, i%100)
			case k%53 == 0:
				fmt.Fprintf(&sb, "handleRequest%d ", k)
			default:
				fmt.Fprintf(&sb, "word%cing%x ", 'a'+k%26, k)
			}
		}
		texts[i] = sb.String()
	}
	return texts
}

func BenchmarkBuild(b *testing.B) {
	texts := talk(100_000)
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	b.SetBytes(int64(size))
	var made []byte
	for b.Loop() {
		builder := NewBuilder()
		for _, text := range texts {
			builder.Add(text)
		}
		made = builder.Append(made[:0])
	}
	b.ReportMetric(float64(len(made))/float64(size), "of-the-text")
}

func BenchmarkSearch(b *testing.B) {
	x := build(talk(100_000)...)
	for b.Loop() {
		Search("how does handleRequest53 in internal/pkg3 treat wordcing1c", x)
	}
}

func BenchmarkTerms(b *testing.B) {
	texts := talk(1000)
	b.SetBytes(int64(len(strings.Join(texts, ""))))
	for b.Loop() {
		for _, text := range texts {
			Terms(text)
		}
	}
}
