package engine

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// The triggers of every Quaid session, at the thresholds of the policy quaid, which
// config.json may set.
const (
	SummaryTrigger   = "session_summary"   // every 15 messages
	ClusterTrigger   = "session_cluster"   // at 50
	ArchiveTrigger   = "session_archive"   // at 100
	EmergencyTrigger = "session_emergency" // at 80 % of the window
)

// sessionThresholds returns the thresholds of the policy quaid, whatever the policy of
// the window is.
func sessionThresholds(c schema.Config) schema.Thresholds {
	quaid := schema.Compaction{Policy: schema.PolicyQuaid}
	if c.Compaction != nil {
		quaid.Thresholds = c.Compaction.Thresholds
	}
	_, t := quaid.Resolve()
	return t
}

// messageCounts holds the number of messages that a session had when each trigger on
// messages was last due.
type messageCounts struct {
	Session string `json:"session"`
	Summary int    `json:"summary"`
	Cluster int    `json:"cluster"`
	Archive int    `json:"archive"`
	// Every holds the thresholds at that time.
	Every [3]schema.Int `json:"every"`
}

// dueAfterMessages evaluates the triggers on the messages of a session, of which n are
// new, and returns those that fire. A trigger is due once the count reaches a multiple
// of its threshold.
func (r *WorkingSet) dueAfterMessages(l *liveSession, n int) map[string]bool {
	if n <= 0 {
		return nil
	}
	t := sessionThresholds(r.config)
	since := &r.memory.Counts
	every := [...]schema.Int{t.SummaryMessages, t.ClusterMessages, t.ArchiveMessages}
	if since.Session != l.id || since.Every != every || l.count-n < max(since.Summary, since.Cluster, since.Archive) {
		*since = messageCounts{l.id, largestMultiple(l.count-n, every[0]), largestMultiple(l.count-n, every[1]), largestMultiple(l.count-n, every[2]), every}
	}
	fired := r.evaluateFacts(triggers.Facts{
		triggers.SessionMessages:      float64(l.count),
		triggers.MessagesSinceSummary: float64(l.count - since.Summary),
		triggers.MessagesSinceCluster: float64(l.count - since.Cluster),
		triggers.MessagesSinceArchive: float64(l.count - since.Archive),
	}, SummaryTrigger, ClusterTrigger, ArchiveTrigger)
	for _, trigger := range []struct {
		name  string
		since *int
		every schema.Int
	}{{SummaryTrigger, &since.Summary, t.SummaryMessages}, {ClusterTrigger, &since.Cluster, t.ClusterMessages}, {ArchiveTrigger, &since.Archive, t.ArchiveMessages}} {
		if !fired[trigger.name] {
			continue
		}
		if at := largestMultiple(l.count, trigger.every); at > *trigger.since {
			*trigger.since = at
		} else { // its condition is not the threshold
			*trigger.since = l.count
		}
	}
	return fired
}

// largestMultiple returns the largest multiple of every that is not above n; n if every
// is 0.
func largestMultiple(n int, every schema.Int) int {
	if every <= 0 {
		return n
	}
	return n - n%int(every)
}

// runDueIn runs the triggers that are due after n messages were added to the session,
// and returns the session that is live afterwards.
func (r *WorkingSet) runDueIn(l *liveSession, n int) (*liveSession, error) {
	r.slide(l, session.WindowMessages)
	if r.event.intake == wholeSession {
		l.renew = true
		return l, nil
	}
	fired := r.dueAfterMessages(l, n)
	if fired[SummaryTrigger] {
		if err := r.renewSummary(l); err != nil {
			return nil, err
		}
		if r.event.intake != wholeTranscript { // an import notes it once; see runDueAfterImport
			r.noteSummaryFired(l)
		}
	}
	l.clusters = l.clusters || fired[ClusterTrigger]
	switch {
	case r.event.intake == wholeTranscript:
		return l, nil
	case fired[ArchiveTrigger]:
		return r.archiveDue(l)
	case r.event.intake != justSaid: // the rest runs once, at the end; see runDueAfterImport
		return l, nil
	case fired[ClusterTrigger]:
		r.runCluster(l)
	}
	return l, r.emergency(l)
}

// runDueAfterImport runs the triggers that are due after an import in the live session.
func (r *WorkingSet) runDueAfterImport(l *liveSession) error {
	if r.event.intake == wholeTranscript {
		if l.renew {
			r.noteSummaryFired(l)
		}
		return nil
	}
	if r.event.intake != wholeSession && l.clusters {
		r.runCluster(l)
	}
	return r.emergency(l)
}

func (r *WorkingSet) noteSummaryFired(l *liveSession) {
	r.noteFired(SummaryTrigger, fmt.Sprintf("%d messages", l.count), "update_session_summary", session.SummaryFile(l.id))
}

func (r *WorkingSet) runCluster(l *liveSession) {
	r.clusterMessages(l)
	r.noteFired(ClusterTrigger, fmt.Sprintf("%d messages", l.count), "cluster_messages", session.Window(l.id), session.ArchiveFile(l.id))
}

// noteFired records that a trigger of sessions fired.
func (r *WorkingSet) noteFired(trigger, reason, action string, wrote ...string) {
	r.out.Fired = append(r.out.Fired, Fired{
		Trigger: trigger, Reason: reason, Actions: []Acted{{Action: action, Built: true, Wrote: wrote}},
	})
	r.memory.markFired(trigger, r.at)
}

// clusterMessages moves similar messages to the archive and replaces them by a summary
// that names them. The newest messages stay.
func (r *WorkingSet) clusterMessages(l *liveSession) {
	all := l.messages()
	inWindow, stays := l.windowPlaces(session.SummarizedIDs(all))
	old := slices.DeleteFunc(all, func(m schema.Message) bool { return stays[m.ID] })
	out, in := map[int]bool{}, map[int]session.Line{}
	for _, cluster := range compact.Clusters(old) {
		var members []schema.Message
		first := -1
		for _, i := range cluster {
			members = append(members, old[i])
			if at, ok := inWindow[old[i].ID]; ok {
				out[at] = true
				if first < 0 {
					first = at
				}
			}
		}
		m := compact.Gather(members, r.tree.counter.Count, r.tree.counter.Name())
		raw, err := session.Encode(m)
		if err != nil {
			r.out.Notes = append(r.out.Notes, err.Error())
			continue
		}
		if first < 0 {
			l.leaving = append(l.leaving, raw)
		} else {
			in[first] = session.Line{Raw: raw, Message: &m}
		}
	}
	l.replace(out, in)
}

// windowPlaces returns the place of each message in the window, and adds to stays the ids of
// the messages that cannot be clustered: the newest, and those without an id.
func (l *liveSession) windowPlaces(stays map[string]bool) (inWindow map[string]int, all map[string]bool) {
	inWindow = map[string]int{}
	stays[""] = true // a summary could not name it
	newest := 0      // in order of arrival, whatever their times are
	for i, line := range slices.Backward(l.lines) {
		if line.Err != nil {
			continue
		}
		inWindow[line.Message.ID] = i
		if newest++; newest <= session.KeptMessages {
			stays[line.Message.ID] = true
		}
	}
	return inWindow, stays
}

// replace moves the lines at the places out to the archive, and inserts the lines of in
// before their places.
func (l *liveSession) replace(out map[int]bool, in map[int]session.Line) {
	if len(out) == 0 {
		return
	}
	var stay, leave []session.Line
	for i, line := range l.lines {
		if summary, ok := in[i]; ok {
			stay = append(stay, summary)
		}
		if out[i] {
			leave = append(leave, line)
		} else {
			stay = append(stay, line)
		}
	}
	l.leave(stay, leave)
}

// sessionTriggers returns the triggers of every Quaid session, as config.json would
// list them. A threshold of 0 switches its trigger off.
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
