package engine

import (
	"time"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// recordItems stages the action items of a condensation as actions. Their ids derive
// from the discussion and their text, so that two clones write the same files. An item
// that is already an action is left out.
func (r *WorkingSet) recordItems(c condense.Condensation, s discussionText, at time.Time, edited bool) error {
	for _, item := range c.ActionItems {
		who, text := condense.ItemOf(item, c.Participants)
		a := schema.Action{
			ID: schema.DerivedID(records.Action.Prefix, []byte(s.key+"\n"+text)), Action: text, AssignedTo: who,
			CreatedBy: s.messages[len(s.messages)-1].Agent, Created: schema.FormatTime(at), Origin: schema.OriginDetected,
		}
		if due := condense.DueOf(text, at); !due.IsZero() {
			a.Due = schema.FormatTime(due)
		}
		if edited {
			a.CreatedBy, a.Origin = r.Actor(), schema.OriginExplicit
		}
		if _, found, err := r.ItemWith(records.Action, text); err != nil || found || r.isTaken(a.ID) {
			if err != nil {
				return err
			}
			continue
		}
		if err := r.Add(records.Action, a.ID, a); err != nil {
			return err
		}
	}
	return nil
}
