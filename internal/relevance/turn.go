package relevance

import (
	"hash/fnv"
	"slices"
	"strings"
	"unicode"
)

// The credit of a turn in a conversation between speakers with names. Parameters come
// from conversations between two people; see docs/evaluation.md.
const (
	otherSpeaker  = 0.5 // factor for the turns of others if a prompt names one speaker
	askingTurn    = 0.8 // factor for a turn that asks
	besideSpeaker = 0.1 // besidePenalty of turns
)

// A Turn tells who said a text, and whether the text asks something. The zero Turn is
// that of a text without a speaker.
type Turn struct {
	speaker uint32 // number of the name; 0 for none
	asks    bool
}

// roles are names of parts in a conversation, not of speakers.
var roles = []string{"", "user", "assistant", "system", "tool", "human", "ai", "unknown"}

// NewTurn returns the Turn of a text. The names of roles, such as user and assistant,
// are no names of speakers.
func NewTurn(speaker, text string) Turn {
	words := nameWords(speaker)
	if slices.Contains(roles, strings.Join(words, " ")) {
		return Turn{}
	}
	return Turn{numberOf(words), strings.ContainsAny(text, "?？؟")}
}

// encode returns a Turn as a number.
func (t Turn) encode() uint32 {
	if t.asks {
		return t.speaker<<1 | 1
	}
	return t.speaker << 1
}

// decodeTurn is the inverse of encode.
func decodeTurn(n uint32) Turn { return Turn{n >> 1, n&1 == 1} }

// numberOf returns the number of a name, which has 31 bits and is not 0.
func numberOf(words []string) uint32 {
	h := fnv.New32a()
	for _, word := range words {
		h.Write([]byte(word + " "))
	}
	return max(1, h.Sum32()>>1)
}

// nameWords returns the words of a name or a prompt in lower case, without the ending
// of a genitive.
func nameWords(text string) []string {
	text = strings.ReplaceAll(strings.ToLower(truncate(text, 4<<10)), "’", "'")
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
	for i, word := range words {
		words[i] = strings.Trim(strings.TrimSuffix(word, "'s"), "'")
	}
	return words
}

// maxNameWords is the number of words of the longest name that a prompt can name.
const maxNameWords = 3

// speaker returns the number of the one speaker of texts that the prompt names, 0 for
// none or several.
func (q *question) speaker(texts []rankedText) uint32 {
	var named map[uint32]bool
	one := uint32(0)
	for i := range texts {
		speaker := texts[i].turn.speaker
		if speaker == 0 || speaker == one {
			continue
		}
		if named == nil {
			named = q.names()
		}
		switch {
		case !named[speaker]:
		case one != 0:
			return 0
		default:
			one = speaker
		}
	}
	return one
}

// names returns the numbers of all names that the prompt may contain.
func (q *question) names() map[uint32]bool {
	named := map[uint32]bool{}
	words := nameWords(q.prompt)
	for i := range words {
		for n := i + 1; n <= min(i+maxNameWords, len(words)); n++ {
			named[numberOf(words[i:n])] = true
		}
	}
	return named
}

// replies reports whether the text at i is the answer of one speaker to another
// speaker's question right before it.
func replies(texts []rankedText, i int) bool {
	if i == 0 {
		return false
	}
	t, before := &texts[i], &texts[i-1]
	return before.turn.asks && before.speaksBeside(t)
}

// speaksBeside reports whether two texts are successive turns of two speakers.
func (t *rankedText) speaksBeside(other *rankedText) bool {
	return t.turn.speaker != 0 && other.turn.speaker != 0 && t.turn.speaker != other.turn.speaker &&
		t.sameSession(other) && t.distance(other) == 1
}

// inDialog reports whether the text at i stands beside a turn of another speaker.
func inDialog(texts []rankedText, i int) bool {
	return i > 0 && texts[i].speaksBeside(&texts[i-1]) || i+1 < len(texts) && texts[i].speaksBeside(&texts[i+1])
}

// scoreTurn applies to the score of a text what its Turn tells. speaker is that of
// question.speaker.
func (t *rankedText) scoreTurn(speaker uint32) {
	if speaker != 0 && t.turn.speaker != 0 && t.turn.speaker != speaker {
		t.Score *= otherSpeaker
	}
	if t.turn.speaker != 0 && t.turn.asks {
		t.Score *= askingTurn
	}
}
