package extract

import (
	"strings"
	"unicode"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// Because splits text into a decision and its rationale at the first word that
// introduces a reason ("because", "since", ", as", "weil", "因为", "Reason:") outside
// quotes, code and parentheses, or else at a dash. The rationale is "" if text has
// neither. The decision is "" only if text is blank.
func Because(text string) (decision, rationale string) {
	text = strings.TrimSpace(text)
	low := mask(text)
	for _, s := range parentheses(low) {
		maskSpan(low, s)
	}
	at := reasonStart.FindIndex(low)
	for from := 0; at != nil && isTemporalSince(string(low[at[0]:min(len(low), at[1]+24)])); {
		from = at[1]
		if at = reasonStart.FindIndex(low[from:]); at != nil {
			at = []int{at[0] + from, at[1] + from}
		}
	}
	if at == nil {
		at = reasonDash.FindIndex(low)
	}
	if at == nil {
		return text, ""
	}
	decision = strings.TrimRightFunc(text[:at[0]], isSeparator)
	rationale = strings.TrimFunc(text[at[1]:], func(r rune) bool { return unicode.IsSpace(r) || r == '.' || r == ':' || r == '。' || r == ',' })
	if decision == "" || rationale == "" {
		return text, ""
	}
	return decision, rationale
}

func isSeparator(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune(",;:.-–—(*，。；：", r)
}

var (
	reasonStart = lazyregexp.New(`\b(?:because(?: of)?|since)\b|[,，;]\s*(?:as|weil|denn|da)\b|\bweil\b|因为|因為|(?:^|[\s.;,])(?:reason|rationale|begründung)\s*:|理由[:：]`)
	reasonDash  = lazyregexp.New(`\s(?:—|–|--)\s`)
	sinceTime   = lazyregexp.New(`^since\s+(?:v?\d[\w.:-]*|version|yesterday|last|then|when|ever|day|the (?:beginning|start|last|first|release|launch|upgrade|update|migration)|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|childhood)\b`)
)

// isTemporalSince reports whether text begins with a "since" that means a time.
func isTemporalSince(text string) bool { return sinceTime.MatchString(text) }

// parentheses returns the spans inside matching parentheses, only the outermost.
func parentheses(low []byte) []span {
	var found []span
	var open []int
	for i, c := range low {
		switch c {
		case '(':
			open = append(open, i)
		case ')':
			if len(open) == 0 {
				continue
			}
			start := open[len(open)-1]
			open = open[:len(open)-1]
			for len(found) > 0 && found[len(found)-1].start > start {
				found = found[:len(found)-1]
			}
			found = append(found, span{start, i})
		}
	}
	return found
}
