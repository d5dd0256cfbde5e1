package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// Remember adds an entry to agents' notes and returns the note's name. A
// boss_decision is recorded in the Ledger first.
func (t *Tree) Remember(ctx context.Context, e memory.Entry) (name string, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) (err error) {
		entry := e
		r.mask(&entry.Text, &entry.Rationale, &entry.Agent)
		if entry.Time == "" {
			entry.Time = schema.FormatTime(r.at)
		}
		if entry.Type == memory.BossDecision && entry.ID == "" {
			d := schema.Decision{Decision: entry.Text, Rationale: entry.Rationale, RecordedBy: entry.Agent, DecisionMaker: r.config.Bosses()[0]}
			if err := r.record(&d); err != nil {
				return err
			}
			entry.ID, entry.Time = d.ID, d.Timestamp
		}
		if entry.Type == memory.BossDecision {
			name, err = r.remember(entry) // the note shows the decision, which is its own record
		} else {
			name, err = r.recordEntry(entry)
		}
		return err
	})
	return name, out, err
}

// recordEntry makes a record of an entry, and renders the note that shows it. One that
// the note has already is not recorded again.
func (r *round) recordEntry(e memory.Entry) (string, error) {
	name, section, err := memory.Place(r.home, e)
	if err != nil {
		return "", err
	}
	if err := r.renderNote(name); err != nil {
		return "", err
	}
	src, _, err := memory.Load(r.tx, name)
	if err != nil {
		return "", err
	}
	if memory.Holds(src, section, e) {
		return name, nil
	}
	if _, err := memory.Add(src, section, e); err != nil { // there is no place for it
		return "", wrapName(name, err)
	}
	if err := memory.AddRecord(r.tx, r.home, e, r.actor(), r.tree.edge.Random); err != nil {
		return "", err
	}
	return name, r.renderNote(name)
}

// remember adds an entry to the note it belongs to, which is made where it is
// missing.
func (r *round) remember(e memory.Entry) (string, error) {
	name, section, err := memory.Place(r.home, e)
	if err != nil {
		return "", err
	}
	if err := r.renderNote(name); err != nil { // which ends a merge
		return "", err
	}
	old, _, err := memory.Load(r.tx, name)
	if err != nil {
		return "", err
	}
	out, err := memory.Add(old, section, e)
	if err != nil {
		return "", wrapName(name, err)
	}
	r.tx.Write(name, out)
	return name, nil
}

// saveToMemory puts the decisions that the trigger fired for into the facilitator's notes, of very many
// the newest.
func saveToMemory(r *round, f *firing) error {
	all := slices.Concat(f.decisions, r.decisionsSaid(f))
	if more := len(all) - mostCauses; more > 0 {
		all = all[more:]
		r.tell(fmt.Sprintf("the notes show the newest %d of %d decisions", mostCauses, mostCauses+more))
	}
	for _, d := range all {
		known, err := records.GetDecision(r.tx, d.ID)
		if err != nil {
			return err
		}
		entry := memory.Entry{Type: memory.BossDecision, ID: known.ID, Text: known.Decision, Rationale: known.Rationale, Time: known.Timestamp}
		r.mask(&entry.Text, &entry.Rationale) // another program may have recorded it
		name, err := r.remember(entry)
		if err != nil {
			return err
		}
		if !r.covers(f.reach, name) && !r.stands(name) {
			return errReach // none of the others may be written, either
		}
	}
	return nil
}
