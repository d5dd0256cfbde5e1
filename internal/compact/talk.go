package compact

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// recents is how many messages at the end every strategy leaves as they are.
const recents = 10

// A talk is a conversation in order of time, each message looked at once.
type talk struct {
	o        Options
	messages []message
	recent   int // where the last messages begin
	tokens   int // of all
	weighing *weighing
	favour   float64 // see terse

	// Of Relevance.
	prompt  string
	implied bool // nobody said the prompt: it is what the user said last
	now     time.Time
	outside []*message // those that stay whatever they score and have no room in the budget
}

// A message is one of a talk, and what is to become of it.
type message struct {
	schema.Message
	index     int // in the order given
	kind      string
	tokens    int
	user      bool   // a user or a boss says it
	open      bool   // a question that nobody answered
	answered  int    // position of the question that this answers; -1 for none
	essential string // why every strategy keeps it; "" where it needn't be
	verdict   Verdict
	reason    string
	score     float64
	density   float64          // of information; see weigh
	parts     *relevance.Parts // of the score, where it was compared with the prompt
	pinned    bool
}

// listen puts messages in order of time and looks at each.
func listen(given []schema.Message, o Options) *talk {
	t := &talk{o: o, messages: make([]message, len(given))}
	for i, at := range inTime(given) {
		m := message{Message: given[at], index: at, kind: Classify(given[at], o), answered: -1, verdict: Kept}
		m.tokens = m.cost(o)
		m.user = m.Role == "user" || isBoss(m.Message, o)
		m.pinned = Pinned(m.Message)
		t.messages[i] = m
		t.tokens += m.tokens
	}
	t.converse()
	for i := range t.messages {
		t.messages[i].essential = t.messages[i].why()
	}
	t.recent = t.last(recents)
	if o.Strategy == Relevance {
		t.recent = t.last(o.Knobs.MinChunksToKeep)
		t.now = t.present()
		t.ask()
	}
	return t
}

// cost is what m's content costs: as stored where the same counter counted it
// and the figure can be true of so long a text.
func (m *message) cost(o Options) int {
	stored := int64(m.Tokens)
	if m.Counter == o.Counter && o.Counter != "" && stored >= 0 && stored <= 4*int64(len(m.Content))+64 && (stored > 0 || m.Content == "") {
		return int(stored)
	}
	return max(0, o.Count(m.Content))
}

// inTime returns the positions of messages in order of time. One without a
// readable time stays after its predecessor, and summaries that begin the
// conversation stay there.
func inTime(messages []schema.Message) []int {
	type key struct {
		at    time.Time
		index int
	}
	keys := make([]key, len(messages))
	var last time.Time
	leading := true
	for i, m := range messages {
		leading = leading && m.Kind == Summary
		if !leading {
			if at, err := schema.ParseTime(m.Timestamp); err == nil {
				last = at
			}
		}
		keys[i] = key{last, i}
	}
	slices.SortStableFunc(keys, func(a, b key) int { return a.at.Compare(b.at) })
	order := make([]int, len(keys))
	for i, k := range keys {
		order[i] = k.index
	}
	return order
}

// last is where the last of some number of messages begin; summaries don't count
// among them.
func (t *talk) last(most int) int {
	n := 0
	if most <= 0 {
		return len(t.messages)
	}
	for i := len(t.messages) - 1; i >= 0; i-- {
		if t.messages[i].kind == Summary {
			continue
		}
		if n++; n == most {
			return i
		}
	}
	start := 0
	for start < len(t.messages) && t.messages[start].kind == Summary {
		start++
	}
	return start
}

// converse finds out which message answers which question, and which questions
// are open.
//
// What a user or a boss says right after somebody else's question is a
// clarification. A question is answered by the next one of another speaker who
// says more than a question; where its own kind says that it is a question,
// only a clarification or a decision that comes right after it answers it.
func (t *talk) converse() {
	waiting := map[string][]int{} // by speaker
	open := t.openBefore()
	previous := -1
	for i := range t.messages {
		m := &t.messages[i]
		if m.kind == ToolOutput || m.kind == Summary || isCall(m.Message) {
			continue
		}
		who := speaker(m.Message)
		if previous >= 0 {
			t.follow(m, previous, who, open)
		}
		if m.Role == "user" && m.ToolName != "" && (m.kind == Message || m.kind == Question) && m.Kind == "" {
			m.kind = Clarification
		}
		if m.kind != LayerChange && !isBareQuestion(m.Content) {
			for other, asked := range waiting {
				if other == who {
					continue
				}
				for _, q := range asked {
					t.messages[q].open = false
				}
				delete(waiting, other)
			}
		}
		if m.kind == Question {
			if m.open = true; m.Kind != Question {
				waiting[who] = append(waiting[who], i)
			}
		}
		previous = i
	}
}

// follow sees whether m answers the question before it.
func (t *talk) follow(m *message, previous int, who string, open func(q *message) bool) {
	q := &t.messages[previous]
	if q.kind != Question || speaker(q.Message) == who {
		return
	}
	if m.kind == Message && m.Kind == "" && m.user {
		m.kind = Clarification
	}
	if m.kind == Clarification || m.kind == Decision {
		if m.answered = previous; !open(q) {
			q.open = false
		}
	}
}

// openBefore says which questions were open at the last compaction. What
// follows them now did not follow them when they were asked.
func (t *talk) openBefore() func(q *message) bool {
	listed := map[string]bool{}
	all := false
	for i := range t.messages {
		m := &t.messages[i]
		if m.kind != Summary {
			break
		}
		g := gist{tools: map[string]int{}, cut: map[string]int{}}
		g.merge(m.Content, nil)
		all = all || g.pointer || g.open > len(g.questions)
		for _, line := range g.questions {
			listed[line] = true
		}
	}
	return func(q *message) bool {
		return all || len(listed) > 0 && listed[named(q, decisionLength)]
	}
}

// why says why every strategy keeps m.
func (m *message) why() string {
	switch {
	case m.pinned:
		return "a pin"
	case m.kind == Decision:
		return "a decision is never cut"
	case m.kind == Question && m.open:
		return "an open question"
	case m.Role == "user" && m.ToolName != "" && m.kind != ToolOutput && m.kind != Summary:
		return "what the user answered to a tool"
	case (m.kind == Message || m.kind == Clarification) && aiming.MatchString(head(m.Content, 120)):
		return "a goal or a constraint"
	}
	return ""
}

// important says whether somebody marked m as important.
func (m *message) important() bool {
	switch plain(m.Priority) {
	case "high", "critical", "urgent", "p0":
		return true
	}
	return m.Importance != nil && *m.Importance >= 0.7
}

const earlierSummary = "an earlier summary"

// keep and leave say what becomes of m, and why.
func (m *message) keep(reason string) { m.verdict, m.reason = Kept, reason }

func (m *message) leave(v Verdict, reason string) { m.verdict, m.reason = v, reason }

// goes says how m leaves: a tool's output is dropped, all else summarised.
func (m *message) goes(reason string) {
	switch m.kind {
	case ToolOutput:
		m.leave(Dropped, reason)
	case Summary:
		m.leave(Summarised, earlierSummary+" goes into the new one")
	default:
		m.leave(Summarised, reason)
	}
}

// keepAll keeps the messages that were to leave, for a reason. The others keep theirs.
func (t *talk) keepAll(reason string) {
	for i := range t.messages {
		if m := &t.messages[i]; m.verdict != Kept {
			m.keep(reason)
		}
	}
}

// leaving counts the messages that leave, summaries apart, and the tokens of
// all that leave.
func (t *talk) leaving() (count, tokens int) {
	for _, m := range t.messages {
		if m.verdict == Kept {
			continue
		}
		tokens += m.tokens
		if m.kind != Summary {
			count++
		}
	}
	return count, tokens
}

// ratio rounds f to three decimals within 0 and 1.
func ratio(f float64) float64 {
	if math.IsNaN(f) {
		return 0
	}
	return cmp.Or(math.Round(1000*min(1, max(0, f)))/1000, 0)
}
