package condense

import (
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// DraftOptions holds what is known about a discussion besides its messages.
type DraftOptions struct {
	Topic   string // "" to derive it
	Channel string
	Thread  string    // id of the thread
	Bosses  []string  // agents whose statements count more
	Phrases []string  // phrases that announce a decision; nil for the defaults
	Date    time.Time // zero for the date of the last message
}

// Limits for a draft.
const (
	longestTopic   = 100 // characters
	mostContext    = 2   // sentences
	mostRationale  = 2
	mostActions    = 10
	mostRejected   = 5
	mostSupersedes = 5
	mostWho        = 30
	fewMessages    = 40 // messages; in a shorter discussion a decision has one or two sentences
	longestName    = 60
	mostDecision   = 8 // sentences, for a long discussion
)

// Draft returns a condensation of messages, made by rules alone: the same messages give the same
// draft. Each of its sentences is in a message, apart from introductory words. Missing names the
// fields that nobody talked about.
func Draft(messages []schema.Message, o DraftOptions) Condensation {
	d := listen(messages, o)
	c := Condensation{Channel: channelName(o.Channel), Thread: single(o.Thread), Participants: d.who[:min(len(d.who), mostWho)], Date: d.date()}
	c.Topic = d.topic()
	decided := d.clarified(d.decision())
	decided, given := d.parted(decided)
	reasons := d.rationale(decided, given)
	c.Decision = quoted(decided)
	c.Rationale = quoted(reasons)
	c.Context = quoted(d.context(decided, reasons))
	c.Rejected = d.rejected(decided)
	c.ActionItems = d.actions(decided)
	c.Supersedes = d.supersedes()
	c.Missing = c.missing()
	return c
}

// A discussion holds messages split into sentences, and what was computed from them.
type discussion struct {
	o         DraftOptions
	messages  []schema.Message // spoken messages, sorted by time
	sentences []sentence
	first     []int // index of the first sentence of each message, and the number of sentences
	weights   map[string]float64
	about     map[string]bool // terms of the topic
	heart     map[string]bool // terms with the largest weights
	much      float64         // weight of the heaviest terms
	boss      map[string]bool
	heads     []string // heads of messages, computed when needed
	who       []string // speakers in the order of their first message
	spoken    bool     // it is a transcript of speech
}

// listen sorts the spoken messages by time and splits them into sentences.
func listen(messages []schema.Message, o DraftOptions) *discussion {
	d := &discussion{o: o, boss: map[string]bool{}}
	if d.o.Phrases == nil {
		d.o.Phrases = schema.DefaultDecisionPhrases()
	}
	for _, boss := range o.Bosses {
		d.boss[strings.ToLower(strings.TrimSpace(boss))] = true
	}
	for _, m := range inTime(messages) {
		if speaks(m) {
			d.messages = append(d.messages, m)
		}
	}
	d.spoken = transcribed(d.messages)
	known := map[string]bool{} // participants
	for _, m := range d.messages {
		if m.Agent != "" {
			known[lower(single(m.Agent))] = true
		}
	}
	said := make([][]sentence, len(d.messages))
	d.atOnce(len(d.messages), func(i int) {
		said[i] = slices.DeleteFunc(sentences(d.messages[i], i, d.spoken, known), func(s sentence) bool { return asksToCondense(s.low) })
	})
	for _, all := range said {
		d.first = append(d.first, len(d.sentences))
		d.sentences = append(d.sentences, all...)
	}
	d.first = append(d.first, len(d.sentences))
	d.who = d.participants()
	d.weigh()
	least := d.leastGain()
	d.atOnce(len(d.sentences), func(i int) {
		if s := d.sentences[i]; least == 0 || s.label != "" || holds(s.low, "decid", "agree", "decision", "conclu") || d.gain(s, nil) >= least {
			d.sentences[i].sure = d.confidence(s)
		}
	})
	return d
}

// atOnce calls do for 0 to n-1, in parallel on all processors.
func (d *discussion) atOnce(n int, do func(i int)) {
	var wait sync.WaitGroup
	for part := range slices.Chunk(slices.Collect(numbers(n)), max(64, n/runtime.GOMAXPROCS(0)+1)) {
		wait.Go(func() {
			for _, i := range part {
				do(i)
			}
		})
	}
	wait.Wait()
}

func numbers(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// mostHeeded is the number of sentences that are examined for decisions besides those that announce
// one. In longer discussions the sentences with the largest gain are taken.
const mostHeeded = 4000

// leastGain returns the least gain of a sentence that is examined for decisions.
func (d *discussion) leastGain() float64 {
	if len(d.sentences) <= mostHeeded {
		return 0
	}
	gains := make([]float64, len(d.sentences))
	for i, s := range d.sentences {
		gains[i] = d.gain(s, nil)
	}
	slices.Sort(gains)
	return gains[len(gains)-mostHeeded]
}

// speaks reports whether m is something that somebody said.
func speaks(m schema.Message) bool {
	switch {
	case strings.TrimSpace(m.Content) == "", m.Role == "tool", m.Role == "system", m.Kind == "tool_output", m.Kind == "summary", m.Kind == "layer_change":
		return false
	}
	return !isCondensation(m.Content)
}

// isCondensation reports whether a message is a condensation that was posted.
func isCondensation(text string) bool {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return titleLine.MatchString(strings.TrimSpace(line))
}

// inTime returns messages sorted by time and does not modify its argument.
func inTime(messages []schema.Message) []schema.Message {
	all := slices.Clone(messages)
	session.InOrder(all)
	return all
}

// participants returns the speakers in the order of their first message.
func (d *discussion) participants() []string {
	var all []string
	for _, m := range d.messages {
		name := single(m.Agent)
		if name == "" {
			name = single(m.Role)
		}
		if name != "" && len(name) <= longestName {
			all = append(all, name)
		}
	}
	return names(all)
}

// date returns the date of the options, or that of the last message with a time, in UTC.
func (d *discussion) date() string {
	if !d.o.Date.IsZero() {
		return d.o.Date.UTC().Format(time.DateOnly)
	}
	for _, m := range slices.Backward(d.messages) {
		if at, err := schema.ParseTime(m.Timestamp); err == nil {
			return at.UTC().Format(time.DateOnly)
		}
	}
	return ""
}

// quoted joins sentences.
func quoted(all []sentence) string {
	texts := make([]string, 0, len(all))
	for _, s := range all {
		if !slices.Contains(texts, s.text) {
			texts = append(texts, s.text)
		}
	}
	return strings.Join(texts, " ")
}
