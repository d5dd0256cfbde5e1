package engine

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/acted"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// priority returns a decision's priority: "" says the same as normal.
func priority(word string) schema.Word {
	if word == "normal" {
		return ""
	}
	return schema.Word(word)
}

// Decide records a decision: first in the Ledger, then in the views, with one
// id. An empty ID, Timestamp or RecordedBy is filled in, and an empty DecisionMaker is
// RecordedBy. What it supersedes must be recorded and not be superseded already. A
// project is named by its folder, its id or its name, and must be there. The decision
// is returned as it was recorded.
func (t *Tree) Decide(ctx context.Context, d schema.Decision) (schema.Decision, Outcome, error) {
	var recorded schema.Decision
	out, err := t.do(ctx, func(r *round) error {
		recorded = d
		return r.decide(&recorded)
	})
	return recorded, out, err
}

// Decisions returns the decisions of the Ledger, without proposals, and after them those
// that stand only in a view; and the Ledger's files that hold none.
func Decisions(r fs.Reader) ([]schema.Decision, []records.Fault) {
	all, _, faults := records.Decisions(r)
	return append(all, health.OnlyShown(r)...), faults
}

// AllDecisions returns Decisions and the proposals of the Ledger.
func AllDecisions(r fs.Reader) ([]schema.Decision, []records.Fault) {
	taken, proposed, faults := records.Decisions(r)
	return append(append(taken, proposed...), health.OnlyShown(r)...), faults
}

// decide records d, whose project and channel are named as somebody names them.
func (r *round) decide(d *schema.Decision) error {
	if err := r.place(d); err != nil {
		return err
	}
	return r.record(d)
}

// record completes d and records it. It is the boss's where one of the bosses made it, or where
// neither a maker nor an agent is named; a proposal is what it says.
func (r *round) record(d *schema.Decision) error {
	person := d.DecisionMaker == "" && d.RecordedBy == "" && r.event.Agent == "" // at the terminal, and nobody's agent
	if err := r.complete(d); err != nil {
		return err
	}
	if !d.IsProposed() {
		d.Boss = d.Boss || schema.Flag(person || slices.Contains(r.config.Bosses(), d.DecisionMaker))
		r.event.Agent = d.RecordedBy
	}
	_, err := r.add(records.Decision, d.ID, *d)
	return err
}

// addOnce adds a decision whose id derives from what was said, unless there is one of that id. It
// returns the decision that is there; nil where its file cannot be read, which is a finding.
func (r *round) addOnce(d schema.Decision) (has *schema.Decision, added bool, err error) {
	switch has, err := records.GetDecision(r.tx, d.ID); {
	case err == nil:
		return &has, false, nil
	case fs.Unread(err):
		return nil, false, err
	case !missing(err):
		return nil, false, nil
	}
	_, err = r.add(records.Decision, d.ID, d)
	return &d, true, err
}

// complete fills in what the caller left to us and checks what d supersedes.
func (r *round) complete(d *schema.Decision) error {
	if err := maskRecord(r, d); err != nil {
		return err
	}
	if len(d.Supersedes) > 0 {
		err := r.supersedable(d.Supersedes)
		var unknown *UnknownDecision
		if errors.As(err, &unknown) {
			unknown.Why = r.refused[unknown.ID]
		}
		if err != nil {
			return err
		}
		if err := r.inherit(d); err != nil {
			return err
		}
	}
	if d.ID == "" {
		var unknown error // whether an id is taken
		id, err := schema.NewID("DEC-", r.tree.edge.Random, func(id string) bool {
			_, taken, err := records.Decision.Find(r.tx, id)
			unknown = err
			return taken && err == nil
		})
		if err = errors.Join(unknown, err); err != nil {
			return err
		}
		d.ID = id
	}
	if d.Timestamp == "" {
		d.Timestamp = schema.FormatTime(r.at)
	}
	r.sign(&d.RecordedBy)
	fill(&d.DecisionMaker, d.RecordedBy)
	d.Immutable = true
	d.Priority = priority(string(d.Priority))
	return nil
}

// supersedable refuses a supersession that would make a fault of the chain.
func (r *round) supersedable(ids schema.IDs) error {
	taken, proposed, _ := records.Decisions(r.tx)
	all := slices.Concat(taken, proposed)
	standing := schema.Current(all)
	for _, id := range ids {
		if !slices.ContainsFunc(all, func(d schema.Decision) bool { return d.ID == id }) {
			return &UnknownDecision{ID: id, Known: all}
		}
		if by, ok := standing.SupersededBy(id); ok {
			return &Superseded{ID: id, By: by}
		}
	}
	return nil
}

// An UnknownDecision is the id of a decision that the Ledger has not.
type UnknownDecision struct {
	ID    string
	Known []schema.Decision
	Why   string // the Ledger has it not, where a view shows it; "" where none does
}

func (e *UnknownDecision) Error() string {
	if e.Why != "" {
		return fmt.Sprintf("decision %q is not in the Ledger: %s", e.ID, e.Why)
	}
	return fmt.Sprintf("decision %q is not in the Ledger", e.ID)
}

// A Superseded is the id of a decision that holds no more, and of the one that
// replaced it.
type Superseded struct{ ID, By string }

func (e *Superseded) Error() string {
	return fmt.Sprintf("decision %s is superseded already, by %s: supersede that one", e.ID, e.By)
}

// showDecision adds a recorded decision to the views that the tree has.
func (r *round) showDecision(d schema.Decision) error {
	recorded := func(id string) bool { _, ok, err := records.Decision.Find(r.tx, id); return ok && err == nil }
	return r.editViews(func(name string, src []byte) ([]byte, error) { return views.ShowDecision(name, src, d, recorded) })
}

// markSuperseded marks what a decision supersedes in the views that show it. Most views show none.
func (r *round) markSuperseded(d schema.Decision) error {
	return r.editViews(func(name string, src []byte) ([]byte, error) {
		if !slices.ContainsFunc(d.Supersedes, func(id string) bool { return bytes.Contains(src, []byte(id)) }) {
			return src, nil
		}
		return views.MarkSuperseded(name, src, d)
	})
}

// errView is the error of a view that cannot show a decision until it is mended.
var errView = errors.New("once the view is mended it is shown, too")

// showOrPutOff shows a decision. A view that cannot shows it later, which is due as action.
func (r *round) showOrPutOff(d schema.Decision, action string) error {
	err := r.showDecision(d)
	if errors.Is(err, errView) {
		r.tell(fmt.Sprintf("%s is recorded; %v", d.ID, err))
		r.putOff(acted.Due{Action: action, Decisions: []string{d.ID}})
		return nil
	}
	return err
}

// editViews edits the State and the hot context of the active session. The error is errView if one of them cannot
// show what the other does.
func (r *round) editViews(change func(name string, src []byte) ([]byte, error)) error {
	err := edit(r.tx, fs.State, func(src []byte) ([]byte, error) {
		if err := views.Object(src); err != nil {
			return nil, err
		}
		return change(fs.State, src)
	})
	broken := r.isBroken(fs.State, err)
	if err != nil && broken == nil && !missing(err) {
		return err
	}
	id, err := r.activeSession()
	if err != nil || id == "" {
		return cmp.Or(err, broken)
	}
	name := session.HotContext(id)
	err = r.editHot(id, func(h *session.Hot) error {
		src, err := r.tx.Read(name)
		if err == nil {
			src, err = change(name, src)
		}
		if err != nil {
			return err
		}
		return h.Replace(src)
	})
	if now := r.isBroken(name, err); now != nil {
		return now
	}
	if err == nil {
		err = r.tellUnread(name)
	}
	return cmp.Or(err, broken)
}

// isBroken returns an errView if err is that of a view which people have to mend, nil for any other.
func (r *round) isBroken(name string, err error) error {
	if err != nil && (r.unreadable[name] || errors.Is(err, views.ErrNoList)) {
		return fmt.Errorf("%w: %w", errView, err)
	}
	return nil
}
