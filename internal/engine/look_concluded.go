package engine

import (
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
)

// noteConcluded notes which threads, of those that changed, came to a conclusion that is not condensed, and
// tells of those that others brought to it.
func (r *round) noteConcluded() {
	const most = 3
	var told []string
	for _, talk := range r.changed() {
		if condense.ThreadOf(talk) == "" {
			continue
		}
		id, why := r.conclusionOf(talk)
		if r.discussions.SetConcluded(talk, why != "") && !r.speaksIn(talk) {
			told = append(told, fmt.Sprintf("thread %.60s looks concluded: %s; 'forgemind condense %[1]s' writes that down", id, why))
		}
	}
	for _, text := range told[:min(len(told), most)] {
		r.tell(text)
	}
	if more := len(told) - most; more > 0 {
		r.tell(fmt.Sprintf("%d more threads look concluded; 'forgemind thread list' says which", more))
	}
}

// conclusionOf returns the id of the active thread whose conversation is talk, and what makes it look
// concluded; "" if it does not, was condensed, or cannot be read.
func (r *round) conclusionOf(talk string) (id, why string) {
	_ = r.tx.Try(func(*fs.Tx) error { // what cannot be read was told
		t, ok := condense.ThreadAt(r.tx, talk)
		if !ok || t.Status != condense.Active || t.Condensation != "" {
			return nil
		}
		messages, _, err := condense.Talk(r.tx, talk)
		id, why = t.ID, concluded(r.config, messages)
		return err
	})
	return id, why
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
