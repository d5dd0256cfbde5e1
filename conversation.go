package forgemind

import (
	"encoding/json"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// conversation reads the live conversation. version is another one where it holds
// something else than what was said in it: where something left it or came back, or
// another session is live.
func (t *Tree) conversation() (messages []Message, version string, err error) {
	name, err := session.LiveName(t.tree)
	if err != nil {
		return nil, "", err
	}
	src, err := t.tree.Read(name)
	if err != nil && !errors.Is(err, iofs.ErrNotExist) {
		return nil, "", fmt.Errorf("%s: %w", name, err)
	}
	lines := session.Read(src)
	if name != fs.Messages {
		version = name + " "
	}
	if last, ok := session.LastCompaction(lines); ok {
		version += last.ID
	}
	messages = session.Messages(lines)
	for _, m := range slices.Backward(messages) {
		if tells(m, "recovered") {
			version += " and " + m.ID
			break
		}
	}
	session.InOrder(messages)
	return session.Join(messages), version, nil
}

// tells says whether a message's metadata has that member.
func tells(m Message, member string) bool {
	var about map[string]json.RawMessage
	return len(m.Metadata) > 0 && json.Unmarshal(m.Metadata, &about) == nil && about[member] != nil
}

// context is the conversation as the window is to hold it, the messages of a talk
// where it belongs to a session. A talk that does not begin with the first message
// of its session begins with the summary of that.
func (w *Window) context(of *talk) (c Context, version string, err error) {
	messages, version, err := w.tree.conversation()
	if err != nil || of == nil {
		return w.tree.contextOf(messages), version, err
	}
	messages = slices.Clone(of.messages) // the program's to change
	if of.earlier {
		summary, err := w.tree.sessionSummary()
		if err != nil {
			return c, "", err
		}
		if summary != nil {
			messages = append([]Message{*summary}, messages...)
		}
	}
	return w.tree.contextOf(messages), version, nil
}

// contextOf is the context of some messages.
func (t *Tree) contextOf(messages []Message) Context {
	var text strings.Builder
	for i, m := range messages {
		if i > 0 {
			text.WriteString("\n\n")
		}
		if m.Kind != summaryKind {
			text.WriteString(speaker(m) + ": ")
		}
		text.WriteString(strings.TrimSpace(m.Content))
	}
	said := sanitize.Text(text.String())
	return Context{said, messages, t.counter.Count(said)}
}

// summaryKind is the kind of messages that tell what left the conversation.
const summaryKind = "summary"

// sessionSummary is the summary of the live session as a message, or of the one
// that it continues where it has none yet; nil where there is neither.
func (t *Tree) sessionSummary() (*Message, error) {
	id, err := t.liveSession()
	if err != nil || id == "" {
		return nil, err
	}
	src, err := t.tree.Read(session.SummaryFile(id))
	if errors.Is(err, iofs.ErrNotExist) {
		var r recording
		if r, err = t.recording(id); err == nil && r.continues != "" {
			if src, err = t.tree.Read(session.SummaryFile(r.continues)); errors.Is(err, iofs.ErrNotExist) {
				err = nil
			}
		}
	}
	if err != nil || len(src) == 0 {
		return nil, err
	}
	return &Message{ID: summaryID(id), Role: "system", Agent: "forgemind", Kind: summaryKind, Content: string(src)}, nil
}

// summaryID is the id of the message that a session's summary is handed over as.
// It stands in no conversation.
func summaryID(session string) string { return schema.DerivedID("summary-", []byte(session)) }

// speaker says who said a message.
func speaker(m Message) string {
	switch {
	case m.Role == "" || m.Role == m.Agent:
		return m.Agent
	case m.Agent == "":
		return m.Role
	}
	return m.Role + " (" + m.Agent + ")"
}
