package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// A conversationWork holds the figures of the conversation of a transaction, and what its
// compaction must keep.
type conversationWork struct {
	talk      *session.Tally // of the conversation, once it was looked at
	compare   comparison     // of texts with a prompt; nil: by full text alone
	compacted bool           // a compaction was made, or its plan was empty
	critical  []critical     // the texts that a compaction must keep
}

// A Compaction holds the options of Compact.
type Compaction struct {
	Strategy string // one of package compact; "" is what the policy says
	Budget   int    // the most tokens of the conversation afterwards; 0: by the strategy
	Now      bool   // even if the window is not full enough
	Prompt   string // the current subject, for strategy relevance; "" is the user's last message
}

// A Compacted is the result of a compaction, or of a plan of one.
type Compacted struct {
	compact.Plan
	ID      string // of the compaction; "" if nothing was done
	Summary string // name of the file of the summary; "" if there is none
	Cold    string // name of the file that holds what left the conversation

	dropped map[schema.Int]bool // the numbers of the lines that were dropped, not summarized
}

// Compact compacts the live conversation.
func (t *Tree) Compact(ctx context.Context, c Compaction) (Compacted, Outcome, error) {
	var done Compacted
	out, err := t.doComparing(ctx, func(r *WorkingSet) (err error) {
		done, err = r.compact(c, "")
		return err
	})
	return done, out, err
}

// compact makes a Plan and carries it out: what leaves the conversation goes to cold
// storage in the same transaction, and nothing critical is lost. trigger is the trigger
// that compacts; "" for a person.
func (r *WorkingSet) compact(c Compaction, trigger string) (Compacted, error) {
	return r.carryOut(r.optionsFor(c), func(done Compacted, o compact.Options, chunks []schema.Chunk) error {
		return r.logCompaction(done, o, chunks, trigger)
	})
}

// carryOut makes a Plan by o and carries it out; record writes what was done to the
// logs.
func (r *WorkingSet) carryOut(o compact.Options, record func(Compacted, compact.Options, []schema.Chunk) error) (Compacted, error) {
	name, src, err := r.conversation()
	if err != nil {
		return Compacted{}, err
	}
	lines := session.Read(src)
	messages := session.Messages(lines)
	done := Compacted{Plan: compact.Make(messages, o)}
	r.compacted = true
	if done.Empty() {
		return done, nil
	}
	done.dropped = droppedLines(lines, done.Plan)
	r.copies = true
	if err := r.listCritical(name, keptDecisions(lines, done.Plan)); err != nil {
		return done, err
	}
	if err := r.recordLeaving(messages, done.Plan); err != nil {
		return done, err
	}
	owner, err := session.Owner(r.tx)
	if err != nil {
		return done, err
	}
	done.ID = session.CompactionID(src, done.Plan)
	after, chunks, err := session.Apply(src, lines, done.Plan, session.Compaction{
		ID: done.ID, Session: owner, Counter: o.Counter, Prompt: session.LogPrompt(done.Prompt), At: schema.FormatTime(r.at), RecoverableUntil: r.recoverableUntil(),
	})
	if err != nil {
		return done, wrapName(name, err)
	}
	if err := r.checkpoint(); err != nil && !isMissing(err) { // with what the conversation cost until now
		return done, err
	}
	// Copy out before anything is cut.
	if done.Cold, err = cold.Put(r.tx, r.home, owner, done.ID, chunks); err != nil {
		return done, err
	}
	r.tx.Write(name, after)
	if err := r.countTokens(); err != nil {
		return done, err
	}
	if done.Summary, err = r.recordCompaction(done, owner); err != nil {
		return done, err
	}
	if err := record(done, o, chunks); err != nil {
		return done, err
	}
	if done.Alert != "" {
		r.memory.Emergency = "an emergency compaction was needed at " + schema.FormatTime(r.at) + ": " + done.Alert
	}
	r.retold = r.newSummaryRewrite(done, o, name, lines)
	return done, r.endCompaction()
}

// endCompaction logs the usage of the window, expires cold storage, and checks that nothing
// critical is lost.
func (r *WorkingSet) endCompaction() error {
	if err := r.logHealth(); err != nil {
		return err
	}
	if err := r.expire(); err != nil {
		return err
	}
	return r.checkCritical()
}

// recoverableUntil returns the time until which cold storage keeps what leaves now. The
// latest is the year 9999, the last that can be written.
func (r *WorkingSet) recoverableUntil() string {
	until, last := r.at.AddDate(0, 0, r.knobs.RecoverableForDays), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	if until.After(last) {
		until = last
	}
	return schema.FormatTime(until)
}

// keptDecisions returns the lines of a conversation that a Plan keeps as decisions. A
// decision that exceeds the budget goes to cold storage, and the summary names it.
func keptDecisions(lines []session.Line, plan compact.Plan) (raw [][]byte) {
	var said [][]byte
	for _, line := range lines {
		if line.Err == nil {
			said = append(said, line.Raw)
		}
	}
	for _, s := range plan.Steps {
		if s.Kind == compact.Decision && (s.Verdict == compact.Kept || plan.Strategy != compact.Relevance) {
			raw = append(raw, said[s.Index])
		}
	}
	return raw
}

// droppedLines returns the numbers of the lines that a Plan drops.
func droppedLines(lines []session.Line, plan compact.Plan) map[schema.Int]bool {
	var at []int // of the messages
	for _, line := range lines {
		if line.Err == nil {
			at = append(at, line.At)
		}
	}
	dropped := map[schema.Int]bool{}
	for _, s := range plan.Steps {
		if s.Verdict == compact.Dropped {
			dropped[schema.Int(at[s.Index])] = true
		}
	}
	return dropped
}

// recordLeaving records the decisions that exceed a budget in the Ledger: cold storage
// expires, the Ledger does not.
func (r *WorkingSet) recordLeaving(messages []schema.Message, plan compact.Plan) error {
	for _, s := range plan.Steps {
		if s.Kind != compact.Decision || s.Verdict == compact.Kept {
			continue
		}
		d := r.detected(messages[s.Index])
		_, known, err := ledger.Find(r.tx, d.ID)
		if err == nil && !known {
			err = ledger.Record(r.tx, r.home, d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// recordCompaction writes a compaction into the State's window and into the session's
// summary file, whose name it returns.
func (r *WorkingSet) recordCompaction(done Compacted, owner string) (string, error) {
	counter := r.tree.counter.Name()
	err := r.editState(func(src []byte) ([]byte, error) {
		return state.Compacted(src, r.at, done.TokensAfter, counter)
	})
	if err != nil {
		return "", err
	}
	r.memory.Floor = 0
	if now := r.values(); now != nil {
		r.memory.Floor = now.Usage
	}
	name := fs.Sessions + "/" + owner + "/summary.md"
	title := "Session summary: " + owner
	if s, ok := r.readState(); ok {
		if name, err = state.SummaryName(s); err != nil {
			return "", err
		}
		title = "Session summary: " + s.Metadata.SessionID
	}
	old, err := r.tx.Read(name)
	if err != nil && !isMissing(err) {
		return "", err
	}
	r.tx.Write(name, templates.AddSection(old, title, "Compaction "+done.ID, done.Plan.Summary))
	return name, nil
}

// compactOptions returns the options of a Plan in this tree.
func (r *WorkingSet) compactOptions() compact.Options {
	policy, thresholds := r.policy()
	o := compact.Options{
		Strategy: strategyOf(policy), Knobs: r.knobs.Knobs, Now: r.at,
		Thresholds: thresholds, Floor: r.memory.Floor,
		Bosses: bosses(r.config), Phrases: phrases(r.config),
		Counter: r.tree.counter.Name(), Count: r.tree.counter.Count, Compare: r.compare,
	}
	if s, ok := r.readState(); ok && s.ContextWindow != nil {
		live := r.liveUsage(s)
		o.Window, o.Used = live.Total, live.Used
	} else if id, err := r.activeSession(); err == nil && id != "" {
		talk := r.conversationNow()
		live := health.SessionUsage(talk.Tokens, talk.Tokens, r.config.Compaction.SessionWindow(), health.ReadReported(r.tx, talk))
		o.Window, o.Used = live.Total, live.Used
	}
	return o
}

// phrases returns the phrases that make a message of a boss a decision.
func phrases(c schema.Config) []string {
	if c.Agents != nil && c.Agents.DecisionPhrases != nil {
		return c.Agents.DecisionPhrases
	}
	return schema.DefaultDecisionPhrases()
}

// maxAutomatic is the largest conversation, in bytes, that a trigger compacts. A larger
// one takes more time and memory than people expect of another command.
const maxAutomatic = 12 << 20

// runCompaction is an action: it compacts by the policy, once in a transaction.
func runCompaction(r *WorkingSet, f cause) error {
	if r.compacted {
		return nil
	}
	policy, _ := r.policy()
	if f.Trigger == EmergencyTrigger || policy == schema.PolicyQuaid && r.inQuaid() {
		r.compacted, r.copies = true, true
		return r.inSession(func(l *liveSession) error {
			if f.Trigger == EmergencyTrigger {
				return r.shorten(l)
			}
			return r.emergency(l)
		})
	}
	if r.tooLong() {
		return nil
	}
	done, err := r.compact(Compaction{}, f.Trigger)
	if done.Alert != "" {
		r.out.Notes = append(r.out.Notes, done.Alert)
	}
	r.out.Notes = append(r.out.Notes, done.Notes...)
	return err
}

// tooLong reports whether the conversation is too long for a trigger. If so, it adds a note.
func (r *WorkingSet) tooLong() bool {
	if _, ok := r.talkTokens(); !ok || r.talk.Size <= maxAutomatic {
		return false
	}
	r.compacted = true
	r.out.Notes = append(r.out.Notes, fmt.Sprintf(
		"the conversation has %d MiB, which is too much to be compacted in passing; 'forgemind compact' takes the time", r.talk.Size>>20))
	return true
}
