package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A Worked is what a message tells of the work, sentence by sentence, each as it
// stands there without what announces it; at most 50 of a sort.
type Worked struct {
	Done     []string // "Implemented token generation"
	Doing    []string // "Currently working on token validation"
	Pending  []string // "token refresh flow", of "Pending: …"
	Next     []string // "Test token refresh flow", of "Next: …", "TODO: …", "Next steps: a, b"
	Edited   []string // paths that it says were written or are worked on, in order
	Function string   // the function that is being worked on; "" where it names none
}

// Work finds what text tells of the work. What is asked, denied or supposed is
// nothing, nor is what stands in quotes or in code.
func Work(text string) Worked {
	var w worker
	for l := range lines(text) {
		if l.code || l.quoted || strings.HasPrefix(strings.TrimLeft(l.text, " \t"), "|") {
			continue
		}
		w.line(l.text)
	}
	if w.Function == "" {
		w.Function = w.edited
	}
	return w.Worked
}

// A worker reads lines and remembers under which heading it is.
type worker struct {
	Worked
	under  sort   // what the items of the list are
	edited string // the function that was last edited
}

// A sort is what a statement tells of the work.
type sort byte

const (
	nothing sort = iota
	done
	doing
	pending
	next
	files // that are worked on
)

// sortOf is what a label, in lower case, announces.
func sortOf(s string) sort {
	switch s {
	case "done", "completed", "finished", "accomplished", "what was done", "erledigt", "fertig", "已完成", "完成":
		return done
	case "in progress", "working on", "currently working on", "wip", "current work", "currently", "in arbeit", "进行中", "正在进行":
		return doing
	case "pending", "still pending", "still to do", "still open", "remaining", "left to do", "left", "outstanding", "remaining work", "remaining tasks", "not done yet", "offen", "noch offen", "ausstehend", "待处理", "未完成":
		return pending
	case "next", "next step", "next steps", "next up", "up next", "todo", "todos", "to do", "to-do", "to-dos", "action items", "nächste schritte", "nächster schritt", "als nächstes", "下一步", "待办", "接下来":
		return next
	case "working files", "files", "files changed", "changed files", "modified files", "files modified", "edited files", "files edited", "current files", "geänderte dateien", "修改的文件":
		return files
	}
	return nothing
}

var (
	checkbox = lazyregexp.New(`^\s*(?:[-*+•]|\d{1,3}[.)])\s+\[([ xX])\]\s+`)
	emblem   = lazyregexp.New(`^[\s*_]*(✅|✔️?|☑️?|🔄|🚧|⏳|⌛️?|🔜|⬜|☐|💡)[\s*_]*`)
	labelled = lazyregexp.New(`^[\s*_#]*([\p{L}][\p{L} -]{1,28}?)\s*[*_]*\s*(?:[:：]|\(\d{1,3}\)\s*:?$)[\s*_]*`)
	heading  = lazyregexp.New(`^\s*#{1,6}\s+|^\s*\*\*[^*]{1,60}\*\*:?\s*$`)
	item     = lazyregexp.New(`^\s*(?:[-*+•]|\d{1,3}[.)])\s+`)
)

// line reads one line of prose.
func (w *worker) line(text string) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return
	}
	listed := item.MatchString(text)
	if m := checkbox.FindStringSubmatch(text); m != nil {
		as := next
		if m[1] != " " {
			as = done
		}
		w.state(as, text[len(m[0]):])
		return
	}
	body := unmarked(text)
	if m := emblem.FindStringSubmatch(body); m != nil {
		w.marked(m[1], body[len(m[0]):], listed)
		return
	}
	if w.announced(body, listed) {
		return
	}
	if heading.MatchString(text) {
		w.under = sortOf(strings.ToLower(strings.Trim(body, "*_#: ")))
		return
	}
	if listed && w.under != nothing {
		w.state(w.under, body)
		return
	}
	if !listed {
		w.under = nothing
	}
	for s := range sentences(bullet.ReplaceAllString(text, "")) {
		if !w.announced(s.text, false) {
			w.sentence(s)
		}
	}
}

// marked reads what stands behind an emblem.
func (w *worker) marked(emblem, body string, listed bool) {
	if w.announced(body, listed) {
		return
	}
	switch first, _ := utf8.DecodeRuneInString(emblem); first {
	case '✅', '✔', '☑':
		w.state(done, body)
	case '🔄', '🚧':
		w.state(doing, body)
	case '⏳', '⌛', '🔜':
		w.state(pending, body)
	case '⬜', '☐':
		w.state(next, body)
	}
}

// announced reads a line that begins with a label: what is behind it, or where
// nothing is, the list below it.
func (w *worker) announced(body string, listed bool) bool {
	m := labelled.FindStringSubmatch(body)
	if m == nil {
		return false
	}
	as := sortOf(strings.ToLower(strings.TrimSpace(m[1])))
	if as == nothing || listed && w.under != nothing && as == files {
		return false
	}
	rest := body[len(m[0]):]
	if strings.TrimSpace(rest) == "" {
		w.under = as
		return true
	}
	for _, part := range listedIn(rest, as) {
		w.state(as, part)
	}
	return true
}

// notStated is what stands where nothing is to be said.
var notStated = set(`none nothing n/a no - – — nil tbd todo nichts keine 无 done ok yes pending unknown false true null 0`)

// state takes a statement that something announces.
func (w *worker) state(as sort, text string) {
	text = strings.TrimSpace(text)
	if len(text) > longestSentence {
		return
	}
	trimmed := strings.Trim(strings.TrimRight(text, ".;,!。；，"), "*_ ")
	if as == files {
		w.paths(text, true)
		return
	}
	if trimmed == "" || notStated[strings.ToLower(trimmed)] || strings.HasSuffix(trimmed, "?") || strings.HasSuffix(trimmed, "？") ||
		strings.HasPrefix(trimmed, "[") && strings.HasSuffix(trimmed, "]") {
		return
	}
	w.add(as, trimmed)
	if as == doing || as == done && writes.MatchString(strings.ToLower(trimmed)) {
		w.touch(as, trimmed)
	}
}

func (w *worker) add(as sort, text string) {
	list := map[sort]*[]string{done: &w.Done, doing: &w.Doing, pending: &w.Pending, next: &w.Next}[as]
	if len(*list) < mostNames && !slices.Contains(*list, text) {
		*list = append(*list, strings.Clone(text))
	}
}

// listedIn parts what a label announces: at " + " and ";", and at commas where
// each part begins as a thing to do does.
func listedIn(text string, as sort) []string {
	if as == files || len(text) > longestSentence {
		return []string{text}
	}
	parts := strings.FieldsFunc(strings.ReplaceAll(text, " + ", " \x00 "), func(r rune) bool { return r == 0 || r == ';' || r == '；' })
	var all []string
	for _, part := range parts {
		commas := strings.Split(strings.TrimSpace(part), ", ")
		acts := len(commas) > 1
		for _, c := range commas {
			acts = acts && begun.MatchString(c)
		}
		if !acts {
			commas = []string{part}
		}
		all = append(all, commas...)
	}
	return all
}

var begun = lazyregexp.New(`^\p{Lu}\p{Ll}|(?i:^(?:` + verbs + `)\b)`)

const (
	// past are verbs of work that is done.
	past = `implemented|added|fixed|created|updated|wrote|rewrote|edited|removed|deleted|refactored|renamed|moved|changed|modified|completed|finished|built|merged|deployed|configured|migrated|replaced|resolved|documented|tested|set up|installed|upgraded|decided on|decided to|settled on|agreed on|released|extracted|introduced|converted|optimi[sz]ed|enabled|disabled|published|committed|pushed|verified|improved|switched|registered|reverted|cleaned up|closed|shipped|simplified|split|wired up|hooked up|bumped|patched|rebased|extended|implementiert|hinzugefügt|behoben|erstellt`
	// present are participles of work that goes on.
	present = `working on|implementing|adding|fixing|writing|creating|updating|debugging|refactoring|investigating|building|testing|migrating|looking into|reviewing|designing|integrating|documenting|cleaning up|moving|replacing|setting up|finishing`
	adverb  = `(?:(?:just|now|already|also|successfully|finally|then|fully|currently|still|right now|first|at the moment|actively|recently)[, ]+)*`
)

var (
	isDone    = lazyregexp.New(`^` + adverb + `(?:(?:i|we)(?:'ve| have)?\s+)?` + adverb + `(?:` + past + `)[*_]*\s+\S`)
	isDoneBy  = lazyregexp.New(`^(?:[^,;:]{2,160}?)\s(?:is|are|has been|have been|was|were)\s(?:(?:now|already|fully|successfully|all)\s)*(?:done|implemented|complete|completed|finished|fixed|merged|deployed|in place|updated|created|written|added|removed|migrated|released|refactored)(?:\s+(?:now|successfully|in|at|to|from|and)\b.{0,120})?$`)
	isDoing   = lazyregexp.New(`^` + adverb + `working on\s+\S|^(?:` + adverb + `(?:i'm|i am|we're|we are)\s+` + adverb + `|(?:currently|still|right now|at the moment|now)[, ]+` + adverb + `)(?:` + present + `)\s+\S|^(?:ich arbeite|wir arbeiten)\s+(?:gerade\s+)?an\s+\S|^(?:我)?(?:目前|现在)?正在\S`)
	isDoneZh  = lazyregexp.New(`^(?:我|我们)?已经?(?:完成|实现|修复|添加|更新)了?`)
	isDoneDe  = lazyregexp.New(`^(?:ich habe|wir haben)\s.{2,200}\s(?:implementiert|hinzugefügt|behoben|erstellt|aktualisiert|geschrieben|entfernt|umgesetzt|fertiggestellt|repariert|getestet)$`)
	isPending = lazyregexp.New(`^(?:(?:i|we)\s+)?still (?:need|needs|have|has) to\s+\S|^(?:i|we) still (?:need|have) to\s+\S|^.{3,160}\s(?:is|are) (?:still )?(?:pending|outstanding|left to do)$|^.{3,160}\sstill needs? (?:to be )?\S`)
	isNext    = lazyregexp.New(`^(?:the )?next step(?:s)?(?: is| are| will be| would be)?(?: to)?[:,]?\s+|^next(?: up)?(?:,| is| we| i)\s+|^up next(?:,| is)?\s+|^als nächstes\s+|^下一步[是，]?`)
	unsure    = lazyregexp.New(`^(?:if|when|once|after|before|until|unless|should|would|could|might|maybe|perhaps|suppose|assuming|why|how|what|who|whether)\b`)
	denied    = lazyregexp.New(`\b(?:not|never|no longer|nothing|nobody|none|nicht|noch nicht|keine?)\b|n't\b|没有|尚未|还没`)
	// subordinate words make a state of a condition or of something to look for.
	subordinate = lazyregexp.New(`\b(?:let|let's|where|how|what|which|whether|if|when|once|until|make sure|ensure|see|check|find|verify|so that|wait)\b`)
	notWork     = lazyregexp.New(`^(?:added|created|updated|written|edited|published|released|built|fixed|changed|modified|moved)\s+(?:by|on|at|in|for|with|since|ago|\d+)\b|^split\b.{0,20}\b(?:into|by)\b.{0,20}$|^set up (?:a|the|your)\b|^(?:fixed|closed|completed|finished)[- ](?:width|price|source|size|point|length|form|set)\b`)
)

// sentence reads one sentence that nothing announces.
func (w *worker) sentence(s sentence) {
	if s.asked {
		return
	}
	emphasis := len(s.low) - len(strings.TrimLeft(s.low, "*_"))
	lead := emphasis + len(filler.FindString(s.low[emphasis:]))
	text := s.text[lead:]
	low := strings.ToLower(strings.ReplaceAll(s.low[lead:], "’", "'"))
	coming := containsOne(low, "next", "nächstes", "下一步") && isNext.MatchString(low)
	if lead == emphasis && strings.Count(s.text, "**")%2 == 0 && !coming {
		text = s.text
	}
	if text == "" || unsure.MatchString(low) {
		return
	}
	switch {
	case coming:
		w.coming(text, low)
	case containsOne(low, "still", "pending", "outstanding", "left to do") && isPending.MatchString(low):
		w.add(pending, text)
	case containsOne(low, "working on", "i'm", "i am", "we're", "we are", "currently", "still", "right now", "at the moment", "now", "arbeite", "正在") && isDoing.MatchString(low):
		w.add(doing, text)
		w.touch(doing, text)
	case isDone.MatchString(low) && !notWork.MatchString(low),
		(containsOne(low, " is ", " are ", " been ", " was ", " were ") && isDoneBy.MatchString(low) || isDoneDe.MatchString(low) || isDoneZh.MatchString(low)) && !denied.MatchString(low) && !subordinate.MatchString(low):
		w.add(done, text)
		if writes.MatchString(low) {
			w.touch(done, text)
		}
	}
}

// coming takes what is to be done next, without what says so.
func (w *worker) coming(text, low string) {
	m := isNext.FindString(low)
	if denied.MatchString(low) || len(low) != len(text) && len(m) > 0 && strings.ContainsRune(m, '\'') {
		return
	}
	if strings.HasPrefix(m, "next i") || strings.HasPrefix(m, "next we") {
		m = "next "
	}
	if len(m) < len(text) && utf8.RuneStart(text[len(m)]) {
		w.add(next, strings.TrimSpace(text[len(m):]))
	}
}
