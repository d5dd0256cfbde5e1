package condense

import (
	"slices"
	"strings"
	"unicode"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

var (
	markers    = lazyregexp.New(`\{(?:disfmarker|vocalsound|nonvocalsound|pause|gap|comment)\}`)
	anew       = lazyregexp.New(`(\{(?:disfmarker|gap)\}) ([A-Z][a-z])`) // a speaker who breaks off and begins another sentence
	hesitation = lazyregexp.New(`(?i)(?:^|[\s,])(?:um|uh|uhm|erm)\b(?:\s*,)?`)
	murmur     = lazyregexp.New(`(?i)(?:^|[\s,])(?:er|mm|hmm|hm|huh|ah|mm - hmm|mm-hmm|uh - huh|uh-huh)\b(?:\s*,)?`)
	musing     = lazyregexp.New(`(?i)(?:^|[\s,])(?:you know|i mean)\s*,|,\s*(?:you know|i mean|like|i guess)\s*(,|[.?!]|$)`)
	vaguely    = lazyregexp.New(`(?i)(^|\s)((?:a|an|the|this|that|what|which|some|same|any|another|other|different|certain|new|right|one|every|no|all|these|those|and|or|best|of) )?((?:sort|kind|kinda) of)\b`)
	restart    = lazyregexp.New(`^(?i:i|we|you|they|he|she|it|it's|that's|there's|we're|i'm|we've|let's|there|this|that|what|if|the|so|and|but|because)\b`)
	spaced     = lazyregexp.New(` ([,.?!;:])( |$)`)
	clitic     = lazyregexp.New(` ('(?:s|m|re|ve|ll|d|t)|n't)\b`)
)

// isFragmentary reports whether text has fragments of words.
func isFragmentary(low string) bool {
	for word := range strings.FieldsSeq(low) {
		word = strings.Trim(word, ".,!?\"()")
		if len(word) > 0 && len(word) <= 2 && !wholeWord.MatchString(word) && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" && word != "tv" && word != "ok" && word != "oh" && word != "uh" && word != "ah" {
			return true
		}
	}
	return false
}

// tidy removes hesitations from text. In a transcript of speech it also removes the transcriber's
// marks and repetitions.
func tidy(text string, spoken bool) string {
	text = single(text)
	if !spoken {
		if low := strings.ToLower(text); !holds(low, "um", "uh", "erm") {
			return text
		}
		return strings.TrimSpace(hesitation.ReplaceAllString(text, ""))
	}
	text = markers.ReplaceAllString(repaired(text), " ")
	text = hesitation.ReplaceAllString(single(text), " ")
	text = murmur.ReplaceAllString(text, " ")
	text = musing.ReplaceAllString(text, " $1")
	text = vaguely.ReplaceAllStringFunc(text, func(s string) string {
		if m := vaguely.FindStringSubmatch(s); m[2] == "" {
			return m[1]
		}
		return s
	})
	text = spaced.ReplaceAllString(" "+single(text), "$1$2")
	text = clitic.ReplaceAllString(text, "$1")
	return strings.Trim(strings.Join(removeRepeats(strings.Fields(text)), " "), ", ")
}

// repaired removes what a speaker broke off to say again: a few words before the mark, if a clause
// begins after it.
func repaired(text string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, "{disfmarker}")
		if at < 0 {
			return b.String() + text
		}
		before, after := text[:at], strings.TrimLeft(text[at+len("{disfmarker}"):], " ,")
		if cut := clauseStart(before); restart.MatchString(strings.TrimLeft(hesitation.ReplaceAllString(after, " "), " ,")) && len(strings.Fields(before[cut:])) <= mostBroken && len(strings.Fields(after)) >= leastAnew {
			before = before[:cut]
		}
		b.WriteString(before + " ")
		text = after
	}
}

// clauseStart returns where the last clause of text begins: after the last punctuation mark or
// mark of a transcriber that a blank follows.
func clauseStart(text string) int {
	for end := len(text); ; {
		at := strings.LastIndexAny(text[:end], ",.?!;:}")
		if at < 0 || at+1 == len(text) || text[at+1] == ' ' {
			return at + 1
		}
		end = at
	}
}

// The largest number of words that are removed where a speaker starts over, and the least number
// that must follow.
const (
	mostBroken = 6
	leastAnew  = 4
)

// transcribed reports whether messages are a transcript of speech: blanks before full stops and
// commas, marks for sounds.
func transcribed(messages []schema.Message) bool {
	n, marked := 0, 0
	for _, m := range messages {
		text := m.Content[:min(len(m.Content), 400)]
		if n++; strings.Contains(text, " , ") || strings.HasSuffix(text, " .") || strings.HasSuffix(text, " ?") || strings.Contains(text, " . ") || markers.MatchString(text) {
			marked++
		}
	}
	return 3*marked > n
}

var wholeWord = lazyregexp.New(`^(?:a|i|an|the|to|in|on|he|we|so|no|not|it|is|be|or|do|go|me|my|by|at|as|of|if|up|us|am|all|any|and|can|for|her|how|man|may|new|now|one|our|out|own|per|set|she|some|ten|that|use|was|who|win|you|but|car|for|put|the|cut|add|get|let|had|has|his|[^a-z]+.*)$`)

// removeRepeats removes sequences of up to seven words that are repeated immediately.
func removeRepeats(words []string) []string {
	words = slices.Clone(words)
	words = slices.DeleteFunc(words, func(w string) bool { return len(w) == 1 && w[0] >= 'b' && w[0] <= 'z' && w != "i" })
	for i := len(words) - 2; i >= 0; i-- { // "le let's"
		if word := strings.ToLower(words[i]); len(word) <= 3 && len(word) < len(words[i+1]) && !wholeWord.MatchString(word) && strings.HasPrefix(strings.ToLower(words[i+1]), word) {
			words = slices.Delete(words, i, i+1)
		}
	}
	same := func(a, b string) bool {
		return strings.EqualFold(strings.TrimRight(a, ",."), strings.TrimRight(b, ",.")) && strings.ContainsFunc(a, unicode.IsLetter)
	}
	for n := 7; n > 0; n-- {
		out := words[:0:0]
		for i := 0; i < len(words); {
			again := i+2*n <= len(words)
			for k := 0; again && k < n; k++ {
				again = same(words[i+k], words[i+n+k])
			}
			if again {
				i += n
				continue
			}
			out = append(out, words[i])
			i++
		}
		words = out
	}
	return words
}
