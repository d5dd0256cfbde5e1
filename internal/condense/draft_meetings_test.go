package condense

import (
	"bufio"
	"cmp"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// A meeting is a conversation with questions whose answers are known. The member gold holds the
// messages from which an answer was written; it is empty for an answer about the whole meeting.
type meeting struct {
	ID       string `json:"id"`
	Messages []struct{ ID, Agent, Content string }
	Queries  []struct {
		Text, Cat, Answer string
		Gold              []string
	}
}

// TestMeetings measures how much of what people wrote of meetings stands in the
// drafts, of a file of meetings that FORGEMIND_MEETINGS names, a JSON object a
// line: of each stretch that an answer was written from, and of the whole. Beside
// it stand as many words of what is cheaper to take: the sentences that are most
// like the others, the first, the last. "greedy" knows the answer: no quotes can
// hold much more.
func TestMeetings(t *testing.T) {
	file := os.Getenv("FORGEMIND_MEETINGS")
	if file == "" {
		t.Skip("FORGEMIND_MEETINGS names no file of meetings")
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sums := map[string]map[string]*tally{} // by category and method
	for lines := bufio.NewReaderSize(f, 1<<20); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			break
		}
		var m meeting
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatal(err)
		}
		m.score(t, sums)
	}
	for _, cat := range sortedKeys(sums) {
		for _, method := range []string{"draft", "central", "lead", "last", "greedy"} {
			if s := sums[cat][method]; s != nil {
				t.Logf("%-9s %4.0f %-8s stems %.3f  pairs %.3f  numbers and names %.3f  decision missing %.2f  words %.0f", cat, s.n, method, s.stems/s.n, s.pairs/s.n, s.named/max(1, s.names), s.open/s.n, s.words/s.n)
			}
		}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

type tally struct{ n, stems, pairs, named, names, open, words float64 }

func (m *meeting) score(t *testing.T, sums map[string]map[string]*tally) {
	var messages []schema.Message
	at := map[string]int{}
	speakers := map[string]bool{}
	for i, said := range m.Messages {
		at[said.ID] = i
		messages = append(messages, schema.Message{ID: said.ID, Role: "user", Agent: said.Agent, Content: said.Content})
		for _, term := range relevance.Terms(said.Agent) {
			speakers[term] = true
		}
	}
	wholes := []string{}
	add := func(cat, answer string, part []schema.Message) {
		c := Draft(part, DraftOptions{})
		text := strings.Join([]string{c.Context, c.Decision, c.Rationale}, " ")
		most := len(strings.Fields(text))
		if os.Getenv("FORGEMIND_DRAFTS") != "" {
			t.Logf("--- %s %s (%d messages): %s\n%s", m.ID, cat, len(part), answer, c.Markdown())
		}
		heard := heardIn(part)
		all := map[string]string{"draft": text}
		if os.Getenv("FORGEMIND_DRAFTS") == "" {
			all["central"], all["lead"], all["last"] = filled(central(heard), most), filled(heard, most), last(heard, most)
			all["greedy"] = filled(greedy(heard, answer, most), most)
		}
		for method, said := range all {
			if sums[cat] == nil {
				sums[cat] = map[string]*tally{}
			}
			if sums[cat][method] == nil {
				sums[cat][method] = &tally{}
			}
			open := method == "draft" && c.Decision == ""
			sums[cat][method].add(answer, said, speakers, open)
		}
	}
	for _, q := range m.Queries {
		if len(q.Gold) == 0 {
			add("general", q.Answer, messages)
			continue
		}
		wholes = append(wholes, q.Answer)
		first, end := math.MaxInt, 0
		for _, id := range q.Gold {
			first, end = min(first, at[id]), max(end, at[id]+1)
		}
		if end-first >= 8 {
			add(q.Cat, q.Answer, messages[first:end])
		}
	}
	add("whole", strings.Join(wholes, " "), messages)
}

// add counts what said holds of an answer.
func (s *tally) add(answer, said string, speakers map[string]bool, open bool) {
	s.n++
	if open {
		s.open++
	}
	s.words += float64(len(strings.Fields(said)))
	has := set(relevance.Terms(said))
	wanted := slices.DeleteFunc(distinct(relevance.Terms(answer)), func(t string) bool { return speakers[t] })
	n := 0.0
	for _, t := range wanted {
		if has[t] {
			n++
		}
	}
	s.stems += n / float64(max(1, len(wanted)))
	couples := set(pairs(relevance.Terms(said)))
	n, all := 0.0, distinct(pairs(relevance.Terms(answer)))
	for _, p := range all {
		if couples[p] {
			n++
		}
	}
	s.pairs += n / float64(max(1, len(all)))
	for _, t := range distinct(namesIn(answer)) {
		if speakers[t] {
			continue
		}
		if s.names++; has[t] {
			s.named++
		}
	}
}

func set(terms []string) map[string]bool {
	all := map[string]bool{}
	for _, t := range terms {
		all[t] = true
	}
	return all
}

func pairs(terms []string) (all []string) {
	for i := 1; i < len(terms); i++ {
		all = append(all, terms[i-1]+" "+terms[i])
	}
	return all
}

var countWord = lazyregexp.New(`^(?:\d.*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred|thousand|million|half|percent)$`)

// namesIn returns the terms with digits, and those with a capital that do not begin a sentence.
func namesIn(text string) (all []string) {
	begins := true
	for word := range strings.FieldsSeq(text) {
		bare := strings.Trim(word, ".,;:!?\"'()")
		if bare != "" && (countWord.MatchString(strings.ToLower(bare)) || !begins && bare[0] >= 'A' && bare[0] <= 'Z' && bare != "I") {
			all = append(all, relevance.Terms(bare)...)
		}
		begins = strings.HasSuffix(word, ".") || strings.HasSuffix(word, "?") || strings.HasSuffix(word, "!")
	}
	return all
}

func heardIn(part []schema.Message) (all []sentence) {
	spoken := transcribed(part)
	for i, m := range part {
		all = append(all, sentences(m, i, spoken, nil)...)
	}
	return all
}

// filled are as many words of the sentences, one after another.
func filled(all []sentence, most int) string {
	var words []string
	for _, s := range all {
		if words = append(words, strings.Fields(s.text)...); len(words) >= most {
			break
		}
	}
	return strings.Join(words[:min(len(words), most)], " ")
}

func last(all []sentence, most int) string {
	var words []string
	for _, s := range slices.Backward(all) {
		if words = append(strings.Fields(s.text), words...); len(words) >= most {
			break
		}
	}
	return strings.Join(words[max(0, len(words)-most):], " ")
}

// central are sentences by how many others they are like: by PageRank over the
// cosines of their terms (TextRank).
func central(all []sentence) []sentence {
	df := map[string][]int{}
	for i, s := range all {
		for _, t := range s.terms {
			df[t] = append(df[t], i)
		}
	}
	norms := make([]float64, len(all))
	idf := func(t string) float64 { return math.Log(1 + float64(len(all))/float64(len(df[t]))) }
	for i, s := range all {
		for _, t := range s.terms {
			norms[i] += idf(t) * idf(t)
		}
		norms[i] = math.Sqrt(norms[i])
	}
	near := make([]map[int]float64, len(all))
	for i := range near {
		near[i] = map[int]float64{}
	}
	for _, t := range sortedKeys(df) {
		in := df[t]
		if len(in) > max(20, len(all)/5) {
			continue
		}
		for x, i := range in {
			for _, j := range in[x+1:] {
				w := idf(t) * idf(t) / (norms[i] * norms[j])
				near[i][j] += w
				near[j][i] += w
			}
		}
	}
	out := make([]float64, len(all))
	rank := make([]float64, len(all))
	for i := range all {
		for _, w := range near[i] {
			out[i] += w
		}
		rank[i] = 1
	}
	for range 25 {
		next := make([]float64, len(all))
		for i := range next {
			next[i] += 0.15
			for j, w := range near[i] {
				next[j] += 0.85 * rank[i] * w / out[i]
			}
		}
		rank = next
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(math.Round(rank[b]*1e6), math.Round(rank[a]*1e6))
	})
	ranked := make([]sentence, len(all))
	for i, at := range order {
		ranked[i] = all[at]
	}
	return ranked
}

// greedy takes what adds most of the answer for its words.
func greedy(all []sentence, answer string, most int) (taken []sentence) {
	wanted := set(relevance.Terms(answer))
	for words := 0; words < most; {
		best, worth := -1, 0.0
		for i, s := range all {
			n := 0
			for _, t := range s.terms {
				if wanted[t] {
					n++
				}
			}
			if w := float64(n) / float64(4+len(strings.Fields(s.text))); w > worth {
				best, worth = i, w
			}
		}
		if best < 0 {
			break
		}
		taken = append(taken, all[best])
		words += len(strings.Fields(all[best].text))
		for _, t := range all[best].terms {
			delete(wanted, t)
		}
	}
	return taken
}
