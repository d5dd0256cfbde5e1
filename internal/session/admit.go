package session

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// Terms holds the settings with which messages are admitted to a conversation.
type Terms struct {
	Now     time.Time // for messages without a time
	Random  io.Reader // for new ids
	Counter string    // name of the method that Count uses
	Count   func(text string) int
	// Gone reports whether a message with the id was in the conversation before, for example
	// because cold storage has it. Such messages are not added again. Gone may be nil. It is called
	// for messages that come with an id, and for their parts.
	Gone func(id string) bool
	// Imported means that the messages come from another tool. If the tool has extended a message
	// since its last import, it is added as another message with an id derived from both. Messages
	// that a hook of that tool recorded before, see MarkHookMessage, are left out.
	Imported bool
}

// Admit prepares messages for being added to the conversation src. Each gets an id, a time, an
// agent and a role; secrets are masked, tokens are counted, and a message that is too long for a
// record is split into parts (see Split). A message whose id is there with the same content is left
// out, so that adding twice adds nothing. It is an error if an id is there with other content, or
// if a role, kind or time is invalid. The result masked has the kinds of the secrets that were
// masked.
func (t Terms) Admit(src []byte, in []schema.Message) (out []schema.Message, masked []string, err error) {
	there := contents(src, in)
	var heard map[int]bool
	if t.Imported {
		heard = heardAlready(src, in, func(id string) bool { return there[id] != nil })
	}
	for i, m := range in {
		if heard[i] {
			continue
		}
		named := m.ID != ""
		kinds, err := t.ready(&m, func(id string) bool { return there[id] != nil || bytes.Contains(src, []byte(id)) })
		if err != nil {
			return nil, nil, fmt.Errorf("message %d (%s): %w", i+1, text.Quote(m.ID, maxQuoted), err)
		}
		if before, ok := there[m.ID]; ok && named && t.Imported && !slices.ContainsFunc(before, sameAs(m.Content)) {
			m.ID = schema.DerivedID("msg-", fmt.Appendf(nil, "%s\x00%s", m.ID, m.Content))
		}
		parts, err := Split(m)
		if err != nil {
			return nil, nil, err
		}
		other := partID(m.ID, 1) // the id that the message would have if it were split, or were not
		if len(parts) > 1 {
			other = m.ID
		}
		fresh := 0
		for _, part := range parts {
			before, ok := there[part.ID]
			if ok && !slices.ContainsFunc(before, sameAs(part.Content)) || there[other] != nil {
				return nil, nil, fmt.Errorf("message %s: the id is taken by a message of other content", text.Quote(m.ID, maxQuoted))
			}
			if ok || named && t.Gone != nil && t.Gone(part.ID) {
				continue
			}
			there[part.ID] = []string{part.Content}
			part.Tokens, part.Counter = schema.Int(t.Count(part.Content)), t.Counter
			out = append(out, part)
			fresh++
		}
		if fresh > 0 {
			masked = append(masked, kinds...)
		}
	}
	return out, masked, nil
}

// sameAs returns a function that reports whether a stored content equals content, apart from
// secrets that are recognized only now.
func sameAs(content string) func(string) bool {
	return func(there string) bool {
		if there == content {
			return true
		}
		masked, kinds := secret.Mask(there)
		return len(kinds) > 0 && masked == content
	}
}

// few is the largest number of messages that are looked up in a conversation one by one.
const few = 8

// contents returns the contents in src by message id; a repeated id has several. It returns none
// without parsing src if no id of in occurs in it, so that adding to a long conversation is fast.
func contents(src []byte, in []schema.Message) map[string][]string {
	there := map[string][]string{}
	holds := func(m schema.Message) bool {
		return m.ID != "" && (bytes.Contains(src, []byte(m.ID)) || bytes.Contains(src, []byte(partID(m.ID, 1))))
	}
	if len(in) <= few && !slices.ContainsFunc(in, holds) {
		return there
	}
	for _, line := range Read(src) {
		if line.Err == nil && line.Message.ID != "" {
			there[line.Message.ID] = append(there[line.Message.ID], line.Message.Content)
		}
	}
	return there
}

// ready completes m and masks its secrets.
func (t Terms) ready(m *schema.Message, taken func(id string) bool) (masked []string, err error) {
	if m.ID == "" {
		if m.ID, err = schema.NewID("msg-", t.Random, taken); err != nil {
			return nil, err
		}
	}
	if !schema.ValidID(m.ID) {
		return nil, fmt.Errorf("the id holds other characters than letters, digits, '-', '_' and '.'")
	}
	if m.Timestamp == "" {
		m.Timestamp = schema.FormatTime(t.Now)
	} else if _, err := schema.ParseTime(m.Timestamp); err != nil {
		return nil, fmt.Errorf("%s is no time (RFC 3339, such as 2026-11-20T09:30:00Z)", text.Quote(m.Timestamp, maxQuoted))
	}
	if err := transcript.Complete(m); err != nil {
		return nil, err
	}
	m.Content, masked = secret.Mask(strings.ToValidUTF8(m.Content, "\uFFFD"))
	if len(m.Metadata) > 0 {
		var kinds []string
		m.Metadata, kinds = secret.MaskJSON(m.Metadata)
		masked = append(masked, kinds...)
	}
	return masked, nil
}
