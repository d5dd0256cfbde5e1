package forgemind

import (
	"encoding/json"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// conversation reads the live conversation. version is another one where it holds
// something else than what was said in it: "" before anything left it or came back.
func (t *Tree) conversation() (messages []Message, version string, err error) {
	name, err := session.Conversation(t.tree)
	if err != nil {
		return nil, "", err
	}
	src, err := t.tree.Read(name)
	if err != nil && !errors.Is(err, iofs.ErrNotExist) {
		return nil, "", fmt.Errorf("%s: %w", name, err)
	}
	lines := session.Read(src)
	if last, ok := session.LastCompaction(lines); ok {
		version = last.ID
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

// context is the conversation as a window is to hold it. A session that lets old
// messages slide out of its history begins with its summary.
func (t *Tree) context() (c Context, version string, err error) {
	messages, version, err := t.conversation()
	if err != nil {
		return c, "", err
	}
	if summary, err := t.sessionSummary(); err != nil {
		return c, "", err
	} else if summary != nil {
		messages = append([]Message{*summary}, messages...)
	}
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
	return Context{text.String(), messages, t.counter.Count(text.String())}, version, nil
}

// summaryKind is the kind of messages that tell what left the conversation.
const summaryKind = "summary"

// sessionSummary is the summary of the active session as a message; nil where
// there is none.
func (t *Tree) sessionSummary() (*Message, error) {
	name, err := session.Conversation(t.tree)
	if err != nil || name == fs.Messages {
		return nil, err
	}
	id, err := session.Active(t.tree)
	if err != nil || id == "" {
		return nil, err
	}
	src, err := t.tree.Read(session.SummaryFile(id))
	if errors.Is(err, iofs.ErrNotExist) || err == nil && len(src) == 0 {
		return nil, nil
	}
	if err != nil {
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
