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

// dueAfterMessages evaluates the triggers on the messages of a session, of which n are new, and returns
// those that fire. What is due is due from a multiple of its threshold on.
func (r *round) dueAfterMessages(l *live, n int) map[string]bool {
	if n <= 0 {
		return nil
	}
	t := sessionThresholds(r.config)
	since := &r.memory.Counts
	every := [...]schema.Int{t.SummaryMessages, t.ClusterMessages, t.ArchiveMessages}
	if since.Session != l.ID || since.Every != every || l.Count-n < max(since.Summary, since.Cluster, since.Archive) {
		*since = counts{l.ID, whole(l.Count-n, every[0]), whole(l.Count-n, every[1]), whole(l.Count-n, every[2]), every}
	}
	fired := r.occur(triggers.Facts{
		triggers.SessionMessages:      float64(l.Count),
		triggers.MessagesSinceSummary: float64(l.Count - since.Summary),
		triggers.MessagesSinceCluster: float64(l.Count - since.Cluster),
		triggers.MessagesSinceArchive: float64(l.Count - since.Archive),
	}, SummaryTrigger, ClusterTrigger, ArchiveTrigger)
	for _, trigger := range []struct {
		name  string
		since *int
		every schema.Int
	}{{SummaryTrigger, &since.Summary, t.SummaryMessages}, {ClusterTrigger, &since.Cluster, t.ClusterMessages}, {ArchiveTrigger, &since.Archive, t.ArchiveMessages}} {
		if !fired[trigger.name] {
			continue
		}
		if at := whole(l.Count, trigger.every); at > *trigger.since {
			*trigger.since = at
		} else { // its condition is not that of the threshold
			*trigger.since = l.Count
		}
	}
	return fired
}

// whole returns the largest multiple of every that is not above n; n where every is none.
func whole(n int, every schema.Int) int {
	if every <= 0 {
		return n
	}
	return n - n%int(every)
}

// dueIn does what is due after n messages came into the session, and returns the
// session that is live then.
func (r *round) dueIn(l *live, n int) (*live, error) {
	l.Slide(session.WindowMessages)
	if r.whole {
		l.renew = true
		return l, nil
	}
	fired := r.dueAfterMessages(l, n)
	if fired[SummaryTrigger] {
		if err := r.renew(l); err != nil {
			return nil, err
		}
		if !r.keepsWhole() { // which tells it once; see dueAfter
			r.summaryFired(l)
		}
	}
	l.clusters = l.clusters || fired[ClusterTrigger]
	switch {
	case r.keepsWhole():
		return l, nil
	case fired[ArchiveTrigger]:
		return r.archiveDue(l)
	case r.bulk: // the rest is looked at once, behind the last; see dueAfter
		return l, nil
	case fired[ClusterTrigger]:
		r.clusterDue(l)
	}
	return l, r.emergency(l)
}

// dueAfter does what is due after an import in the session that is live then.
func (r *round) dueAfter(l *live) error {
	if r.keepsWhole() {
		if l.renew && !r.whole {
			r.summaryFired(l)
		}
		return nil
	}
	if !r.whole && l.clusters {
		r.clusterDue(l)
	}
	return r.emergency(l)
}

func (r *round) summaryFired(l *live) {
	r.firedOn(SummaryTrigger, fmt.Sprintf("%d messages", l.Count), "update_session_summary", session.SummaryFile(l.ID))
}

func (r *round) clusterDue(l *live) {
	r.cluster(l)
	r.firedOn(ClusterTrigger, fmt.Sprintf("%d messages", l.Count), "cluster_messages", session.Window(l.ID), session.ArchiveFile(l.ID))
}

// firedOn notes that a trigger of sessions fired.
func (r *round) firedOn(trigger, reason, action string, wrote ...string) {
	r.out.Fired = append(r.out.Fired, Fired{
		Trigger: trigger, Reason: reason, Actions: []Acted{{Action: action, Built: true, Wrote: wrote}},
	})
	r.memory.fired(trigger, r.at)
}

// together returns the firings of each trigger as one, with the last reason and all that was written.
func together(all []Fired) (one []Fired) {
	times := map[string]int{}
	for _, f := range all {
		i := slices.IndexFunc(one, func(g Fired) bool { return g.Trigger == f.Trigger && len(g.Actions) == len(f.Actions) })
		if times[f.Trigger]++; i < 0 {
			one = append(one, f)
			continue
		}
		one[i].Reason = fmt.Sprintf("%s, the last of %d times", f.Reason, times[f.Trigger])
		for j, a := range f.Actions {
			to := &one[i].Actions[j]
			to.Wrote = slices.Compact(slices.Sorted(slices.Values(slices.Concat(to.Wrote, a.Wrote))))
			to.Err = cmp.Or(to.Err, a.Err)
		}
	}
	return one
}

// cluster lets similar messages go to the archive, see session.Conversation.Gather.
func (r *round) cluster(l *live) {
	_, err := l.Gather(r.tree.counter.Count, r.tree.counter.Name())
	r.tellError(err)
}

// tellError tells people of an error that stops nothing, if there is one.
func (r *round) tellError(err error) {
	if err != nil {
		r.tell(err.Error())
	}
}

// emergency shortens the window to its newest messages where the context window
// is full to so many percent. It is not done again before it is 5 percent fuller
// than it was afterwards.
func (r *round) emergency(l *live) error {
	const again = 5
	percent, full, err := r.isFull(l)
	switch {
	case err != nil:
		return err
	case !full:
		r.memory.TalkFloor = 0
		return nil
	case r.memory.TalkFloor > 0 && percent < r.memory.TalkFloor+again:
		return nil
	}
	if err := r.shorten(l); err != nil {
		return err
	}
	r.firedOn(EmergencyTrigger, fmt.Sprintf("the context window is %.0f %% full", percent), "trigger_compaction",
		session.Window(l.ID), session.ArchiveFile(l.ID), session.SummaryFile(l.ID))
	return nil
}

// isFull returns how full the context window is with the session in it, in percent, and
// reports whether that is an emergency.
func (r *round) isFull(l *live) (percent float64, full bool, err error) {
	if percent, err = r.sessionPercent(l); err != nil {
		return 0, false, err
	}
	return percent, r.occur(triggers.Facts{triggers.SessionUsagePercent: percent}, EmergencyTrigger)[EmergencyTrigger], nil
}

// shorten leaves in the window what is newest, see session.Conversation.Shorten, and notes that in the log.
func (r *round) shorten(l *live) error {
	before, err := r.sessionTokens(l)
	if err != nil {
		return err
	}
	left, err := l.Shorten(r.tree.counter.Count, r.tree.counter.Name())
	r.tellError(err)
	if err := r.renew(l); err != nil {
		return err
	}
	if left > 0 {
		r.memory.Compacted = r.at
		if err := r.logShortened(l, before, left); err != nil {
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

// logShortened notes that so many messages left the window, which cost so many tokens before.
func (r *round) logShortened(l *live, before, left int) error {
	after, err := r.sessionTokens(l)
	if err != nil {
		return err
	}
	return r.log(fs.CompactionLog, schema.LogCompaction{
		Timestamp: schema.FormatTime(r.at), Event: "compaction_triggered", Trigger: EmergencyTrigger,
		TokensBefore: schema.Int(before), TokensAfter: schema.Int(after), ChunksSummarized: schema.Int(left),
		ConfigUsed: fmt.Sprintf("emergency=%v", sessionThresholds(r.config).Emergency),
	})
}

// sessionPercent is how full the context window is with the session in it. A
// State's window has a policy of its own unless that is quaid: 0 then.
func (r *round) sessionPercent(l *live) (float64, error) {
	s, ok := r.readState()
	stated := ok && s.ContextWindow != nil && s.ContextWindow.TotalTokens > 0
	if policy, _ := r.config.Compaction.Resolve(); stated && policy != schema.PolicyQuaid {
		return 0, nil
	}
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
	trigger := func(name, fact string, threshold float64, action string) schema.Trigger {
		return schema.Trigger{
			Name: name, Enabled: threshold > 0, Actions: []string{action},
			Condition: fact + " >= " + strconv.FormatFloat(threshold, 'f', -1, 64),
		}
	}
	return []schema.Trigger{
		trigger(SummaryTrigger, triggers.MessagesSinceSummary, float64(t.SummaryMessages), "update_session_summary"),
		trigger(ClusterTrigger, triggers.MessagesSinceCluster, float64(t.ClusterMessages), "cluster_messages"),
		trigger(ArchiveTrigger, triggers.MessagesSinceArchive, float64(t.ArchiveMessages), "archive_session"),
		trigger(EmergencyTrigger, triggers.SessionUsagePercent, t.Emergency, "trigger_compaction"),
	}
}
