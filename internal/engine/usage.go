package engine

import (
	"context"
	"fmt"

	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// ReportUsage takes an agent's word for how large its request is just now, in
// tokens, and how large its window, 0 where it does not say. Until the next
// compaction that is how full the window is, with what is added to the tree
// since; triggers fire on it.
func (t *Tree) ReportUsage(ctx context.Context, agent string, tokens, limit int) (Outcome, error) {
	if tokens < 1 || tokens > transcript.MaxUsage || limit < 0 || limit > transcript.MaxUsage {
		return Outcome{}, fmt.Errorf("a request of %d tokens in a window of %d is none", tokens, limit)
	}
	return t.do(ctx, func(r *round) error {
		r.event.Agent = agent
		return r.report(transcript.Usage{Tokens: tokens, Limit: limit, Agent: agent, At: schema.FormatTime(r.at)}, 0)
	})
}

// report keeps what an agent said of its request before the last since tokens of
// the conversation were said, and does what is due in the session.
func (r *round) report(u transcript.Usage, since int) error {
	talk := r.conversationNow()
	reported := health.Reported{
		Usage: u, Conversation: talk.Name, Compaction: talk.Compaction, Counted: max(0, r.content(talk)-since),
	}
	if err := reported.Keep(r.tx, r.home); err != nil {
		return err
	}
	l, err := r.openLive()
	if err != nil || l == nil || r.imports {
		return err
	}
	fired := len(r.out.Fired)
	if err := r.emergency(l); err != nil || len(r.out.Fired) == fired {
		return err
	}
	r.settled = true
	return r.closeLive(l)
}

// reportImported keeps what a transcript states, if that is news: its message
// was added just now, and nothing was compacted since.
func (r *round) reportImported(im *transcript.Transcript, added []schema.Message) error {
	if im == nil || im.Usage == nil || im.Stated == 0 {
		return nil
	}
	u := *im.Usage
	if u.At == "" {
		u.At = schema.FormatTime(r.at)
	}
	if s, ok := r.readState(); ok && s.ContextWindow != nil && session.Later(u.At, s.ContextWindow.LastCompaction) != u.At {
		return nil
	}
	if last := health.ReadReported(r.tx, r.conversationNow()); last != nil && session.Later(u.At, last.At) != u.At {
		return nil
	}
	tokens := map[string]int{}
	for _, m := range added {
		tokens[m.ID] = int(m.Tokens)
	}
	news, since := false, 0
	for i, m := range im.Messages[im.Stated-1:] {
		parts, err := session.Split(m)
		if err != nil {
			return err
		}
		for _, part := range parts {
			n, fresh := tokens[part.ID]
			switch {
			case i > 0:
				since += n
			case fresh:
				news = true
			}
		}
	}
	if !news {
		return nil
	}
	return r.report(u, since)
}

// live is how full the State's window is just now, see health.LiveUsage.
func (r *round) live(s schema.State) health.Live {
	talk := r.conversationNow()
	return health.LiveUsage(s, talk, health.ReadReported(r.tx, talk))
}

// conversationNow is the figures of the conversation; without messages where it
// cannot be read.
func (r *round) conversationNow() session.Tally {
	if _, ok := r.talkTokens(); !ok && r.talk == nil {
		return session.Tally{}
	}
	return *r.talk
}

// content is what the tree brings into the window, see health.Content.
func (r *round) content(talk session.Tally) int {
	s, _ := r.readState()
	return health.Content(s, talk)
}

// reportedPercent is sessionPercent as an agent reported it; false where none
// did. s is the State, if its window counts.
func (r *round) reportedPercent(l *live, s *schema.State) (float64, bool) {
	talk := r.conversationNow()
	reported := health.ReadReported(r.tx, talk)
	if reported == nil || talk.Name != session.Window(l.ID) {
		return 0, false
	}
	tokens := l.Tokens(r.tree.counter.Count)
	if s != nil {
		talk.Tokens, talk.Messages = tokens, max(1, talk.Messages)
		return health.LiveUsage(*s, talk, reported).Percent, true
	}
	return health.SessionUsage(0, tokens, r.config.Compaction.SessionWindow(), reported).Percent, true
}
