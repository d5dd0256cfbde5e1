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

// longestRequest is the length of the longest line that can be a request, in bytes.
const longestRequest = 1000

// IsCondenseRequest reports whether m asks to condense the discussion: "📝 condense this discussion", with or
// without the sign, in any case. A quotation, a negation, a postponement or a question is no
// request.
func IsCondenseRequest(m schema.Message) bool {
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

// asksToCondense reports whether a sentence in lower case is such a request.
func asksToCondense(low string) bool {
	at := request.FindStringIndex(low)
	if at == nil {
		return false
	}
	before := politely.ReplaceAllString(low[:at[0]], "")
	return !refusing.MatchString(before) && !postponing.MatchString(low[at[1]:])
}
