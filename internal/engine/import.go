package engine

import (
	"context"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// An Imported is what came of a transcript.
type Imported struct {
	Session string // that it is in; "" in a tree without sessions, or where nothing of it was new
	Active  bool   // it is the active one
	Added   []schema.Message
}

// Import adds what a transcript holds to the session that has the rest of it. A transcript
// of which nothing is there yet goes to the active session if nothing was said there, else
// to a new one; the active session stays the same. Messages that name no session of an
// agent go to the active one.
//
// Import compacts nothing, and what the transcript states as usage counts in the active
// session: a trigger that would compact it fires at the next change.
func (t *Tree) Import(ctx context.Context, im transcript.Transcript) (Imported, Outcome, error) {
	var done Imported
	out, err := t.do(ctx, func(r *round) error {
		r.bulk, r.imports = true, true
		if err := r.openConversation(); err != nil {
			return err
		}
		live, err := r.liveSession()
		if err != nil {
			return err
		}
		done = Imported{Active: true}
		if done.Session, err = r.sessionOf(&im, live); err != nil {
			return err
		}
		if done.Session == live {
			done.Added, err = r.sayPart(&im)
			return err
		}
		done.Active = false
		return r.importBeside(&done, &im, live)
	})
	return done, out, err
}

// ImportPart adds to the live conversation what was added to a transcript that an agent is
// writing: what is due is done.
func (t *Tree) ImportPart(ctx context.Context, im transcript.Transcript) ([]schema.Message, Outcome, error) {
	var added []schema.Message
	out, err := t.do(ctx, func(r *round) (err error) {
		r.bulk = true
		if err = r.openConversation(); err != nil {
			return err
		}
		added, err = r.sayPart(&im)
		return err
	})
	return added, out, err
}

// sayPart adds messages of a transcript to the live conversation, with the usage that it states.
func (r *round) sayPart(im *transcript.Transcript) ([]schema.Message, error) {
	added, err := r.say(im.Messages, im)
	if err != nil {
		return nil, err
	}
	if err := r.reportImported(im, added); err != nil {
		return nil, err
	}
	return added, r.promptSaid(added)
}

// sessionOf returns the session that a transcript belongs to; "" for a new one.
func (r *round) sessionOf(im *transcript.Transcript, live string) (string, error) {
	of := im.Sessions()
	if live == "" || len(of) == 0 {
		return live, nil
	}
	id, err := session.Holder(r.tx, live, of)
	if err != nil || id != "" {
		return id, err
	}
	l, err := r.openLive()
	if err != nil || l.count > 0 {
		return "", err
	}
	return live, nil
}

// importBeside adds a transcript to the session done.Session, or to a new one, and makes live the active one again.
func (r *round) importBeside(done *Imported, im *transcript.Transcript, live string) (err error) {
	raised, floor := r.raised, r.memory.TalkFloor
	r.whole = true
	if done.Session != "" {
		r.tx.Write(fs.ActiveSession, []byte(done.Session+"\n"))
		done.Added, err = r.say(im.Messages, im)
	} else if done.Added, err = r.admit(nil, nil, im.Messages); err == nil && len(done.Added) > 0 {
		if l, begun := r.begin(im.Title, "", nil); begun != nil {
			err = begun
		} else {
			done.Session = l.id
			err = r.sayIn(l, done.Added)
		}
	}
	if err != nil {
		return err
	}
	r.tx.Write(fs.ActiveSession, []byte(live+"\n"))
	r.raised, r.memory.TalkFloor = raised, floor
	return r.tally()
}
