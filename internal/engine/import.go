package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// An Imported holds what came of a transcript.
type Imported struct {
	Added      []schema.Message
	Beside     []string // the sessions other than the active one that it went to
	WouldBegin int      // sessions that a dry run would have begun beside them
}

// Import adds what a transcript holds to the session that has the rest of it. A transcript
// of which nothing is there yet goes to the active session if nothing was said there, else
// to a new one. The active session stays the active one. Of an export each conversation is a
// transcript. A file that names no session of an agent goes to the active one.
//
// A transcript is not compacted, and stays in one session; a trigger that would compact it fires at the next
// change. The messages of other files do what as many commands do. The usage that a transcript states
// counts in the active session alone.
func (t *Tree) Import(ctx context.Context, im transcript.Transcript) (Imported, Outcome, error) {
	var done Imported
	out, err := t.do(ctx, func(r *round) error {
		done = Imported{}
		if err := r.openConversation(); err != nil {
			return err
		}
		live, err := r.liveSession()
		if err != nil {
			return err
		}
		for _, talk := range im.EachTalk() {
			id, err := r.sessionOf(&talk, live)
			if err != nil {
				return err
			}
			if id == live {
				r.bulk, r.imports = talk.AgentSession() != "", true
				err = done.add(r.sayPart(&talk))
				r.out.Fired = together(r.out.Fired)
			} else {
				err = r.aside(func() error { return r.importBeside(&done, &talk, id) })
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return done, out, err
}

// keepsWhole reports whether the messages that come in are an agent's session, which stays one session.
func (r *round) keepsWhole() bool { return r.imports && r.bulk }

func (done *Imported) add(added []schema.Message, err error) error {
	done.Added = append(done.Added, added...)
	return err
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

// sessionOf returns the session that a transcript belongs to: live, if it holds messages of it,
// else the one that holds most, about; "" for a new one. What an archived session holds is gone on with in
// the session that continues it.
func (r *round) sessionOf(im *transcript.Transcript, live string) (string, error) {
	agentSession := im.AgentSession()
	if live == "" || agentSession == "" {
		return live, nil
	}
	ids := map[string]bool{}
	for _, m := range im.Messages {
		ids[m.ID] = true
	}
	held, err := session.Holders(r.tx, ids, agentSession)
	if err != nil {
		return "", err
	}
	for id, chunks := range cold.Holders(r.tx, agentSession) {
		held[id] += chunks
	}
	if held[live] > 0 {
		return live, nil
	}
	all, err := session.List(r.tx)
	if err != nil {
		return "", err
	}
	best := ""
	for _, s := range all { // the latest first
		if held[s.SessionID] > held[best] {
			best = s.SessionID
		}
	}
	if best != "" {
		return continued(all, best), nil
	}
	l, err := r.openLive()
	if err != nil || l.Count > 0 {
		return "", err
	}
	return live, nil
}

// continued returns the session that goes on from the session id, if that is archived.
func continued(all []session.Listed, id string) string {
	for range all { // they may continue one another in a circle
		at := slices.IndexFunc(all, func(s session.Listed) bool { return s.SessionID == id })
		next := slices.IndexFunc(all, func(s session.Listed) bool { return s.Continues == id })
		if at < 0 || all[at].Status != session.Archived || next < 0 {
			break
		}
		id = all[next].SessionID
	}
	return id
}

// aside imports something into another session than the active one, and makes that the active one
// again, in which nothing is an import.
func (r *round) aside(do func() error) error {
	live, err := r.tx.Read(fs.ActiveSession)
	if err != nil {
		return err
	}
	stage, floor := r.sessionStage, r.memory.TalkFloor
	r.bulk, r.imports, r.whole = true, true, true
	if err := do(); err != nil {
		return err
	}
	r.tx.Write(fs.ActiveSession, live)
	stage.summarised = r.summarised
	r.sessionStage, r.memory.TalkFloor = stage, floor
	return r.tally()
}

// importBeside adds a transcript to the session id, or to a new one, which is the active one then.
func (r *round) importBeside(done *Imported, im *transcript.Transcript, id string) error {
	if id == "" {
		id, added, err := r.beginWith("", im)
		switch {
		case id == "":
		case r.tree.DryRun: // the id is another next time
			done.WouldBegin++
		default:
			done.Beside = append(done.Beside, id)
		}
		return done.add(added, err)
	}
	r.activate(id)
	if _, err := r.needSession(); err != nil { // its hot context may be missing
		return err
	}
	if err := r.hearIn(session.Window(id)); err != nil {
		return err
	}
	if !slices.Contains(done.Beside, id) {
		done.Beside = append(done.Beside, id)
	}
	return done.add(r.say(im.Messages, im))
}

// beginWith begins a session with what a transcript says, and makes it the active one. Where
// nothing of it is new, it begins none: the id is "" then.
func (r *round) beginWith(title string, im *transcript.Transcript) (id string, added []schema.Message, err error) {
	if added, err = r.admit(nil, nil, im.Messages); err != nil || len(added) == 0 {
		return "", nil, err
	}
	l, err := r.begin(cmp.Or(title, im.Title), "", nil)
	if err != nil {
		return "", nil, err
	}
	return l.ID, added, r.sayIn(l, added)
}
