package engine

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/acted"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// A discussionStage holds what others did in threads and channels since this working copy looked last.
type discussionStage struct {
	discussions acted.Discussions
	noted       acted.Discussions // as the file has it
	discussed   []string          // Names of files of discussions that changed, whether or not they are there
	condensed   []Condensed       // what this round condensed because somebody asked for it
}

// openDiscussions finds what changed in threads and channels. While git is in the middle of something
// nothing did: what it writes may be gone again.
func (r *round) openDiscussions() {
	r.noted = acted.ReadDiscussions(r.tx)
	r.discussions = r.noted
	if git.Find(r.tree.Root()).Busy() != "" {
		return
	}
	for _, name := range r.discussions.Changed(r.tree.Tree) {
		r.discussed = append(r.discussed, name+".json", name+".jsonl")
	}
}

// readDiscussions makes records of what others wrote into the views of threads and pins. What git brought
// there has its record where it comes from, or counts without one.
func (r *round) readDiscussions() error {
	if len(r.discussed) == 0 || !r.config.Records() {
		return nil
	}
	err := r.tx.Try(func(*fs.Tx) error {
		views := condense.Unrecorded(r.tx, r.discussed)
		held, err := r.committed(views)
		if err != nil {
			return nil // if git does not say, it may have brought them
		}
		views = slices.DeleteFunc(views, func(name string) bool { return bytes.Equal(held[name], r.textOf(name)) })
		return condense.MakeRecords(r.tx, views, r.editor(), r.at)
	})
	return r.leave(err, r.discussed...)
}

// textOf returns a file; nil where it cannot be read.
func (r *round) textOf(name string) []byte {
	src, _ := r.tx.Read(name)
	return src
}

// leave goes on without discussions that cannot be read, which is told. One that somebody just writes
// is looked at again, by a watcher soon.
func (r *round) leave(err error, names ...string) error {
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrUnsettled):
		r.tell(err.Error())
		return nil
	case len(r.event.Heard) > 0:
		return err
	}
	for _, name := range names {
		r.discussions.Again(name)
	}
	return nil
}

// lookAtDiscussions condenses the threads and channels in which somebody asks for it: in what others
// wrote, and in what this round did.
func (r *round) lookAtDiscussions() error {
	if r.unconfigured != nil {
		return nil
	}
	talks := map[string]bool{} // this round wrote to it
	for _, name := range r.discussed {
		talks[condense.TalkAt(name)] = false
	}
	for name := range r.tx.Staged() {
		if talk := condense.TalkAt(name); talk != "" && !r.stands(name) {
			talks[talk] = true
		}
	}
	delete(talks, "")
	for _, talk := range slices.Sorted(maps.Keys(talks)) {
		if err := r.lookAtTalk(talk, talks[talk]); err != nil {
			return err
		}
	}
	return nil
}

// lookAtTalk condenses the discussion at talk if somebody asks for it who was not answered yet.
func (r *round) lookAtTalk(talk string, own bool) error {
	var asking []schema.Message
	err := r.tx.Try(func(*fs.Tx) (err error) {
		asking, err = condense.Requests(r.tx, r.home, talk)
		return err
	})
	if err != nil {
		return r.leave(err, talk)
	}
	asking = slices.DeleteFunc(asking, func(m schema.Message) bool { return r.discussions.Has(requestID(talk, m)) })
	if len(asking) == 0 {
		return nil
	}
	reach := ours
	if !own {
		reach = r.reachOfRequests(talk, asking)
	}
	done, err := r.condenseFor(reach, talk)
	if done {
		for _, m := range asking {
			r.discussions.Add(requestID(talk, m))
		}
	}
	return err
}

// requestID returns a name for a message of the discussion at talk.
func requestID(talk string, m schema.Message) string {
	return schema.DerivedID("ask-", []byte(talk+"\n"+m.ID+"\n"+m.Content))
}

// reachOfRequests returns whether git brought all of the messages. If git does not say, it may have.
func (r *round) reachOfRequests(talk string, asking []schema.Message) reach {
	names := []string{talk}
	for _, m := range asking {
		names = append(names, condense.MessageFile(talk, m.ID))
	}
	held, err := r.committed(names)
	if err != nil || !slices.ContainsFunc(asking, func(m schema.Message) bool { return !condense.Holds(held, talk, m) }) {
		return brought
	}
	return others
}

// condenseFor condenses the discussion at talk because somebody asked for it, and reports whether that
// is answered. One that cannot be condensed is told of: neither what was said in it nor the other
// discussions wait for that.
func (r *round) condenseFor(reach reach, talk string) (answered bool, err error) {
	if !r.occur(triggers.Facts{triggers.MessageRequestsCondensation: true}, CondenseTrigger)[CondenseTrigger] {
		return true, nil
	}
	before := r.tx.Staged()
	c, done, err := r.tryCondense(reach, talk)
	if err == nil && done && !c.Already && c.File != "" {
		r.condensed = append(r.condensed, c)
		r.firedOn(CondenseTrigger, fmt.Sprintf("somebody asked for it in %s", talk), condenseAction, differing(before, r.tx.Staged())...)
	}
	return done, err
}

// tryCondense condenses the discussion at talk, and reports whether that is done or due. What cannot be
// condensed is told.
func (r *round) tryCondense(reach reach, talk string) (c Condensed, done bool, err error) {
	d := Discussion{Channel: path.Base(path.Dir(talk)), Agent: r.event.Agent}
	if condense.ThreadOf(talk) != "" {
		t, _ := condense.ThreadAt(r.tx, talk)
		d = Discussion{Thread: t.ID, Agent: r.event.Agent}
	}
	err = r.within(reach, func() (err error) {
		c, err = r.condense(d, nil)
		return err
	})
	switch {
	case errors.Is(err, errReach):
		r.putOff(acted.Due{Trigger: CondenseTrigger, Action: condenseAction, Discussions: []string{talk}})
		return Condensed{}, true, nil
	case errors.Is(err, fs.ErrUnsettled):
		return c, false, r.leave(err, talk)
	case err != nil && !errors.Is(err, ErrNothingSaid):
		r.failed(CondenseTrigger, talk+" is to be condensed", condenseAction, err)
		return c, false, nil
	}
	return c, true, nil
}

// condenseDiscussion condenses the discussions that it is due for; else every one in which somebody
// asks for it, and every thread that was resolved and not condensed yet.
func condenseDiscussion(r *round, _ triggers.Firing) error {
	talks := slices.Clone(r.acting.discussions)
	if len(talks) == 0 {
		all, _, err := condense.Threads(r.tx)
		if err != nil {
			return err
		}
		for _, t := range condense.Uncondensed(all) {
			if _, _, err := r.tryCondense(ours, t.Talk()); err != nil {
				return err
			}
		}
		for name, err := range below(r.tx, fs.ThreadsDir, fs.ChannelsDir) {
			if err != nil {
				return err
			}
			if talk := condense.TalkAt(name); talk != "" {
				talks = append(talks, talk)
			}
		}
	}
	slices.Sort(talks)
	for _, talk := range slices.Compact(talks) {
		asking, err := condense.Requests(r.tx, r.home, talk)
		if err != nil {
			return err
		}
		if len(asking) == 0 {
			continue
		}
		if _, err := r.condenseFor(ours, talk); err != nil {
			return err
		}
	}
	return nil
}

// closeDiscussions notes how the discussions stood, and what was asked in them and is done: durably if
// something was.
func (r *round) closeDiscussions() error {
	if !r.discussions.Differs(r.noted) {
		return nil
	}
	durably := len(r.discussions.Done) != len(r.noted.Done) || !r.writes()
	return r.discussions.Write(r.tx, r.home, durably)
}
