package relevance

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// unrelated is a sentence about another subject than most prompts.
const unrelated = "We should water the tomatoes before the weekend, it has not rained since Tuesday. "

func TestSimilarity(t *testing.T) {
	long := strings.Repeat(unrelated, 20)
	tests := []struct {
		why, prompt, text string
		least, most       float64
	}{
		{"a text that is the prompt", "Which port does the server use?", "Which port does the server use?", 1, 1},
		{"a word that is the prompt", "redis", "redis", 1, 1},
		{"a long text that is the prompt", long, long, 1, 1},
		{"nothing in common", "Which port does the server use?", unrelated, 0, 0},
		{"an empty prompt", "", unrelated, 0, 0},
		{"a prompt of stop words", "what is it", unrelated, 0, 0},
		{"an empty text", "Which port does the server use?", "", 0, 0},
		{"all terms of the prompt", "When did we water the tomatoes?", unrelated, 0.9, 1},
		{"in other forms", "Who waters a tomato on weekends?", unrelated, 0.9, 1},
		{"an irregular form", "Where did you buy the tomatoes you ate?", "I bought tomatoes and eat them raw.", 0.9, 1},
		{"half of the terms", "How warm is the water of the tomatoes in Lisbon?", unrelated, 0.3, 0.6},
		{"one word of many", "Is the old server in the cellar still without water after the flood?", unrelated, 0.05, 0.3},
		{"one word is no answer to a long prompt", "yes, deploy the server with the new certificate on Friday", "Yes, the server.", 0.05, 0.35},
		{"the answer inside a long text", "When did we water the tomatoes of grandma?", long + "Grandma says hello. " + long, 0.3, 0.8},
		{"a prompt of a megabyte that quotes the text", strings.Repeat("The server listens on port 8080 behind nginx. ", 25_000) + unrelated, unrelated, 0.5, 1},
		{"a prompt of a megabyte, and one word", strings.Repeat("The server listens on port 8080 behind nginx. ", 25_000), "server", 0.1, 0.4},
		{"a term in no text counts half", "redis zebra", "Redis is up.", 0.4, 0.5},
		{"words of the form of a question", "Could you tell me what kind of server we discussed?", "Tell me what kind of discussion that is.", 0, 0},
		{"a prompt of such words only", "discuss the summary", "The summary of our discussions", 0.9, 1},
		{"camelCase by its parts", "where is the request handled", "see handleRequest in server.go", 0.9, 1},
		{"a path by its name", "what does loop.go do", "internal/refresh/loop.go is where it waits", 0.9, 1},
		{"characters without spaces", "東京の会議", "東京で会議をした", 0.3, 1},
	}
	for _, tt := range tests {
		m := Compare(tt.prompt, []Text{{Content: tt.text}, {Content: "Lunch was good.", Session: "another"}})[0]
		if m.Similarity < tt.least-1e-9 || m.Similarity > tt.most {
			t.Errorf("%s: got %.3f, want %v to %v: %v", tt.why, m.Similarity, tt.least, tt.most, m.Terms)
		}
	}
}

// An answer gets credit for the words of its question, but not a text of the next
// session.
func TestAnswerGetsCreditOfQuestion(t *testing.T) {
	m := Compare("Which martial arts has John done?", []Text{
		{Content: "What martial arts have you done?", Session: "monday"},
		{Content: "Mostly kickboxing.", Session: "monday"},
		{Content: "Good for you!", Session: "tuesday"},
	})
	question, answer, next := m[0], m[1], m[2]
	if !(question.Similarity > answer.Similarity && answer.Similarity > 0.3 && next.Similarity == 0) {
		t.Errorf("similarities: %v, %v, %v", question.Similarity, answer.Similarity, next.Similarity)
	}
	if !(question.Rank > answer.Rank && answer.Rank > next.Rank) {
		t.Errorf("ranks: %v, %v, %v", question.Rank, answer.Rank, next.Rank)
	}
}

// Texts before a hit get less credit than texts after it. Credit decreases with the
// distance.
func TestCreditDecreases(t *testing.T) {
	m := Compare("the garden", []Text{{Content: "Hm."}, {Content: "Hm."}, {Content: "Hm."}, {Content: "The garden."}, {Content: "Hm."}, {Content: "Hm."}})
	for _, order := range [...][2]int{{3, 4}, {4, 5}, {4, 2}, {2, 1}, {1, 0}} {
		if m[order[0]].Rank <= m[order[1]].Rank {
			t.Errorf("rank of text %d: %v, of text %d: %v", order[0], m[order[0]].Rank, order[1], m[order[1]].Rank)
		}
	}
}

func TestCompareRanks(t *testing.T) {
	filler := strings.Repeat(unrelated, 30)
	may := time.Date(2023, 5, 8, 9, 0, 0, 0, time.UTC)
	tests := []struct {
		why, prompt   string
		higher, lower Text
	}{
		{"a short turn before a long answer that repeats it", "my sister's wedding",
			Text{Content: "My sister's wedding is in June."},
			Text{Content: filler + "About your sister: her wedding, your sister's wedding. " + filler}},
		{"a long answer with all terms before a short one with few", "certificate renewal on the staging server",
			Text{Content: filler + "The certificate of the staging server has an automatic renewal."},
			Text{Content: "The server is slow."}},
		{"the month in the prompt", "Who was at dinner in May 2023?",
			Text{Content: "Dinner with my mother.", Time: may},
			Text{Content: "Dinner with my brother.", Time: may.AddDate(0, 2, 0)}},
		{"a rare word before common ones", "the redis of the team",
			Text{Content: "Redis it is."},
			Text{Content: "The team is tired."}},
	}
	for _, tt := range tests {
		tt.higher.Session, tt.lower.Session = "one", "two"
		texts := []Text{tt.lower, tt.higher}
		for i := range 5 {
			texts = append(texts, Text{Content: "The team meets the team.", Session: fmt.Sprint(i)})
		}
		if m := Compare(tt.prompt, texts); m[1].Rank <= m[0].Rank {
			t.Errorf("%s: got ranks %v and %v", tt.why, m[1].Rank, m[0].Rank)
		}
	}
}

// A session with better texts raises the rank of its other texts.
func TestSessionRaisesRank(t *testing.T) {
	m := Compare("the wedding dress", []Text{
		{Content: "The wedding dress is white.", Session: "wedding"}, {Content: unrelated, Session: "wedding"}, {Content: unrelated, Session: "wedding"},
		{Content: unrelated, Session: "wedding"}, {Content: "The dress was expensive.", Session: "wedding"},
		{Content: "The dress was expensive.", Session: "money"},
	})
	if m[4].Rank <= m[5].Rank || m[4].Similarity != m[5].Similarity {
		t.Errorf("got %+v and %+v", m[4], m[5])
	}
}

// The terms of a match have the shares of its similarity.
func TestMatchTerms(t *testing.T) {
	m := Compare("the server port", []Text{{Content: "The port is open."}, {Content: "Which server?"}, {Content: "The server here."}})[0]
	if len(m.Terms) != 2 || m.Terms[0].Term != "port" || m.Terms[1].Term != "server" || m.Terms[0].Share+m.Terms[1].Share != 1 {
		t.Errorf("%+v", m)
	}
}

// drawTexts draws texts of few words, in two sessions, and a prompt, which may be one
// of the texts.
func drawTexts(t *rapid.T) (prompt string, texts []Text) {
	words := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 60).Draw(t, "words"), " ")
	})
	for range rapid.IntRange(1, 30).Draw(t, "texts") {
		session := rapid.SampledFrom([]string{"one", "two"}).Draw(t, "session")
		texts = append(texts, Text{Content: words.Draw(t, "text"), Session: session})
	}
	if rapid.Bool().Draw(t, "one of them") {
		return rapid.SampledFrom(texts).Draw(t, "prompt").Content, texts
	}
	return words.Draw(t, "prompt"), texts
}

// A similarity is a ratio, the shares of its terms add up to 1, the similarity of a
// text with itself is 1, and equal calls have equal results.
func TestCompareProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prompt, texts := drawTexts(t)
		matches := Compare(prompt, texts)
		for i, m := range matches {
			if !(m.Similarity >= 0 && m.Similarity <= 1) || !(m.Rank >= 0) || math.IsInf(m.Rank, 0) {
				t.Fatalf("text %d: %+v", i, m)
			}
			if texts[i].Content == prompt && len(Terms(prompt)) > 0 && m.Similarity < 1-1e-9 {
				t.Fatalf("text %d equals the prompt: got %v", i, m.Similarity)
			}
			sum := 0.0
			for _, term := range m.Terms {
				sum += term.Share
			}
			if (m.Similarity > 0) != (len(m.Terms) > 0) || len(m.Terms) > 0 && math.Abs(sum-1) > 1e-9 {
				t.Fatalf("text %d: similarity %v, terms %v", i, m.Similarity, m.Terms)
			}
		}
		if again := Compare(prompt, texts); !reflect.DeepEqual(again, matches) {
			t.Fatal("two equal calls differ")
		}
	})
}

// Compare and Rank for an Index of the same texts give the same results.
func TestCompareAgreesWithRank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prompt, texts := drawTexts(t)
		x := indexOf(texts)
		matches := Compare(prompt, texts)
		for _, one := range inOrder(texts).score(prompt, Search(prompt, x), []*Index{x}) {
			m := matches[one.Text]
			if math.Abs(one.Score-m.Rank) > 1e-4 || math.Abs(one.Similarity-m.Similarity) > 1e-9 {
				t.Fatalf("text %d: Compare %v %v, Rank %v %v", one.Text, m.Rank, m.Similarity, one.Score, one.Similarity)
			}
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	said := talk(100_000)
	texts := make([]Text, len(said))
	size := 0
	for i, content := range said {
		texts[i].Content = content
		size += len(content)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		Compare("how does handleRequest53 in internal/pkg3 treat wordcing1c", texts)
	}
}
