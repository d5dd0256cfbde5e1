package engine

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/acted"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// A request asks to condense a discussion, or to take in a condensation that somebody put into the tree.
type request struct {
	about  string   // the Name of the conversation, or of the condensation
	causes []string // ids of what asks for it: messages, or the text of the condensation
	by     string   // who asked last; "" if that is not known
	reach  reach
}

// why says for people who asks.
func (q request) why() string {
	if condense.IsFile(q.about) {
		return "somebody wrote " + q.about
	}
	return "somebody asked for it in " + q.about
}

// lookAtDiscussions condenses the threads and channels in which somebody asks for it who was not answered
// yet, and takes in condensations: in what others wrote, and in what this round did. What it may not write
// is due.
func (r *round) lookAtDiscussions() error {
	if r.unconfigured != nil {
		return nil
	}
	all, err := r.newRequests()
	if err != nil || len(all) == 0 {
		return err
	}
	r.setReach(all)
	for _, limited := range []bool{false, true} {
		some := slices.DeleteFunc(slices.Clone(all), func(q request) bool { return (q.reach >= batch) != limited || r.isSettled(q) })
		if len(some) == 0 {
			continue
		}
		for _, f := range r.firedFor(some, limited) {
			for _, q := range some {
				if err := r.answer(f, q); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// isSettled reports whether a request of others was answered; of what git brought, whether the answer is
// due, which it is as long as nothing came of it here. A condensation that is to be taken in is taken in
// again if it was before.
func (r *round) isSettled(q request) bool {
	switch q.reach {
	case ours:
		return false
	case brought:
		return r.isDue(q)
	}
	done := !slices.ContainsFunc(q.causes, func(id string) bool { return !r.discussions.Has(id) })
	return done && (!condense.IsFile(q.about) || r.isDue(q))
}

// isDue reports whether the answer to a request is due.
func (r *round) isDue(q request) bool {
	return slices.ContainsFunc(r.later.Due, func(d acted.Due) bool {
		return d.Action == condenseAction && slices.Contains(d.Discussions, q.about)
	})
}

// newRequests returns the requests in what changed, and in what this round wrote.
func (r *round) newRequests() (all []request, err error) {
	var others []string
	for _, about := range r.changed() {
		q, err := r.requestOf(about)
		if err := r.leave(err, about); err != nil {
			return nil, err
		}
		if len(q.causes) > 0 {
			all = append(all, q)
		} else if condense.IsFile(about) {
			others = append(others, about)
		}
	}
	r.noteCondensations(others)
	return all, nil
}

// requestOf returns the request in the discussion, or of the condensation, called about. It has no causes
// if nothing is asked there.
func (r *round) requestOf(about string) (q request, err error) {
	q = request{about: about}
	if condense.IsFile(about) {
		q.causes = r.newCondensation(about)
		return q, nil
	}
	err = r.tx.Try(func(*fs.Tx) error {
		asking, err := condense.Requests(r.tx, r.home, about)
		for _, m := range asking {
			q.causes, q.by = append(q.causes, messageID(about, m)), m.Agent
		}
		return err
	})
	return q, err
}

// changed returns the conversations and the condensations that changed, or that this round wrote, sorted.
func (r *round) changed() []string {
	all := map[string]bool{}
	for _, name := range slices.AppendSeq(slices.Clone(r.discussed), maps.Keys(r.tx.Staged())) {
		if condense.IsFile(name) {
			all[name] = true
		} else {
			all[condense.TalkOf(name)] = true
		}
	}
	delete(all, "")
	return slices.Sorted(maps.Keys(all))
}

// messageID returns a name for a message of the discussion at talk.
func messageID(talk string, m schema.Message) string {
	return schema.DerivedID("ask-", []byte(talk+"\n"+m.ID+"\n"+m.Timestamp+"\n"+m.Agent+"\n"+m.Content))
}

// condensationID returns a name for a condensation with its text.
func condensationID(name string, src []byte) string {
	return schema.DerivedID("ask-", slices.Concat([]byte(name+"\n"), src))
}

// files returns the Names of the files that a request can stand in.
func (r *round) files(q request) []string {
	if condense.IsFile(q.about) {
		return []string{q.about}
	}
	return condense.FilesOf(r.tx, q.about)
}

// standsIn reports whether all that asks stands in files, which are given by their Names.
func (q request) standsIn(files map[string][]byte) bool {
	there := map[string]bool{}
	if src, ok := files[q.about]; ok && condense.IsFile(q.about) {
		there[condensationID(q.about, src)] = true
	} else {
		for _, m := range condense.SaidIn(files) {
			there[messageID(q.about, m)] = true
		}
	}
	return !slices.ContainsFunc(q.causes, func(id string) bool { return !there[id] })
}

// isOurs reports whether this round wrote what asks.
func (r *round) isOurs(q request) bool {
	stood := map[string][]byte{}
	for _, name := range r.files(q) {
		if src, err := r.tree.ReadUnsettled(name); err == nil {
			stood[name] = src
		}
	}
	return !q.standsIn(stood)
}

// setReach sets the reach of requests. If git does not say what it brought, it may have brought all that
// this round did not write.
func (r *round) setReach(all []request) {
	var names []string
	for _, q := range all {
		names = append(names, r.files(q)...)
	}
	held, err := r.committed(names)
	here := 0
	of := map[string]map[string][]byte{} // what each request can stand in
	for name, src := range held {
		about := name
		if !condense.IsFile(name) {
			about = condense.TalkAt(name)
		}
		if of[about] == nil {
			of[about] = map[string][]byte{}
		}
		of[about][name] = src
	}
	for i, q := range all {
		switch {
		case r.isOurs(q):
			all[i].reach = ours
		case err != nil || q.standsIn(of[q.about]):
			all[i].reach = brought
		default:
			if all[i].reach = others; !r.isSettled(all[i]) {
				here++
			}
		}
	}
	if here <= mostCauses { // more are of an archive that somebody put there
		return
	}
	for i := range all {
		if all[i].reach == others {
			all[i].reach = batch
		}
	}
	r.tell(fmt.Sprintf("%d discussions and condensations at once: what they ask for is due; see 'forgemind status'", here))
}

// firedFor asks the triggers about requests, and returns what is to condense them, if anything is. What else
// fires is done later, as far as the reach of the requests goes.
func (r *round) firedFor(all []request, limited bool) []firing {
	queue := r.queue
	r.queue = nil
	fired := r.occur(triggers.Facts{triggers.MessageRequestsCondensation: true}, condenseAction)
	for i := range r.queue {
		for _, q := range all {
			r.queue[i].discussions = append(r.queue[i].discussions, q.about)
		}
		if limited {
			r.queue[i].reach = brought
		}
	}
	r.queue = append(queue, r.queue...)
	return fired[:min(len(fired), 1)]
}

// answer condenses a discussion because somebody asks for it, or takes in a condensation. What cannot be done
// is due: neither what was said nor the other discussions wait for that.
func (r *round) answer(f firing, q request) error {
	f.Reason, f.by, f.discussions, f.reach = q.why(), q.by, []string{q.about}, q.reach
	fired, err := r.runActions(&f)
	if err != nil {
		return r.leave(err, q.about)
	}
	if a := fired.Actions[0]; a.Err != nil {
		r.putOff(acted.Due{Trigger: f.Trigger, Action: condenseAction, Discussions: f.discussions})
	} else {
		r.settle(q)
	}
	r.tellFired(f, fired)
	return nil
}

// settle notes that a request was acted on.
func (r *round) settle(q request) { r.discussions.Add(q.causes...) }

// condenseFor does what a request asks for, as far as its reach goes. What others asked for is by them, as
// far as they say who they are. Where nothing was said there is nothing to do.
func (r *round) condenseFor(q request) error {
	if !r.covers(q.reach, path.Join(r.home, fs.CondensationsDir, "any.md")) {
		return errReach
	}
	if q.reach != ours && !condense.IsFile(q.about) {
		agent := r.event.Agent
		r.event.Agent = cmp.Or(q.by, r.editor())
		defer func() { r.event.Agent = agent }()
	}
	var c Condensed
	err := r.within(q.reach, func() (err error) {
		d := Discussion{Channel: path.Base(path.Dir(q.about)), asked: true}
		switch thread := condense.ThreadOf(q.about); {
		case condense.IsFile(q.about):
			c, err = r.adopt(q.about, q.by)
			return err
		case thread != "":
			d = Discussion{Thread: thread, asked: true}
		}
		c, err = r.condense(d, nil)
		return err
	})
	switch {
	case errors.Is(err, ErrNothingSaid):
		return nil
	case err == nil && !c.Already:
		r.condensed = append(r.condensed, c)
	}
	return err
}

// condenseDiscussion condenses the discussions, and takes in the condensations, that it fired for; else
// every one in which somebody asks for it, every thread that was resolved and not condensed yet, and every
// condensation that somebody wrote.
func condenseDiscussion(r *round, f *firing) error {
	if len(f.discussions) > 0 {
		return r.condenseAll(f.discussions, f.reach)
	}
	list := map[string]bool{}
	for name, err := range below(r.tx, fs.ThreadsDir, fs.ChannelsDir, fs.CondensationsDir) {
		if err != nil {
			return err
		}
		if condense.IsFile(name) {
			list[name] = true
		} else {
			list[condense.TalkAt(name)] = true
		}
	}
	delete(list, "")
	failed := r.condenseAll(slices.Sorted(maps.Keys(list)), f.reach)
	all, _, err := condense.Threads(r.tx)
	if err != nil {
		return err
	}
	for _, t := range condense.Uncondensed(all) { // one that cannot be keeps none of the others
		if err := r.condenseFor(request{about: t.Talk()}); errors.Is(err, fs.ErrUnsettled) {
			return err
		} else if err != nil {
			r.tell(fmt.Sprintf("%s is not condensed: %v", t.Talk(), err))
		}
	}
	return failed
}

// condenseAll condenses those of discussions in which somebody asks for it, and takes in condensations, the
// latter first: a thread of which somebody wrote one needs no other. What others ask for is of that reach.
func (r *round) condenseAll(list []string, reach reach) (err error) {
	written := slices.DeleteFunc(slices.Clone(list), func(about string) bool { return !condense.IsFile(about) })
	talks := slices.DeleteFunc(slices.Clone(list), condense.IsFile)
	for _, about := range slices.Concat(written, talks) {
		q, wrong := r.requestOf(about)
		if wrong == nil && len(q.causes) > 0 {
			q.reach = max(others, reach)
			wrong = r.condenseFor(q)
		}
		err = errors.Join(err, wrong)
	}
	return err
}
