package compact

import (
	"fmt"
	"time"

	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// The strategies. Of Relevance the level says how far it goes where no Budget is
// given: light (curation) drops what is below RELEVANCE_CUTOFF and nothing else,
// medium (compaction) also summarises what is below KEEP_THRESHOLD, emergency
// (the hard limit) keeps the last MIN_CHUNKS_TO_KEEP, pins and what is essential.
// Force is at least medium.
const (
	SessionSummary = "session-summary" // algorithm 1 of the CMS document
	PSD            = "psd"             // algorithm 2: preserve, summarise, discard
	Adaptive       = "adaptive"        // algorithm 3: by how full the window is
	Relevance      = "relevance"       // of the memfas plan: by how well a chunk answers the prompt
)

// A Verdict is what becomes of a message.
type Verdict string

// The verdicts.
const (
	Kept       Verdict = "kept"       // stays in the conversation, byte for byte
	Summarised Verdict = "summarised" // its gist is in the summary, it is in cold storage
	Dropped    Verdict = "dropped"    // counted in the summary, it is in cold storage
)

// Options are what a Plan is made by.
type Options struct {
	Strategy   string            // "" is Adaptive
	Budget     int               // tokens that the conversation may cost afterwards; 0: what the strategy gives
	Curate     bool              // of Relevance: light at most, though the window is fuller
	Force      bool              // compact although the window is not full enough for the strategy
	Window     int               // tokens of the whole window; 0: not known
	Used       int               // tokens in the window now, the messages among them
	Thresholds schema.Thresholds // of the policy, percent
	Floor      float64           // percent at which the last compaction ended; 0: there was none this session
	Bosses     []string          // agents whose decisions are the boss's
	Phrases    []string          // a message of theirs that contains one is a decision
	Counter    string            // name of what Count counts by
	Count      func(text string) int

	// Of Relevance alone.
	Prompt string       // what the conversation is about now; "" is what the user said last
	Knobs  schema.Knobs // of context-config.yaml
	Now    time.Time    // what the age of a chunk is counted to
	// Compare is package relevance's where it is nil.
	Compare func(prompt string, texts []relevance.Text) []relevance.Match
}

// A Step is what a Plan means to do with one message, and why.
type Step struct {
	Index   int // of the message, in the order given
	ID      string
	Kind    string // as Classify says; an answer to the question before it is a clarification
	Verdict Verdict
	Reason  string // one phrase for people
	Tokens  int
	Score   float64 // ratio; how much it mattered for what is kept and what not; 0 in an empty Plan
	// Parts are what Score came from, of Relevance; nil where nothing was compared.
	Parts *relevance.Parts
}

// A Plan is what a compaction intends. Steps has one entry for each message,
// in the order of time; where all are Kept there is nothing to do and Summary
// is empty.
type Plan struct {
	Strategy     string
	Level        string // light, medium, aggressive, emergency; "" where nothing is to be done
	TokensBefore int    // of the messages
	TokensAfter  int    // of the kept ones and the summary
	Steps        []Step
	Summary      string   // markdown
	Ratio        float64  // of the tokens summarised or dropped to those of Summary; 1 where there are none
	From, To     string   // times of the first and last message that left
	Notes        []string // for people: why nothing is to be done, why the goal is not reached
	Alert        string   // in the emergency band
	Prompt       string   // that Relevance compared with
	Mark         *Mark    // of Relevance without a Budget: what the summary line is to say of it
	Refused      string   // why nothing is done although it was asked for, such as pins that exceed the budget
}

// Empty says whether a Plan leaves everything as it is.
func (p *Plan) Empty() bool {
	for _, s := range p.Steps {
		if s.Verdict != Kept {
			return false
		}
	}
	return true
}

// Make plans the compaction of a conversation.
//
// Whatever the strategy, pins and decisions stay as they are, and so do open
// questions, goals, constraints and the user's answers inside of tools' results
// as far as a Budget has room. A Budget is kept to unless the decisions and pins
// alone exceed it; by Relevance it is kept to in any case, and what has no room of
// all that is named in the summary. Pins that alone exceed it are Refused.
// A Plan that would make nothing smaller is empty. Make's time is linear in the
// size of the conversation but for sorting it.
func Make(messages []schema.Message, o Options) Plan {
	if o.Strategy == "" {
		o.Strategy = Adaptive
	}
	if o.Count == nil {
		o.Count = func(text string) int { return (len(text) + 3) / 4 }
	}
	if o.Knobs == (schema.Knobs{}) {
		o.Knobs = schema.DefaultKnobs()
	}
	t := listen(messages, o)
	p := Plan{Strategy: o.Strategy, TokensBefore: t.tokens, TokensAfter: t.tokens, Ratio: 1, Prompt: t.prompt}
	w := t.window()
	if w.alert() {
		p.Alert = fmt.Sprintf("the context window is at %s %% (%s of %s tokens): unload artifacts, or end the session and begin another",
			percent(w.usage), thousands(w.used), thousands(o.Window))
	}
	var note string
	switch {
	case len(t.messages) == 0:
		note = "the conversation is empty"
	case !o.Knobs.ColdStorageEnabled:
		note = "COLD_STORAGE_ENABLED is false: what left would be lost, so nothing does"
	case o.Budget > 0 && t.pins() > o.Budget:
		p.Refused = t.tooManyPins()
		note = p.Refused
	case o.Budget > 0 && t.tokens > o.Budget && o.Strategy == Relevance:
		note = t.fit(&p, w)
	case o.Budget > 0:
		note = t.budget(&p, w)
	case o.Strategy == PSD, o.Strategy == SessionSummary:
		note = t.document(&p, w)
	case o.Strategy == Adaptive:
		note = t.adapt(&p, w)
	case o.Strategy == Relevance:
		note = t.adjust(&p, w)
	default:
		note = fmt.Sprintf("there is no strategy %.40q", o.Strategy)
	}
	if note != "" {
		t.explain()
		p.Notes = append([]string{note}, p.Notes...)
	}
	if o.Strategy == Relevance && w.reaches(p.TokensAfter) {
		p.Alert = "" // there is nothing left to be done; the CMS document's levels tell people all the same
	}
	p.Steps = t.steps()
	return p
}

// explain gives the messages of a Plan that does nothing a reason to stay.
func (t *talk) explain() {
	for i := range t.messages {
		if m := &t.messages[i]; m.verdict == Kept && m.reason == "" {
			m.reason = "nothing is due"
		}
	}
}

// steps are the messages as the Plan has them.
func (t *talk) steps() []Step {
	steps := make([]Step, len(t.messages))
	for i, m := range t.messages {
		steps[i] = Step{
			Index: m.index, ID: m.ID, Kind: m.kind, Verdict: m.verdict, Reason: m.reason, Tokens: m.tokens, Score: m.score,
			Parts: m.parts,
		}
	}
	return steps
}
