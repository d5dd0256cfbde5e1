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
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A lookStage holds the decisions that this round acts on.
type lookStage struct {
	acted      acted.Set
	was        acted.Set  // as its file has it
	later      acted.List // effects that are due
	occasions  []occasion // what triggers are asked about, besides the State
	askedFor   int        // so many of occasions triggers were asked about
	eventAsked bool       // they were asked about the event of the command
	inView     []string   // ids of decisions that others wrote into a view
	written    []string   // Names of decisions that others wrote here
	fetched    []string   // Names of decisions that git brought, or that are of a batch
}

// A fresh decision is one that this working copy has not acted on.
type fresh struct {
	schema.Decision
	name   string // of its file
	src    []byte // the file, of a decision of others
	waited bool   // it could not be acted on before
	reach  reach
}

// LookIfNew makes the look that a watcher makes, if decisions, discussions, messages or the content of loaded
// artifacts are new or nobody looked before.
func (t *Tree) LookIfNew(ctx context.Context) (Outcome, error) {
	set, discussions := acted.Read(t.Tree), acted.ReadDiscussions(t.Tree)
	names, err := set.New(t.Tree, acted.Stamp(t.Tree))
	isNew := !set.Known() || len(artifact.ReadSeen(t.Tree).Changed(t.Tree))+session.Unheard(t.Tree)+len(names)+len(set.Touched(t.Tree))+len(discussions.Changed(t.Tree)) > 0
	if err != nil || !isNew || git.Find(t.Root()).Busy() != "" {
		return Outcome{}, err
	}
	return t.Do(ctx, Event{}, nil)
}

// openLook reads what this working copy has acted on. An older forgemind that recorded decisions
// since has noted none of them. What the disk does not give now is an error: as if there were no file, all
// would count as acted on.
func (r *round) openLook() error {
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		for _, name := range []string{fs.DecisionsDir, "discussions.json", "conversations.json", "artifacts.json", "due.json"} {
			_, err := r.maybe(fs.LocalName(home, "acted", name))
			if err != nil && !errors.Is(err, fs.ErrIrregular) && !errors.Is(err, fs.ErrTooLarge) {
				return fmt.Errorf("what was acted on cannot be read: %w", err)
			}
		}
	}
	r.later = acted.ReadDue(r.tx)
	if r.acted = acted.Read(r.tx); !r.memory.Looks {
		r.acted.Since = ""
	}
	r.memory.Looks, r.was = true, r.acted
	return nil
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

// newOfOurs returns the decisions that this round staged and did not act on yet.
func (r *round) newOfOurs() (all []fresh) {
	for name, src := range r.tx.Staged() {
		if fs.Place(name) != fs.DocDecision || src == nil || r.acted.Has(acted.ID(name)) {
			continue
		}
		d, err := records.DecodeDecision(name, src)
		switch {
		case err != nil || d.IsProposed():
		case !slices.Contains(r.inView, d.ID):
			all = append(all, fresh{Decision: d, name: name})
		case len(r.inView) > mostCauses:
			all = append(all, fresh{Decision: d, name: name, src: src, reach: batch})
		default:
			all = append(all, fresh{Decision: d, name: name, src: src, reach: others})
		}
	}
	sortFresh(all)
	return all
}

// lookAgain does what look does for decisions that were recorded after triggers fired, by what they
// fired.
func (r *round) lookAgain() error {
	if err := r.lookAtOurs(); err != nil || r.askedFor == len(r.occasions) {
		return err
	}
	if err := r.fire(); err != nil {
		return err
	}
	return r.renewContexts()
}

// showOurs shows the decisions that this round recorded, where no trigger may be asked. A later look
// finds them new.
func (r *round) showOurs() error {
	for _, d := range r.newOfOurs() {
		if err := r.supersede(ours, d.Decision); err != nil {
			return err
		}
		if err := r.showFresh(d, true); err != nil {
			return err
		}
	}
	return nil
}

// actOn shows decisions, in order of time, and makes them what triggers are asked about. What others
// wrote and cannot be shown is told, and looked at again by the next command.
func (r *round) actOn(all []fresh) error {
	if len(all) == 0 {
		return nil
	}
	var done []string
	together := len(all) > mostCauses
	if together {
		r.supersedeTogether(all)
	}
	shown := r.inViews(all)
	for i, d := range all {
		var err error
		if !together {
			err = r.supersede(d.reach, d.Decision)
		}
		if err == nil {
			err = r.showFresh(d, shown[i])
		}
		if err != nil && d.reach == ours {
			return err
		}
		if err != nil {
			r.wait(d, err)
			continue
		}
		done = append(done, d.ID)
		if d.reach != ours {
			r.tellZone(d.Timestamp)
		}
		if d.reach != brought {
			r.counted.Decisions++
		}
		r.occasions = append(r.occasions, occasion{Event: eventOf(d.Decision, r.config.Bosses()), decisions: []schema.Decision{d.Decision}, reach: d.reach})
	}
	r.acted.Add(done...)
	return nil
}

// wait has the next command look at a decision again that cannot be shown, and tells why, once.
func (r *round) wait(d fresh, why error) {
	r.acted.Waiting = append(slices.Clip(r.acted.Waiting), d.name)
	slices.Sort(r.acted.Waiting)
	r.acted.Folders = ""
	if !d.waited {
		r.tell(fmt.Sprintf("%s is not acted on yet: %v", d.name, why))
	}
}

// inViews returns which of decisions views are to show: of very many the newest, as many as the State
// has room for, and none whose successor was shown before.
func (r *round) inViews(all []fresh) []bool {
	const most = 10
	first := 0
	if len(all) > mostCauses {
		first = len(all) - most
	}
	var standing schema.Standing
	if all[0].reach != ours {
		standing = StandingOf(r.tx)
	}
	shown := make([]bool, len(all))
	for i := first; i < len(all); i++ {
		by, superseded := standing.SupersededBy(all[i].ID)
		shown[i] = !superseded || slices.ContainsFunc(all[i:], func(d fresh) bool { return d.ID == by })
	}
	return shown
}

// supersede tells those who rely on what decisions supersede.
func (r *round) supersede(reach reach, all ...schema.Decision) error {
	all = slices.DeleteFunc(all, func(d schema.Decision) bool { return len(d.Supersedes) == 0 })
	if len(all) == 0 {
		return nil
	}
	err := r.within(reach, func() error { return r.overtake(all) })
	if errors.Is(err, errReach) {
		r.putOff(acted.Due{Action: markSuperseded, Decisions: idsOf(all)})
		return nil
	}
	return err
}

// supersedeTogether is supersede for very many decisions, and tells what could not be done.
func (r *round) supersedeTogether(all []fresh) {
	of := map[reach][]schema.Decision{}
	for _, d := range all {
		of[d.reach] = append(of[d.reach], d.Decision)
	}
	for _, reach := range []reach{ours, others, batch, brought} {
		if err := r.supersede(reach, of[reach]...); err != nil {
			r.tell(fmt.Sprintf("who relies on what %d decisions supersede may not be told: %v", len(of[reach]), err))
		}
	}
}

// showFresh shows a decision in the views, or if it is not to be shown marks what it supersedes there.
// Where git tracks views, a secret that another program wrote into it is not copied.
func (r *round) showFresh(d fresh, shown bool) error {
	reach, later := d.reach, acted.ShowOnceMended
	if reach == brought {
		later = showInViews
	}
	show := func() error { return r.showOrPutOff(d.Decision, later) }
	if !shown {
		if len(d.Supersedes) == 0 {
			return nil
		}
		show = func() error {
			err := r.markSuperseded(d.Decision)
			if errors.Is(err, errView) { // it may show none of them
				return nil
			}
			return err
		}
	}
	if reach == batch { // views are the least that it is to have
		reach = others
	}
	if _, kinds := secret.Mask(string(d.src)); len(kinds) > 0 && !r.covers(brought, r.viewNames()...) {
		return nil
	}
	err := r.within(reach, show)
	if errors.Is(err, errReach) {
		r.putOff(acted.Due{Action: showInViews, Decisions: []string{d.ID}})
		return nil
	}
	return err
}

// showAll shows decisions in the views.
func (r *round) showAll(all []schema.Decision) error {
	for _, d := range all {
		if err := r.showDecision(d); err != nil {
			return err
		}
	}
	return nil
}

// closeLook notes what this round acted on: durably if something fired for it, for that must not
// fire again.
func (r *round) closeLook() error {
	if err := r.closeDue(); err != nil {
		return err
	}
	news := r.acted.Differs(r.was)
	if !news && r.acted.Folders == r.was.Folders {
		return nil
	}
	text, err := r.acted.Text()
	if err != nil {
		return err
	}
	writes := r.writes()
	switch name := acted.SetName(r.home); {
	case news && (!writes || len(r.occasions) > 0 && len(r.out.Fired) > 0):
		r.tx.Write(name, text)
	case writes:
		r.tx.Jot(name, text)
	}
	return nil
}

// writes reports whether this round writes a file. Else nothing is jotted.
func (r *round) writes() bool {
	for name := range r.tx.Staged() {
		if !r.stands(name) {
			return true
		}
	}
	return false
}

func sortFresh(all []fresh) {
	slices.SortFunc(all, func(a, b fresh) int {
		at, _ := schema.ParseTime(a.Timestamp)
		bt, _ := schema.ParseTime(b.Timestamp)
		return cmp.Or(at.Compare(bt), strings.Compare(a.ID, b.ID))
	})
}
