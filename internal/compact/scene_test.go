package compact

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// byWords counts a token for each word.
func byWords(text string) int { return len(strings.Fields(text)) }

// options returns Options for a window of 1,000 tokens under the document's policy,
// with one token per word.
func options(strategy string, used int) Options {
	return Options{
		Strategy: strategy, Window: 1000, Used: used, Thresholds: schema.Policies()[schema.PolicyForgemind],
		Bosses: schema.DefaultBosses(), Phrases: schema.DefaultDecisionPhrases(), Counter: "words", Count: byWords,
	}
}

// at returns the time of the n-th minute.
func at(n int) string { return fmt.Sprintf("2026-03-02T%02d:%02d:00Z", 9+n/60, n%60) }

// A scene is a conversation in the making.
type scene []schema.Message

func (s *scene) say(agent, role, content string) *schema.Message {
	n := len(*s)
	*s = append(*s, schema.Message{ID: fmt.Sprintf("m%d", n), Timestamp: at(n), Agent: agent, Role: role, Content: content})
	return &(*s)[n]
}

func (s *scene) boss(content string) *schema.Message  { return s.say("Boss", "user", content) }
func (s *scene) agent(content string) *schema.Message { return s.say("BA Agent", "assistant", content) }

func (s *scene) tool(name, content string) *schema.Message {
	m := s.say(name, "tool", content)
	m.ToolName = name
	return m
}

// working returns a conversation of the idea layer: one message of each kind before the
// last ten.
func working() scene {
	var s scene
	s.boss("Please write the billing module for our shop.")                                    // m0
	s.agent("I looked at the billing module and found three payment providers. " + filler(30)) // m1
	s.tool("Read", "func Bill() {} "+filler(60))                                               // m2
	s.agent("Which currency do we bill in?")                                                   // m3
	s.boss("Euros, as on every invoice. " + filler(60))                                        // m4
	s.boss("Let’s go with  Stripe for payments.")                                              // m5
	s.agent("Moving to layer MODULE now.")                                                     // m6
	s.tool("Grep", "payments.go:12 "+filler(60))                                               // m7
	s.agent("The invoice table needs a column for the tax rate of each country. " + filler(30))
	m := s.agent("Refunds above 500 need a second signature from finance.") // m9
	m.Priority = "high"
	call := s.agent(`Edit {"file_path":"/shop/billing/invoice.go","old_string":"a","new_string":"b"}`) // m10
	call.ToolName = "Edit"
	q := s.agent("Who signs refunds on weekends?") // m11
	q.Kind = Question
	for i := range recents { // m12 … m21
		s.agent(fmt.Sprintf("Step %d is done and its tests pass.", i))
	}
	return s
}

func filler(n int) string { return strings.Repeat("lorem ", n) }

// kept returns the ids that a Plan keeps, in order.
func kept(p Plan) string { return verdicts(p, Kept) }

func verdicts(p Plan, v Verdict) string {
	var ids []string
	for _, s := range p.Steps {
		if s.Verdict == v {
			ids = append(ids, s.ID)
		}
	}
	return strings.Join(ids, " ")
}

// carriedOut returns the conversation after a Plan.
func carriedOut(messages []schema.Message, p Plan) []schema.Message {
	if p.Empty() {
		return messages
	}
	after := []schema.Message{{ID: "summary", Role: "system", Kind: Summary, Timestamp: p.To, Content: p.Summary}}
	if p.Mark != nil {
		after[0].Metadata, _ = json.Marshal(map[string]any{"compaction": map[string]any{"relevance": p.Mark}})
	}
	for _, s := range p.Steps {
		if s.Verdict == Kept {
			after = append(after, messages[s.Index])
		}
	}
	return after
}

func cost(messages []schema.Message, o Options) (sum int) {
	for _, m := range messages {
		sum += o.Count(m.Content)
	}
	return sum
}

func mustContain(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
}

const lastTen = "m12 m13 m14 m15 m16 m17 m18 m19 m20 m21"

// byOverlap returns the share of a prompt's words that each text has.
func byOverlap(prompt string, texts []relevance.Text) []relevance.Match {
	return compared(prompt, texts, func(string) float64 { return 1 })
}

// byRarity is byOverlap with higher weights for words that are rare among the texts.
func byRarity(prompt string, texts []relevance.Text) []relevance.Match {
	having := map[string]int{}
	for _, text := range texts {
		for word := range wordSet(text.Content) {
			having[word]++
		}
	}
	return compared(prompt, texts, func(word string) float64 { return math.Log1p(float64(len(texts)) / float64(1+having[word])) })
}

func compared(prompt string, texts []relevance.Text, weight func(string) float64) []relevance.Match {
	asked := slices.Sorted(maps.Keys(wordSet(prompt)))
	matches := make([]relevance.Match, len(texts))
	for i, text := range texts {
		here, got, all := wordSet(text.Content), 0.0, 0.0
		for _, word := range asked {
			if all += weight(word); here[word] {
				got += weight(word)
			}
		}
		if all > 0 {
			matches[i].Similarity = got / all
		}
	}
	return matches
}

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, term := range relevance.Terms(text) {
		set[term] = true
	}
	return set
}
