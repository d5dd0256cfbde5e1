package engine

import (
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
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/schema"
)

// A Discussion is the source of a condensation: a thread, the messages of a channel since it
// was last condensed, or messages from elsewhere.
type Discussion struct {
	Thread   string           // its id or title
	Channel  string           // if Thread is empty; "" for messages of no channel
	Messages []schema.Message // from elsewhere; nil: those of Thread or Channel
	Topic    string           // "" for the thread's title, or a topic derived from the messages
	Agent    string           // who condenses; "" for the author that the tree names
}

// A Condensed describes a condensation in the tree.
type Condensed struct {
	condense.Condensation
	File    string   // its Name
	Already bool     // it existed before
	Noted   []string // the Names of the agents' notes that show its decision
}

// mostFaults is the number of unreadable lines of a discussion that get a note each.
const mostFaults = 10

// ErrNothingSaid reports a discussion without a message.
var ErrNothingSaid = errors.New("it has no messages")

// DraftCondensation drafts a condensation of a discussion. It writes nothing.
func DraftCondensation(r fs.Reader, d Discussion) (condense.Condensation, error) {
	config, err := readConfig(r)
	if err != nil && !errors.Is(err, errConfig) { // Condense ignores an unreadable configuration as well
		return condense.Condensation{}, err
	}
	home, err := Home(r)
	if err != nil {
		return condense.Condensation{}, err
	}
	s, _, err := readDiscussion(r, home, d)
	if err != nil {
		return condense.Condensation{}, err
	}
	return draftOf(r, config, d, s), nil
}

// Condense writes the condensation of a discussion: the file, pinned in its channel;
// its decision in the Ledger and in the notes of the participants; and, if it belongs
// to a project, the project's CONTEXT.md. edited is a draft that a person changed; nil
// condenses by the draft itself. If the discussion was condensed before, Condense
// returns that condensation unchanged.
func (t *Tree) Condense(ctx context.Context, d Discussion, edited *condense.Condensation) (done Condensed, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) (err error) {
		r.event.Agent = d.Agent
		done, err = r.condense(d, edited)
		return err
	})
	return done, out, err
}

// condense stages all changes of a condensation.
func (r *WorkingSet) condense(d Discussion, edited *condense.Condensation) (Condensed, error) {
	s, faults, err := readDiscussion(r.tx, r.home, d)
	if err != nil {
		return Condensed{}, err
	}
	for i, f := range faults {
		if i == mostFaults {
			r.addNote(fmt.Sprintf("%d more lines of %s cannot be read and are left out", len(faults)-i, f.Name))
			break
		}
		r.addNote(fmt.Sprintf("%s cannot be read and is left out: %.200s", f.At(), f.Err))
	}
	before, err := r.condensedBefore(s)
	if err != nil || before != nil {
		return *cmp.Or(before, &Condensed{}), err
	}
	var c condense.Condensation
	if edited != nil {
		c = *edited
	} else {
		s.messages = slices.Clone(s.messages)
		for i := range s.messages { // first: a text that is cut could hold half a secret
			r.Mask(&s.messages[i].Content)
		}
		c = draftOf(r.tx, r.config, d, s)
	}
	r.maskCondensation(&c)
	at := s.at(r.at)
	if c.Date == "" {
		c.Date = at.UTC().Format(time.DateOnly)
		c.Missing = slices.DeleteFunc(c.Missing, func(field string) bool { return field == "Date" })
		if edited == nil {
			r.addNote("no message has a time; the condensation is dated " + c.Date)
		}
	}
	if s.thread != nil {
		c.Thread = s.thread.ID
	}
	c.DecisionID = ""
	var decided *schema.Decision
	if c.Decision != "" {
		decided, before, err = r.recordCondensed(&c, s, at, edited != nil)
		if err != nil || before != nil {
			return *cmp.Or(before, &Condensed{}), err
		}
	} else {
		if before, err = r.condensedAlike(c, s); err != nil || before != nil {
			return *cmp.Or(before, &Condensed{}), err
		}
		r.addNote("no decision was found in the discussion; the condensation says so, and none is recorded")
	}
	done := Condensed{Condensation: c}
	if done.File, err = condense.File(r.tx, r.home, &done.Condensation); err != nil {
		return done, err
	}
	if err := r.announce(s, done, at); err != nil {
		return done, err
	}
	if err := r.recordItems(c, s, at, edited != nil); err != nil {
		return done, err
	}
	if decided != nil {
		done.Noted, err = r.noteCondensed(done.Condensation, *decided)
	}
	return done, err
}

// condensedBefore returns the existing condensation of the discussion, found by its
// thread, whatever the name of its file; nil if there is none.
func (r *WorkingSet) condensedBefore(s discussionText) (*Condensed, error) {
	if s.thread == nil {
		return nil, nil
	}
	all, _, err := condense.Condensations(r.tx)
	if err != nil {
		return nil, err
	}
	named := func(f condense.CondensationFile) bool {
		return s.thread.Condensation != "" && strings.TrimSuffix(f.Name, ".md") == strings.TrimSuffix(path.Base(s.thread.Condensation), ".md")
	}
	i := slices.IndexFunc(all, named)
	if i < 0 {
		i = slices.IndexFunc(all, func(f condense.CondensationFile) bool { return f.Thread == s.thread.ID })
	}
	if i < 0 {
		return nil, nil
	}
	if err := condense.Relink(r.tx, *s.thread, all[i], r.Actor(), r.at); err != nil {
		return nil, err
	}
	r.tellSaidSince(s, all[i].DecisionID)
	return &Condensed{Condensation: all[i].Condensation, File: all[i].File, Already: true}, nil
}

// tellSaidSince adds a note of how many messages a thread got after it was condensed.
// No command posts to a resolved thread, but a bridge, a longer export or a merged
// branch can.
func (r *WorkingSet) tellSaidSince(s discussionText, decision string) {
	until, _ := schema.ParseTime(s.thread.Resolved)
	if d, err := ledger.Get(r.tx, decision); err == nil {
		if at, err := schema.ParseTime(d.Timestamp); err == nil { // of the last message that was condensed
			until = at
		}
	}
	n := 0
	for _, m := range condense.MessagesSinceCondensed(s.messages) {
		if at, err := schema.ParseTime(m.Timestamp); err == nil && !until.IsZero() && at.After(until) && !condense.IsCondenseRequest(m) {
			n++
		}
	}
	if n > 0 {
		r.addNote(fmt.Sprintf("its newer messages are not condensed (%d): add them by hand, or continue in another thread", n))
	}
}

// maskCondensation masks the secrets in c; messages from elsewhere may hold some. It
// clones the lists, because a person's condensation is masked again if the transaction
// is retried.
func (r *WorkingSet) maskCondensation(c *condense.Condensation) {
	c.ActionItems, c.Supersedes, c.Rejected = slices.Clone(c.ActionItems), slices.Clone(c.Supersedes), slices.Clone(c.Rejected)
	for _, text := range []*string{&c.Topic, &c.Context, &c.Decision, &c.Rationale, &c.Extra} {
		r.Mask(text)
	}
	for i := range c.ActionItems {
		r.Mask(&c.ActionItems[i])
	}
	for i := range c.Rejected {
		r.Mask(&c.Rejected[i])
	}
	for i := range c.Supersedes {
		r.Mask(&c.Supersedes[i])
	}
}

// announce stages the references to a condensation: the pin in its channel, its name in
// its thread, and, for messages of a channel, the mark up to which the channel is
// condensed.
func (r *WorkingSet) announce(s discussionText, done Condensed, at time.Time) error {
	name := path.Base(done.File)
	if channel := channelOf(done.Channel); channel != "" {
		pinned, err := condense.Pin(r.tx, r.home, channel, name, r.Actor(), at)
		if err != nil {
			return err
		}
		for _, p := range pinned.Unpinned {
			r.addNote(fmt.Sprintf("%.100s was unpinned in #%s, which has %d pins at most", p.Condensation, channel, condense.MaxPins))
		}
		for _, p := range pinned.Astray {
			r.addNote(fmt.Sprintf("the pin %.100s in #%s names a missing condensation", p.Condensation, channel))
		}
	} else {
		r.addNote("it is not pinned, because the discussion has no channel")
	}
	switch {
	case s.name != "":
		return condense.Close(r.tx, s.name, done.Condensation, r.Actor(), schema.FormatTime(at), r.admission())
	case s.thread == nil:
		return nil
	}
	if opened, err := schema.ParseTime(s.thread.Opened); err == nil && opened.After(at) {
		at = opened // its messages are older than its record
	}
	_, err := condense.CondenseThread(r.tx, s.thread.ID, name, r.Actor(), at)
	return err
}

// channelOf returns the name of a channel's folder; "" for no channel.
func channelOf(name string) string {
	if strings.Trim(name, "# \t") == "" {
		return ""
	}
	return condense.ChannelID(name)
}
