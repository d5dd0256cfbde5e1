package relevance

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func indexOf(texts []Text) *Index {
	b := NewBuilder()
	for _, t := range texts {
		b.Add(t.Content)
	}
	return b.Index()
}

// inOrder returns the Order of texts whose numbers in the Index are their indexes.
func inOrder(texts []Text) Order {
	all := placeTexts(texts, 0)
	at := map[[2]int]int{}
	for i, t := range all {
		at[[2]int{t.session, t.at}] = i
	}
	return Order{
		Place: func(h Hit) (int, int, bool) { return all[h.Text].session, all[h.Text].at, true },
		At: func(session, n int) (Hit, bool) {
			i, ok := at[[2]int{session, n}]
			return Hit{Text: i}, ok
		},
		Time: func(h Hit) time.Time { return texts[h.Text].Time },
	}
}

// ranked returns the numbers of the texts that Rank yields for a query.
func ranked(query string, texts []Text) (found []int) {
	x := indexOf(texts)
	for h := range Rank(query, Search(query, x), inOrder(texts), x) {
		found = append(found, h.Text)
	}
	return found
}

func TestRank(t *testing.T) {
	talk := func(lines ...string) (texts []Text) {
		for _, line := range lines {
			session, content, _ := strings.Cut(line, ": ")
			texts = append(texts, Text{Session: session, Content: content})
		}
		return texts
	}
	tests := []struct {
		why, query string
		texts      []Text
		want       []int
	}{
		{"nothing", "redis", nil, nil},
		{"a term in no text", "zebra", talk("a: We use Redis."), nil},
		{"a hit and its neighbors", "redis",
			talk("a: Hello.", "a: Good morning.", "a: We use Redis.", "a: Fine.", "a: Bye.", "b: Hello."), []int{2, 3, 1}},
		{"a question and its answer before a word elsewhere", "Which database did you choose for the shop?",
			talk("a: Hello.", "b: Which database did you choose for the shop?", "b: The blue one.", "c: The database is down.", "d: Hello.", "e: Hello."), []int{1, 2, 3}},
		{"terms in successive texts", "budget of the garden",
			talk("a: The garden.", "a: And its budget?", "b: A budget.", "b: Hm.", "b: Hm.", "b: Hm.", "b: Hm.", "c: A garden."), []int{1, 2, 7, 0, 3}},
		{"the neighbor of a better hit has a penalty", "budget",
			talk("a: The budget, the budget, the budget.", "a: A budget.", "b: A budget."), []int{0, 2, 1}},
	}
	for _, tt := range tests {
		if got := ranked(tt.query, tt.texts); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.why, got, tt.want)
		}
	}
}

// With Together set, neighbors have no penalty.
func TestRankTogether(t *testing.T) {
	texts := []Text{{Content: "The budget, the budget.", Session: "a"}, {Content: "A budget.", Session: "a"}, {Content: "A budget.", Session: "b"}}
	x := indexOf(texts)
	by := inOrder(texts)
	by.Together = true
	var found []int
	for h := range Rank("budget", Search("budget", x), by, x) {
		found = append(found, h.Text)
	}
	if want := []int{0, 1, 2}; !slices.Equal(found, want) {
		t.Errorf("%v, want %v", found, want)
	}
}

// Copies at one place give each other no credit.
func TestRankOfCopies(t *testing.T) {
	texts := []Text{{Content: "A budget.", Session: "a"}, {Content: "A budget.", Session: "a"}, {Content: "A budget, the budget.", Session: "b"}}
	x := indexOf(texts)
	by := inOrder(texts)
	by.Place = func(h Hit) (int, int, bool) { return h.Text / 2, 0, true }
	by.At = func(session, at int) (Hit, bool) { return Hit{Text: 2 * session}, at == 0 }
	scores := map[int]float64{}
	for h := range Rank("budget", Search("budget", x), by, x) {
		scores[h.Text] = h.Score
	}
	alone := map[int]float64{}
	for h := range Rank("budget", Search("budget", x), Order{}, x) {
		alone[h.Text] = h.Score
	}
	if len(scores) != 3 || !(scores[2] > scores[0] && scores[0] >= scores[1]) || scores[0] > alone[0] {
		t.Errorf("got %v, without the copies %v", scores, alone)
	}
}

// Without places only the scores count.
func TestRankWithoutPlaces(t *testing.T) {
	x := build("a budget", "hello", "the budget, the budget", "a budget")
	var found []int
	for h := range Rank("budget", Search("budget", x), Order{Less: func(a, b Hit) int { return b.Text - a.Text }}, x) {
		found = append(found, h.Text)
	}
	if want := []int{2, 3, 0}; !slices.Equal(found, want) {
		t.Errorf("%v, want %v", found, want)
	}
}

// Rank yields each hit once, Beside only for neighbors of hits, and with scores that
// never rise, also for more hits than maxRanked.
func TestRankProperties(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, query string, texts []Text) {
		x := indexOf(texts)
		hits := Search(query, x)
		found := map[int]bool{}
		for _, h := range hits {
			found[h.Text] = true
		}
		seen, last := map[int]bool{}, 0.0
		for h := range Rank(query, hits, inOrder(texts), x) {
			if seen[h.Text] || len(seen) > 0 && h.Score > last {
				t.Fatalf("got %+v after %v with score %v", h, seen, last)
			}
			seen[h.Text], last = true, h.Score
		}
		for i := range found {
			if !seen[i] {
				t.Fatalf("text %d is missing", i)
			}
		}
		for i := range seen {
			beside := func(j int) bool { return found[j] && texts[j].Session == texts[i].Session }
			if !found[i] && !slices.ContainsFunc(slices.Collect(neighbors(texts, i)), beside) {
				t.Fatalf("text %d is Beside, but no neighbor is a hit", i)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		prompt, texts := drawTexts(t)
		check(t, prompt, texts)
	})
	var many []Text
	for i := range 3 * maxRanked {
		many = append(many, Text{Content: fmt.Sprintf("budget %d %s", i%7, strings.Repeat("garden ", i%5)), Session: fmt.Sprint(i / 10)})
	}
	check(t, "garden budget 3", many)
}

// neighbors yields the texts next to one in the same session.
func neighbors(texts []Text, at int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for _, step := range [...]int{-1, 1} {
			i := at + step
			for i >= 0 && i < len(texts) && texts[i].Session != texts[at].Session {
				i += step
			}
			if i >= 0 && i < len(texts) && !yield(i) {
				return
			}
		}
	}
}

func TestParseDates(t *testing.T) {
	tests := []struct{ prompt, want string }{
		{"", ""},
		{"What happened in May 2023?", "2023-5"},
		{"on the 3rd of May, 2023", "2023-5"},
		{"on May 3, 2023", "2023-5"},
		{"2023-05-03T09:00:00Z", "2023-5"},
		{"between January and Sep 2022", "0-1 2022-9"},
		{"May I march on?", ""},
		{"in march", ""},
		{"3 march", "0-3"},
		{"August", "0-8"},
		{"9999-05 and 2023-13 and 2023-5", ""},
	}
	for _, tt := range tests {
		var got []string
		for _, d := range parseDates(tt.prompt) {
			got = append(got, fmt.Sprintf("%d-%d", d.year, d.month))
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.prompt, got, tt.want)
		}
	}
}

func BenchmarkRank(b *testing.B) {
	x := build(talk(100_000)...)
	by := Order{
		Place: func(h Hit) (int, int, bool) { return h.Text / 1000, h.Text % 1000, true },
		At:    func(session, at int) (Hit, bool) { return Hit{Text: 1000*session + at}, at >= 0 && at < 1000 },
	}
	query := "how does handleRequest53 in internal/pkg3 treat wordcing1c"
	for b.Loop() {
		n := 0
		for range Rank(query, Best(2*maxRanked, query, x), by, x) {
			if n++; n == 10 {
				break
			}
		}
	}
}
