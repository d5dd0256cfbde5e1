package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/acted"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
	"github.com/forgemind/forgemind/validate"
)

// mostCauses is how many decisions of others are acted on one by one. More at once come from a
// program that carries over what was decided elsewhere.
const mostCauses = 100

// A lookStage holds the decisions that this round acts on.
type lookStage struct {
	acted     acted.Set
	later     acted.List // effects that are due
	occasions []occasion // what triggers are asked about, besides the State
	acting    firing     // whose action is at work
	written   []string   // Names of decisions that others wrote here
	fetched   []string   // Names of decisions that git brought
	outdated  bool       // acted is other than its file
	askedFor  int        // so many of occasions triggers were asked about
}

// An occasion is what triggers are asked about, besides the State: an event, and the decisions that
// it is about.
type occasion struct {
	triggers.Event
	decisions []schema.Decision
	said      bool // the event is what was said in the conversation
	reach     reach
}

// A fresh decision is one that this working copy has not acted on.
type fresh struct {
	schema.Decision
	name  string
	reach reach
}

// LookIfNew makes the look that a watcher makes, if decisions are new or nobody looked before.
func (t *Tree) LookIfNew(ctx context.Context) (Outcome, error) {
	set := acted.Read(t.Tree)
	if names, err := set.New(t.Tree, acted.Stamp(t.Tree)); set.Known() && (len(names) == 0 || err != nil) {
		return Outcome{}, err
	}
	return t.Do(ctx, Event{}, nil)
}

// look finds the decisions that the tree has and this working copy has not acted on, whoever wrote
// them, shows them, and makes them what triggers are asked about.
func (r *round) look() (err error) {
	if err := r.tryDue(); err != nil {
		return err
	}
	all, err := r.newOfOthers()
	if err != nil {
		return err
	}
	if err := r.actOn(all); err != nil {
		return err
	}
	return r.lookAtOurs()
}

// lookAtOurs does what look does for the decisions that this round staged.
func (r *round) lookAtOurs() error { return r.actOn(r.newOfOurs()) }

// actOn shows decisions, in order of time, and makes them what triggers are asked about. What others
// wrote and cannot be shown is told, and looked at again by the next command.
func (r *round) actOn(all []fresh) error {
	if len(all) == 0 {
		return nil
	}
	var standing schema.Standing
	if all[0].reach != ours { // one that is superseded may come later than its successor
		standing = StandingOf(r.tx)
	}
	for i, d := range all {
		by, superseded := standing.SupersededBy(d.ID)
		later := slices.ContainsFunc(all[i:], func(e fresh) bool { return e.ID == by })
		shown := len(all) <= mostCauses || i >= len(all)-mostShown
		if err := r.showFresh(d, shown && (!superseded || later)); err != nil && d.reach == ours {
			return err
		} else if err != nil {
			r.tell(fmt.Sprintf("%s is not acted on yet: %v", d.name, err))
			r.acted.Folders = ""
			continue
		}
		r.actedOn(d.ID)
		if d.reach != brought {
			r.counted.Decisions++
		}
		r.occasions = append(r.occasions, occasion{Event: eventOf(d.Decision, bosses(r.config)), decisions: []schema.Decision{d.Decision}, reach: d.reach})
	}
	return nil
}

// mostShown is how many of many decisions are shown: as many as the State has room for.
const mostShown = 10

// showFresh shows a decision to those who rely on what it supersedes, and in the views.
func (r *round) showFresh(d fresh, inViews bool) error {
	if len(d.Supersedes) > 0 {
		err := r.within(d.reach, func() error { return r.overtake(d.Decision) })
		if errors.Is(err, errReach) {
			r.putOff("", markSuperseded, []schema.Decision{d.Decision})
		} else if err != nil {
			return err
		}
	}
	if !inViews {
		return nil
	}
	reach := d.reach
	if reach == batch {
		reach = others
	}
	err := r.within(reach, func() error { return r.showDecision(d.Decision) })
	if errors.Is(err, errReach) { // git brings the views as well
		return nil
	}
	return err
}

// eventOf returns the event that a decision is.
func eventOf(d schema.Decision, bosses []string) triggers.Event {
	boss := bool(d.Boss) || d.DecisionMaker != "" && slices.Contains(bosses, d.DecisionMaker)
	return triggers.Event{Message: d.Decision, Priority: string(d.Priority), BossDecision: boss}
}

// newOfOurs returns the decisions that this round staged and did not act on yet.
func (r *round) newOfOurs() (all []fresh) {
	for name, src := range r.tx.Staged() {
		if fs.Place(name) != fs.DocDecision || src == nil || r.acted.Has(acted.ID(name)) {
			continue
		}
		if d, err := ledger.Decode(name, src); err == nil && !d.IsProposed() {
			all = append(all, fresh{d, name, ours})
		}
	}
	sortFresh(all)
	return all
}

// newOfOthers returns the decisions that others wrote since this working copy looked last. While
// git is in the middle of something there are none: what it writes may be gone again.
func (r *round) newOfOthers() ([]fresh, error) {
	stamp := acted.Stamp(r.tree.Tree)
	if !r.acted.Known() {
		return nil, r.lookFirst(stamp)
	}
	names, err := r.acted.New(r.tree.Tree, stamp)
	if err != nil {
		return nil, err
	}
	waiting := r.acted.Waiting
	if len(waiting) > mostCauses && len(names) == 0 { // nobody came or went
		waiting = nil
	}
	if len(names)+len(waiting) == 0 && stamp == r.acted.Folders || git.Find(r.tree.Root()).Busy() != "" {
		return nil, nil
	}
	all, texts, err := r.readNew(names, waiting)
	if err != nil {
		return nil, err
	}
	if r.acted.Folders != stamp {
		r.acted.Folders, r.outdated = stamp, true
	}
	r.reaches(all, texts)
	sortFresh(all)
	return all, nil
}

// readNew reads files that may hold decisions to act on: new ones, and those that held none when
// they were read before, which are noted again if that is still so.
func (r *round) readNew(names, waiting []string) (all []fresh, texts map[string][]byte, err error) {
	texts = map[string][]byte{}
	staged := r.tx.Staged()
	var wait []string
	var wrong []error
	for _, name := range slices.Concat(waiting, names) {
		if _, ours := staged[name]; ours {
			continue
		}
		src, err := r.tree.ReadUnsettled(name)
		if missing(err) {
			continue
		}
		d, unfit := r.fit(name, src, err)
		switch known := len(wait) < len(waiting) && slices.Contains(waiting, name); {
		case unfit != nil || d.IsProposed():
			if unfit != nil && !known {
				wrong = append(wrong, unfit)
			}
			wait = append(wait, name)
		default:
			all, texts[name] = append(all, fresh{d, name, ours}), src
		}
	}
	if !r.looks { // a watcher tells by itself
		r.tellUnfit(wrong)
	}
	if len(names)+len(waiting) > 0 && !slices.Equal(wait, r.acted.Waiting) {
		r.acted.Waiting, r.outdated = wait, true
	}
	return all, texts, nil
}

// fit returns the decision in a file as readers see it, or what is wrong with it.
func (r *round) fit(name string, src []byte, unread error) (d schema.Decision, err error) {
	if unread != nil {
		return d, unread
	}
	d, err = ledger.Decode(name, src)
	if err == nil && strings.TrimSpace(d.Decision) != "" {
		return d, nil
	}
	for _, f := range validate.In(r.tree.Tree, name, src) {
		if f.Severity == validate.Error {
			return d, fmt.Errorf("%s:%d:%d: %s [%s]", f.File, f.Line, f.Column, f.Message, f.Rule)
		}
	}
	return d, cmp.Or(err, fmt.Errorf("%s: it says nothing", name))
}

// tellUnfit tells of files that hold no decision.
func (r *round) tellUnfit(wrong []error) {
	const most = 3
	for _, err := range wrong[:min(len(wrong), most)] {
		r.tell(err.Error() + "; no decision is taken from it")
	}
	if more := len(wrong) - most; more > 0 {
		r.tell(fmt.Sprintf("no decision is taken from %d more files; 'forgemind validate' tells what is wrong with them", more))
	}
}

// lookFirst takes what stands in a tree for acted on, where nobody noted what was. Where forgemind
// is new it tells of what no commit has: somebody may expect effects of that.
func (r *round) lookFirst(stamp string) error {
	taken, proposed, faults := ledger.Read(r.tree.Tree)
	for _, f := range faults {
		if fs.Unread(f.Err) {
			r.acted.Add(acted.ID(f.Name)) // it may be a decision
		} else {
			r.acted.Waiting = append(r.acted.Waiting, f.Name)
		}
	}
	for _, d := range proposed {
		if name, ok, err := ledger.Find(r.tree.Tree, d.ID); err == nil && ok {
			r.acted.Waiting = append(r.acted.Waiting, name)
		}
	}
	ids := make([]string, len(taken))
	for i, d := range taken {
		ids[i] = d.ID
	}
	r.acted.Add(ids...)
	r.acted.Since, r.acted.Folders, r.outdated = schema.FormatTime(r.at), stamp, true
	return nil
}

// reaches sets how far the effects of decisions of others reach.
func (r *round) reaches(all []fresh, texts map[string][]byte) {
	names := make([]string, len(all))
	for i, d := range all {
		names[i] = d.name
	}
	var held map[string][]byte
	if len(all) > 0 && git.Find(r.tree.Root()) != (git.Repo{}) {
		held = git.Committed(context.Background(), r.tree.Root(), names...)
	}
	if len(all) > mostCauses {
		r.tell(fmt.Sprintf("%d decisions of others at once: they count, and what would write files that git tracks is due; see 'forgemind status'", len(all)))
	}
	for i, d := range all {
		src, committed := held[d.name]
		switch {
		case committed && string(src) == string(texts[d.name]):
			all[i].reach = brought
			r.fetched = append(r.fetched, d.name)
		case len(all) > mostCauses:
			all[i].reach = batch
			fallthrough
		default:
			r.written = append(r.written, d.name)
		}
	}
}

func sortFresh(all []fresh) {
	slices.SortFunc(all, func(a, b fresh) int {
		at, _ := schema.ParseTime(a.Timestamp)
		bt, _ := schema.ParseTime(b.Timestamp)
		return cmp.Or(at.Compare(bt), strings.Compare(a.ID, b.ID))
	})
}

// openLook reads what this working copy has acted on. An older forgemind that recorded decisions
// since has noted none of them.
func (r *round) openLook() {
	r.later = acted.ReadDue(r.tx)
	if all := acted.Read(r.tx); r.memory.Looks {
		r.acted = all
	}
	r.memory.Looks = true
}

// asked returns what triggers are to be asked about: what they were not asked about yet, or
// the State alone.
func (r *round) asked(chain int) (all []occasion) {
	if chain == 0 && r.event.Event != (triggers.Event{}) {
		all = append(all, occasion{Event: r.event.Event, said: true})
	}
	all = append(all, r.occasions[r.askedFor:]...)
	if r.askedFor = len(r.occasions); len(all) == 0 {
		all = []occasion{{}}
	}
	return all
}

// decisionsOf returns the decisions that triggers were asked about, of some reaches.
func (r *round) decisionsOf(reaches ...reach) (all []schema.Decision) {
	for _, o := range r.occasions {
		if slices.Contains(reaches, o.reach) {
			all = append(all, o.decisions...)
		}
	}
	return all
}

// closeLook notes what this round acted on: durably if something fired for it, for that must not
// fire again.
func (r *round) closeLook() error {
	if err := r.later.Write(r.tx, r.home); err != nil || !r.outdated {
		return err
	}
	text, err := r.acted.Text()
	if err != nil {
		return err
	}
	name := acted.SetName(r.home)
	switch {
	case len(r.tx.Staged()) == 0 || len(r.occasions) > 0 && len(r.out.Fired) > 0:
		r.tx.Write(name, text)
	default:
		r.tx.Jot(name, text)
	}
	return nil
}

// actedOn notes decisions that had their effects.
func (r *round) actedOn(ids ...string) {
	if len(ids) > 0 {
		r.acted.Add(ids...)
		r.outdated = true
	}
}
