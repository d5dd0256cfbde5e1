package brief

import (
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// deadEnds returns what was tried and given up, the latest first: in turns what a
// decision superseded, what one that holds rejected, and goals and layers that
// were abandoned.
func (rec *Records) deadEnds(c chronicle, cut cuts, most int) (all []Item, total int) {
	abandoned := rec.abandoned(cut)
	for i := 0; i < max(len(c.tried), len(c.reject), len(abandoned)) && len(all) < most; i++ {
		if i < len(c.tried) {
			all = append(all, rec.tried(c.tried[i], cut))
		}
		if i < len(c.reject) {
			all = append(all, rejected(c.reject[i], cut))
		}
		if i < len(abandoned) {
			all = append(all, abandoned[i])
		}
	}
	return all, len(abandoned) + c.superseded + c.rejected
}

// rejected returns what was decided against.
func rejected(d *schema.Decision, cut cuts) Item {
	var texts []string
	for _, text := range d.AlternativesRejected[:min(len(d.AlternativesRejected), 5)] {
		texts = append(texts, quoted(text, cut.short))
	}
	return Item{ID: mark(d.ID), Date: day(d.Timestamp), Text: "rejected " + strings.Join(texts, ", ") + " in favour of " + quoted(d.Decision, cut.short)}
}

// tried returns the counter-memory of a superseded decision: what took its place, and
// what holds by now.
func (rec *Records) tried(s succession, cut cuts) Item {
	text := "tried " + quoted(s.old.Decision, cut.short) + ", replaced by " + mark(s.by.ID) + " " + quoted(s.by.Decision, cut.short) + " on " + day(s.by.Timestamp)
	holds := s.by.ID
	for range rec.Decisions {
		next, superseded := rec.Standing.SupersededBy(holds)
		if !superseded {
			break
		}
		holds = next
	}
	if holds != s.by.ID {
		text += ", by now by " + mark(holds)
	}
	return Item{ID: mark(s.old.ID), Date: day(s.old.Timestamp), Text: text}
}

// DeadEndsFor yields the dead ends that a prompt names, the latest first, each with the
// reason. A prompt names one where a sentence of it has a word of what was
// given up that does not stand in what took its place, and either that word is a name,
// such as Redis, net/http or the decision's id, or the sentence has half of those words,
// or most of the sentence's words are among those that were given up.
func (rec *Records) DeadEndsFor(prompt string) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		asked := sentencesOf(prompt)
		if len(asked) == 0 {
			return
		}
		rec.deadEndsFor(asked, yield)
	}
}

// deadEndsFor is DeadEndsFor for the words of sentences.
func (rec *Records) deadEndsFor(asked [][]string, yield func(Item) bool) {
	cut := cutsFor(DefaultTokens)
	told := func(i Item, why string) bool {
		if why = plain(why, cut.why); why != "" {
			i.Text += " — because " + why
		}
		return yield(i)
	}
	decisions := rec.Standing.All()
	at := map[string]*schema.Decision{}
	for i := range decisions {
		at[decisions[i].ID] = &decisions[i]
	}
	for _, d := range slices.Backward(decisions) {
		if id, superseded := rec.Standing.SupersededBy(d.ID); superseded {
			if by := at[id]; nameAny(asked, d.Decision, append([]string{d.ID}, d.Files...), by.Decision, by.Files) && !told(rec.tried(succession{d.ID, &d, by}, cut), by.Rationale) {
				return
			}
		} else if slices.ContainsFunc(d.AlternativesRejected, func(other string) bool { return nameAny(asked, other, nil, d.Decision, nil) }) && !told(rejected(&d, cut), d.Rationale) {
			return
		}
	}
	for _, g := range rec.Hot.ActiveGoals {
		if isOne(g.Status, givenUp) && nameAny(asked, g.Goal, []string{g.ID}, "", nil) && !told(abandonedGoal(g, cut), "") {
			return
		}
	}
}

// sentenceEnd matches where a sentence of a prompt ends, or a line.
var sentenceEnd = lazyregexp.New(`[.!?;:]+(?:\s|$)|\n`)

// sentencesOf returns the words of each sentence of a prompt, as package relevance compares them. A
// sentence of one word that asks nothing names nothing.
func sentencesOf(prompt string) (all [][]string) {
	for from := 0; from < len(prompt); {
		end, next := len(prompt), len(prompt)
		if at := sentenceEnd.FindStringIndex(prompt[from:]); at != nil {
			end, next = from+at[0], from+at[1]
		}
		words := relevance.QueryTerms(prompt[from:end])
		if len(words) > 1 || len(words) == 1 && strings.Contains(prompt[end:next], "?") {
			all = append(all, words)
		}
		from = next
	}
	return all
}

// nameAny reports whether one of the sentences names what was given up, by the words of gone
// or by one of its ids and files, and not what took its place. See Records.DeadEndsFor.
func nameAny(sentences [][]string, gone string, goneIDs []string, place string, placeIDs []string) bool {
	kept := relevance.Terms(place)
	own := func(term string) bool {
		return strings.ContainsFunc(term, unicode.IsLetter) && !slices.Contains(kept, term)
	}
	given := distinct(relevance.Terms(gone))
	lost := slices.DeleteFunc(slices.Clone(given), func(term string) bool { return !own(term) })
	var called []string // the names among lost
	first := true
	for word := range strings.FieldsSeq(gone) {
		if isName(word, first) {
			called = append(called, slices.DeleteFunc(relevance.Terms(word), func(term string) bool { return !own(term) })...)
		}
		first = sentenceEnd.MatchString(word)
	}
	for _, id := range goneIDs {
		if !slices.Contains(placeIDs, id) {
			called = append(called, strings.ToLower(id))
		}
	}
	for _, words := range sentences {
		if shared(words, called) > 0 {
			return true
		}
		if of := shared(words, lost); of > 0 && (2*of >= len(lost) || 3*shared(words, given) >= 2*len(words)) {
			return true
		}
	}
	return false
}

// isName reports whether a word of a text is a name: it has a capital, which the first
// word of a sentence has anyway, or a digit or a joint inside.
func isName(word string, first bool) bool {
	word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, r := range word {
		if i == 0 && !first && unicode.IsUpper(r) || i > 0 && (unicode.IsUpper(r) || strings.ContainsRune("0123456789_./@", r)) {
			return true
		}
	}
	return false
}

// shared returns how many of the words are among others.
func shared(words, others []string) (n int) {
	for _, word := range words {
		if slices.Contains(others, word) {
			n++
		}
	}
	return n
}

// distinct returns words, sorted, each once.
func distinct(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}
