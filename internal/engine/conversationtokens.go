package engine

import (
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// countTokens counts the tokens of the staged conversation and keeps the figures in
// `.local/`, where `status` finds them.
func (r *WorkingSet) countTokens() error {
	name, src, err := r.conversation()
	if err != nil {
		return err
	}
	t := session.Count(name, src, r.tree.counter.Count, r.tree.counter.Name())
	r.talk = &t
	return t.Keep(r.tx)
}

// countMoreTokens updates the figures after messages of size bytes were added to the
// conversation src. It counts only these messages if the figures of src are known.
func (r *WorkingSet) countMoreTokens(src []byte, added []schema.Message, size int64) error {
	t, ok := session.ReadTally(r.tree.Tree)
	whole := len(src) == 0 || src[len(src)-1] == '\n'
	if !ok || !whole || t.Size != int64(len(src)) || t.Messages > 0 && t.Counter != r.tree.counter.Name() {
		return r.countTokens()
	}
	t.Counter = r.tree.counter.Name()
	t = t.Plus(added, size, r.tree.counter.Count)
	r.talk = &t
	return t.Keep(r.tx)
}

// usage returns the present usage of the window, in tokens and in percent: the State's
// figure, with the present conversation instead of that of the last checkpoint, or the
// figure that an agent reported.
func (r *WorkingSet) usage(s schema.State) (used int, percent float64) {
	live := r.liveUsage(s)
	return live.Used, live.Percent
}

// talkTokens returns the tokens of the conversation; false if there is none.
func (r *WorkingSet) talkTokens() (int, bool) {
	if r.talk == nil {
		t, ok := session.ReadTally(r.tree.Tree)
		if !ok || t.Messages > 0 && t.Counter != r.tree.counter.Name() {
			name, err := session.Conversation(r.tx)
			if err != nil {
				return 0, false
			}
			t, err = session.Recount(r.tree.Tree, name, r.tree.counter.Count, r.tree.counter.Name())
			if err != nil || t.Keep(r.tx) != nil {
				return 0, false
			}
		}
		r.talk = &t
	}
	return r.talk.Tokens, r.talk.Messages > 0
}
