package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// OpenThread opens a thread in a channel and returns it; agent is who does it, ""
// for whom the tree names. One that is active under that title is returned as it
// is.
func (t *Tree) OpenThread(ctx context.Context, title, channel, agent string) (thread condense.Thread, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) (err error) {
		r.event.Agent = agent
		masked := title
		r.mask(&masked)
		thread, err = condense.OpenThread(r.tx, r.home, schema.Thread{
			Title: masked, Channel: channel, Participants: []string{r.actor()}, Opened: schema.FormatTime(r.at),
		}, r.tree.edge.Random)
		return err
	})
	return thread, out, err
}

// A Posted is what came of a message in a thread.
type Posted struct {
	Thread    condense.Thread
	Messages  []schema.Message // as stored: in parts where it is long
	Concluded string           // what makes the thread look concluded since this message; "" where it does not
	Condensed *Condensed       // what the message asked for; nil where it did not
}

// Post adds a message to the active thread that which names by its id or its
// title. One that says "condense this discussion" has that done. Where the thread
// comes to a natural conclusion with it, that is told, and nothing is condensed
// for it.
func (t *Tree) Post(ctx context.Context, which string, m schema.Message) (posted Posted, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) error {
		posted = Posted{}
		r.event.Agent = m.Agent
		said := m
		r.sign(&said.Agent)
		var masked []string
		posted.Thread, posted.Messages, masked, err = condense.Post(r.tx, which, said, r.terms())
		r.masked = append(r.masked, masked...)
		if err != nil {
			return err
		}
		r.last = func() error { return r.answered(&posted) }
		return r.posted(&posted)
	})
	return posted, out, err
}

// answered says what the message asked for.
func (r *round) answered(p *Posted) (err error) {
	i := slices.IndexFunc(r.condensed, func(c Condensed) bool { return c.Thread == p.Thread.ID })
	if i >= 0 {
		p.Concluded, p.Condensed = "", &r.condensed[i]
		p.Thread, err = condense.FindThread(r.tx, p.Thread.ID)
	}
	return err
}

// posted looks whether a thread came to a conclusion with a message.
func (r *round) posted(p *Posted) error {
	messages, _, err := condense.Talk(r.tx, p.Thread.Talk())
	if err != nil || len(messages) == 0 {
		return err
	}
	if concluded(r.config, messages[:len(messages)-1]) == "" {
		p.Concluded = concluded(r.config, messages)
	}
	return nil
}

// Outcomes returns what was decided in threads and is in no condensation, by their conversations: in active
// ones that came to a natural conclusion or in which nobody speaks any more as of now, and in those that were
// put away without being resolved.
func Outcomes(r fs.Reader, threads []condense.Thread, now time.Time) (map[string]string, error) {
	config, err := readConfig(r)
	if err != nil && !errors.Is(err, errConfig) { // which matters to triggers; who may decide is then unknown
		return nil, err
	}
	why := map[string]string{}
	for _, t := range threads {
		if t.Condensation != "" || t.Resolved != "" || t.Status == condense.Resolved {
			continue
		}
		messages, _, err := condense.Talk(r, t.Talk())
		if err != nil {
			continue // which validate tells
		}
		reason := ""
		if t.Status == condense.Archived || t.IdleFor(now) >= condense.IdleDays {
			reason = condense.Decided(messages, config.Bosses(), config.DecisionPhrases())
		} else {
			reason = concluded(config, messages)
		}
		if reason != "" {
			why[t.Talk()] = reason
		}
	}
	return why, nil
}

// concluded is what makes a discussion look concluded; "" where it does not.
func concluded(c schema.Config, messages []schema.Message) string {
	_, why, _ := condense.Concluded(messages, c.Bosses(), c.DecisionPhrases())
	return why
}

// ResolveThread says that an active thread came to a conclusion.
func (t *Tree) ResolveThread(ctx context.Context, which, agent string) (thread condense.Thread, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) (err error) {
		r.event.Agent = agent
		thread, err = condense.ResolveThread(r.tx, which, r.actor(), r.at)
		return err
	})
	return thread, out, err
}

// ArchiveThread puts a resolved thread away, or an active one that lay idle.
func (t *Tree) ArchiveThread(ctx context.Context, which, agent string) (thread condense.Thread, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) (err error) {
		r.event.Agent = agent
		thread, err = condense.ArchiveThread(r.tx, which, r.actor(), r.at, r.idle)
		if err == nil && thread.Condensation == "" && (thread.Resolved != "" || r.keepsActive(thread) != "") {
			r.tell(fmt.Sprintf("thread %.60s was archived before it was condensed", thread.ID))
		}
		return err
	})
	return thread, out, err
}

// ArchiveIdle puts all threads away that inactivity archives, but for those in which something was decided
// that is not condensed; see condense.Due.
func (t *Tree) ArchiveIdle(ctx context.Context, agent string) (archived []condense.Thread, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) (err error) {
		r.event.Agent = agent
		all, _, err := condense.Threads(r.tx)
		if err != nil {
			return err
		}
		var kept []string
		archived, kept = r.idleAmong(all)
		r.tellSome(kept, "are not archived either")
		return r.archiveThreads(archived)
	})
	return archived, out, err
}

// keepsActive returns why a thread in which nobody speaks is not archived by that, for people: somebody asks
// to have it condensed, or decided something in it that is not; "" if it is.
func (r *round) keepsActive(t condense.Thread) (why string) {
	if t.Condensation != "" {
		return ""
	}
	q, err := r.requestOf(t.Talk())
	if err == nil && len(q.causes) == 0 {
		err = r.tx.Try(func(*fs.Tx) error {
			messages, _, err := condense.Talk(r.tx, t.Talk())
			if said := condense.Decided(messages, r.config.Bosses(), r.config.DecisionPhrases()); said != "" {
				why = fmt.Sprintf("%s; 'forgemind condense %s' writes that down", said, t.Called())
			}
			return err
		})
	}
	switch {
	case err != nil:
		return err.Error()
	case len(q.causes) > 0:
		return q.why()
	}
	return why
}

// ImportThreads takes what a chat program wrote down into a channel and its
// threads. What is there already is skipped.
func (t *Tree) ImportThreads(ctx context.Context, e transcript.Export, channel string) (done condense.Imported, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) (err error) {
		done, err = condense.Import(r.tx, r.home, e, channel, r.terms())
		r.masked = append(r.masked, done.Masked...)
		if done.Edited > 0 {
			r.tell(fmt.Sprintf("%d messages were edited since they were imported; their first words stay", done.Edited))
		}
		return err
	})
	return done, out, err
}

// terms are what messages of threads and channels are admitted by.
func (r *round) terms() session.Terms {
	return session.Terms{Now: r.at, Random: r.tree.edge.Random, Count: r.tree.counter.Count, Counter: r.tree.counter.Name()}
}
