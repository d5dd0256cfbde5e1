package relevance

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// someTexts draws texts of few words.
func someTexts(t *rapid.T, label string) []string {
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 6).Draw(t, "words"), " ")
	})
	return rapid.SliceOfN(text, 0, 12).Draw(t, label)
}

// AppendMerged gives the same bytes as a Builder for the texts that have a place.
func TestAppendMerged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one, other := someTexts(t, "one"), someTexts(t, "other")
		from := [2]Source{{Index: build(one...)}, {Index: build(other...)}}
		var texts []string
		rest := [2][]string{one, other}
		for len(rest[0])+len(rest[1]) > 0 {
			which := rapid.IntRange(0, 1).Draw(t, "from")
			if len(rest[which]) == 0 {
				which = 1 - which
			}
			place := len(texts)
			if rapid.Bool().Draw(t, "leave out") {
				place = Nowhere
			} else {
				texts = append(texts, rest[which][0])
			}
			from[which].Places = append(from[which].Places, place)
			rest[which] = rest[which][1:]
		}
		want := NewBuilder()
		for _, text := range texts {
			want.Add(text)
		}
		if got := AppendMerged([]byte("x"), len(texts), from[0], from[1]); string(got) != string(want.Append([]byte("x"))) {
			t.Fatalf("the indexes of %q differ", texts)
		}
	})
}

// Excluded texts do not change the hits and the scores of the other texts.
func TestLeaveOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts, more := someTexts(t, "texts"), someTexts(t, "more")
		from := rapid.IntRange(0, len(texts)).Draw(t, "from")
		to := rapid.IntRange(from, len(texts)).Draw(t, "to")
		query := strings.Join(vocabulary[:rapid.IntRange(0, len(vocabulary)).Draw(t, "query")], " ")

		x := build(texts...)
		x.LeaveOut(from, (from+to)/2)
		x.LeaveOut(from, to)
		got := Search(query, x, build(more...))
		want := Search(query, build(slices.Concat(texts[:from], texts[to:])...), build(more...))
		for i := range want {
			if want[i].Index == 0 && want[i].Text >= from {
				want[i].Text += to - from
			}
		}
		for _, hits := range [...][]Hit{got, want} {
			slices.SortFunc(hits, func(a, b Hit) int { return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.Text, b.Text)) })
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		var all []int
		x.All(func(text int) { all = append(all, text) })
		if len(all) != len(texts)-(to-from) || slices.ContainsFunc(all, func(text int) bool { return from <= text && text < to }) {
			t.Fatalf("All: got %v", all)
		}
	})
}

func TestInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var hits []Hit
		for i, n := range rapid.SliceOfN(rapid.IntRange(0, 9), 0, 40).Draw(t, "scores") {
			hits = append(hits, Hit{Text: i, Score: float64(n)})
		}
		order := func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Text, b.Text)) }
		want := slices.SortedFunc(slices.Values(hits), order)
		if got := slices.Collect(InOrder(hits, order)); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
