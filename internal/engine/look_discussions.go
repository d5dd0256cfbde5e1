package engine

import (
	"bytes"
	"cmp"
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
	looked      acted.Discussions // as the file has it
	discussed   []string          // Names of files of discussions that changed, whether or not they are there
	condensed   []Condensed       // what this round condensed because somebody asked for it
}

// openDiscussions finds what changed in threads and channels. While git is in the middle of something
// nothing did: what it writes may be gone again. A watcher looks at all of them now and then.
func (r *round) openDiscussions() {
	r.looked = acted.ReadDiscussions(r.tx)
	r.discussions = r.looked
	if r.blind || git.Find(r.tree.Root()).Busy() != "" {
		return
	}
	if r.event.Idle {
		r.discussions.Stood = nil
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
	var views []string
	err := r.tx.Try(func(*fs.Tx) error { views = condense.Unrecorded(r.tx, r.discussed); return nil })
	if err != nil {
		return r.leave(err, r.discussed...)
	}
	held, err := r.committed(views)
	if err != nil {
		r.lookLater(views...)
		return nil
	}
	for _, name := range views {
		err := r.tx.Try(func(*fs.Tx) error {
			if src, err := r.tx.Read(name); err != nil || bytes.Equal(src, held[name]) {
				return err
			}
			return condense.MakeRecords(r.tx, []string{name}, r.editor, r.at)
		})
		if err := r.leave(err, name); err != nil {
			return err
		}
	}
	return nil
}

// leave goes on without discussions that cannot be read, which is told. One that somebody just writes
// is looked at again, by a watcher soon.
func (r *round) leave(err error, names ...string) error {
	switch {
	case err == nil:
	case !errors.Is(err, fs.ErrUnsettled):
		r.tell(err.Error())
	case len(r.event.Heard) > 0:
		return err
	default:
		r.lookLater(names...)
	}
	return nil
}

// lookLater has the next command look at discussions again.
func (r *round) lookLater(names ...string) {
	for _, name := range names {
		r.discussions.Forget(name)
	}
}

// A request is what asks for the condensation of a discussion.
type request struct {
	talk     string // the Name of its conversation
	messages []schema.Message
	reach    reach
}

// mostRequests bounds the discussions that are condensed at once for others. More are of an archive that
// somebody put there.
const mostRequests = 10

// lookAtDiscussions condenses the threads and channels in which somebody asks for it who was not answered
// yet: in what others wrote, and in what this round did.
func (r *round) lookAtDiscussions() error {
	if r.unconfigured != nil || r.blind {
		return nil
	}
	all, err := r.requests()
	if err != nil || len(all) == 0 {
		return err
	}
	r.setReach(all)
	for _, q := range all {
		done, err := r.answer(q)
		if err != nil {
			return err
		}
		if done {
			for _, m := range q.messages {
				r.discussions.Add(requestID(q.talk, m))
			}
		}
	}
	return nil
}

// requests returns the requests in discussions that changed, and that this round wrote to.
func (r *round) requests() (all []request, err error) {
	for _, talk := range r.talks() {
		asking, err := r.requestsAt(talk)
		if err := r.leave(err, talk); err != nil {
			return nil, err
		}
		asking = slices.DeleteFunc(asking, func(m schema.Message) bool { return r.discussions.Has(requestID(talk, m)) })
		if len(asking) > 0 {
			all = append(all, request{talk: talk, messages: asking})
		}
	}
	return all, nil
}

// requestsAt returns the messages of the discussion at talk that ask to have it condensed.
func (r *round) requestsAt(talk string) (asking []schema.Message, err error) {
	err = r.tx.Try(func(*fs.Tx) (err error) {
		asking, err = condense.Requests(r.tx, r.home, talk)
		return err
	})
	return asking, err
}

// talks returns the conversations that changed, and that this round wrote to, sorted.
func (r *round) talks() []string {
	talks := map[string]bool{}
	for _, name := range r.discussed {
		talks[condense.TalkAt(name)] = true
	}
	for name := range r.tx.Staged() {
		talks[condense.TalkAt(name)] = true
	}
	delete(talks, "")
	return slices.Sorted(maps.Keys(talks))
}

// requestID returns a name for a message of the discussion at talk.
func requestID(talk string, m schema.Message) string {
	return schema.DerivedID("ask-", []byte(talk+"\n"+m.ID+"\n"+m.Timestamp+"\n"+m.Agent+"\n"+m.Content))
}

// setReach sets the reach of requests. If git does not say what it brought, it may have brought all that
// this round did not write.
func (r *round) setReach(all []request) {
	var names []string
	for _, q := range all {
		names = append(names, condense.FilesOf(q.talk, q.messages)...)
	}
	held, err := r.committed(names)
	there := map[string][]byte{}
	for _, name := range names {
		if src, err := r.tree.ReadUnsettled(name); err == nil {
			there[name] = src
		}
	}
	here := 0
	for i, q := range all {
		switch {
		case !q.standsIn(there):
			all[i].reach = ours
		case err != nil || q.standsIn(held):
			all[i].reach = brought
		default:
			all[i].reach = others
			here++
		}
	}
	if here <= mostRequests {
		return
	}
	for i := range all {
		if all[i].reach == others {
			all[i].reach = batch
		}
	}
	r.tell(fmt.Sprintf("%d discussions at once ask to be condensed: that is due; see 'forgemind status'", here))
}

// standsIn reports whether all messages of a request stand in files.
func (q request) standsIn(files map[string][]byte) bool {
	return !slices.ContainsFunc(q.messages, func(m schema.Message) bool { return !condense.Holds(files, q.talk, m) })
}

// answer condenses a discussion because somebody asks for it, and reports whether that is done or due.
// One that cannot be condensed is told of: neither what was said in it nor the other discussions wait
// for that.
func (r *round) answer(q request) (done bool, err error) {
	queued := len(r.queue)
	fires := r.occur(triggers.Facts{triggers.MessageRequestsCondensation: true}, CondenseTrigger)[CondenseTrigger]
	if q.reach >= batch {
		for i := range r.queue[queued:] {
			r.queue[queued+i].reach, r.queue[queued+i].discussions = q.reach, []string{q.talk}
		}
	}
	if !fires {
		return false, nil
	}
	before := r.tx.Staged()
	c, err := r.condenseFor(q)
	switch {
	case errors.Is(err, errReach):
		r.putOff(acted.Due{Trigger: CondenseTrigger, Action: condenseAction, Discussions: []string{q.talk}})
	case errors.Is(err, ErrNothingSaid):
	case errors.Is(err, fs.ErrUnsettled):
		return false, r.leave(err, q.talk)
	case err != nil:
		r.failed(CondenseTrigger, q.talk+" is to be condensed", condenseAction, err)
		return false, nil
	case !c.Already:
		r.condensed = append(r.condensed, c)
		r.firedOn(CondenseTrigger, "somebody asked for it in "+q.talk, condenseAction, differing(before, r.tx.Staged())...)
	}
	return true, nil
}

// condenseFor condenses a discussion as far as the reach of a request goes. What others asked for is by
// them, as far as they say who they are.
func (r *round) condenseFor(q request) (c Condensed, err error) {
	if !r.covers(q.reach, path.Join(r.home, "condensations", "any.md")) {
		return c, errReach
	}
	if q.reach != ours {
		agent := r.event.Agent
		r.event.Agent = cmp.Or(q.messages[len(q.messages)-1].Agent, r.editor())
		defer func() { r.event.Agent = agent }()
	}
	err = r.within(q.reach, func() (err error) {
		c, err = r.condense(discussionAt(r.tx, q.talk), nil)
		return err
	})
	return c, err
}

// discussionAt returns the discussion whose conversation is talk.
func discussionAt(r fs.Reader, talk string) Discussion {
	if condense.ThreadOf(talk) == "" {
		return Discussion{Channel: path.Base(path.Dir(talk))}
	}
	t, _ := condense.ThreadAt(r, talk)
	return Discussion{Thread: t.ID}
}

// condenseDiscussion condenses the discussion that it is due for; else every one in which somebody asks
// for it, and every thread that was resolved and not condensed yet.
func condenseDiscussion(r *round, _ triggers.Firing) error {
	if due := r.acting.discussions; len(due) > 0 {
		asking, err := r.requestsAt(due[0])
		if err != nil || len(asking) == 0 {
			return err
		}
		if _, err = r.condense(discussionAt(r.tx, due[0]), nil); errors.Is(err, ErrNothingSaid) {
			return nil
		}
		return err
	}
	all, _, err := condense.Threads(r.tx)
	if err != nil {
		return err
	}
	for _, t := range condense.Uncondensed(all) {
		_, err := r.condenseFor(request{talk: t.Talk()})
		switch {
		case errors.Is(err, fs.ErrUnsettled):
			return err
		case err != nil && !errors.Is(err, ErrNothingSaid):
			r.failed(CondenseTrigger, t.Talk()+" is to be condensed", condenseAction, err)
		}
	}
	talks := map[string]bool{}
	for name, err := range below(r.tx, fs.ThreadsDir, fs.ChannelsDir) {
		if err != nil {
			return err
		}
		talks[condense.TalkAt(name)] = true
	}
	delete(talks, "")
	for _, talk := range slices.Sorted(maps.Keys(talks)) {
		asking, err := r.requestsAt(talk)
		if err == nil && len(asking) > 0 {
			_, err = r.answer(request{talk: talk, messages: asking})
		}
		if err := r.leave(err, talk); err != nil {
			return err
		}
	}
	return nil
}

// closeDiscussions notes how the discussions stood, and what was asked in them and is done: durably if
// something was.
func (r *round) closeDiscussions() error {
	if r.blind || !r.discussions.Differs(r.looked) {
		return nil
	}
	durably := len(r.discussions.Done) != len(r.looked.Done) || !r.writes()
	return r.discussions.Write(r.tx, r.home, durably)
}
