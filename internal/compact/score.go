package compact

import (
	"math"
	"slices"
	"unicode"
	"unicode/utf8"
)

// A weighing holds the weights of the words of a talk.
type weighing struct {
	frequency map[uint64]int32 // messages by word
	messages  float64
	seen      map[uint64]int32 // the last text that has the word
	common    map[uint64]bool  // words without weight
	text      int32            // the current text
}

func newWeighing(messages int) *weighing {
	return &weighing{frequency: map[uint64]int32{}, seen: map[uint64]int32{}, common: commonWords(), messages: float64(messages)}
}

// worth returns the inverse document frequency of a word.
func (w *weighing) worth(word uint64) float64 {
	return math.Log((1 + w.messages) / (1 + float64(w.frequency[word])))
}

// distinct calls f with each different word of text, in order.
func (w *weighing) distinct(text string, f func(word uint64)) {
	w.text++
	words(text, func(word uint64) {
		if w.seen[word] != w.text && !w.common[word] {
			w.seen[word] = w.text
			f(word)
		}
	})
}

// of returns the sum of the worth of text's words.
func (w *weighing) of(text string) float64 {
	sum := 0.0
	w.distinct(text, func(word uint64) { sum += w.worth(word) })
	return sum
}

// FNV-1a, by characters.
const offset, prime = 14695981039346656037, 1099511628211

// hashOf returns the hash of a word in lower case.
func hashOf(word string) uint64 {
	hash := uint64(offset)
	for _, r := range word {
		hash = (hash ^ uint64(r)) * prime
	}
	return hash
}

// words calls f with the hash of each word of text, in lower case. Single letters are not
// words.
func words(text string, f func(word uint64)) {
	hash, length := uint64(offset), 0
	end := func() {
		if length > 1 {
			f(hash)
		}
		hash, length = offset, 0
	}
	for _, r := range text {
		if r < utf8.RuneSelf {
			switch {
			case 'A' <= r && r <= 'Z':
				r += 'a' - 'A'
			case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			default:
				end()
				continue
			}
		} else if r = unicode.ToLower(r); !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end()
			continue
		}
		hash = (hash ^ uint64(r)) * prime
		length++
	}
	end()
}

// traits are properties of a text that show how informative it is.
type traits struct {
	digit, when, first, second bool
}

// traitsOf looks for figures, words of time, and the person for whom a text speaks.
func traitsOf(text string) (s traits) {
	start := -1
	for i := 0; i <= len(text); i++ {
		letter := false
		if i < len(text) {
			b := text[i]
			letter = 'a' <= b|0x20 && b|0x20 <= 'z'
			s.digit = s.digit || '0' <= b && b <= '9'
		}
		switch {
		case letter && start < 0:
			start = i
		case !letter && start >= 0:
			if i-start <= 9 {
				s.word(text[start:i])
			}
			start = -1
		}
	}
	return s
}

func (s *traits) word(word string) {
	var lower [9]byte
	for i := range len(word) {
		lower[i] = word[i] | 0x20
	}
	switch string(lower[:len(word)]) {
	case "yesterday", "today", "tomorrow", "tonight", "last", "next", "ago", "week", "weeks", "weekend", "month", "months",
		"year", "years", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february",
		"march", "april", "june", "july", "august", "september", "october", "november", "december", "since", "morning",
		"recently", "just":
		s.when = true
	case "i", "my", "we", "our", "me":
		s.first = true
	case "you", "your":
		s.second = true
	}
}

// longest is the number of bytes of a message that are examined for information.
const longest = 32 << 10

// weigh sets the density of each message: the rarity of its words relative to its cost.
// Messages with times, numbers or statements in the first person count more, and so do the
// user's if the user says little.
func (t *talk) weigh() *weighing {
	if t.weighing != nil {
		return t.weighing
	}
	w := newWeighing(len(t.messages))
	for _, m := range t.messages {
		w.distinct(head(m.Content, longest), func(word uint64) { w.frequency[word]++ })
	}
	t.favour = t.terse()
	for i := range t.messages {
		m := &t.messages[i]
		text := head(m.Content, longest)
		const least = 8 // tokens; shorter messages get no advantage
		m.density = w.of(text) / float64(max(m.tokens, least))
		s := traitsOf(text)
		scale(&m.density, m.kind == Question || isQuestion(text), 0.7)
		scale(&m.density, s.first, 1.3)
		scale(&m.density, s.second && !s.first, 0.7)
		scale(&m.density, s.digit, 1.15)
		scale(&m.density, s.when, 1.4)
		scale(&m.density, m.user, t.favour)
		scale(&m.density, m.kind == ToolOutput, 0.4)
		scale(&m.density, m.important(), 4)
		scale(&m.density, m.kind == LayerChange, 3)
	}
	t.weighing = w
	return w
}

func scale(f *float64, when bool, by float64) {
	if when {
		*f *= by
	}
}

// terse returns the ratio of the others' tokens to the user's, from 1 to 4, without
// mere nods: if the user says little, each of the user's words counts more.
func (t *talk) terse() float64 {
	var users, others, nu, no float64
	for _, m := range t.messages {
		switch {
		case m.kind == Summary, m.kind == ToolOutput, m.tokens < 4:
		case m.user:
			users, nu = users+float64(m.tokens), nu+1
		default:
			others, no = others+float64(m.tokens), no+1
		}
	}
	if users == 0 || no == 0 {
		return 1
	}
	return min(4, max(1, others/no*nu/users))
}

// grade turns each message's density into a ratio: half of the messages reach 0.5. Essential
// messages have 1. With Relevance the score is the similarity to the prompt.
func (t *talk) grade() {
	if t.o.Strategy == Relevance {
		for i := range t.messages {
			t.messages[i].score = float64(t.messages[i].thousandths()) / 1000
		}
		return
	}
	all := make([]float64, 0, len(t.messages))
	for _, m := range t.messages {
		all = append(all, m.density)
	}
	slices.Sort(all)
	middle := all[len(all)/2]
	for i := range t.messages {
		m := &t.messages[i]
		m.score = ratio(m.density / (m.density + middle))
		if m.Importance != nil {
			m.score = max(m.score, ratio(*m.Importance))
		}
		if m.essential != "" {
			m.score = 1
		}
	}
}
