package engine

import (
	"maps"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// An appendedSet holds what other programs appended to conversations since the last transaction.
type appendedSet struct {
	known     session.Known    // the part of each conversation that was read before
	messages  int              // the number of messages that are in no counter yet
	said      []schema.Message // what they added to the live session
	decisions []schema.Message // the boss's decisions among the messages, which the Ledger never had
}

// findAppended finds the messages that other programs appended to a conversation. It counts them, and
// keeps the decisions for fireAppended. It skips a conversation above
// session.MaxSearched.
func (r *WorkingSet) findAppended() error {
	names, err := session.Conversations(r.tx)
	if err != nil {
		return err
	}
	before, known := session.ReadKnown(r.tx)
	r.appended.known = maps.Clone(before)
	if r.appended.known == nil {
		r.appended.known = session.Known{}
	}
	for _, name := range names {
		size, err := r.tx.Size(name)
		if err != nil || size == before[name] || size > session.MaxSearched {
			continue // validate reports names that are no regular files
		}
		src, err := r.readIfExists(name)
		if err != nil {
			return wrapName(name, err)
		}
		messages, size, rewritten := session.Appended(src, before[name])
		r.appended.known[name] = size
		if known && !rewritten { // else they were counted by a former version
			r.appended.messages += len(messages)
			if name != fs.Messages {
				r.appended.said = append(r.appended.said, messages...)
			}
		}
		if err := r.keepDecisions(messages); err != nil {
			return err
		}
	}
	return nil
}

// keepDecisions keeps those of the boss's decisions among messages that the Ledger
// never had. Secrets in them are masked.
func (r *WorkingSet) keepDecisions(messages []schema.Message) error {
	o := r.compactOptions()
	had := ledger.Indexed(r.tree.Tree)
	for _, m := range messages {
		if !isBoss(o.Bosses, m.Agent) || compact.Classify(m, o) != compact.Decision {
			continue
		}
		r.Mask(&m.Content)
		if _, err := schema.ParseTime(m.Timestamp); err != nil {
			m.Timestamp = r.stateTime()
		}
		id := r.detected(m).ID
		_, recorded, err := ledger.Find(r.tx, id)
		if err != nil {
			return err
		}
		if !recorded && !had(id) && !r.event.Recorded[id] {
			r.appended.decisions = append(r.appended.decisions, m)
		}
	}
	return nil
}

// takeAppended updates the hot context from the messages that other programs added to the
// live session, as if a command had added them: files, names and next steps.
func (r *WorkingSet) takeAppended() error {
	if len(r.appended.said) == 0 {
		return nil
	}
	id, err := r.liveSessionID()
	if err != nil || id == "" {
		return err
	}
	const most = 200 // a hot context holds no more than these mention
	said := r.appended.said[max(0, len(r.appended.said)-most):]
	for i := range said {
		r.Mask(&said[i].Content)
	}
	for i, h := range r.rateAll(said) {
		if err := r.updateHotFrom(id, said[i], h); err != nil {
			return err
		}
	}
	return nil
}

// fireAppended fires the triggers of the decisions that other programs appended, as if
// a command had added them.
func (r *WorkingSet) fireAppended() error {
	if len(r.appended.decisions) == 0 {
		return nil
	}
	own := r.event
	defer func() { r.event = own }()
	r.event.Event, r.event.Decision, r.event.said = triggers.Event{}, nil, nil
	r.setEvent(r.appended.decisions)
	return r.fireChain(r.values(), layerChange{})
}

// keepKnown stages how far each conversation is known now, and the counters if a
// watcher added to them. What this transaction wrote counts as known.
func (r *WorkingSet) keepKnown() error {
	names, err := session.Conversations(r.tx)
	if err != nil {
		return err
	}
	staged, now := r.tx.Staged(), session.Known{}
	for _, name := range names {
		size, ok := r.appended.known[name]
		if _, wrote := staged[name]; wrote || !ok {
			if size, err = r.tx.Size(name); err != nil {
				continue
			}
		}
		if size > 0 {
			now[name] = size
		}
	}
	if n := r.appended.messages; n > 0 {
		counters, err := r.counters()
		if err != nil {
			return err
		}
		if err := saveCounters(r.tx, counters.Plus(state.Counters{Messages: n})); err != nil {
			return err
		}
	}
	return now.Keep(r.tx, r.home)
}
