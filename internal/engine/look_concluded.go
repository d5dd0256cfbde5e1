package engine

import (
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/schema"
)

// noteConcluded notes which threads, of those that changed, came to a conclusion that is not condensed, and
// tells of those that others brought to it.
func (r *round) noteConcluded() {
	talks := slices.DeleteFunc(r.changed(), func(talk string) bool { return condense.ThreadOf(talk) == "" })
	if len(talks) > mostCauses { // of an archive that somebody put there: audit names them
		return
	}
	var told []string
	for _, talk := range talks {
		t, why := r.conclusionOf(talk)
		r.discussions.SetConcluded(talk, why != "")
		id := schema.DerivedID("told-", []byte(talk+"\n"+why))
		switch {
		case why == "" || r.discussions.Has(id):
			continue
		case r.tree.Unheard:
			r.lookLater(talk)
			continue
		case !r.speaksIn(talk) && !r.isDue(request{about: talk}):
			told = append(told, fmt.Sprintf("thread %.60s looks concluded: %s; 'forgemind condense %s' writes that down", t.ID, why, t.Called()))
		}
		r.discussions.Add(id)
	}
	r.tellSome(told, "look concluded, too")
}

// tellSome tells of threads, of very many only of how many more there are.
func (r *round) tellSome(told []string, are string) {
	const most = 3
	for _, text := range told[:min(len(told), most)] {
		r.tell(text)
	}
	if more := len(told) - most; more > 0 {
		r.tell(fmt.Sprintf("%d more threads %s; 'forgemind thread list' says which", more, are))
	}
}

// conclusionOf returns the active thread whose conversation is talk, and what makes it look concluded; "" if
// it does not, was condensed, or cannot be read.
func (r *round) conclusionOf(talk string) (t condense.Thread, why string) {
	_ = r.tx.Try(func(*fs.Tx) error { // what cannot be read was told
		var ok bool
		if t, ok = condense.ThreadAt(r.tx, talk); !ok || t.Status != condense.Active || t.Condensation != "" {
			return nil
		}
		messages, _, err := condense.Talk(r.tx, talk)
		why = concluded(r.config, messages)
		return err
	})
	return t, why
}

// speaksIn reports whether this round wrote a message of the conversation talk.
func (r *round) speaksIn(talk string) bool {
	for name := range r.tx.Staged() {
		if fs.Place(name) == fs.DocMessage && condense.TalkOf(name) == talk {
			return true
		}
	}
	return false
}
