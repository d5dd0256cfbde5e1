package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A WorkReport lists the statements of a message about work, at most 50 of each kind.
// The statements are sentences or list items of the message, without their labels.
type WorkReport struct {
	Done     []string // "Implemented token generation"
	Doing    []string // "Currently working on token validation"
	Pending  []string // "token refresh flow", from "Pending: …"
	Next     []string // "Test token refresh flow", from "Next: …", "TODO: …", "Next steps: a, b"
	Edited   []string // paths of files that were written or are in work, in order
	Function string   // the function that is in work; "" for none
}

// Work returns what text reports about work. Questions, negations, conditions, quotes
// and code report nothing.
func Work(text string) WorkReport {
	var w workReader
	for l := range lines(text) {
		if l.code || l.quoted || strings.HasPrefix(strings.TrimLeft(l.text, " \t"), "|") {
			continue
		}
		w.readLine(l.text)
	}
	if w.Function == "" {
		w.Function = w.lastFunction
	}
	return w.WorkReport
}

// A workReader reads the lines of a text.
type workReader struct {
	WorkReport
	listKind     workKind // the kind of the items below the last heading or label
	lastFunction string   // the function that was last edited
}

// A workKind is the kind of a statement about work.
type workKind byte

const (
	nothing workKind = iota
	done
	doing
	pending
	next
	files // in work
)

// labelKind returns the kind that a label in lower case announces.
func labelKind(s string) workKind {
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
	emoji    = lazyregexp.New(`^[\s*_]*(✅|✔️?|☑️?|🔄|🚧|⏳|⌛️?|🔜|⬜|☐|💡)[\s*_]*`)
	label    = lazyregexp.New(`^[\s*_#]*([\p{L}][\p{L} -]{1,28}?)\s*[*_]*\s*(?:[:：]|\(\d{1,3}\)\s*:?$)[\s*_]*`)
	heading  = lazyregexp.New(`^\s*#{1,6}\s+|^\s*\*\*[^*]{1,60}\*\*:?\s*$`)
	item     = lazyregexp.New(`^\s*(?:[-*+•]|\d{1,3}[.)])\s+`)
)

// readLine reads one line of prose.
func (w *workReader) readLine(text string) {
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
		w.addStatement(as, text[len(m[0]):])
		return
	}
	body := stripMarkers(text)
	if m := emoji.FindStringSubmatch(body); m != nil {
		w.readMarked(m[1], body[len(m[0]):], listed)
		return
	}
	if w.readLabeled(body, listed) {
		return
	}
	if heading.MatchString(text) {
		w.listKind = labelKind(strings.ToLower(strings.Trim(body, "*_#: ")))
		return
	}
	if listed && w.listKind != nothing {
		w.addStatement(w.listKind, body)
		return
	}
	if !listed {
		w.listKind = nothing
	}
	for s := range sentences(bullet.ReplaceAllString(text, "")) {
		if !w.readLabeled(s.text, false) {
			w.readSentence(s)
		}
	}
}

// readMarked reads the rest of a line after an emoji that marks its kind.
func (w *workReader) readMarked(emblem, body string, listed bool) {
	if w.readLabeled(body, listed) {
		return
	}
	switch first, _ := utf8.DecodeRuneInString(emblem); first {
	case '✅', '✔', '☑':
		w.addStatement(done, body)
	case '🔄', '🚧':
		w.addStatement(doing, body)
	case '⏳', '⌛', '🔜':
		w.addStatement(pending, body)
	case '⬜', '☐':
		w.addStatement(next, body)
	}
}

// readLabeled reads a line that begins with a label, and reports whether it does. If
// nothing follows the label, the list below it has the label's kind.
func (w *workReader) readLabeled(body string, listed bool) bool {
	m := label.FindStringSubmatch(body)
	if m == nil {
		return false
	}
	as := labelKind(strings.ToLower(strings.TrimSpace(m[1])))
	if as == nothing || listed && w.listKind != nothing && as == files {
		return false
	}
	rest := body[len(m[0]):]
	if strings.TrimSpace(rest) == "" {
		w.listKind = as
		return true
	}
	for _, part := range splitStatements(rest, as) {
		w.addStatement(as, part)
	}
	return true
}

// emptyStatements are placeholders for an empty statement.
var emptyStatements = set(`none nothing n/a no - – — nil tbd todo nichts keine 无 done ok yes pending unknown false true null 0`)

// addStatement adds a statement that a label, a heading or an emoji announces.
func (w *workReader) addStatement(as workKind, text string) {
	text = strings.TrimSpace(text)
	if len(text) > maxSentence {
		return
	}
	trimmed := strings.Trim(strings.TrimRight(text, ".;,!。；，"), "*_ ")
	if as == files {
		w.addPaths(text, true)
		return
	}
	if trimmed == "" || emptyStatements[strings.ToLower(trimmed)] || strings.HasSuffix(trimmed, "?") || strings.HasSuffix(trimmed, "？") ||
		strings.HasPrefix(trimmed, "[") && strings.HasSuffix(trimmed, "]") {
		return
	}
	w.add(as, trimmed)
	if as == doing || as == done && editVerb.MatchString(strings.ToLower(trimmed)) {
		w.addEdits(as, trimmed)
	}
}

func (w *workReader) add(as workKind, text string) {
	list := map[workKind]*[]string{done: &w.Done, doing: &w.Doing, pending: &w.Pending, next: &w.Next}[as]
	if len(*list) < maxNames && !slices.Contains(*list, text) {
		*list = append(*list, strings.Clone(text))
	}
}

// splitStatements splits the text after a label at " + " and ";", and at commas if
// each part begins like an action.
func splitStatements(text string, as workKind) []string {
	if as == files || len(text) > maxSentence {
		return []string{text}
	}
	parts := strings.FieldsFunc(strings.ReplaceAll(text, " + ", " \x00 "), func(r rune) bool { return r == 0 || r == ';' || r == '；' })
	var all []string
	for _, part := range parts {
		commas := strings.Split(strings.TrimSpace(part), ", ")
		acts := len(commas) > 1
		for _, c := range commas {
			acts = acts && actionStart.MatchString(c)
		}
		if !acts {
			commas = []string{part}
		}
		all = append(all, commas...)
	}
	return all
}

var actionStart = lazyregexp.New(`^\p{Lu}\p{Ll}|(?i:^(?:` + requestVerbs + `)\b)`)

const (
	// pastVerbs are verbs of finished work.
	pastVerbs = `implemented|added|fixed|created|updated|wrote|rewrote|edited|removed|deleted|refactored|renamed|moved|changed|modified|completed|finished|built|merged|deployed|configured|migrated|replaced|resolved|documented|tested|set up|installed|upgraded|decided on|decided to|settled on|agreed on|released|extracted|introduced|converted|optimi[sz]ed|enabled|disabled|published|committed|pushed|verified|improved|switched|registered|reverted|cleaned up|closed|shipped|simplified|split|wired up|hooked up|bumped|patched|rebased|extended|implementiert|hinzugefügt|behoben|erstellt`
	// presentVerbs are verbs of current work.
	presentVerbs = `working on|implementing|adding|fixing|writing|creating|updating|debugging|refactoring|investigating|building|testing|migrating|looking into|reviewing|designing|integrating|documenting|cleaning up|moving|replacing|setting up|finishing`
	adverb       = `(?:(?:just|now|already|also|successfully|finally|then|fully|currently|still|right now|first|at the moment|actively|recently)[, ]+)*`
)

var (
	isDone    = lazyregexp.New(`^` + adverb + `(?:(?:i|we)(?:'ve| have)?\s+)?` + adverb + `(?:` + pastVerbs + `)[*_]*\s+\S`)
	isDoneBy  = lazyregexp.New(`^(?:[^,;:]{2,160}?)\s(?:is|are|has been|have been|was|were)\s(?:(?:now|already|fully|successfully|all)\s)*(?:done|implemented|complete|completed|finished|fixed|merged|deployed|in place|updated|created|written|added|removed|migrated|released|refactored)(?:\s+(?:now|successfully|in|at|to|from|and)\b.{0,120})?$`)
	isDoing   = lazyregexp.New(`^` + adverb + `working on\s+\S|^(?:` + adverb + `(?:i'm|i am|we're|we are)\s+` + adverb + `|(?:currently|still|right now|at the moment|now)[, ]+` + adverb + `)(?:` + presentVerbs + `)\s+\S|^(?:ich arbeite|wir arbeiten)\s+(?:gerade\s+)?an\s+\S|^(?:我)?(?:目前|现在)?正在\S`)
	isDoneZh  = lazyregexp.New(`^(?:我|我们)?已经?(?:完成|实现|修复|添加|更新)了?`)
	isDoneDe  = lazyregexp.New(`^(?:ich habe|wir haben)\s.{2,200}\s(?:implementiert|hinzugefügt|behoben|erstellt|aktualisiert|geschrieben|entfernt|umgesetzt|fertiggestellt|repariert|getestet)$`)
	isPending = lazyregexp.New(`^(?:(?:i|we)\s+)?still (?:need|needs|have|has) to\s+\S|^(?:i|we) still (?:need|have) to\s+\S|^.{3,160}\s(?:is|are) (?:still )?(?:pending|outstanding|left to do)$|^.{3,160}\sstill needs? (?:to be )?\S`)
	isNext    = lazyregexp.New(`^(?:the )?next step(?:s)?(?: is| are| will be| would be)?(?: to)?[:,]?\s+|^next(?: up)?(?:,| is| we| i)\s+|^up next(?:,| is)?\s+|^als nächstes\s+|^下一步[是，]?`)
	uncertain = lazyregexp.New(`^(?:if|when|once|after|before|until|unless|should|would|could|might|maybe|perhaps|suppose|assuming|why|how|what|who|whether)\b`)
	negated   = lazyregexp.New(`\b(?:not|never|no longer|nothing|nobody|none|nicht|noch nicht|keine?)\b|n't\b|没有|尚未|还没`)
	// subordinate matches words after which a state is a condition or a question.
	subordinate = lazyregexp.New(`\b(?:let|let's|where|how|what|which|whether|if|when|once|until|make sure|ensure|see|check|find|verify|so that|wait)\b`)
	notWork     = lazyregexp.New(`^(?:added|created|updated|written|edited|published|released|built|fixed|changed|modified|moved)\s+(?:by|on|at|in|for|with|since|ago|\d+)\b|^split\b.{0,20}\b(?:into|by)\b.{0,20}$|^set up (?:a|the|your)\b|^(?:fixed|closed|completed|finished)[- ](?:width|price|source|size|point|length|form|set)\b`)
)

// readSentence reads one sentence without a label.
func (w *workReader) readSentence(s sentence) {
	if s.isQuestion {
		return
	}
	emphasis := len(s.low) - len(strings.TrimLeft(s.low, "*_"))
	lead := emphasis + len(filler.FindString(s.low[emphasis:]))
	text := s.text[lead:]
	low := strings.ToLower(strings.ReplaceAll(s.low[lead:], "’", "'"))
	isNextStep := containsOne(low, "next", "nächstes", "下一步") && isNext.MatchString(low)
	if lead == emphasis && strings.Count(s.text, "**")%2 == 0 && !isNextStep {
		text = s.text
	}
	if text == "" || uncertain.MatchString(low) {
		return
	}
	switch {
	case isNextStep:
		w.addNext(text, low)
	case containsOne(low, "still", "pending", "outstanding", "left to do") && isPending.MatchString(low):
		w.add(pending, text)
	case containsOne(low, "working on", "i'm", "i am", "we're", "we are", "currently", "still", "right now", "at the moment", "now", "arbeite", "正在") && isDoing.MatchString(low):
		w.add(doing, text)
		w.addEdits(doing, text)
	case isDone.MatchString(low) && !notWork.MatchString(low),
		(containsOne(low, " is ", " are ", " been ", " was ", " were ") && isDoneBy.MatchString(low) || isDoneDe.MatchString(low) || isDoneZh.MatchString(low)) && !negated.MatchString(low) && !subordinate.MatchString(low):
		w.add(done, text)
		if editVerb.MatchString(low) {
			w.addEdits(done, text)
		}
	}
}

// addNext adds the next step that text states, without the words that announce it.
func (w *workReader) addNext(text, low string) {
	m := isNext.FindString(low)
	if negated.MatchString(low) || len(low) != len(text) && len(m) > 0 && strings.ContainsRune(m, '\'') {
		return
	}
	if strings.HasPrefix(m, "next i") || strings.HasPrefix(m, "next we") {
		m = "next "
	}
	if len(m) < len(text) && utf8.RuneStart(text[len(m)]) {
		w.add(next, strings.TrimSpace(text[len(m):]))
	}
}
