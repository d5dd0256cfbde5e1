package relevance

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// rankedTurns returns the numbers of the lines that Rank yields for a query. A line is
// "speaker: what they say"; all are of one session, a day apart from 1 May 2024 on.
func rankedTurns(query string, lines []string) (found []int) {
	b := NewBuilder()
	texts := make([]Text, len(lines))
	for i, line := range lines {
		speaker, said, _ := strings.Cut(line, ": ")
		b.AddTurn(NewTurn(speaker, said), line)
		texts[i] = Text{Content: line, Session: "s", Time: time.Date(2024, 5, 1+i, 12, 0, 0, 0, time.UTC)}
	}
	x := b.Index()
	for h := range Rank(query, Search(query, x), inOrder(texts), x) {
		found = append(found, h.Text)
	}
	return found
}

func TestRankTurns(t *testing.T) {
	pets := []string{
		"Ann: My cat sleeps on the piano.", "Bob: Nice.", "Ann: Yes.", "Bob: Right.", "Ann: Well.",
		"Bob: A cat sleeps on my piano.", "Ann: Nice.",
	}
	trip := []string{
		"Ann: Where did you go on your summer holiday?", "Bob: To the coast.", "Ann: Sounds fine.", "Bob: Thanks.", "Ann: Well.",
		"Bob: The holiday photos are on the drive.", "Ann: Fine.",
	}
	meeting := []string{
		"user: The team will meet in the attic.", "user: No.", "user: No.", "user: No.", "user: No.", "user: The team will meet in the cellar.",
	}
	roles := func(lines []string) (all []string) {
		for _, line := range lines {
			all = append(all, strings.NewReplacer("Ann:", "user:", "Bob:", "assistant:").Replace(line))
		}
		return all
	}
	tests := []struct {
		why, query string
		lines      []string
		first      []int
	}{
		{"the turn of the speaker that the question names", "Where does Bob's cat sleep?", pets, []int{5}},
		{"the same of the other", "Where does Ann's cat sleep?", pets, []int{0}},
		{"an answer stands right behind its question", "summer holiday", trip, []int{1, 0}},
		{"between roles the question is first", "summer holiday", roles(trip), []int{0, 5}},
		{"a turn of the day", "What happened on 4 May 2024 with the lamp?", []string{
			"Ann: The lamp.", "Ann: No.", "Ann: No.", "Ann: The lamp.", "Ann: No.", "Ann: No.", "Ann: The lamp.",
		}, []int{3}},
		{"the newer statement for the present state", "Where does the team meet now?", meeting, []int{5}},
		{"the older one for other questions", "Where does the team meet?", meeting, []int{0}},
	}
	for _, tt := range tests {
		got := rankedTurns(tt.query, tt.lines)
		if len(got) < len(tt.first) || !slices.Equal(got[:len(tt.first)], tt.first) {
			t.Errorf("%s: %v, want %v first", tt.why, got, tt.first)
		}
	}
}

func TestQuestionSpeaker(t *testing.T) {
	turn := func(name string) rankedText { return rankedText{turn: NewTurn(name, "")} }
	texts := []rankedText{turn("Ann"), turn("Bob Lee"), turn("user"), turn("Ann")}
	for prompt, want := range map[string]string{
		"What does Ann like?":       "Ann",
		"What is ANN’s address?":    "Ann",
		"When did Bob Lee move?":    "Bob Lee",
		"When did Bob move?":        "",
		"Do Ann and Bob Lee agree?": "",
		"What did the user say?":    "",
		"What does Annette like?":   "",
	} {
		q := question{prompt: prompt}
		if got := q.speaker(texts); got != NewTurn(want, "").speaker {
			t.Errorf("%s: not the number of %q", prompt, want)
		}
	}
}

// An Index and a merged one keep the turns.
func TestTurnsAreKept(t *testing.T) {
	want := []Turn{NewTurn("Ann", "Why?"), NewTurn("Bob", "No."), {}, NewTurn("Ann", "")}
	b, first, second := NewBuilder(), NewBuilder(), NewBuilder()
	for i, turn := range want {
		b.AddTurn(turn, "text")
		[]*Builder{first, second}[i%2].AddTurn(turn, "text")
	}
	merged, err := Open(AppendMerged(nil, 4, Source{first.Index(), []int{0, 2}}, Source{second.Index(), []int{1, 3}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []*Index{b.Index(), merged} {
		for i := range want {
			if got := x.turn(i); got != want[i] {
				t.Errorf("text %d: %v, want %v", i, got, want[i])
			}
		}
	}
}

func TestDays(t *testing.T) {
	for prompt, want := range map[string]int{
		"on May 3, 2023": 3, "the 8th of May": 8, "8 May 2023": 8, "2023-05-21": 21, "in May 2023": 0, "in 2023-05": 0,
	} {
		dates := parseDates(prompt)
		if len(dates) != 1 || dates[0].month != time.May || dates[0].day != want {
			t.Errorf("%s: %v, want day %d", prompt, dates, want)
		}
	}
}
