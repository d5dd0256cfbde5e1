package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/assemble"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// The triggers that every Quaid session has, by the thresholds of the policy
// quaid, which config.json may set.
const (
	SummaryTrigger   = "session_summary"   // every 15 messages
	ClusterTrigger   = "session_cluster"   // at 50
	ArchiveTrigger   = "session_archive"   // at 100
	EmergencyTrigger = "session_emergency" // at 80 % of the window
)

// What they do.
const (
	summaryAction        = "update_session_summary"
	clusterAction        = "cluster_messages"
	archiveSessionAction = "archive_session"
	compactAction        = "trigger_compaction"
)

// sessionThresholds are those of the policy quaid, whatever the policy of the
// window is.
func sessionThresholds(c schema.Config) schema.Thresholds {
	quaid := schema.Compaction{Policy: schema.PolicyQuaid}
	if c.Compaction != nil {
		quaid.Thresholds = c.Compaction.Thresholds
	}
	_, t := quaid.Resolve()
	return t
}

// counts are how many messages a session had when triggers on its messages were due last.
type counts struct {
	Session string `json:"session"`
	Summary int    `json:"summary"`
	Cluster int    `json:"cluster"`
	Archive int    `json:"archive"`
	// Every are the thresholds that they were counted by.
	Every [3]schema.Int `json:"every"`
}

// firedByMessages evaluates the triggers on the messages of a session, of which n are new, and returns what
// fires. What is due is due from a multiple of its threshold on.
func (r *round) firedByMessages(l *live, n int) (all []firing) {
	if n <= 0 {
		return nil
	}
	t := sessionThresholds(r.config)
	since := &r.memory.Counts
	every := [...]schema.Int{t.SummaryMessages, t.ClusterMessages, t.ArchiveMessages}
	if since.Session != l.ID || since.Every != every || l.Count-n < max(since.Summary, since.Cluster, since.Archive) {
		*since = counts{l.ID, whole(l.Count-n, every[0]), whole(l.Count-n, every[1]), whole(l.Count-n, every[2]), every}
	}
	for _, f := range r.occur(triggers.Facts{
		triggers.SessionMessages:      float64(l.Count),
		triggers.MessagesSinceSummary: float64(l.Count - since.Summary),
		triggers.MessagesSinceCluster: float64(l.Count - since.Cluster),
		triggers.MessagesSinceArchive: float64(l.Count - since.Archive),
	}, summaryAction, clusterAction, archiveSessionAction) {
		if slices.Contains(r.failing, f.Trigger) {
			r.memory.Record = r.memory.Record.Rearm(f.Trigger, f.Previous)
		} else if last, _ := since.lastDue(f.Trigger); last != nil || !f.Again {
			f.Reason, f.by, f.session = fmt.Sprintf("%d messages", l.Count), l.Speaker(), l
			all = append(all, f)
		}
	}
	return all
}

// lastDue returns at how many messages a trigger was due last, and its threshold; nil for one that does not
// start to count again when it was due.
func (c *counts) lastDue(trigger string) (last *int, every schema.Int) {
	switch trigger {
	case SummaryTrigger:
		return &c.Summary, c.Every[0]
	case ClusterTrigger:
		return &c.Cluster, c.Every[1]
	case ArchiveTrigger:
		return &c.Archive, c.Every[2]
	}
	return nil, 0
}

// noteDue notes that a trigger that counts was due at so many messages.
func (c *counts) noteDue(trigger string, messages int) {
	last, every := c.lastDue(trigger)
	if at := whole(messages, every); at > *last {
		*last = at
	} else { // its condition is not that of the threshold
		*last = messages
	}
}

// whole returns the largest multiple of every that is not above n; n where every is none.
func whole(n int, every schema.Int) int {
	if every <= 0 {
		return n
	}
	return n - n%int(every)
}

// dueIn does what is due after n messages came into the session. If that archives it, l becomes the session that
// continues it.
func (r *round) dueIn(l *live, n int) error {
	l.Slide(session.WindowMessages)
	if r.whole {
		l.renew = true
		return nil
	}
	fired := r.firedByMessages(l, n)
	var left []string // the actions that are not for now
	switch archives := slices.ContainsFunc(fired, firing.archives); {
	case r.keepsWhole():
		left = []string{clusterAction, archiveSessionAction}
	case archives:
		left = []string{clusterAction}
		queue := r.queue
		r.queue = nil // the rest of what fired comes behind it
		ended, err := r.recordSaid(l)
		if r.queue = slices.Concat(queue, r.queue); ended || err != nil {
			return err
		}
	case r.bulk: // similar messages are gathered once, behind the last; see dueAfter
		left = []string{clusterAction}
	}
	for _, last := range []bool{false, true} { // what archives the session is done behind the rest
		for _, f := range fired {
			if f.archives() != last {
				continue
			}
			if err := r.actIn(l, f, left); err != nil {
				return err
			}
		}
	}
	if r.bulk || l.Count == 0 {
		return nil
	}
	return r.emergency(l)
}

// actIn does what messages fired in a session, but for actions that are left out. What cannot be done fires in
// the next round again, and so does a trigger that does not count if actions are left out of what is imported.
func (r *round) actIn(l *live, f firing, left []string) error {
	later, now := parted(f.Firing, left)
	if slices.Contains(later.Actions, clusterAction) {
		g := f
		g.Firing, l.gathers = later, &g
	}
	f.Firing, f.quiet = now, len(now.Actions) == 0
	messages := l.Count
	fired, err := r.runActions(&f)
	if err != nil {
		return err
	}
	failed := slices.ContainsFunc(fired.Actions, func(a Acted) bool { return a.Err != nil })
	last, _ := r.memory.Counts.lastDue(f.Trigger)
	if last != nil && !failed {
		r.memory.Counts.noteDue(f.Trigger, messages)
	}
	if failed {
		r.failing = append(r.failing, f.Trigger)
	}
	if last != nil || failed || r.keepsWhole() && len(later.Actions) > 0 {
		r.memory.Record = r.memory.Record.Rearm(f.Trigger, f.Previous)
	}
	r.tellFired(f, fired)
	return nil
}

// archives reports whether the actions of a firing archive the session.
func (f firing) archives() bool { return slices.Contains(f.Actions, archiveSessionAction) }

// dueAfter does what is due after an import in the session that is live then.
func (r *round) dueAfter(l *live) error {
	if r.keepsWhole() {
		return nil
	}
	if l.gathers != nil && !r.whole {
		if err := r.act(*l.gathers); err != nil {
			return err
		}
	}
	return r.emergency(l)
}

// together returns the firings of each trigger as one, with the last reason, all that was written and who caused it.
func together(all []Fired) (one []Fired) {
	times := map[string]int{}
	both := func(a, b []string) []string {
		return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
	}
	for _, f := range all {
		i := slices.IndexFunc(one, func(g Fired) bool { return g.Trigger == f.Trigger && len(g.Actions) == len(f.Actions) })
		if times[f.Trigger]++; i < 0 {
			one = append(one, f)
			continue
		}
		one[i].Reason = fmt.Sprintf("%s, the last of %d times", f.Reason, times[f.Trigger])
		one[i].By = both(one[i].By, f.By)
		for j, a := range f.Actions {
			to := &one[i].Actions[j]
			to.Wrote = both(to.Wrote, a.Wrote)
			to.Err = cmp.Or(to.Err, a.Err)
		}
	}
	return one
}

// tellError tells people of an error that stops nothing, if there is one.
func (r *round) tellError(err error) {
	if err != nil {
		r.tell(err.Error())
	}
}

// emergency does what the triggers on how full the context window is fire. It is not done again before the
// window is so much fuller than it was afterwards.
func (r *round) emergency(l *live) error {
	var percent float64
	err := r.tx.Try(func(*fs.Tx) (err error) { percent, err = r.sessionPercent(l); return err })
	switch {
	case errors.Is(err, fs.ErrUnsettled):
		return err
	case err != nil: // it is asked again with the next message
		r.tell(fmt.Sprintf("how full the session makes the context window is not known: %v", err))
		return nil
	}
	fired := r.occur(triggers.Facts{triggers.SessionUsagePercent: percent}, compactAction)
	switch {
	case len(fired) == 0:
		r.memory.TalkFloor = 0
		return nil
	case r.memory.TalkFloor > 0 && percent < r.memory.TalkFloor+triggers.Hysteresis:
		return nil
	}
	f := fired[0]
	f.Reason, f.by, f.session, f.quiet = fmt.Sprintf("the context window is %.0f %% full", percent), l.Speaker(), l, false
	if err := r.act(f); err != nil {
		return err
	}
	r.occur(triggers.Facts{triggers.SessionUsagePercent: r.memory.TalkFloor}, compactAction) // how full it is now
	return nil
}

// shorten leaves in the window what is newest, see session.Conversation.Shorten, and notes that in the log.
func (r *round) shorten(l *live, f *firing) error {
	before, err := r.sessionTokens(l)
	if err != nil {
		return err
	}
	left, err := l.Shorten(r.tree.counter.Count, r.tree.counter.Name())
	r.tellError(err)
	if err := r.renew(l); err != nil {
		return err
	}
	f.changed = []string{session.SummaryFile(l.ID)}
	if left > 0 {
		f.changed = append(f.changed, session.Window(l.ID), session.ArchiveFile(l.ID))
		r.memory.Compacted = r.at
		if err := r.logShortened(l, f.Trigger, before, left); err != nil {
			return err
		}
	}
	health.Forget(r.tx)
	percent, err := r.sessionPercent(l)
	r.memory.TalkFloor = max(percent, 1)
	if t := sessionThresholds(r.config); err == nil && t.Emergency > 0 && percent >= t.Emergency {
		r.out.Notes = append(r.out.Notes, fmt.Sprintf(
			"the context window stays %.0f %% full: of the session only the last %d messages, its summary and its hot context are left, which is never cut",
			percent, session.KeptMessages))
	}
	return err
}

// logShortened notes that a trigger took so many messages out of the window, which cost so many tokens before.
func (r *round) logShortened(l *live, trigger string, before, left int) error {
	after, err := r.sessionTokens(l)
	if err != nil {
		return err
	}
	line := schema.LogCompaction{
		Timestamp: schema.FormatTime(r.at), Event: "compaction_triggered", Trigger: trigger,
		TokensBefore: schema.Int(before), TokensAfter: schema.Int(after), ChunksSummarized: schema.Int(left),
	}
	if trigger == EmergencyTrigger {
		line.ConfigUsed = fmt.Sprintf("emergency=%v", sessionThresholds(r.config).Emergency)
	}
	return r.log(fs.CompactionLog, line)
}

// hasWindow reports whether a State tells of the context window.
func hasWindow(s schema.State) bool { return s.ContextWindow != nil && s.ContextWindow.TotalTokens > 0 }

// otherPolicy returns the policy of the window of a State, and reports whether that is another one than quaid:
// then the window does not depend on the session.
func otherPolicy(s schema.State, c schema.Config) (policy string, is bool) {
	policy, _ = c.Compaction.Resolve()
	return policy, hasWindow(s) && policy != schema.PolicyQuaid
}

// sessionPercent returns how full the context window is with the session in it, and 0 where another policy looks
// after it.
func (r *round) sessionPercent(l *live) (float64, error) {
	s, _ := r.readState()
	if _, other := otherPolicy(s, r.config); other {
		return 0, nil
	}
	stated := hasWindow(s)
	var window *schema.State
	if stated {
		window = &s
	}
	if percent, ok := r.reportedPercent(l, window); ok {
		return percent, nil
	}
	used, err := r.sessionTokens(l)
	if err != nil {
		return 0, err
	}
	if stated {
		_, percent := state.LiveUsage(s, used)
		return percent, nil
	}
	return 100 * float64(used) / float64(r.config.Compaction.SessionWindow()), nil
}

// sessionTokens is what the three tiers of a session cost.
func (r *round) sessionTokens(l *live) (int, error) {
	hot, err := r.cost(session.HotContext(l.ID), func(src []byte) int {
		h, err := session.ReadHot(src)
		if err != nil {
			return 0
		}
		var whole *assemble.TooSmall // which the hot context alone is for no room at all
		_, err = assemble.Make(assemble.Input{Session: l.ID, Hot: h.Context()}, assemble.Options{Count: r.tree.counter.Count})
		if errors.As(err, &whole) {
			return whole.Need
		}
		return 0
	})
	if err != nil {
		return 0, err
	}
	summary, err := r.cost(session.SummaryFile(l.ID), func(src []byte) int { return r.tree.counter.Count(string(src)) })
	return l.Tokens(r.tree.counter.Count) + hot + summary, err
}

// A cost is what a prompt is given of a document, in tokens, as it was counted.
type cost struct {
	src    []byte
	tokens int
}

// cost counts a document, once for each text that it has.
func (r *round) cost(name string, count func(src []byte) int) (int, error) {
	src, err := r.maybe(name)
	if err != nil {
		return 0, err
	}
	if c, ok := r.costs[name]; ok && bytes.Equal(c.src, src) {
		return c.tokens, nil
	}
	if r.costs == nil {
		r.costs = map[string]cost{}
	}
	r.costs[name] = cost{src, count(src)}
	return r.costs[name].tokens, nil
}

// sessionTriggers are the triggers that every Quaid session has, as config.json would list
// them. A threshold of 0 is none.
func sessionTriggers(c schema.Config) []schema.Trigger {
	t := sessionThresholds(c)
	trigger := func(name, fact string, threshold float64, does string) schema.Trigger {
		return schema.Trigger{
			Name: name, Enabled: threshold > 0, Actions: []string{does},
			Condition: fact + " >= " + strconv.FormatFloat(threshold, 'f', -1, 64),
		}
	}
	return []schema.Trigger{
		trigger(SummaryTrigger, triggers.MessagesSinceSummary, float64(t.SummaryMessages), summaryAction),
		trigger(ClusterTrigger, triggers.MessagesSinceCluster, float64(t.ClusterMessages), clusterAction),
		trigger(ArchiveTrigger, triggers.MessagesSinceArchive, float64(t.ArchiveMessages), archiveSessionAction),
		trigger(EmergencyTrigger, triggers.SessionUsagePercent, t.Emergency, compactAction),
	}
}
