package forgemind

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// AddMessages takes messages into the tree's conversation and returns those that
// were new, as they are stored: each has an id and a time, secrets are masked. A
// message is known by its ID; one without it by its Timestamp and what it says;
// one without either is new.
func (t *Tree) AddMessages(ctx context.Context, messages ...Message) ([]Message, error) {
	added, _, err := t.add(ctx, messages)
	return added, err
}

func (t *Tree) add(ctx context.Context, messages []Message) (added []Message, notes []string, err error) {
	messages = slices.Clone(messages)
	for i := range messages {
		messages[i].ID = idOf(messages[i])
	}
	added, out, err := t.tree.Say(ctx, messages)
	return added, out.Notes, err
}

// idOf is the id that a message is stored under; "" where it has neither an id nor a
// time.
func idOf(m Message) string {
	if m.ID == "" && m.Timestamp != "" {
		return schema.DerivedID("msg-", []byte(m.Role+"\n"+m.Agent+"\n"+m.Timestamp+"\n"+m.Content))
	}
	return m.ID
}

// readings are what a Window knows of the messages that it has read.
type readings struct {
	ids   map[string]bool // of the last reading
	last  []sum           // of the last reading, where a message had no name
	texts map[sum]bool    // of contexts that were handed over as one text
}

// A sum stands for what a message says.
type sum [sha256.Size]byte

func sumOf(content string) sum { return sha256.Sum256([]byte(strings.TrimSpace(content))) }

func sumsOf(messages []Message) []sum {
	sums := make([]sum, len(messages))
	for i, m := range messages {
		sums[i] = sumOf(m.Content)
	}
	return sums
}

const (
	firstPage = 64      // messages that are asked for at first
	lastPage  = 1 << 17 // and at most
)

// take takes what the program's callback gives, as far as it is new, into the
// tree's conversation.
func (w *Window) take(ctx context.Context) (added int, notes []string, err error) {
	if !w.begun { // what stands there now is what the program has
		if _, w.handed, err = w.tree.conversation(); err != nil {
			return 0, nil, err
		}
		w.begun = true
	}
	if w.with.Messages == nil {
		return 0, nil, w.follow(nil)
	}
	said, err := w.read(ctx)
	if err == nil {
		err = w.follow(said)
	}
	if err != nil || len(said) == 0 {
		return 0, nil, err
	}
	fresh, err := w.fresh(said)
	if err != nil {
		return 0, nil, err
	}
	if len(fresh) > 0 {
		var taken []Message
		if taken, notes, err = w.tree.add(ctx, fresh); err != nil {
			return 0, nil, fmt.Errorf("messages: %w", err)
		}
		added = len(taken)
		if err := w.follow(nil); err != nil {
			return 0, nil, err
		}
	}
	w.known.last, w.known.ids = nil, map[string]bool{}
	for _, m := range said {
		w.known.ids[nameOf(m)] = true
	}
	if w.known.ids[""] {
		w.known.last = sumsOf(said)
	}
	return added, notes, nil
}

// nameOf is what tells a message from others of the same words; "" where nothing
// does.
func nameOf(m Message) string {
	if m.ID == "" && m.Timestamp != "" {
		return m.Timestamp + "\n" + m.Content
	}
	return m.ID
}

// read asks for the last messages, and for more until the first of them is one
// that was read before. Where a message has no name it asks for all of them.
func (w *Window) read(ctx context.Context) ([]Message, error) {
	for n := firstPage; ; n *= 4 {
		said, err := w.with.Messages(ctx, n)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("messages: %w", err)
		}
		all := len(said) < n || n >= lastPage
		said = slices.DeleteFunc(slices.Clone(said), w.ours)
		switch {
		case all || len(said) == 0:
			return said, nil
		case slices.ContainsFunc(said, nameless):
			n = lastPage / 4
		case w.known.ids[nameOf(said[0])]:
			return said, nil
		}
	}
}

func nameless(m Message) bool { return nameOf(m) == "" }

// ours says whether a message is what was handed over, and nothing that was said:
// the whole context as one text, or a summary.
func (w *Window) ours(m Message) bool {
	if m.Kind == summaryKind && (tells(m, "compaction") || strings.HasPrefix(m.ID, "summary-")) {
		return true
	}
	return len(w.known.texts) > 0 && nameOf(m) == "" && w.known.texts[sumOf(m.Content)]
}

// fresh are the messages that may be new: those that have a name, which the tree
// knows them by, and of the others those behind what was read or stored before.
func (w *Window) fresh(said []Message) ([]Message, error) {
	if !slices.ContainsFunc(said, nameless) {
		return said, nil
	}
	from, whole := follows(w.known.last, sumsOf(said))
	if !whole {
		stored, _, err := w.tree.conversation()
		if err != nil {
			return nil, err
		}
		if w.talk != nil {
			stored = w.talk.messages
		}
		masked := make([]sum, len(said)) // as they would be stored
		for i, m := range said {
			text, _ := secret.Mask(strings.ToValidUTF8(m.Content, "\uFFFD"))
			masked[i] = sumOf(text)
		}
		behind, _ := follows(sumsOf(stored), masked)
		from = max(from, behind)
	}
	var fresh []Message
	for i, m := range said {
		if i >= from || !nameless(m) {
			fresh = append(fresh, m)
		}
	}
	return fresh, nil
}

// follows finds how much of now stood at the end of before: what is behind that
// is new. Of several places that with the longest common run is it, of equal ones
// the first: what is taken in twice is not lost. A run counts that is whole, which
// is to say that it reaches to the beginning of either, or is so long that it is no
// accident.
func follows(before, now []sum) (from int, whole bool) {
	const accident = 3
	longest := 0
	for end := len(now); end > 0; end-- {
		run := 0
		for run < end && run < len(before) && now[end-1-run] == before[len(before)-1-run] {
			run++
		}
		is := run == end || run == len(before)
		if run > 0 && run >= longest && (is || run >= accident) {
			longest, from, whole = run, end, is
		}
	}
	return from, whole
}
