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
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// A Discussion is what is to be condensed: a thread, or what was said in a
// channel since it was last condensed, or messages from elsewhere.
type Discussion struct {
	Thread   string           // its id or title
	Channel  string           // where there is no Thread; "" for messages of no channel
	Messages []schema.Message // from elsewhere; nil: those of Thread or Channel
	Topic    string           // "" for the thread's title, or what the messages are about
	Agent    string           // who condenses; "" for whom the tree names

	asked bool // by a line in it, or a trigger, and not by a person who looks at what comes of it
}

// A Condensed is a condensation that stands in the tree.
type Condensed struct {
	condense.Condensation
	File     string   // its Name
	Already  bool     // it stood there before
	Proposed bool     // its decision is not in force
	Noted    []string // the Names of agents' notes that tell of its decision
}

// mostFaults is how many lines of a discussion that cannot be read are told one
// by one.
const mostFaults = 10

// ErrNothingSaid is a discussion without a message.
var ErrNothingSaid = errors.New("nothing was said in it")

// DraftCondensation drafts what a discussion came to, and writes nothing.
func DraftCondensation(r fs.Reader, d Discussion) (condense.Condensation, error) {
	config, err := readConfig(r)
	if err != nil && !errors.Is(err, errConfig) { // which Condense goes on without as well
		return condense.Condensation{}, err
	}
	home, err := Home(r)
	if err != nil {
		return condense.Condensation{}, err
	}
	s, _, err := hearOut(r, home, d)
	if err != nil {
		return condense.Condensation{}, err
	}
	return draftOf(r, config, d, s), nil
}

// Condense writes down what a discussion came to: the condensation, pinned in its
// channel; its decision in the Ledger and in the notes of those who took part;
// and, of a project, in its CONTEXT.md. edited is what a person made of the draft;
// nil condenses by the draft itself. What was condensed before is returned as it
// stands.
func (t *Tree) Condense(ctx context.Context, d Discussion, edited *condense.Condensation) (done Condensed, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) (err error) {
		r.event.Agent = d.Agent
		done, err = r.condense(d, edited)
		return err
	})
	return done, out, err
}

// condense stages all that a condensation changes.
func (r *round) condense(d Discussion, edited *condense.Condensation) (Condensed, error) {
	s, faults, err := hearOut(r.tx, r.home, d)
	if err != nil {
		return Condensed{}, err
	}
	for i, f := range faults {
		if i == mostFaults {
			r.tell(fmt.Sprintf("%d more lines of %s cannot be read and are left out", len(faults)-i, f.Name))
			break
		}
		r.tell(fmt.Sprintf("%s cannot be read and is left out: %.200s", f.At(), f.Err))
	}
	before, err := r.condensedBefore(s, edited != nil)
	if err != nil || before != nil {
		return *cmp.Or(before, &Condensed{}), err
	}
	var c condense.Condensation
	if edited != nil {
		c = *edited
	} else {
		s.messages = slices.Clone(s.messages)
		for i := range s.messages { // of a text that is cut up, half a secret would be left
			r.mask(&s.messages[i].Content)
		}
		if d.asked {
			r.doubt(&s)
		}
		c = draftOf(r.tx, r.config, d, s)
	}
	r.maskCondensation(&c)
	at := s.at(r.at)
	if c.Date == "" {
		c.Date = at.UTC().Format(time.DateOnly)
		c.Missing = slices.DeleteFunc(c.Missing, func(field string) bool { return field == "Date" })
		if edited == nil {
			r.tell("no message says when it was said: the condensation is dated " + c.Date)
		}
	}
	if s.thread != nil {
		c.Thread = s.thread.ID
	}
	c.DecisionID = ""
	var decided *schema.Decision
	if c.Decision != "" {
		decided, before, err = r.recordCondensed(&c, s, lastOf(s.counts(), r.at), edited != nil)
		if err != nil || before != nil {
			return *cmp.Or(before, &Condensed{}), err
		}
	} else {
		if before, err = r.condensedAlike(c, s); err != nil || before != nil {
			return *cmp.Or(before, &Condensed{}), err
		}
		r.tell("no decision was found in the discussion: the condensation says so, and nothing enters the Ledger")
	}
	done := Condensed{Condensation: c, Proposed: r.isProposed(c.DecisionID)}
	if done.File, err = condense.File(r.tx, r.home, &done.Condensation); err != nil {
		return done, err
	}
	if s.thread != nil && s.thread.Condensation != "" { // the one that it had is gone
		if err := condense.Relink(r.tx, *s.thread, condense.Filed{Condensation: done.Condensation, File: done.File}, r.actor(), r.at); err != nil {
			return done, err
		}
	}
	if err := r.announce(s, done, at); err != nil {
		return done, err
	}
	switch {
	case done.Proposed && len(s.claimants) > 0:
		r.tellProposed(c.DecisionID, s)
	case decided != nil && !decided.IsProposed():
		done.Noted = r.noteCondensed(done.Condensation, *decided)
	}
	return done, nil
}

// condensedBefore returns the condensation that the discussion has already, found by
// its thread whatever its file is called now; nil where there is none. One that somebody wrote is taken
// in, and counts as made before where others are to be written: edited.
func (r *round) condensedBefore(s said, edited bool) (*Condensed, error) {
	if s.thread == nil {
		return nil, nil
	}
	all, _, err := condense.Condensations(r.tx)
	if err != nil {
		return nil, err
	}
	named := func(f condense.Filed) bool {
		return s.thread.Condensation != "" && strings.TrimSuffix(f.Name, ".md") == strings.TrimSuffix(path.Base(s.thread.Condensation), ".md")
	}
	i := slices.IndexFunc(all, named)
	if i < 0 {
		i = slices.IndexFunc(all, func(f condense.Filed) bool { return r.isOf(f, *s.thread) })
	}
	if i < 0 {
		return nil, nil
	}
	if f := all[i]; f.DecisionID == "" && f.IsDecided() { // somebody wrote it
		done, err := r.adopt(f.File, r.actor())
		done.Already = edited
		return &done, err
	}
	if err := condense.Relink(r.tx, *s.thread, all[i], r.actor(), r.at); err != nil {
		return nil, err
	}
	r.tellSaidSince(s, all[i].DecisionID)
	return &Condensed{Condensation: all[i].Condensation, File: all[i].File, Already: true, Proposed: r.isProposed(all[i].DecisionID)}, nil
}

// isOf reports whether a condensation is of a thread: it has its id, or somebody wrote it and calls the thread
// otherwise.
func (r *round) isOf(f condense.Filed, t condense.Thread) bool {
	if f.Thread == t.ID && (f.Channel == "" || condense.ChannelID(f.Channel) == t.Channel) {
		return true
	}
	if f.Thread == "" || f.DecisionID != "" || !f.IsDecided() {
		return false
	}
	found, err := condense.FindThreadIn(r.tx, channelOf(f.Channel), f.Thread)
	return err == nil && found.File == t.File
}

// tellSaidSince tells how much was said in a thread after it was condensed: no
// command posts to one that is resolved, but a bridge, a longer export and a
// merged branch do.
func (r *round) tellSaidSince(s said, decision string) {
	until, _ := schema.ParseTime(s.thread.Resolved)
	if d, err := records.GetDecision(r.tx, decision); err == nil {
		if at, err := schema.ParseTime(d.Timestamp); err == nil { // of the last message that was condensed
			until = at
		}
	}
	n := 0
	for _, m := range condense.Stretch(s.messages) {
		if at, err := schema.ParseTime(m.Timestamp); err == nil && !until.IsZero() && at.After(until) && !condense.Asked(m) {
			n++
		}
	}
	if n > 0 {
		r.tell(fmt.Sprintf("what was said in it since is not condensed (messages: %d): add it by hand, or go on in another thread", n))
	}
}

// maskCondensation takes secrets out of what is to be written; messages from
// elsewhere may hold some. The lists become c's own: a person's are masked anew
// when the transaction is tried again.
func (r *round) maskCondensation(c *condense.Condensation) {
	c.ActionItems, c.Supersedes = slices.Clone(c.ActionItems), slices.Clone(c.Supersedes)
	for _, text := range []*string{&c.Topic, &c.Context, &c.Decision, &c.Rationale, &c.Extra} {
		r.mask(text)
	}
	for i := range c.ActionItems {
		r.mask(&c.ActionItems[i])
	}
	for i := range c.Supersedes {
		r.mask(&c.Supersedes[i])
	}
}

// announce stages where the condensation is seen: pinned in its channel, named by
// its thread, and of a stretch of a channel as what was said last.
func (r *round) announce(s said, done Condensed, at time.Time) error {
	name := path.Base(done.File)
	if channel := channelOf(done.Channel); channel != "" {
		pinned, err := condense.Pin(r.tx, r.home, channel, name, r.actor(), at)
		if err != nil {
			return err
		}
		for _, p := range pinned.Unpinned {
			r.tell(fmt.Sprintf("%.100s was unpinned in #%s, which has %d pins at most", p.Condensation, channel, condense.MaxPins))
		}
		for _, p := range pinned.Astray {
			r.tell(fmt.Sprintf("the pin %.100s in #%s leads to no condensation", p.Condensation, channel))
		}
	} else {
		r.tell("it is pinned nowhere, for the discussion has no channel")
	}
	switch {
	case s.name != "":
		return condense.Close(r.tx, s.name, done.Condensation, r.actor(), schema.FormatTime(at), r.terms())
	case s.thread == nil:
		return nil
	}
	if opened, err := schema.ParseTime(s.thread.Opened); err == nil && opened.After(at) {
		at = opened // its messages are older than its record
	}
	_, err := condense.CondenseThread(r.tx, s.thread.File, name, r.actor(), at)
	return err
}

// channelOf is how a channel's folder is called; "" for no channel.
func channelOf(name string) string {
	if strings.Trim(name, "# \t") == "" {
		return ""
	}
	return condense.ChannelID(name)
}

// clipped is a stranger's text for a message.
func clipped(text string) string {
	if runes := []rune(text); len(runes) > 80 {
		return string(runes[:79]) + "…"
	}
	return text
}
