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
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/secret"
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
		if err == nil {
			done, err = r.adopt(name, r.actor())
		}
		return err
	})
	return done, out, err
}

// adopt stages what follows from a condensation that somebody put into the tree. by is who did; "" if that
// is not known. All that follows from one that git brought derives from its text: two clones that take
// it in write the same.
func (r *round) adopt(name, by string) (done Condensed, err error) {
	c, err := condense.CondensationAt(r.tx, name)
	if err != nil {
		return done, err
	}
	done = Condensed{Condensation: c, File: name}
	if c.DecisionID != "" {
		_, done.Already, err = records.Decision.Find(r.tx, c.DecisionID)
		if err == nil && !done.Already {
			err = fmt.Errorf("%s: it names the decision %.100q, which is not recorded; without that line it can be taken in", name, c.DecisionID)
		}
		return done, err
	}
	src, err := r.tx.Read(name)
	if err != nil {
		return done, err
	}
	r.maskCondensation(&c)
	s, at, err := r.discussionOf(&c)
	if err != nil {
		return done, err
	}
	if held, err := r.committed([]string{name}); err == nil && !bytes.Equal(held[name], src) {
		if by = cmp.Or(by, r.editor()); c.Date == r.at.UTC().Format(time.DateOnly) && s.messages == nil {
			at = r.at
		}
	}
	defer func(agent string) { r.event.Agent = agent }(r.event.Agent)
	r.event.Agent = cmp.Or(by, strings.Join(c.Participants[:min(len(c.Participants), 1)], ""), unknownAuthor)
	done.Condensation = c
	var decided *schema.Decision
	if c.Decision != "" {
		if done.DecisionID = r.decidedAlready(c); done.DecisionID == "" {
			if decided, _, err = r.recordCondensed(&done.Condensation, s, at, true); err != nil {
				return done, err
			}
		}
		r.tx.Write(name, condense.WithLedger(src, done.DecisionID))
	}
	if err := r.announce(s, done, at); err != nil {
		return done, err
	}
	if decided != nil {
		done.Noted = r.noteCondensed(done.Condensation, *decided)
	}
	return done, nil
}

// discussionOf returns the discussion that a condensation of somebody is of, and when it came to that:
// with the last word that was said in its thread until the end of that day, or as the day began. A
// thread that c names otherwise, or not at all, gets its id or its channel.
func (r *round) discussionOf(c *condense.Condensation) (s said, at time.Time, err error) {
	if at = c.Day(); at.IsZero() {
		at = r.at
	}
	s.key = strings.Join([]string{"condensation", c.Date, condense.ChannelID(c.Channel), c.Topic}, "\n")
	if c.Thread == "" {
		return s, earlier(at, r.at), nil
	}
	t, err := condense.FindThread(r.tx, c.Thread)
	var unknown *session.Unknown
	var ambiguous *session.Ambiguous
	switch {
	case errors.As(err, &unknown) || errors.As(err, &ambiguous):
		r.tell(fmt.Sprintf("the condensation %s is of no thread: %v", clipped(c.Name), err))
		return s, earlier(at, r.at), nil
	case err != nil:
		return s, at, err
	}
	c.Thread, c.Channel, s.key = t.ID, cmp.Or(c.Channel, t.Channel), t.ID
	if t.Condensation == "" {
		s.thread = &t
	}
	messages, _, err := condense.Talk(r.tx, t.Talk())
	s.messages = slices.DeleteFunc(messages, func(m schema.Message) bool {
		said, err := schema.ParseTime(m.Timestamp)
		return err == nil && said.After(at.AddDate(0, 0, 1))
	})
	return s, earlier(s.at(at), r.at), err
}

// earlier returns the earlier of two times.
func earlier(a, b time.Time) time.Time {
	if a.After(b) {
		return b
	}
	return a
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
		if bytes.Equal(condense.WithLedger(former, c.DecisionID), src) {
			return true
		}
	}
	return false
}

// newCondensation returns the id of a condensation that somebody put into the tree and that nobody took
// in, if it says what was decided; nil of any other file.
func (r *round) newCondensation(name string) (ids []string, err error) {
	src, err := r.maybe(name)
	if src == nil {
		return nil, err
	}
	c, err := condense.ReadCondensation(path.Base(name), src)
	switch {
	case err != nil || condense.Unmerged(src) || !c.IsDecided() || c.DecisionID != "":
		return nil, nil
	case r.discussions.Has(takenID(name)) && r.decidedAlready(c) == "":
		return nil, nil
	}
	return []string{condensationID(name, src)}, nil
}

// takenID returns a name for that the condensation in a file was taken in.
func takenID(name string) string { return schema.DerivedID("taken-", []byte(name)) }

// readCondensation notes which condensations have their decision, and tells of one that somebody edited so that it
// says otherwise: decisions do not change.
func (r *round) readCondensation(name string) error {
	src, err := r.maybe(name)
	if src == nil {
		return err
	}
	c, err := condense.ReadCondensation(path.Base(name), src)
	if err != nil || c.Decision == "" {
		return nil
	}
	says, _ := secret.Mask(c.Decision)
	if c.DecisionID == "" && r.discussions.Has(takenID(name)) {
		return r.tellEdited(name, src, "it was taken in before, and what it says now is not: 'forgemind decision supersede' records what is to hold")
	}
	d, err := records.GetDecision(r.tx, c.DecisionID)
	if err != nil {
		return nil
	}
	r.discussions.Add(takenID(name))
	if inWords(says) == inWords(d.Decision) || !StandingOf(r.tx).Holds(d.ID) {
		return nil
	}
	return r.tellEdited(name, src, fmt.Sprintf("it decides otherwise than %s, which holds as it is recorded: 'forgemind decision supersede %[1]s TEXT' records what is to hold", d.ID))
}

// tellEdited tells of a condensation that somebody edited here, once.
func (r *round) tellEdited(name string, src []byte, what string) error {
	if r.discussions.Has(condensationID(name, src)) {
		return nil
	}
	if held, err := r.committed([]string{name}); err == nil && !bytes.Equal(held[name], src) {
		r.tell(name + ": " + what)
		r.discussions.Add(condensationID(name, src))
	}
	return nil
}

// decidedAlready returns the id of the decision in force that says what a condensation decides, in the
// same words; "" if none does.
func (r *round) decidedAlready(c condense.Condensation) string {
	for _, d := range sameMatter(r.tx, c.Channel, StandingOf(r.tx).Current()) {
		if strings.EqualFold(inWords(d.Decision), inWords(c.Decision)) {
			return d.ID
		}
	}
	return ""
}

// inWords returns a text on one line, without the period at its end.
func inWords(text string) string {
	return strings.TrimSuffix(strings.Join(strings.Fields(text), " "), ".")
}
