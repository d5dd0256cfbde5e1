package condense

import (
	"cmp"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// nobody is the name in an action item without an owner.
const nobody = "_nobody named_"

// tasks are verbs of typical tasks after a discussion.
const tasks = `write|send|check|test|add|fix|prepare|update|e-?mail|mail|ask|make sure|make|set up|investigate|review|report|bring|find out|find|collect|draft|create|open|close|file|merge|push|ship|deploy|run|rerun|measure|document|implement|build|design|change|move|remove|delete|rename|refactor|migrate|upgrade|order|buy|call|contact|schedule|book|organi[sz]e|arrange|post|publish|release|clean up|cut|look into|look up|look at|follow up|talk to|talk with|speak to|figure out|get back|get the|put together|put up|put in|take care|do the|do a|do that|do it|do some|work on|finish|complete|submit|share|upload|download|record|transcribe|compile|train|tune|try|verify|confirm|ping|note|revert|bump|backport|tag|start|provide|generate|produce|convert|handle|come up with|redo|copy|distribute|forward|summari[sz]e|propose|switch|rotate|restart|rewrite|extend|reach out|pick up|benchmark|profile|patch|roll back|port|archive|inform|notify|sketch|prototype|evaluate|compare`

var (
	promising   = lazyregexp.New(`^ich (?:schreibe|mache|übernehme|prüfe|teste|kümmere|erstelle|baue|schicke|sende|frage|kläre|aktualisiere|bereite|lege|richte|melde)\b|^(?:je (?:vais|m'occupe|m'en occupe|prépare|ferai|fais|envoie|écris)|voy a|me encargo|yo me encargo)\b|(?:^|[,;:.]\s*|\b(?:so|and|then|ok|okay)\s+)(?:i'll|i will|i'm going to|i am going to|i'm gonna|i can|i could|i shall|let me)\s+(?:\w+ly |also |just |then |try to |go (?:and |ahead and )?|definitely )*(?:` + tasks + `)\b`)
	ordering    = lazyregexp.New(`^(?:please |can you |could you |would you |will you |you (?:should|need to|have to|must|can) )(?:\w+ly |also |just |then )*(?:` + tasks + `)\b`)
	namedTask   = lazyregexp.New(`^@?([\p{L}][\p{L}\d_. -]{0,40}?)(?:'ll| will| to| should| needs to| has to| is going to| takes(?: care of)?| owns|,? (?:please|can you|could you|will you|would you))\s+(?:\w+ly |also |just |then )*(?:(?:` + tasks + `)\b|the\b)`)
	ourTask     = lazyregexp.New(`^(?:i think )?(?:we (?:still )?(?:need|have) to|we must|we should|someone (?:should|needs to|has to)|somebody (?:should|needs to|has to)|todo|next)\b.*?\b(?:` + tasks + `)\b`)
	conditional = lazyregexp.New(`\b(?:if (?:i|you|we|it|they|that|there)|whether|unless|in case)\b`)
	deadline    = lazyregexp.New(`\b(?:deadline|due date|cut-?off|fällig|frist)\b.*\b(?:is|are|was|ist|on|by|for|to|end)\b`)
	tended      = lazyregexp.New(`^(?:action items?|actions?|deadlines?|due|next steps?|next|todos?|to do|to-do|follow[- ]ups?|assigned|owner)$`)
	due         = lazyregexp.New(`\b(?:by|before|until|on|next|this|end of|eod|eow)\s+(?:the )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|week|month|sprint|release|meeting|end|eod|\d)|\b(?:tomorrow|today|tonight)\b`)
)

// actions returns the tasks that follow from the discussion, each with the person who accepted it
// or was named.
func (d *discussion) actions(decided []sentence) (items []string) {
	known := map[string]string{}
	for _, m := range d.messages {
		known[lower(single(m.Agent))] = single(m.Agent)
	}
	delete(known, "")
	about := termsOf(decided)
	for t := range d.about {
		about[t] = true
	}
	var all []item
	seen := map[string]bool{}
	for i, m := range d.messages {
		var told []string
		if low := strings.ToLower(m.Content[:min(len(m.Content), longRead)]); holds(low, "todo", "to do", "to-do", "next", "pending", "remain", "left", "follow", "still", "[ ]", "later", "open", "action", "outstanding", "not done", "offen", "ausstehend", "nächste", "待", "未", "接下来", "下一步") {
			worked := extract.Work(m.Content)
			told = slices.Concat(worked.Next, worked.Pending)
		}
		for _, s := range d.sentences[d.first[i]:d.first[i+1]] {
			if saidIn(decided, s) && !s.of(promising) || s.broken || len(s.text) > longest {
				continue
			}
			who, sure := d.tasked(s, i, known, told)
			if sure == 0 {
				continue
			}
			if s.of(due) {
				sure += 0.2
			}
			sure += 0.3*d.share(s.terms, about) + 0.2*float64(i)/float64(len(d.messages))
			if len(decided) > 0 && i >= decided[0].at {
				sure += 0.1
			}
			text, more := parted(d.task(s), known)
			for _, i := range append([]item{{cmp.Or(who, nobody) + ": " + text, sure}}, more...) {
				if i.sure = sure; !seen[i.text] {
					seen[i.text] = true
					all = append(all, i)
				}
			}
		}
	}
	return d.surest(all)
}

// parted splits off what others should do in the same sentence, as in "update the card, ann to run
// it again".
func parted(text string, known map[string]string) (first string, more []item) {
	at := alsoTask.FindAllStringSubmatchIndex(text, -1)
	end := len(text)
	for _, m := range slices.Backward(at) {
		name, ok := known[lower(text[m[2]:m[3]])]
		if !ok || m[0] < shortest || end-m[4] < shortest {
			continue
		}
		told := strings.TrimRight(text[m[4]:end], " ,.;")
		more = append([]item{{text: name + ": " + strings.ToUpper(told[:1]) + told[1:] + "."}}, more...)
		end = m[0]
	}
	if end < len(text) {
		text = text[:end] + "."
	}
	return text, more
}

// An item is a task with a confidence.
type item struct {
	text string
	sure float64
}

// surest returns the items with enough confidence, in order.
func (d *discussion) surest(all []item) (texts []string) {
	least := 0.6
	if len(d.messages) > 4*fewMessages {
		least = 0.7
	}
	if len(all) > mostActions {
		bySure := slices.Clone(all)
		slices.SortStableFunc(bySure, func(a, b item) int { return cmp.Compare(b.sure, a.sure) })
		least = max(least, bySure[mostActions-1].sure)
	}
	for _, i := range all {
		if i.sure >= least && len(texts) < mostActions {
			texts = append(texts, i.text)
		}
	}
	return texts
}

// task returns the task in s without the words that ask for it.
func (d *discussion) task(s sentence) string {
	at := asking.FindStringIndex(s.low)
	if at == nil || len(s.low) != len(s.text) {
		return s.text
	}
	told, ok := newSentence(strings.TrimRight(s.text[at[1]:], "? "), s.at, s.who, d.spoken)
	if !ok || len(told.text) < shortest || !tasksFirst.MatchString(told.low) {
		return s.text
	}
	return told.text
}

var alsoTask = lazyregexp.New(`[,;] (?:and )?@?([\p{L}\d_.-]{2,40}) (?:to|will) ((?:` + tasks + `)\b)`)

var asking = lazyregexp.New(`^(?:@?[\p{L}][\p{L}\d_.-]{0,40}[,:]?\s+)?(?:please\s+|(?:can|could|will|would) you\s+)+(?:also |just |then )*`)

// tasked returns who should do the task in s, "" for nobody, and the confidence that s is a task,
// or 0.
func (d *discussion) tasked(s sentence, i int, known map[string]string, told []string) (who string, sure float64) {
	explicit := s.label != "" && tended.MatchString(s.label) || slices.ContainsFunc(told, func(t string) bool { return strings.Contains(s.text, t) })
	if name, ok := known[s.label]; ok && s.listed {
		return name, 0.8
	}
	if s.owner != "" {
		return knownAs(s.owner, known), 0.8
	}
	if s.of(conditional) || d.telling(s) < 1 && !explicit {
		return "", 0
	}
	if m := mention.FindString(s.text); m != "" {
		if name := knownAs(strings.TrimRight(strings.TrimLeft(strings.TrimSpace(m), "@"), ",:"), known); !s.asked || d.accepted(i, name) {
			rest := lower(s.text[len(m):])
			switch {
			case promising.MatchString(rest) && !s.asked:
				return s.who, 0.6
			case ordering.MatchString(rest) || tasksFirst.MatchString(rest) || explicit:
				return name, 0.8
			}
		}
	}
	if m := namedTask.FindStringSubmatch(lower(s.text)); m != nil {
		if name, ok := known[strings.TrimSpace(m[1])]; ok && (!s.asked || d.accepted(i, name)) {
			return name, 0.75
		}
	}
	if first, _, _ := strings.Cut(s.low, " "); explicit && known[strings.Trim(first, "@,:")] != "" {
		return known[strings.Trim(first, "@,:")], 0.8 // "Action: ann writes the migration"
	}
	switch {
	case s.of(promising) && !s.asked && !s.of(procedure) && !s.of(others):
		return s.who, 0.6
	case s.asked:
		return "", 0
	case explicit, s.of(deadline):
		return "", 0.8
	case s.of(ordering) && !s.of(procedure):
		return d.addressed(i), 0.35
	case s.of(ourTask) && !s.of(procedure) && d.telling(s) > 1:
		if d.spoken {
			return "", 0.3 // people say this about everything
		}
		return "", 0.45
	}
	return "", 0
}

var tasksFirst = lazyregexp.New(`^(?:` + tasks + `)\b`)

func knownAs(name string, known map[string]string) string {
	if as, ok := known[lower(name)]; ok {
		return as
	}
	return name
}

// accepted reports whether name agrees soon after message i.
func (d *discussion) accepted(i int, name string) bool {
	for k := i + 1; k < len(d.messages) && k <= i+3; k++ {
		if m := d.messages[k]; strings.EqualFold(single(m.Agent), name) {
			return agreeing.MatchString(d.head(k)) || promising.MatchString(d.head(k))
		}
	}
	return false
}

// addressed returns the person to whom message i is addressed if there are only two participants.
func (d *discussion) addressed(i int) string {
	me := single(d.messages[i].Agent)
	if len(d.who) != 2 || !slices.Contains(d.who, me) {
		return ""
	}
	if d.who[0] == me {
		return d.who[1]
	}
	return d.who[0]
}
