package compact

import (
	"cmp"
	"fmt"
	"time"

	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// The strategies. The level decides how far Relevance goes without a Budget: light
// (curation) drops only messages below RELEVANCE_CUTOFF, medium (compaction) also
// summarizes messages below KEEP_THRESHOLD, emergency (the hard limit) keeps the last
// MIN_CHUNKS_TO_KEEP, pins and essential messages. Force is at least medium.
const (
	SessionSummary = "session-summary" // algorithm 1 of the CMS document
	PSD            = "psd"             // algorithm 2: preserve, summarise, discard
	Adaptive       = "adaptive"        // algorithm 3: by the usage of the window
	Relevance      = "relevance"       // of the memfas plan: by how well a chunk answers the prompt
)

// OldOutput is the Reason why an output of a tool leaves.
const OldOutput = "an old output of a tool"

// A Verdict is the treatment of a message: it stays, is summarized or leaves.
type Verdict string

// The verdicts.
const (
	Kept       Verdict = "kept"       // stays in the conversation, byte for byte
	Summarised Verdict = "summarised" // its gist is in the summary, it is in cold storage
	Dropped    Verdict = "dropped"    // counted in the summary, it is in cold storage
)

// Options are the options of a Plan.
type Options struct {
	Strategy   string            // "" is Adaptive
	Budget     int               // most tokens of the conversation afterwards; 0: by the strategy
	Curate     bool              // for Relevance: at most level light, even in a fuller window
	Force      bool              // compact although the window is not full enough for the strategy
	Window     int               // tokens of the whole window; 0: not known
	Used       int               // tokens in the window now, including the messages
	Thresholds schema.Thresholds // of the policy, percent
	Floor      float64           // percent at which the last compaction ended; 0: there was none this session
	Bosses     []string          // agents whose decisions are the boss's
	Phrases    []string          // phrases that make a message of theirs a decision
	Counter    string            // name of the method of Count
	Count      func(text string) int

	// For Relevance alone.
	Prompt string       // the present subject; "" is the user's last message
	Knobs  schema.Knobs // of context-config.yaml
	Now    time.Time    // present time, for the ages of chunks
	// Compare computes similarities; nil means the function of package relevance.
	Compare func(prompt string, texts []relevance.Text) []relevance.Match
}

// A Step is the verdict on one message, with its reason.
type Step struct {
	Index   int // of the message, in the order given
	ID      string
	Kind    string // see Classify; an answer to the question before it is a clarification
	Verdict Verdict
	Reason  string // one phrase for people
	Tokens  int
	Score   float64 // ratio; how much it counted for the verdict; 0 in an empty Plan
	// Parts are the parts of Score, for Relevance; nil if nothing was compared.
	Parts *relevance.Parts
}

// A Plan is the result of planning a compaction. Steps has one entry for each message,
// in the order of time. If all are Kept there is nothing to do and Summary is empty.
type Plan struct {
	Strategy     string
	Level        string // light, medium, aggressive, emergency; "" if there is nothing to do
	TokensBefore int    // of the messages
	TokensAfter  int    // of the kept ones and the summary
	Steps        []Step
	Summary      string   // Markdown
	Ratio        float64  // of the tokens summarized or dropped to those of Summary; 1 if there are none
	From, To     string   // times of the first and last message that left
	Notes        []string // for people: why there is nothing to do, why the goal is not reached
	Alert        string   // in the emergency band
	Prompt       string   // the prompt that Relevance used
	Mark         *Mark    // for Relevance without a Budget: the Mark of the summary line
	Refused      string   // why a request is refused, such as pins that exceed the budget
}

// Empty reports whether a Plan changes nothing.
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
// With every strategy, pins and decisions stay, and so do open questions, goals, constraints
// and the user's answers inside tools' results as far as a Budget has room. The result is
// within the Budget, unless the decisions and pins alone exceed it; with Relevance it is
// within the Budget in any case, and the summary names the protected messages without room.
// Pins that alone exceed it are Refused. A Plan that would make nothing smaller is empty.
// Make's time is linear in the size of the conversation, except for sorting it.
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
			percent(w.usage), text.Thousands(w.used), text.Thousands(o.Window))
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
		p.Notes = append([]string{note}, p.Notes...)
	}
	if o.Strategy == Relevance && w.reaches(p.TokensAfter) {
		p.Alert = "" // nothing is left to do; the levels of the CMS document still apply to people
	}
	p.Steps = t.steps(note)
	return p
}

// steps returns the steps of a Plan for all messages. note is the reason of a message that
// stays without another one.
func (t *talk) steps(note string) []Step {
	steps := make([]Step, len(t.messages))
	for i, m := range t.messages {
		m.reason = cmp.Or(m.reason, note)
		steps[i] = Step{
			Index: m.index, ID: m.ID, Kind: m.kind, Verdict: m.verdict, Reason: m.reason, Tokens: m.tokens, Score: m.score,
			Parts: m.parts,
		}
	}
	return steps
}
