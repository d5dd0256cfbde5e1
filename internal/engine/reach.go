package engine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/acted"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
	"github.com/forgemind/forgemind/validate"
)

// A reach is whose decision an effect is of, and so what the effect may write.
type reach int

const (
	ours    reach = iota // recorded by this round
	others               // by somebody else, in this working copy
	batch                // likewise, with many more: only what git ignores
	brought              // by git: only what git ignores
)

// markSuperseded is the effect of a decision on those who rely on what it supersedes.
const markSuperseded = "mark_superseded"

// errReach takes back what would be written beyond a reach.
var errReach = errors.New("git tracks what it would write")

// covers reports whether an effect of that reach may write the file called name.
func (r *round) covers(reach reach, name string) bool {
	return reach < batch || fs.IsLocal(name) || fs.Ignores(r.tx, name)
}

// within has an effect of decisions. It writes nothing where one of its files is beyond the reach,
// and returns errReach. What others wrote refuses no command: what may not be written is an error
// of the effect.
func (r *round) within(reach reach, do func() error) error {
	before, saved := r.tx.Staged(), *r
	err := r.tx.Try(func(*fs.Tx) error {
		if err := do(); err != nil || reach == ours {
			return err
		}
		names := differing(before, r.tx.Staged())
		names = slices.DeleteFunc(names, func(name string) bool { return r.stands(name) })
		if slices.ContainsFunc(names, func(name string) bool { return !r.covers(reach, name) }) {
			return errReach
		}
		return validate.Gate(r.tree.Tree, r.tx, names)
	})
	if err != nil && reach != ours {
		*r = saved
	}
	return err
}

// stands reports whether a file is staged as it stands on disk.
func (r *round) stands(name string) bool {
	staged, err := r.tx.Read(name)
	if err != nil {
		return false
	}
	src, err := r.tree.ReadUnsettled(name)
	return err == nil && bytes.Equal(src, staged)
}

// putOff notes that an effect is due.
func (r *round) putOff(trigger, action string, decisions []schema.Decision) {
	d := acted.Due{Trigger: trigger, Action: action}
	for _, e := range decisions {
		d.Decisions = append(d.Decisions, e.ID)
	}
	r.later.Due = acted.With(r.later.Due, d)
}

// A firing is a trigger that fired, and the decisions that it fired for.
type firing struct {
	triggers.Firing
	decisions []schema.Decision
	said      bool // for what was said in the conversation, too
	reach     reach
}

// firings returns what fires for the occasions of a round, and for the State: each trigger once for
// all decisions of a reach.
func (r *round) firings(set *triggers.Set, before *triggers.Values, occasions []occasion, own bool) (all []firing, judged bool) {
	for _, o := range occasions {
		change := r.change(before, o.Event, own)
		if change == nil {
			continue // no State that could be judged: the last good one stands
		}
		judged = true
		out := set.Fire(r.memory.Record, *change)
		if r.imports {
			r.postpone(&out)
		}
		r.memory.Record = out.Record
		r.note(out)
		for _, f := range out.Firings {
			r.moved = r.moved || f.Previous.Layer != change.Now.Layer || f.Previous.Clarity != change.Now.Clarity
			i := slices.IndexFunc(all, func(g firing) bool { return g.Trigger == f.Trigger && g.reach == o.reach })
			if i < 0 {
				all = append(all, firing{Firing: f, reach: o.reach})
				i = len(all) - 1
			}
			all[i].said = all[i].said || o.said
			all[i].decisions = append(all[i].decisions, o.decisions...)
		}
	}
	return all, judged
}

// tryDue has what is due as far as it writes nothing that git tracks, if git moved on since that was
// tried: a pull may have brought what was due.
func (r *round) tryDue() error {
	if len(r.later.Due) == 0 {
		return nil
	}
	head, err := git.Head(context.Background(), r.tree.Root())
	if err != nil || head == r.later.Head {
		return nil
	}
	r.later.Head = head
	r.later.Due, err = r.perform(r.later.Due, brought)
	return err
}

// perform has the effects that are due, and returns those that fail.
func (r *round) perform(due []acted.Due, reach reach) (left []acted.Due, err error) {
	for _, d := range due {
		f := firing{Firing: triggers.Firing{Trigger: cmp.Or(d.Trigger, d.Action), Reason: "due", Actions: []string{d.Action}}, reach: reach}
		for _, id := range d.Decisions {
			if recorded, err := ledger.Get(r.tx, id); err == nil {
				f.decisions = append(f.decisions, recorded)
			}
		}
		if len(f.decisions) == 0 && len(d.Decisions) > 0 { // they are on another branch
			left = append(left, d)
			continue
		}
		fired := r.act(f)
		if err := fired.lost(); err != nil {
			return nil, err
		}
		if a := fired.Actions[0]; a.Err != nil || a.Due {
			left = append(left, d)
		}
		if reach == ours {
			r.out.Fired = append(r.out.Fired, fired)
		}
	}
	return left, nil
}
