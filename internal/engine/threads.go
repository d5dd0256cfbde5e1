package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// OpenThread opens a thread in a channel and returns it; agent opens it, "" for the
// author. If an active thread has that title, OpenThread returns that one.
func (t *Tree) OpenThread(ctx context.Context, title, channel, agent string) (thread condense.Thread, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) (err error) {
		r.event.Agent = agent
		masked := title
		r.Mask(&masked)
		thread, err = condense.OpenThread(r.tx, r.home, schema.Thread{
			Title: masked, Channel: channel, Participants: []string{r.Actor()}, Opened: schema.FormatTime(r.at),
		}, r.tree.edge.Random)
		return err
	})
	return thread, out, err
}

// A Posted is the result of posting a message to a thread.
type Posted struct {
	Thread    condense.Thread
	Messages  []schema.Message // as stored: a long message has several parts
	Concluded string           // why the thread looks concluded since this message; "" if it does not
	Condensed *Condensed       // the condensation that the message requested; nil if it did not
}

// Post adds a message to the active thread that which names by its id or its title. If
// the message says "condense this discussion", the thread is condensed. If the message
// makes the thread look concluded, Post reports that and does not condense.
func (t *Tree) Post(ctx context.Context, which string, m schema.Message) (posted Posted, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) error {
		posted = Posted{}
		r.event.Agent = m.Agent
		said := m
		r.Sign(&said.Agent)
		var masked []string
		posted.Thread, posted.Messages, masked, err = condense.Post(r.tx, which, said, r.admission())
		r.masked = append(r.masked, masked...)
		if err != nil {
			return err
		}
		return r.checkPosted(&posted)
	})
	return posted, out, err
}

// checkPosted looks for requests and conclusions in a thread after a message was
// posted.
func (r *WorkingSet) checkPosted(p *Posted) error {
	done, err := r.condenseRequests([]string{p.Thread.Talk()})
	if err != nil {
		return err
	}
	if len(done) > 0 {
		p.Condensed = &done[0]
		p.Thread, err = condense.FindThread(r.tx, p.Thread.ID)
		return err
	}
	messages, _, err := condense.Talk(r.tx, p.Thread.Talk())
	if err != nil || len(messages) == 0 {
		return err
	}
	if concludingSign(r.config, messages[:len(messages)-1]) == "" {
		p.Concluded = concludingSign(r.config, messages)
	}
	return nil
}

// Concluded returns, by the id of each active thread that looks concluded, the sign of
// that.
func Concluded(r fs.Reader, threads []condense.Thread) (map[string]string, error) {
	config, err := readConfig(r)
	if err != nil && !errors.Is(err, errConfig) { // then the bosses are not known
		return nil, err
	}
	why := map[string]string{}
	for _, t := range threads {
		if t.Status != condense.Active {
			continue
		}
		messages, _, err := condense.Talk(r, t.Talk())
		if err != nil {
			return nil, err
		}
		if reason := concludingSign(config, messages); reason != "" {
			why[t.ID] = reason
		}
	}
	return why, nil
}

// concludingSign returns the sign that a discussion is concluded; "" if there is none.
func concludingSign(c schema.Config, messages []schema.Message) string {
	var phrases []string
	if c.Agents != nil {
		phrases = c.Agents.DecisionPhrases
	}
	_, why, _ := condense.Concluded(messages, bosses(c), phrases)
	return why
}

// ResolveThread marks an active thread as resolved.
func (t *Tree) ResolveThread(ctx context.Context, which, agent string) (thread condense.Thread, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) (err error) {
		r.event.Agent = agent
		thread, err = condense.ResolveThread(r.tx, which, r.Actor(), r.at)
		return err
	})
	return thread, out, err
}

// ThreadRecord returns the record of the thread that which names; see [condense.ClaimableThread].
// It makes a record for a thread that has none. An archived thread is an error.
func (r *WorkingSet) ThreadRecord(which string) (records.Record, error) {
	_, record, err := condense.ClaimableThread(r.tx, which)
	return record, err
}

// ArchiveThread archives a thread that is resolved, or active and idle.
func (t *Tree) ArchiveThread(ctx context.Context, which, agent string) (thread condense.Thread, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) (err error) {
		r.event.Agent = agent
		thread, err = condense.ArchiveThread(r.tx, which, r.Actor(), r.at, r.isIdle)
		if err == nil && thread.Resolved != "" && thread.Condensation == "" {
			r.addNote(fmt.Sprintf("thread %.60s was archived before it was condensed", thread.ID))
		}
		return err
	})
	return thread, out, err
}

// ArchiveIdle archives all threads that are archived for inactivity; see
// condense.IdleThreads. Active ones that state a decision stay until they are
// condensed, and a note names them.
func (t *Tree) ArchiveIdle(ctx context.Context, agent string) (archived []condense.Thread, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) (err error) {
		r.event.Agent = agent
		archived, err = condense.ArchiveDue(r.tx, r.Actor(), r.at, r.archivable)
		return err
	})
	return archived, out, err
}

// archivable reports whether an idle thread can be archived automatically. If it is
// active and states a decision that is not condensed, it cannot, and gets a note.
func (r *WorkingSet) archivable(t condense.Thread) bool {
	if !r.isIdle(t) {
		return false
	}
	decision := undocumented(r.tx, r.config, t)
	if decision != "" {
		r.addNote(fmt.Sprintf("thread %.60s is idle and was not archived: it states a decision that no condensation holds (%s); condense it, or archive it by name", t.ID, decision))
	}
	return decision == ""
}

// undocumented returns the last decision that an active thread states and no
// condensation has; "" if there is none.
func undocumented(r fs.Reader, c schema.Config, t condense.Thread) string {
	if t.Status != condense.Active || t.Condensation != "" {
		return ""
	}
	messages, _, err := condense.Talk(r, t.Talk())
	if err != nil {
		return fmt.Sprintf("its messages cannot be read: %v", err)
	}
	var phrases []string
	if c.Agents != nil {
		phrases = c.Agents.DecisionPhrases
	}
	return condense.Decided(messages, bosses(c), phrases)
}

// ImportThreads imports the export of a chat program into a channel and its threads.
// Messages that are there already are skipped.
func (t *Tree) ImportThreads(ctx context.Context, e transcript.Export, channel string) (done condense.Imported, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) (err error) {
		done, err = condense.Import(r.tx, r.home, e, channel, r.admission())
		r.masked = append(r.masked, done.Masked...)
		if done.Edited > 0 {
			r.addNote(fmt.Sprintf("%d messages were edited since they were imported; the imported text stays", done.Edited))
		}
		return err
	})
	return done, out, err
}

// admission returns the terms by which messages of threads and channels are accepted.
func (r *WorkingSet) admission() session.Terms {
	return session.Terms{Now: r.at, Random: r.tree.edge.Random, Count: r.tree.counter.Count, Counter: r.tree.counter.Name()}
}
