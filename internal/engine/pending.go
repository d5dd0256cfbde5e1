package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// AddAction adds a pending action, or finds the one of that text, and returns it as
// recorded. An entry of its blocked_by that has the form of the id of a question or an
// action must be one (else a *session.Unknown); others are text.
func (t *Tree) AddAction(ctx context.Context, a schema.Action) (schema.Action, Outcome, error) {
	var added schema.Action
	out, err := t.do(ctx, func(r *round) (err error) {
		r.event.Agent = a.CreatedBy
		added, err = r.addAction(a)
		return err
	})
	return added, out, err
}

func (r *round) addAction(a schema.Action) (schema.Action, error) {
	if err := maskRecord(r, &a); err != nil {
		return a, err
	}
	if err := r.placeOfWork(); err != nil {
		return a, err
	}
	a.Action = strings.TrimSpace(a.Action)
	there, found, err := r.same(records.Action, a.Action)
	switch {
	case err != nil:
		return a, err
	case found && there.Detected() && (a.ID == "" || a.ID == there.ID): // now somebody wants it
		a.ID, a.Message = there.ID, there.Members.Text("message")
	case found && a.ID == "":
		return decoded[schema.Action](there)
	default:
		if err := r.give(&a.ID, records.Action); err != nil {
			return a, err
		}
	}
	r.sign(&a.CreatedBy)
	fill(&a.Created, schema.FormatTime(r.at))
	a.BlockedBy = distinct(a.BlockedBy)
	if err := r.waits(a.BlockedBy); err != nil {
		return a, err
	}
	if err := r.link(a.ID); err != nil { // some may have named it before it was added
		return a, err
	}
	_, err = r.add(records.Action, a.ID, a)
	return a, err
}

// waits holds that each of ids that has the form of an id is that of a question or an
// action, and that the questions have records.
func (r *round) waits(ids []string) error {
	open, err := r.items(records.Question)
	if err != nil {
		return err
	}
	pending, err := r.items(records.Action)
	if err != nil {
		return err
	}
	for _, id := range ids {
		has := func(it views.Item) bool { return it.ID == id }
		if i := slices.IndexFunc(open, has); i >= 0 {
			if _, err := r.recordOf(records.Question, open[i]); err != nil {
				return err
			}
		} else if formed(id) && !slices.ContainsFunc(pending, has) {
			return unknown("question or action", id, open, pending)
		}
	}
	return nil
}

// formed reports whether a text has the form of the ids of questions and actions.
func formed(s string) bool {
	given := strings.HasPrefix(s, records.Question.Prefix) || strings.HasPrefix(s, records.Action.Prefix)
	return given && schema.ValidID(s)
}

// distinct returns list without blanks and repetitions.
func distinct(list []string) []string {
	var out []string
	for _, s := range list {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// FinishAction closes the pending action that which names by its id or by unique text;
// what it blocked is free. One that waits for something is refused with a *Blocked
// unless force is set.
func (t *Tree) FinishAction(ctx context.Context, which, agent string, force bool) (schema.Action, Outcome, error) {
	var done schema.Action
	out, err := t.do(ctx, func(r *round) (err error) {
		r.event.Agent = agent
		done, err = r.finishAction(which, force)
		return err
	})
	return done, out, err
}

func (r *round) finishAction(which string, force bool) (schema.Action, error) {
	if err := r.placeOfWork(); err != nil {
		return schema.Action{}, err
	}
	it, err := r.find(records.Action, which)
	if err != nil {
		return schema.Action{}, err
	}
	done, err := decoded[schema.Action](it)
	if err != nil {
		return done, err
	}
	by, err := r.blockers(it)
	if err != nil {
		return done, err
	}
	if len(by) > 0 && !force {
		return done, &Blocked{ID: cmp.Or(it.ID, it.Text), By: by}
	}
	if err := r.closeItem(records.Action, it, records.Done, records.Done); err != nil {
		return done, err
	}
	r.done = append(r.done, schema.Done{
		ID: done.ID, Action: done.Action, Priority: done.Priority, Created: done.Created, Agent: done.CreatedBy,
		Completed: schema.FormatTime(r.at), CompletedBy: r.actor(),
	})
	return done, nil
}

// blockers returns what an action waits for: ids of questions and actions, or texts. A
// question may block it that it does not name.
func (r *round) blockers(it views.Item) ([]string, error) {
	by := it.Named("blocked_by")
	open, err := r.items(records.Question)
	if err != nil {
		return nil, err
	}
	for _, q := range open {
		if q.ID != "" && it.ID != "" && q.Names("blocking", it.ID) {
			by = append(by, q.ID)
		}
	}
	return distinct(by), nil
}

// A Blocked is an action that waits for something.
type Blocked struct {
	ID string   // the action's, or its text
	By []string // ids of questions and actions, or texts
}

func (e *Blocked) Error() string {
	const most = 5
	var by []string
	for _, b := range e.By[:min(len(e.By), most)] {
		if !schema.ValidID(b) || len(b) > 60 {
			b = fmt.Sprintf("%.60q", b)
		}
		by = append(by, b)
	}
	if more := len(e.By) - most; more > 0 {
		by = append(by, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("action %.60q is blocked by %s", e.ID, strings.Join(by, ", "))
}
