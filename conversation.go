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

// conversation returns the messages of the live conversation. version identifies its content;
// it changes if messages leave or come back, or if another session is live, but not if
// messages are appended.
func (t *Tree) conversation() (messages []schema.Message, version string, err error) {
	name, err := session.Conversation(t.tree)
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

// tells reports whether a message's metadata has that member.
func tells(m schema.Message, member string) bool {
	var about map[string]json.RawMessage
	return len(m.Metadata) > 0 && json.Unmarshal(m.Metadata, &about) == nil && about[member] != nil
}

// context returns the conversation for the window: the messages of a talk if the conversation
// belongs to a session. A talk that does not begin with the first message of its session
// begins with the session's summary.
func (w *Window) context(of *talk) (c Context, version string, err error) {
	messages, version, err := w.tree.conversation()
	if err != nil || of == nil {
		return w.tree.contextOf(messages), version, err
	}
	messages = slices.Clone(of.messages) // a copy, which the program may change
	if of.earlier {
		summary, err := w.tree.sessionSummary()
		if err != nil {
			return c, "", err
		}
		if summary != nil {
			if len(of.messages) == 0 || of.messages[0].Kind != summaryKind { // a compaction's summary has the same content
				summary.Content += w.tree.openWork(of.session)
			}
			messages = append([]schema.Message{*summary}, messages...)
		}
	}
	return w.tree.contextOf(messages), version, nil
}

// contextOf returns the Context of some messages.
func (t *Tree) contextOf(messages []schema.Message) Context {
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
	return Context{said, each(messages, messageOf), t.counter.Count(said)}
}

// summaryKind is the kind of messages that summarize those that left the conversation.
const summaryKind = "summary"

// sessionSummary returns the summary of the live session as a message or, if it has none yet,
// that of the session it continues; nil if there is neither.
func (t *Tree) sessionSummary() (*schema.Message, error) {
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
	return &schema.Message{ID: summaryID(id), Role: "system", Agent: "forgemind", Kind: summaryKind, Content: string(src)}, nil
}

// summaryID returns the id of the message with a session's summary. No conversation has that
// message.
func summaryID(session string) string { return schema.DerivedID("summary-", []byte(session)) }

// speaker returns the name of the author of a message.
func speaker(m schema.Message) string {
	switch {
	case m.Role == "" || m.Role == m.Agent:
		return m.Agent
	case m.Agent == "":
		return m.Role
	}
	return m.Role + " (" + m.Agent + ")"
}
