package extract

import (
	"strings"
	"unicode"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// Because parts a decision from its rationale at the first word that gives a
// reason and stands outside of quotes, code and parentheses: "because", "since",
// ", as", "weil", "因为", "Reason:". Where there is none, a dash parts them. The
// rationale is "" where nothing parts them; the decision is never, unless text is.
func Because(text string) (decision, rationale string) {
	text = strings.TrimSpace(text)
	low := masked(text)
	for _, s := range parentheses(low) {
		hide(low, s)
	}
	at := gives.FindIndex(low)
	for from := 0; at != nil && tellsTime(string(low[at[0]:min(len(low), at[1]+24)])); {
		from = at[1]
		if at = gives.FindIndex(low[from:]); at != nil {
			at = []int{at[0] + from, at[1] + from}
		}
	}
	if at == nil {
		at = dash.FindIndex(low)
	}
	if at == nil {
		return text, ""
	}
	decision = strings.TrimRightFunc(text[:at[0]], parting)
	rationale = strings.TrimFunc(text[at[1]:], func(r rune) bool { return unicode.IsSpace(r) || r == '.' || r == ':' || r == '。' || r == ',' })
	if decision == "" || rationale == "" {
		return text, ""
	}
	return decision, rationale
}

func parting(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune(",;:.-–—(*，。；：", r)
}

var (
	gives = lazyregexp.New(`\b(?:because(?: of)?|since)\b|[,，;]\s*(?:as|weil|denn|da)\b|\bweil\b|因为|因為|(?:^|[\s.;,])(?:reason|rationale|begründung)\s*:|理由[:：]`)
	dash  = lazyregexp.New(`\s(?:—|–|--)\s`)
	timed = lazyregexp.New(`^since\s+(?:v?\d[\w.:-]*|version|yesterday|last|then|when|ever|day|the (?:beginning|start|last|first|release|launch|upgrade|update|migration)|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|childhood)\b`)
)

// tellsTime says whether text begins with a "since" that gives no reason.
func tellsTime(text string) bool { return timed.MatchString(text) }

// parentheses are what stands between those that belong together, the outermost.
func parentheses(low []byte) []stretch {
	var found []stretch
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
			found = append(found, stretch{start, i})
		}
	}
	return found
}
