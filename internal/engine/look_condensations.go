package engine

import (
	"bytes"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/acted"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// newCondensation returns the id of a condensation that somebody put into the tree and that nobody took
// in, if it says what was decided; nil of any other file, and of one that cannot be read, which validate
// tells.
func (r *round) newCondensation(name string) (ids []string) {
	c, src := r.condensationAt(name)
	if src == nil || !c.IsDecided() || c.DecisionID != "" || condense.Forms(src) > 1 {
		return nil
	}
	if r.isOfTheFuture(c) {
		r.lookLater(name)
		return nil
	}
	if _, edited := r.takenAs(name, c); edited {
		return nil
	}
	if r.isBeingWritten(name, src) {
		r.lookLater(name)
		r.out.Again = true
		return nil
	}
	return []string{condensationID(name, src)}
}

// condensationAt returns the condensation in a file, and its text; nil if it has none that can be read.
func (r *round) condensationAt(name string) (c condense.Condensation, src []byte) {
	err := r.tx.Try(func(*fs.Tx) (err error) {
		c, src, err = condense.CondensationAt(r.tx, name)
		return err
	})
	if err != nil {
		return c, nil
	}
	return c, src
}

// isOfTheFuture reports whether a condensation is of a day that has begun nowhere yet.
func (r *round) isOfTheFuture(c condense.Condensation) bool {
	return c.Day().After(r.at.AddDate(0, 0, 1))
}

// isBeingWritten reports whether somebody seems to be in the middle of writing a condensation: a watcher,
// which hears of a file at once, leaves it be for a moment, and others if it breaks off in the decision.
func (r *round) isBeingWritten(name string, src []byte) bool {
	return (r.event.Patient || condense.BreaksOff(src)) && r.young(name)
}

// takenAs returns the decision that the condensation in a file was taken in as; no decision if it was not, or
// if the file holds another condensation now. edited: it says otherwise now.
func (r *round) takenAs(name string, c condense.Condensation) (d schema.Decision, edited bool) {
	was, ok := r.discussions.Taken[name]
	if !ok || was.Date != c.Date && was.Topic != c.Topic {
		return d, false
	}
	return r.saysOtherwise(c, was.Decision)
}

// saysOtherwise returns a decision, and reports whether a condensation says otherwise, also than who accepted it.
// It returns no decision if there is none of that id, as on another branch.
func (r *round) saysOtherwise(c condense.Condensation, id string) (d schema.Decision, otherwise bool) {
	err := r.tx.Try(func(*fs.Tx) (err error) {
		d, err = records.GetDecision(r.tx, id)
		if says, _ := secret.Mask(c.Decision); err != nil || schema.SameWords(d.Decision, says) {
			return err
		}
		if otherwise = true; d.IsProposed() {
			d, err = records.GetDecision(r.tx, StandingOf(r.tx).Accepted(id))
		}
		return err
	})
	if err != nil {
		return schema.Decision{}, false
	}
	return d, otherwise
}

// otherwise says for people that a condensation decides otherwise than the decision that it was taken in as.
func otherwise(d schema.Decision) string {
	is := "holds"
	if d.IsProposed() {
		is = "is proposed"
	}
	return fmt.Sprintf("it decides otherwise than %s, which %s as it is recorded: 'forgemind decision supersede %[1]s TEXT' records what is to hold; if it is of another discussion, take its line **Ledger:** out", d.ID, is)
}

// stillAsks reports whether a decision holds, or if it is a proposal waits to be accepted.
func (r *round) stillAsks(d schema.Decision) bool {
	_, superseded := StandingOf(r.tx).SupersededBy(d.ID)
	return !superseded
}

// noteCondensations notes as which decisions condensations were taken in, and tells of those that cannot be,
// and that somebody edited here so that they say otherwise, each once.
func (r *round) noteCondensations(names []string) {
	const most = 3
	told := map[string]string{} // what is told of a file
	texts := map[string][]byte{}
	var wrong []string
	for _, name := range names {
		c, src := r.condensationAt(name)
		if src == nil || c.Decision == "" || r.discussions.Has(condensationID(name, src)) {
			continue
		}
		d, edited := r.takenAs(name, c)
		if c.DecisionID != "" {
			d, edited = r.saysOtherwise(c, c.DecisionID)
		}
		switch {
		case edited && r.stillAsks(d):
			told[name] = otherwise(d)
		case c.DecisionID == "" && condense.Forms(src) > 1:
			told[name] = "it holds several condensations, of which none is taken in: write each into a file of its own"
		case c.DecisionID == "" && r.isOfTheFuture(c):
			told[name] = "its date lies in the future: it is taken in on that day, or by 'forgemind condense --adopt'"
		case !edited && d.ID != "":
			r.discussions.SetTaken(name, acted.Taken{Decision: d.ID, Date: c.Date, Topic: c.Topic})
			continue
		default:
			continue
		}
		texts[name] = src
		wrong = append(wrong, name)
	}
	if r.tree.Unheard {
		r.lookLater(wrong...)
		return
	}
	held, err := r.committed(wrong)
	n := 0
	for _, name := range wrong {
		r.discussions.Add(condensationID(name, texts[name]))
		if err != nil || bytes.Equal(held[name], texts[name]) {
			continue
		}
		if n++; n <= most {
			r.tell(name + ": " + told[name])
		}
	}
	if n > most {
		r.tell(fmt.Sprintf("%d more condensations say otherwise than is recorded, or cannot be taken in; 'forgemind audit' names them", n-most))
	}
}
