package engine

import (
	"context"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// ReportUsage records the size of an agent's request, in tokens, and of its window, 0
// if the agent does not say, as the agent states them. Until the next compaction that
// is the usage of the window, plus what is added to the tree; triggers fire on it.
func (t *Tree) ReportUsage(ctx context.Context, agent string, tokens, limit int) (Outcome, error) {
	if tokens < 1 || tokens > transcript.MaxUsage || limit < 0 || limit > transcript.MaxUsage {
		return Outcome{}, fmt.Errorf("a request of %d tokens in a window of %d is invalid", tokens, limit)
	}
	return t.do(ctx, func(r *WorkingSet) error {
		r.event.Agent = agent
		return r.report(transcript.Usage{Tokens: tokens, Limit: limit, Agent: agent, At: schema.FormatTime(r.at)}, 0)
	})
}

// ForgetUsage removes what an agent reported of its window, because the agent emptied
// it.
func (t *Tree) ForgetUsage(ctx context.Context) (Outcome, error) {
	return t.do(ctx, func(r *WorkingSet) error {
		health.Forget(r.tx)
		return nil
	})
}

// Import is Say of the messages of a transcript, and ReportUsage of the usage it
// states. It does not compact: all messages are in the conversation afterwards, and a
// trigger that would compact it fires at the next change instead. An agent's transcript
// gets a session of its own if the conversation has messages, none of them from the
// transcript.
func (t *Tree) Import(ctx context.Context, im transcript.Transcript) ([]schema.Message, Outcome, error) {
	if t.isOther(im) {
		_, added, out, err := t.NewSessionFrom(ctx, "", "", im)
		return added, out, err
	}
	return t.say(ctx, im.Messages, &im, wholeTranscript)
}

// isOther reports whether im is an agent's transcript and the conversation has
// messages, but none of im's. If the conversation cannot be read, it returns false;
// writing to it reports why.
func (t *Tree) isOther(im transcript.Transcript) bool {
	if slices.Contains([]string{"", "chat", "forgemind"}, im.Tool) {
		return false
	}
	name, err := session.Conversation(t)
	if err != nil {
		return false
	}
	src, err := t.Read(name)
	if err != nil {
		return false
	}
	archive, err := t.Read(path.Join(path.Dir(name), path.Base(session.ArchiveFile(""))))
	if err != nil && !isMissing(err) {
		return false
	}
	type key struct{ session, id string }
	here := map[key]bool{}
	for _, m := range session.Messages(session.Read(slices.Concat(archive, []byte("\n"), src))) {
		here[key{id: m.ID}] = true
		here[key{session: m.Session}] = true // hooks may have recorded it under other ids
	}
	return len(here) > 0 && !slices.ContainsFunc(im.Messages, func(m schema.Message) bool {
		return here[key{id: m.ID}] || m.Session != "" && here[key{session: m.Session}]
	})
}

// ImportPart is Import of new messages of a transcript that an agent is still writing.
// Triggers that are due fire.
func (t *Tree) ImportPart(ctx context.Context, im transcript.Transcript) ([]schema.Message, Outcome, error) {
	return t.say(ctx, im.Messages, &im, transcriptPart)
}

// report stores the usage that an agent reported, before the last since tokens of the
// conversation, and runs the session's triggers that are due.
func (r *WorkingSet) report(u transcript.Usage, since int) error {
	talk := r.conversationNow()
	reported := health.Reported{
		Usage: u, Conversation: talk.Name, Compaction: talk.Compaction, Counted: max(0, r.contentTokens(talk)-since),
	}
	if err := reported.Keep(r.tx, r.home); err != nil {
		return err
	}
	l, err := r.openLive()
	if err != nil || l == nil || r.event.intake == wholeTranscript {
		return err
	}
	if _, full, err := r.isFull(l); err != nil || !full {
		return err
	}
	r.settled = true
	if err := r.emergency(l); err != nil {
		return err
	}
	return r.closeLive(l)
}

// reportImported stores the usage that a transcript states, if it is new: its message
// was added now, and nothing was compacted since.
func (r *WorkingSet) reportImported(im *transcript.Transcript, added []schema.Message) error {
	if im == nil || im.Usage == nil || im.Stated == 0 {
		return nil
	}
	u := *im.Usage
	if u.At == "" {
		u.At = schema.FormatTime(r.at)
	}
	if s, ok := r.readState(); ok && s.ContextWindow != nil && laterTime(u.At, s.ContextWindow.LastCompaction) != u.At {
		return nil
	}
	if (r.event.intake == wholeTranscript || r.event.intake == wholeSession) && r.isPast(u.At) {
		return nil
	}
	if last := health.ReadReported(r.tx, r.conversationNow()); last != nil && laterTime(u.At, last.At) != u.At {
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

// isPast reports whether a time is more than a day ago. The usage in so old a
// transcript is not the present usage.
func (r *WorkingSet) isPast(at string) bool {
	said, err := schema.ParseTime(at)
	return err == nil && r.at.Sub(said) > 24*time.Hour
}

// liveUsage returns the present usage of the State's window; see health.LiveUsage.
func (r *WorkingSet) liveUsage(s schema.State) health.Live {
	talk := r.conversationNow()
	return health.LiveUsage(s, talk, health.ReadReported(r.tx, talk))
}

// conversationNow returns the figures of the conversation; without messages if it
// cannot be read.
func (r *WorkingSet) conversationNow() session.Tally {
	if _, ok := r.talkTokens(); !ok && r.talk == nil {
		return session.Tally{}
	}
	return *r.talk
}

// contentTokens returns the tokens of the tree's content in the window; see
// health.Content.
func (r *WorkingSet) contentTokens(talk session.Tally) int {
	s, _ := r.readState()
	return health.Content(s, talk)
}

// reportedPercent is sessionPercent from an agent's report; false if there is none. s
// is the State, if its window counts.
func (r *WorkingSet) reportedPercent(l *liveSession, s *schema.State) (float64, bool) {
	talk := r.conversationNow()
	reported := health.ReadReported(r.tx, talk)
	if reported == nil || talk.Name != session.Window(l.id) {
		return 0, false
	}
	tokens := r.lineTokens(l)
	if s != nil {
		talk.Tokens, talk.Messages = tokens, max(1, talk.Messages)
		return health.LiveUsage(*s, talk, reported).Percent, true
	}
	return health.SessionUsage(0, tokens, r.config.Compaction.SessionWindow(), reported).Percent, true
}

// lineTokens returns the tokens of the messages in a session's window.
func (r *WorkingSet) lineTokens(l *liveSession) int {
	used := 0
	for _, line := range l.lines {
		if line.Err == nil {
			if used += int(line.Message.Tokens); line.Message.Tokens == 0 {
				used += r.tree.counter.Count(line.Message.Content)
			}
		}
	}
	return used
}
