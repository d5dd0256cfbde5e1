package session

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// Terms are what messages are admitted to a conversation by.
type Terms struct {
	Now     time.Time // of a message without a time
	Random  io.Reader // of a new id
	Counter string    // name of what Count counts by
	Count   func(text string) int
	// Gone knows the ids of messages that were here once, such as those in cold
	// storage: they are not taken in again. Nil knows none. It is asked about
	// messages that come with an id, and about their parts.
	Gone func(id string) bool
	// Imported says that the messages are of another tool, which may have gone on
	// writing a message under the same id since: it is taken in as one more then,
	// under an id that derives from both. What a hook of that tool told before, see
	// Heard, is left out.
	Imported bool
}

// Admit makes messages ready to be added to the conversation src: each has an
// id, a time, an agent and a role, holds no secret, has its tokens counted, and
// fits a record, if need be in parts (see Split). Those whose id is there with
// the same content are left out, so that adding twice adds nothing; an id that
// is there with other content is an error, and so is a role, kind or time that
// no message can have. masked are the kinds of the secrets that were masked.
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
			return nil, nil, fmt.Errorf("message %d (%s): %w", i+1, cut(m.ID), err)
		}
		if before, ok := there[m.ID]; ok && named && t.Imported && !slices.ContainsFunc(before, sameAs(m.Content)) {
			m.ID = schema.DerivedID("msg-", fmt.Appendf(nil, "%s\x00%s", m.ID, m.Content))
		}
		parts, err := Split(m)
		if err != nil {
			return nil, nil, err
		}
		other := partID(m.ID, 1) // what the id would name if it were not cut up, or were
		if len(parts) > 1 {
			other = m.ID
		}
		fresh := 0
		for _, part := range parts {
			before, ok := there[part.ID]
			if ok && !slices.ContainsFunc(before, sameAs(part.Content)) || there[other] != nil {
				return nil, nil, fmt.Errorf("message %s: the id is taken by a message of other content", cut(m.ID))
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

// sameAs says whether what is there says the same as content, apart from secrets
// that are known by now.
func sameAs(content string) func(string) bool {
	return func(there string) bool {
		if there == content {
			return true
		}
		masked, kinds := secret.Mask(there)
		return len(kinds) > 0 && masked == content
	}
}

// few is how many messages may be looked for in a conversation one by one.
const few = 8

// contents are the contents in src by message id, several where an id repeats;
// none where src does not even hold the letters of any id of in, so that a word
// that is added to a long conversation does not cost reading it.
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

// ready gives m what it lacks and takes out of it what it must not hold.
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
		return nil, fmt.Errorf("%s is no time (RFC 3339, such as 2026-11-20T09:30:00Z)", cut(m.Timestamp))
	}
	if err := Attribute(m); err != nil {
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

var (
	// Roles are the roles that a message can have.
	Roles = []string{"user", "assistant", "tool", "system"}
	kinds = []string{"message", "decision", "clarification", "question", "layer_change", "tool_output", "summary"}
)

// Attribute fills in who said m in which role, each from the other. It is an error if the
// schema does not admit m.
func Attribute(m *schema.Message) error {
	if m.Kind != "" && !slices.Contains(kinds, m.Kind) {
		return fmt.Errorf("the kind is %s, not one of %s", cut(m.Kind), strings.Join(kinds, ", "))
	}
	if m.Role != "" && !slices.Contains(Roles, m.Role) {
		return fmt.Errorf("the role is %s, not one of %s", cut(m.Role), strings.Join(Roles, ", "))
	}
	if i := m.Importance; i != nil && !(*i >= 0 && *i <= 1) {
		return fmt.Errorf("the importance is %v, not between 0 and 1", *i)
	}
	if len(m.Metadata) > 0 {
		if doc, err := jsonedit.Parse(m.Metadata); err != nil {
			return fmt.Errorf("the metadata: %w", err)
		} else if kind := doc.Nodes[0].Kind; kind != jsonedit.Object && kind != jsonedit.Null {
			return fmt.Errorf("the metadata is %s, not an object", kind)
		} else if kind == jsonedit.Null {
			m.Metadata = nil
		}
	}
	for _, text := range []*string{&m.Agent, &m.Priority, &m.ToolName, &m.Session} {
		if !utf8.ValidString(*text) {
			*text = strings.ToValidUTF8(*text, "\uFFFD")
		}
	}
	if m.Role == "" {
		m.Role = roleOf(m)
	}
	if m.Agent == "" {
		m.Agent = m.Role
		if m.Role == "tool" && m.ToolName != "" {
			m.Agent = m.ToolName
		}
	}
	return nil
}

// roleOf is the role of a message that does not say it.
func roleOf(m *schema.Message) string {
	switch {
	case m.Kind == "tool_output" || m.Kind == "" && m.Agent == "" && m.ToolName != "":
		return "tool"
	case m.Kind == "summary":
		return "system"
	case m.Agent == "" || slices.ContainsFunc(schema.DefaultBosses(), func(boss string) bool { return strings.EqualFold(boss, m.Agent) }):
		return "user"
	}
	return "assistant"
}
