package engine

import (
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// tally counts the conversation as it is staged and keeps the figures in
// `.local/`, where `status` finds them.
func (r *round) tally() error {
	name, src, err := r.conversation()
	if err != nil {
		return err
	}
	t := session.Count(name, src, r.tree.counter.Count, r.tree.counter.Name())
	r.talk = &t
	return t.Keep(r.tx)
}

// tallyMore is tally after messages were added to the conversation src, in so
// many bytes. It counts those alone where the figures of src are known.
func (r *round) tallyMore(src []byte, added []schema.Message, size int64) error {
	t, ok := session.ReadTally(r.tree.Tree)
	whole := len(src) == 0 || src[len(src)-1] == '\n'
	if !ok || !whole || t.Size != int64(len(src)) || t.Messages > 0 && t.Counter != r.tree.counter.Name() {
		return r.tally()
	}
	t.Counter = r.tree.counter.Name()
	t = t.Plus(added, size, r.tree.counter.Count)
	r.talk = &t
	return t.Keep(r.tx)
}

// usage is how full the window is just now: what the State says, with the
// conversation as it is instead of as it was at the last checkpoint, or what an
// agent reported. It is in tokens and in percent.
func (r *round) usage(s schema.State) (used int, percent float64) {
	live := r.live(s)
	return live.Used, live.Percent
}

// talkTokens is what the conversation costs; false where there is none.
func (r *round) talkTokens() (int, bool) {
	if r.talk == nil {
		t, ok := session.ReadTally(r.tree.Tree)
		if !ok || t.Messages > 0 && t.Counter != r.tree.counter.Name() {
			name, err := session.LiveName(r.tx)
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
