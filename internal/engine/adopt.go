package engine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/acted"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// Adopt takes in a condensation that somebody put into the tree, as Condense would have written it: its
// decision is recorded, it is pinned in its channel, and its thread is resolved. which is as for
// condense.FindCondensation; agent is who does it, "" for whom the tree names. One that was taken in is
// returned as it stands.
func (t *Tree) Adopt(ctx context.Context, which, agent string) (done Condensed, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) error {
		r.event.Agent = agent
		name, err := condense.FindCondensation(r.tx, which)
		if err != nil {
			return err
		}
		if c, _, err := condense.CondensationAt(r.tx, name); err != nil || c.DecisionID != "" {
			done, err = r.adopted(name, c, err)
			return err
		}
		done, err = r.adopt(name, r.actor())
		return err
	})
	return done, out, err
}

// ErrTakenIn is the error of a condensation that was taken in before, and says otherwise now.
var ErrTakenIn = errors.New("it was taken in before")

// adopted returns the condensation in a file, which was taken in. wrong is why it cannot be read.
func (r *round) adopted(name string, c condense.Condensation, wrong error) (Condensed, error) {
	if wrong != nil {
		return Condensed{}, wrong
	}
	_, known, err := records.Decision.Find(r.tx, c.DecisionID)
	if err == nil && !known {
		err = fmt.Errorf("%s: it names the decision %.100q, which is not recorded; without that line it can be taken in", name, c.DecisionID)
	}
	return Condensed{Condensation: c, File: name, Already: true}, err
}

// adopt stages what follows from a condensation that somebody put into the tree and that names no decision
// yet. by is who takes it in; if it is "", all that follows derives from the text, so that two clones write
// the same.
func (r *round) adopt(name, by string) (done Condensed, err error) {
	c, src, err := condense.CondensationAt(r.tx, name)
	if err != nil {
		return done, err
	}
	told := len(r.out.Notes)
	defer func() {
		for i := range r.out.Notes[min(told, len(r.out.Notes)):] {
			r.out.Notes[told+i] = name + ": " + r.out.Notes[told+i]
		}
	}()
	was, edited := r.takenAs(name, c)
	if edited {
		return done, fmt.Errorf("%s: %w: %s", name, ErrTakenIn, otherwise(was))
	}
	r.maskCondensation(&c)
	s, at, err := r.discussionOf(&c)
	if err != nil {
		return done, err
	}
	if by != "" {
		if at = earlier(at, r.at); c.Date == r.at.UTC().Format(time.DateOnly) && s.messages == nil {
			at = r.at
		}
	}
	defer func(agent string) { r.event.Agent = agent }(r.event.Agent)
	r.event.Agent = cmp.Or(by, s.author(c), unknownAuthor)
	c.DecisionID = was.ID
	decided, err := r.decideWritten(&c, s, at)
	if err != nil {
		return done, err
	}
	if done = (Condensed{Condensation: c, File: name}); c.DecisionID != "" {
		r.tx.Write(name, condense.WithRecord(src, c))
		r.discussions.SetTaken(name, acted.Taken{Decision: c.DecisionID, Date: c.Date, Topic: c.Topic})
	}
	if err := r.announce(s, done, at); err != nil {
		return done, err
	}
	if decided != nil {
		done.Noted = r.noteCondensed(c, *decided)
	}
	return done, nil
}

// decideWritten gives a condensation that somebody wrote the id of its decision, which it records unless it is,
// and then returns.
func (r *round) decideWritten(c *condense.Condensation, s said, at time.Time) (decided *schema.Decision, err error) {
	switch {
	case c.Decision == "":
		r.tell("it says no decision, so nothing enters the Ledger")
		return nil, nil
	case c.DecisionID == "":
		c.DecisionID, err = r.decidedAlready(*c)
	}
	if err != nil || c.DecisionID != "" {
		return nil, err
	}
	decided, _, err = r.recordCondensed(c, s, at, true)
	return decided, err
}

// author returns who a condensation of a discussion is said to be by: who spoke last, or the first of those who
// took part.
func (s said) author(c condense.Condensation) string {
	for _, m := range slices.Backward(s.messages) {
		if m.Agent != "" {
			return m.Agent
		}
	}
	return strings.Join(c.Participants[:min(len(c.Participants), 1)], "")
}

// discussionOf returns the discussion that a condensation of somebody is of, and when it came to that:
// with the last word that was said in its thread until the end of that day, or as the day began. c gets the
// id of its thread, and if it names no channel that of the thread.
func (r *round) discussionOf(c *condense.Condensation) (s said, at time.Time, err error) {
	if at = c.Day(); at.IsZero() {
		at = r.at
	}
	s.key = strings.Join([]string{"condensation", c.Date, condense.ChannelID(c.Channel), c.Topic}, "\n")
	if c.Thread == "" {
		return s, at, nil
	}
	t, err := condense.FindThreadIn(r.tx, channelOf(c.Channel), c.Thread)
	var unknown *session.Unknown
	var ambiguous *session.Ambiguous
	switch {
	case errors.As(err, &unknown) || errors.As(err, &ambiguous):
		r.tell("it is of no thread: " + err.Error())
		return s, at, nil
	case err != nil:
		return s, at, err
	}
	c.Thread, c.Channel, s.key = t.ID, cmp.Or(c.Channel, t.Channel), t.ID
	if t.Condensation == "" || t.Status == condense.Active && condense.SameFile(t.Condensation, c.Name) {
		s.thread = &t
	}
	messages, _, err := condense.Talk(r.tx, t.Talk())
	s.messages = slices.DeleteFunc(messages, func(m schema.Message) bool {
		said, err := schema.ParseTime(m.Timestamp)
		return err == nil && said.After(at.AddDate(0, 0, 1))
	})
	return s, s.at(at), err
}

// earlier returns the earlier of two times.
func earlier(a, b time.Time) time.Time {
	if a.After(b) {
		return b
	}
	return a
}

// decidedAlready returns the id of the decision in force that says what a condensation decides, in the
// same words, and that no other condensation came to; "" if none does.
func (r *round) decidedAlready(c condense.Condensation) (string, error) {
	for _, d := range sameMatter(r.tx, c.Channel, StandingOf(r.tx).Current()) {
		if _, recorded, err := records.Decision.Find(r.tx, d.ID); err != nil || !recorded || !schema.SameWords(d.Decision, c.Decision) {
			continue // what stands only in a view may be of a decision that was lost
		}
		if other, err := r.condensationOf(d.ID); err != nil || other == nil {
			return d.ID, err
		}
	}
	return "", nil
}

// isAdopted reports whether the text of a file is what adopt made of what stood there: it makes that again
// of what somebody saves in its place.
func isAdopted(tree *fs.Tree, name string, src []byte) bool {
	if !condense.IsFile(name) {
		return false
	}
	c, err := condense.ReadCondensation(path.Base(name), src)
	if err != nil {
		return false
	}
	for former := range tree.Displaced(name) {
		if bytes.Equal(condense.WithRecord(former, c), src) {
			return true
		}
	}
	return false
}
