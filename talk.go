package forgemind

import (
	"errors"
	iofs "io/fs"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A talk is the conversation of a `.quaid/` session as a program's window holds it.
// The session lets old messages slide to its archive, and another one continues it
// once it is long; the program's window holds them until Compact removes them.
type talk struct {
	session    string          // the live one at the last look
	compaction string          // at the head of its window then
	messages   []Message       // that the program's window holds
	known      map[string]bool // ids of the messages and compactions that were seen
	earlier    bool            // messages before these are in the tree
}

// A recording is the files of a session.
type recording struct {
	id, continues   string
	archive, window []Message
	compaction      string // at the head of the window
}

func (r *recording) messages() []Message {
	all := slices.Concat(r.archive, r.window)
	session.InOrder(all)
	return session.Join(all)
}

// recording reads the files of a session.
func (t *Tree) recording(id string) (recording, error) {
	r := recording{id: id}
	read := func(name string) ([]byte, error) {
		src, err := t.tree.Read(name)
		if errors.Is(err, iofs.ErrNotExist) {
			err = nil
		}
		return src, err
	}
	archive, err := read(session.ArchiveFile(id))
	if err != nil {
		return r, err
	}
	window, err := read(session.Window(id))
	if err != nil {
		return r, err
	}
	lines := session.Read(window)
	if last, ok := session.LastCompaction(lines); ok {
		r.compaction = last.ID
	}
	r.archive, r.window = session.Messages(session.Read(archive)), session.Messages(lines)
	src, err := read(session.MetadataFile(id))
	if err != nil {
		return r, err
	}
	var about schema.SessionMetadata
	if jsonedit.Decode(src, &about) == nil && schema.ValidID(about.Continues) {
		r.continues = about.Continues
	}
	return r, nil
}

// recordings are the sessions from the one that wanted accepts to the live one id,
// which continues it, in this order; the live one alone where none is accepted.
func (t *Tree) recordings(id string, wanted func(recording) bool) (all []recording, accepted bool, err error) {
	seen := map[string]bool{}
	for at := id; at != "" && !seen[at]; at = all[0].continues {
		seen[at] = true
		r, err := t.recording(at)
		if err != nil {
			return nil, false, err
		}
		all = append([]recording{r}, all...)
		if wanted(r) {
			return all, true, nil
		}
	}
	return all[max(0, len(all)-1):], false, nil
}

// follow brings the Window's talk up to date with the files of the live session;
// nil where the conversation belongs to no session. said are messages that the
// program's window holds.
func (w *Window) follow(said []Message) error {
	id, err := w.tree.liveSession()
	if err != nil || id == "" {
		w.talk = nil
		return err
	}
	if w.talk != nil {
		all, follows, err := w.tree.recordings(id, func(r recording) bool { return r.id == w.talk.session })
		if err != nil {
			return err
		}
		if follows {
			return w.talk.update(w.tree, all)
		}
	}
	return w.beginTalk(id, said)
}

// beginTalk begins a talk with what the window of the live session holds and what
// the program does.
func (w *Window) beginTalk(id string, said []Message) error {
	holds := map[string]bool{}
	for _, m := range said {
		holds[idOf(m)] = true
	}
	delete(holds, "")
	held := func(m Message) bool { return holds[m.ID] }
	all, _, err := w.tree.recordings(id, func(r recording) bool {
		return len(said) > 0 && slices.ContainsFunc(r.messages(), func(m Message) bool { return m.ID == idOf(said[0]) })
	})
	if err != nil {
		return err
	}
	live := all[len(all)-1]
	w.talk = &talk{session: id, compaction: live.compaction, known: map[string]bool{live.compaction: true, "": true}, earlier: all[0].continues != ""}
	for _, m := range live.window {
		holds[m.ID] = true
	}
	for _, r := range all {
		for _, m := range r.messages() {
			w.talk.known[m.ID] = true
			switch {
			case held(m):
				w.talk.messages = append(w.talk.messages, m)
			case session.Members(m) == nil:
				w.talk.earlier = true
			}
		}
	}
	return nil
}

// update takes in what is new in the sessions, the last of which is the live one,
// and removes what another program compacted.
func (t *talk) update(tree *Tree, all []recording) error {
	live := all[len(all)-1]
	if live.id == t.session && live.compaction != t.compaction {
		if err := t.compacted(tree, live); err != nil {
			return err
		}
	}
	t.session, t.compaction = live.id, live.compaction
	t.known[live.compaction] = true
	held := map[string]bool{}
	for _, m := range t.messages {
		held[m.ID] = true
	}
	for _, r := range all {
		for _, m := range r.messages() {
			if m.ID != "" && !t.known[m.ID] && !held[m.ID] && session.Members(m) == nil {
				t.messages = append(t.messages, m)
			}
			t.known[m.ID] = true
		}
	}

	session.InOrder(t.messages)
	return nil
}

// compacted follows a compaction of the live session by another program, or its
// undoing: what is in cold storage by now is removed, what came back is new.
func (t *talk) compacted(tree *Tree, live recording) error {
	if t.known[live.compaction] {
		for _, m := range live.window {
			delete(t.known, m.ID)
		}
	}

	left, there := map[string]bool{}, map[string]bool{}
	if live.compaction != "" {
		chunks, err := cold.Of(tree.tree, live.id, live.compaction)
		if err != nil && !errors.Is(err, cold.ErrUnknown) {
			return err
		}

		for _, chunk := range chunks {
			left[chunk.MessageID] = true
		}
	}
	for _, m := range live.window {
		there[m.ID] = true
	}
	t.messages = slices.DeleteFunc(t.messages, func(m Message) bool {
		return left[m.ID] || session.IsCompaction(m) && !there[m.ID]
	})
	return nil
}

// liveSession is the session that the conversation belongs to; "" where it belongs
// to none.
func (t *Tree) liveSession() (string, error) {
	id, err := session.Active(t.tree)
	if err != nil || id == "" {
		return "", err
	}
	name, err := session.LiveName(t.tree)
	if err != nil || name != session.Window(id) {
		return "", err
	}
	return id, nil
}

// tokens is what the messages of a talk cost by the tree's counter.
func (t *talk) tokens(tree *Tree) (sum int) {
	for _, m := range t.messages {
		if m.Tokens > 0 && m.Counter == tree.counter.Name() {
			sum += int(m.Tokens)
		} else {
			sum += tree.counter.Count(m.Content)
		}
	}
	return sum
}

// openWork are the goals and actions of the live session that are open, as the end
// of a summary; "" for none.
func (t *Tree) openWork(id string) string {
	const most = 10
	if id == "" {
		return ""
	}
	src, err := t.tree.Read(session.HotContext(id))
	if err != nil {
		return ""
	}
	hot, err := session.ReadHot(src)
	if err != nil {
		return "" // Findings tells
	}
	var lines []string
	for _, g := range hot.Context().ActiveGoals {
		if g.Status != session.Complete {
			lines = append(lines, "- Goal: "+oneLine(g.Goal))
		}
	}
	for _, a := range hot.Context().PendingActions {
		lines = append(lines, "- To do: "+oneLine(a.Action))
	}
	if len(lines) == 0 {
		return ""
	}
	return "\n## Open work\n\n" + strings.Join(lines[max(0, len(lines)-most):], "\n") + "\n"
}

// oneLine is the beginning of a text on one line.
func oneLine(text string) string {
	const most = 160
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}
