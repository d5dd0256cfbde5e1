package engine

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/assemble"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// emergency reduces the window to its newest messages if the usage of the context
// window reaches the threshold. It does so again only after the usage rose by 5
// percent.
func (r *WorkingSet) emergency(l *liveSession) error {
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
	r.noteFired(EmergencyTrigger, fmt.Sprintf("the context window is %.0f %% full", percent), "trigger_compaction",
		session.Window(l.id), session.ArchiveFile(l.id), session.SummaryFile(l.id))
	return nil
}

// isFull returns the usage of the context window, with the session in it, in percent,
// and reports whether that is an emergency.
func (r *WorkingSet) isFull(l *liveSession) (percent float64, full bool, err error) {
	if percent, err = r.sessionPercent(l); err != nil {
		return 0, false, err
	}
	return percent, r.evaluateFacts(triggers.Facts{triggers.SessionUsagePercent: percent}, EmergencyTrigger)[EmergencyTrigger], nil
}

// shorten keeps only the newest messages in the window.
func (r *WorkingSet) shorten(l *liveSession) error {
	before, left := r.lineTokens(l), len(l.leaving)
	r.clusterMessages(l)
	r.slide(l, session.KeptMessages)
	if left = len(l.leaving) - left; left > 0 {
		err := r.log(fs.CompactionLog, schema.LogCompaction{
			Timestamp: schema.FormatTime(r.at), Event: "compaction_triggered", Trigger: EmergencyTrigger, TokensBefore: schema.Int(before),
			TokensAfter: schema.Int(r.lineTokens(l)), ChunksSummarized: schema.Int(left), ConfigUsed: "quaid, emergency",
		})
		if err != nil {
			return err
		}
	}
	if err := r.renewSummary(l); err != nil {
		return err
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

// sessionPercent returns the usage of the context window with the session in it, in percent.
// It returns 0 if the State's window has a policy other than quaid.
func (r *WorkingSet) sessionPercent(l *liveSession) (float64, error) {
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

// sessionTokens returns the tokens of the three tiers of a session.
func (r *WorkingSet) sessionTokens(l *liveSession) (int, error) {
	hot, err := r.cost(session.HotContext(l.id), func(src []byte) int {
		h, err := session.ReadHot(src)
		if err != nil {
			return 0
		}
		var whole *assemble.TooSmallError // the window has no room even for the hot context
		_, err = assemble.Make(assemble.Input{Session: l.id, Hot: h.Context()}, assemble.Options{Count: r.tree.counter.Count})
		if errors.As(err, &whole) {
			return whole.Need
		}
		return 0
	})
	if err != nil {
		return 0, err
	}
	summary, err := r.cost(session.SummaryFile(l.id), func(src []byte) int { return r.tree.counter.Count(string(src)) })
	return r.lineTokens(l) + hot + summary, err
}

// A cost is the number of tokens of a document, with the text that was counted.
type cost struct {
	src    []byte
	tokens int
}

// cost counts the tokens of a document, once for each text that it has.
func (r *WorkingSet) cost(name string, count func(src []byte) int) (int, error) {
	src, err := r.readIfExists(name)
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
