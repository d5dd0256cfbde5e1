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

// DraftOptions say what is known of a discussion besides its messages.
type DraftOptions struct {
	Topic   string // "" to find one
	Channel string
	Thread  string    // the id of the thread
	Bosses  []string  // agents whose word counts for more
	Phrases []string  // what gives a decision away; nil for the defaults
	Date    time.Time // zero for that of the last message
}

// How much a draft says at most.
const (
	longestTopic   = 100 // in characters
	mostContext    = 2   // sentences
	mostRationale  = 2
	mostActions    = 10
	mostSupersedes = 5
	mostWho        = 30
	fewMessages    = 40 // in so short a discussion a decision is one sentence or two
	longestName    = 60
	mostDecision   = 8 // sentences, of a long discussion
)

// Draft drafts a condensation of what was said, by rules alone: the same messages
// give the same draft. Each of its sentences is said in a message, without what
// only leads to it; what nobody said is named in Missing.
func Draft(messages []schema.Message, o DraftOptions) Condensation {
	d := listen(messages, o)
	c := Condensation{Channel: channelName(o.Channel), Thread: single(o.Thread), Participants: d.who[:min(len(d.who), mostWho)], Date: d.date()}
	c.Topic = d.topic()
	decided := d.decision()
	decided, given := d.parted(decided)
	reasons := d.rationale(decided, given)
	c.Decision = quoted(decided)
	c.Rationale = quoted(reasons)
	c.Context = quoted(d.context(decided, reasons))
	c.ActionItems = d.actions(decided)
	c.Supersedes = d.supersedes()
	c.Missing = c.missing()
	return c
}

// A discussion is what was said, sentence by sentence.
type discussion struct {
	o         DraftOptions
	messages  []schema.Message // those that speak, in order of time
	sentences []sentence
	first     []int // of each message, its first sentence; one more at the end
	weights   map[string]float64
	about     map[string]bool // the terms of the topic
	heart     map[string]bool // the terms that weigh most
	much      float64         // what the heaviest few of them weigh
	boss      map[string]bool
	heads     []string // of each message, where it has been asked for
	who       []string // who speaks, in the order in which they began
	spoken    bool     // it was written down word by word
}

// listen puts the messages that speak in order of time, and parts them.
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
	known := map[string]bool{} // who takes part
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
			d.sentences[i].sure = d.sureness(s)
		}
	})
	return d
}

// atOnce does n things that leave each other alone, as many at once as there are
// processors.
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

// mostHeeded is how many sentences are looked at for what was decided, besides
// those that say so: of a talk as long as that, those that tell most.
const mostHeeded = 4000

// leastGain is what a sentence must tell to be looked at for what was decided.
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

// speaks says whether m is something that somebody said.
func speaks(m schema.Message) bool {
	switch {
	case strings.TrimSpace(m.Content) == "", m.Role == "tool", m.Role == "system", m.Kind == "tool_output", m.Kind == "summary", m.Kind == "layer_change":
		return false
	}
	return !isCondensation(m.Content)
}

// isCondensation says whether a message is one that was posted.
func isCondensation(text string) bool {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return titleLine.MatchString(strings.TrimSpace(line))
}

// inTime is messages in order of time; those that were given stay as they are.
func inTime(messages []schema.Message) []schema.Message {
	all := slices.Clone(messages)
	session.InOrder(all)
	return all
}

// participants are those who speak, in the order in which they began.
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

// date is that of the options, or of the last message that has one; in UTC.
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

// quoted are sentences one behind the other, as they were said.
func quoted(all []sentence) string {
	texts := make([]string, 0, len(all))
	for _, s := range all {
		if !slices.Contains(texts, s.text) {
			texts = append(texts, s.text)
		}
	}
	return strings.Join(texts, " ")
}
