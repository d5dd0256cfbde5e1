package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// A compactStage holds the conversation of a round, and what became of its compaction.
type compactStage struct {
	talk      *session.Tally // of the conversation, once it was looked at
	compare   comparison     // of texts with a prompt; nil: by full text alone
	compacted bool           // a compaction was made, or planned for nothing
	firing    string         // the trigger that compacts
	critical  []critical     // what a compaction must leave as it is
}

// A Compaction is what Compact is asked for.
type Compaction struct {
	Strategy string // one of package compact; "" is what the policy says
	Budget   int    // tokens that the conversation may cost afterwards; 0: by the strategy
	Now      bool   // also where the window is not full enough for it
	Prompt   string // what the conversation is about now, for strategy relevance; "" is what the user said last
}

// A Compacted is what a compaction did, or would do.
type Compacted struct {
	compact.Plan
	ID      string // of the compaction; "" where nothing was done
	Summary string // name of the file that its summary went to; "" where there is none
	Cold    string // name of the file that holds what left the conversation

	dropped map[schema.Int]bool // the numbers of the lines that were dropped, not summarised
}

// Compact compacts the live conversation.
func (t *Tree) Compact(ctx context.Context, c Compaction) (Compacted, Outcome, error) {
	var done Compacted
	out, err := t.doComparing(ctx, func(r *round) (err error) {
		done, err = r.compact(c)
		return err
	})
	return done, out, err
}

// compact makes a Plan and carries it out: what leaves the conversation is in
// cold storage in the same transaction, and nothing critical is lost.
func (r *round) compact(c Compaction) (Compacted, error) {
	return r.carryOut(r.optionsFor(c), r.logCompaction)
}

// carryOut makes a Plan by o and carries it out; record notes in the logs what
// was done.
func (r *round) carryOut(o compact.Options, record func(Compacted, compact.Options, []schema.Chunk) error) (Compacted, error) {
	name, src, err := r.conversation()
	if err != nil {
		return Compacted{}, err
	}
	lines := session.Read(src)
	messages := session.Weighed(lines, r.config)
	done := Compacted{Plan: compact.Make(messages, o)}
	r.compacted = true
	if done.Empty() {
		return done, nil
	}
	done.dropped = droppedLines(lines, done.Plan)
	if err := r.guard(name, held(lines, done.Plan)); err != nil {
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
		ID: done.ID, Session: owner, Counter: o.Counter, Prompt: session.Noted(done.Prompt), At: schema.FormatTime(r.at), RecoverableUntil: r.recoverableUntil(),
	})
	if err != nil {
		return done, wrapName(name, err)
	}
	if err := r.checkpoint(); err != nil && !missing(err) { // with what the conversation cost until now
		return done, err
	}
	// Copy out before anything is cut.
	if done.Cold, err = cold.Put(r.tx, r.home, owner, done.ID, chunks); err != nil {
		return done, err
	}
	r.tx.Write(name, after)
	if err := r.tally(); err != nil {
		return done, err
	}
	if done.Summary, err = r.account(done, owner); err != nil {
		return done, err
	}
	if err := record(done, o, chunks); err != nil {
		return done, err
	}
	if err := r.logHealth(); err != nil {
		return done, err
	}
	if err := r.expire(); err != nil {
		return done, err
	}
	r.retold = r.toRetell(done, o, name, lines)
	return done, r.preserved()
}

// recoverableUntil is until when what leaves now is kept in cold storage. No year
// after 9999 can be written.
func (r *round) recoverableUntil() string {
	until, last := r.at.AddDate(0, 0, r.knobs.RecoverableForDays), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	if until.After(last) {
		until = last
	}
	return schema.FormatTime(until)
}

// held are the lines of a conversation that a Plan takes for decisions and keeps.
// One that has no room in a budget is in cold storage, and the summary names it.
func held(lines []session.Line, plan compact.Plan) (raw [][]byte) {
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

// droppedLines are the numbers of the lines that a Plan drops.
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

// recordLeaving takes decisions that have no room in a budget into the Ledger:
// cold storage keeps what it holds for its time, the Ledger for ever.
func (r *round) recordLeaving(messages []schema.Message, plan compact.Plan) error {
	for _, s := range plan.Steps {
		if s.Kind != compact.Decision || s.Verdict == compact.Kept {
			continue
		}
		d := r.detected(messages[s.Index])
		_, added, err := r.addOnce(d)
		if err != nil {
			return err
		}
		if added {
			r.acted.Add(d.ID) // what was said had its effects
		}
	}
	return nil
}

// account writes a compaction into the State's window and into the session's
// summary file, whose name it returns.
func (r *round) account(done Compacted, owner string) (string, error) {
	counter := r.tree.counter.Name()
	err := r.editState(func(src []byte) ([]byte, error) {
		return state.Compacted(src, r.at, done.TokensAfter, counter)
	})
	if err != nil {
		return "", err
	}
	r.memory.Floor, r.memory.Compacted = 0, r.at
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
	if err != nil && !missing(err) {
		return "", err
	}
	r.tx.Write(name, templates.AddSection(old, title, "Compaction "+done.ID, done.Plan.Summary))
	return name, nil
}

// logCompaction notes in the logs what a compaction did, and what it dropped.
func (r *round) logCompaction(done Compacted, o compact.Options, chunks []schema.Chunk) error {
	dropped, err := r.logDrops(done, o, chunks)
	if err != nil {
		return err
	}
	fired := "manual"
	if r.firing != "" {
		fired = r.firing
	}
	return r.log(fs.CompactionLog, schema.LogCompaction{
		Timestamp: schema.FormatTime(r.at), Event: "compaction_triggered", Trigger: fired,
		TokensBefore: schema.Int(done.TokensBefore), TokensAfter: schema.Int(done.TokensAfter),
		ChunksDropped: schema.Int(dropped), ChunksSummarized: schema.Int(len(chunks) - dropped), ConfigUsed: r.decided(done),
	})
}

// decided is the setting that decided on a compaction, for people.
func (r *round) decided(done Compacted) string {
	name := map[string]string{ThresholdTrigger: "COMPACTION_TRIGGER_PCT", LimitTrigger: "MAX_CONTEXT_PCT"}[r.firing]
	if value, ok := r.knobs.Get(name); ok {
		return name + "=" + value
	}
	if done.Level != "" {
		return done.Strategy + ", " + done.Level
	}
	return done.Strategy
}

// logDrops notes what was dropped, and says of how many chunks; the others were
// summarised.
func (r *round) logDrops(done Compacted, o compact.Options, chunks []schema.Chunk) (dropped int, err error) {
	line := schema.LogDrop{Timestamp: schema.FormatTime(r.at), Event: "chunk_dropped", ColdStoragePath: done.Cold}
	if done.Strategy == compact.Relevance {
		line.ThresholdUsed, line.ConfigUsed = o.Knobs.RelevanceCutoff, o.Knobs.Deciding()
	}
	for _, c := range chunks {
		if !done.dropped[c.Line] {
			continue
		}
		line.ChunkID, line.SessionID, line.Reason, line.RelevanceScore = c.ChunkID, c.SessionID, c.DropReason, c.RelevanceScore
		line.Similarity, line.Hours, line.Important, line.Tokens = c.Similarity, c.Hours, c.Important, c.Tokens
		if err := r.log(fs.DropLog, line); err != nil {
			return dropped, err
		}
		dropped++
	}
	return dropped, nil
}

// compactOptions are what a Plan is made by in this tree.
func (r *round) compactOptions() compact.Options {
	policy, thresholds := r.policy()
	o := compact.Options{
		Strategy: strategyOf(policy), Knobs: r.knobs.Knobs, Now: r.at,
		Thresholds: thresholds, Floor: r.memory.Floor,
		Bosses: r.config.Bosses(), Phrases: r.config.DecisionPhrases(),
		Counter: r.tree.counter.Name(), Count: r.tree.counter.Count, Compare: r.compare,
	}
	if s, ok := r.readState(); ok && s.ContextWindow != nil {
		live := r.live(s)
		o.Window, o.Used = live.Total, live.Used
	} else if id, err := r.activeSession(); err == nil && id != "" {
		talk := r.conversationNow()
		live := health.SessionUsage(talk.Tokens, talk.Tokens, r.config.Compaction.SessionWindow(), health.ReadReported(r.tx, talk))
		o.Window, o.Used = live.Total, live.Used
	}
	return o
}

// longest is how long a conversation may be for a trigger to compact it, in
// bytes: more takes time and memory that nobody expects of another command.
const longest = 12 << 20

// runCompaction is the action: a compaction by the policy, once in a round, but of a session whenever that is full.
func runCompaction(r *round, f *firing) error {
	if r.compacted && f.session == nil {
		return nil
	}
	policy, _ := r.policy()
	inQuaid := policy == schema.PolicyQuaid && r.inQuaid()
	if f.session != nil || f.Trigger == EmergencyTrigger || inQuaid {
		r.compacted = r.compacted || f.session == nil
		return inSession(func(r *round, l *live, f *firing) error {
			if f.session == nil && f.Trigger != EmergencyTrigger {
				return r.emergency(l)
			}
			return r.shorten(l, f)
		})(r, f)
	}
	if r.tooLong() {
		return nil
	}
	r.firing = f.Trigger
	done, err := r.compact(Compaction{})
	if done.Alert != "" {
		r.out.Notes = append(r.out.Notes, done.Alert)
	}
	r.out.Notes = append(r.out.Notes, done.Notes...)
	return err
}

// tooLong says whether the conversation is too long for a trigger, and says so.
func (r *round) tooLong() bool {
	if _, ok := r.talkTokens(); !ok || r.talk.Size <= longest {
		return false
	}
	r.compacted = true
	r.out.Notes = append(r.out.Notes, fmt.Sprintf(
		"the conversation has %d MiB, which is too much to be compacted in passing; 'forgemind compact' takes the time", r.talk.Size>>20))
	return true
}
