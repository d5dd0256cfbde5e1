package condense

import (
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

var (
	request    = lazyregexp.New(`\bcondense (?:this|the|our|that)(?: \w+)? (?:discussion|thread|channel|conversation|debate|talk)\b|\bcondense (?:this|it)[.!]*$|📝\s*condense\b`)
	refusing   = lazyregexp.New(`\b(?:don't|do not|didn't|not|never|no need to|should we|shall we|if|when|once|after|before|until|unless|how (?:do|to|does)|why|whether|said|says|saying|typed?|posted?|writes?|wrote|by|will|would)\b`)
	postponing = lazyregexp.New(`^,? (?:tomorrow|later|tonight|soon|next|when|once|after|if|unless|as soon as|only|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b`)
	politely   = lazyregexp.New(`\b(?:can|could|will|would) (?:you|someone|somebody|the secretary|secretary)\b`)
	inlineDoc  = lazyregexp.New("`[^`]*`|\"[^\"]*\"|“[^”]*”")
)

// longestRequest is a line's length in bytes; nobody asks for anything in a
// longer one.
const longestRequest = 1000

// Asked reports whether m asks that the discussion be condensed: "📝 condense this
// discussion", with the sign or without it, in any case. Who quotes it, denies it
// puts it off or asks whether to does not.
func Asked(m schema.Message) bool {
	if !speaks(m) || !strings.Contains(lower(m.Content), "condense") {
		return false
	}
	fenced := false
	for line := range strings.Lines(m.Content[:min(len(m.Content), longRead)]) {
		if fenceMark.MatchString(line) {
			fenced = !fenced
			continue
		}
		if fenced || len(line) > longestRequest || strings.HasPrefix(strings.TrimSpace(line), ">") {
			continue
		}
		for _, part := range split(inlineDoc.ReplaceAllString(lower(single(line)), " ")) {
			if asksToCondense(part) {
				return true
			}
		}
	}
	return false
}

// besides are words and signs that add nothing to a request.
var besides = lazyregexp.New(`\b(?:this|the|our|that|it|discussion|thread|channel|conversation|debate|talk|please|pls|now|thanks|thank you|(?:can|could|will|would) (?:you|someone|somebody)|secretary)\b|[\s\pP📝]`)

// SaysMore reports whether m says something besides asking to have the discussion condensed.
func SaysMore(m schema.Message) bool { return speaks(m) && !merelyAsks(m) }

// merelyAsks reports whether m asks to have the discussion condensed, and says nothing else.
func merelyAsks(m schema.Message) bool {
	return Asked(m) && besides.ReplaceAllString(request.ReplaceAllString(lower(m.Content), ""), "") == ""
}

// asksToCondense reports whether a sentence, in lower case, asks so.
func asksToCondense(low string) bool {
	at := request.FindStringIndex(low)
	if at == nil {
		return false
	}
	before := politely.ReplaceAllString(low[:at[0]], "")
	return !refusing.MatchString(before) && !postponing.MatchString(low[at[1]:])
}
