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

// AddMessages adds messages to the tree's conversation and returns the new ones as they are
// stored: each has an id and a time, secrets are masked. A message is identified by its ID
// or, without one, by its Timestamp and text; one without either is new.
func (t *Tree) AddMessages(ctx context.Context, messages ...Message) ([]Message, error) {
	added, _, err := t.add(ctx, each(messages, Message.stored))
	return each(added, messageOf), apiError(err)
}

func (t *Tree) add(ctx context.Context, messages []schema.Message) (added []schema.Message, notes []string, err error) {
	messages = slices.Clone(messages)
	for i := range messages {
		messages[i].ID = idOf(messages[i])
	}
	added, out, err := t.tree.Say(ctx, messages)
	return added, out.Notes, err
}

// idOf returns the id under which a message is stored; "" if it has neither an id nor a time.
func idOf(m schema.Message) string {
	if m.ID == "" && m.Timestamp != "" {
		return schema.DerivedID("msg-", []byte(m.Role+"\n"+m.Agent+"\n"+m.Timestamp+"\n"+m.Content))
	}
	return m.ID
}

// readings holds the messages that a Window has read.
type readings struct {
	ids   map[string]bool // of the last reading
	last  []sum           // of the last reading, if a message had neither id nor time
	texts map[sum]bool    // of contexts that SetContext got as one text
}

// A sum is the hash of a message's content.
type sum [sha256.Size]byte

func sumOf(content string) sum { return sha256.Sum256([]byte(strings.TrimSpace(content))) }

func sumsOf(messages []schema.Message) []sum {
	sums := make([]sum, len(messages))
	for i, m := range messages {
		sums[i] = sumOf(m.Content)
	}
	return sums
}

const (
	firstPage = 64      // messages that are requested at first
	lastPage  = 1 << 17 // the most messages that are requested
)

// take adds the new messages of the program's callback to the tree's conversation.
func (w *Window) take(ctx context.Context) (added int, notes []string, err error) {
	if !w.begun { // the present conversation is the program's
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
		var taken []schema.Message
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

// nameOf returns the id or time that distinguishes a message from others with the same text;
// "" if it has none.
func nameOf(m schema.Message) string {
	if m.ID == "" && m.Timestamp != "" {
		return m.Timestamp + "\n" + m.Content
	}
	return m.ID
}

// read requests the last messages, and more until the first of them was read before. If a
// message has no name, it requests all of them.
func (w *Window) read(ctx context.Context) ([]schema.Message, error) {
	for n := firstPage; ; n *= 4 {
		given, err := w.with.Messages(ctx, n)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("messages: %w", err)
		}
		all := len(given) < n || n >= lastPage
		said := slices.DeleteFunc(each(given, Message.stored), w.ours)
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

func nameless(m schema.Message) bool { return nameOf(m) == "" }

// ours reports whether a message was made by the tree: the whole context as one text, or a
// summary.
func (w *Window) ours(m schema.Message) bool {
	if m.Kind == summaryKind && (tells(m, "compaction") || strings.HasPrefix(m.ID, "summary-")) {
		return true
	}
	return len(w.known.texts) > 0 && nameOf(m) == "" && w.known.texts[sumOf(m.Content)]
}

// fresh returns the messages that may be new: those with a name, by which the tree identifies
// them, and of the others those after the last one that was read or stored before.
func (w *Window) fresh(said []schema.Message) ([]schema.Message, error) {
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
		masked := make([]sum, len(said)) // in the form in which they are stored
		for i, m := range said {
			text, _ := secret.Mask(strings.ToValidUTF8(m.Content, "\uFFFD"))
			masked[i] = sumOf(text)
		}
		behind, _ := follows(sumsOf(stored), masked)
		from = max(from, behind)
	}
	var fresh []schema.Message
	for i, m := range said {
		if i >= from || !nameless(m) {
			fresh = append(fresh, m)
		}
	}
	return fresh, nil
}

// follows returns the length of the part of now that was the end of before; the rest is new.
// Of several possible places it takes the one with the longest common run, of equal ones the
// first: adding a message twice is better than losing one. A run counts if it is whole, that
// is, if it reaches to the beginning of either, or is too long to be an accident.
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
