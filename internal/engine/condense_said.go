package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/schema"
)

// said is a discussion as it was read.
type said struct {
	thread   *condense.Thread // nil where it is none
	channel  string
	name     string // of the conversation of a channel; "" for a thread and messages from elsewhere
	messages []schema.Message
	key      string // what its decision's id derives from

	counting  []schema.Message // those that a draft is made of; nil for all
	claimants []string         // for whom only lines of a bridge speak that are not believed
}

// hearOut reads what is to be condensed.
func hearOut(r fs.Reader, home string, d Discussion) (s said, faults []condense.Fault, err error) {
	switch {
	case d.Messages != nil:
		s.messages, s.channel = d.Messages, d.Channel
	case d.Thread != "":
		t, err := condense.FindThread(r, d.Thread)
		if err != nil {
			return s, nil, err
		}
		s.thread, s.channel, s.key = &t, t.Channel, t.ID
		if s.messages, faults, err = condense.Talk(r, t.Talk()); err != nil {
			return s, nil, err
		}
	default:
		s.channel = d.Channel
		if s.name, s.messages, faults, err = condense.ChannelStretch(r, home, d.Channel); err != nil {
			return s, nil, err
		}
		if before, _, err := condense.Talk(r, s.name); err == nil && len(s.messages) == 0 && len(before) > 0 {
			return s, faults, fmt.Errorf("%w since it was last condensed", ErrNothingSaid)
		}
	}
	if len(s.messages) == 0 {
		return s, faults, ErrNothingSaid
	}
	if s.key == "" {
		var key strings.Builder
		for _, m := range s.messages {
			key.WriteString(m.ID + "\x00" + m.Content + "\x00")
		}
		s.key = key.String()
	}
	return s, faults, nil
}

// at returns when the last word was said; now if no message says when it was. What
// derives from the discussion carries that time, so that two who condense it write
// the same.
func (s said) at(now time.Time) time.Time { return lastOf(s.messages, now) }

// counts returns the messages that a draft is made of.
func (s said) counts() []schema.Message {
	if s.counting == nil {
		return s.messages
	}
	return s.counting
}

// lastOf returns when the last of messages was said; now if none says when it was.
func lastOf(messages []schema.Message, now time.Time) time.Time {
	var last time.Time
	for _, m := range messages {
		if at, err := schema.ParseTime(m.Timestamp); err == nil && at.After(last) {
			last = at
		}
	}
	if last.IsZero() {
		return now
	}
	return last
}

func draftOf(r fs.Reader, config schema.Config, d Discussion, s said) condense.Condensation {
	o := condense.DraftOptions{Topic: d.Topic, Channel: s.channel, Bosses: config.Bosses(), Phrases: config.DecisionPhrases()}
	if s.thread != nil {
		o.Thread, o.Topic = s.thread.ID, cmp.Or(d.Topic, s.thread.Title)
	}
	c := condense.Draft(s.counts(), o)
	decisions, _ := Decisions(r)
	near := sameMatter(r, s.channel, decisions)
	c.Supersedes = condense.ResolveNames(c.Supersedes, near)
	for _, id := range condense.Implied(c.Decision, near) {
		if !slices.Contains(c.Supersedes, id) {
			c.Supersedes = append(c.Supersedes, id)
		}
	}
	return c
}

// sameMatter are the decisions that a discussion in a channel can mean by their
// words: those of its project, of its channel, and of no project and no channel.
func sameMatter(r fs.Reader, channel string, all []schema.Decision) []schema.Decision {
	projects, _, _ := condense.Projects(r) // of one that can't be read nothing is known
	p := condense.ProjectOf(projects, channel)
	return slices.DeleteFunc(slices.Clone(all), func(d schema.Decision) bool {
		switch {
		case d.Project != "":
			return p == nil || !p.Called(d.Project)
		case d.Channel != "":
			return condense.ChannelID(d.Channel) != condense.ChannelID(channel) && (p == nil || !p.HasChannel(d.Channel))
		}
		return false
	})
}
