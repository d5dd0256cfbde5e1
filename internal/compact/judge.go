package compact

import (
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// Limits of texts that are compared.
const (
	promptMost = 4 << 10  // bytes of a prompt; of a longer one the beginning and the end
	promptFew  = 80       // bytes that suffice as a subject; a shorter prompt includes the message before
	promptSaid = 3        // messages of the user in a prompt
	judgedMost = 64 << 10 // bytes of a message
)

// ask sets the prompt with which the talk is compared: the given one, or else the user's last
// message, which then stays.
func (t *talk) ask() {
	if t.prompt = ofPrompt(strings.TrimSpace(t.o.Prompt)); t.prompt != "" {
		return
	}
	t.implied = true
	var said []string
	length := 0
	for i := len(t.messages) - 1; i >= 0 && len(said) < promptSaid && length < promptFew; i-- {
		m := &t.messages[i]
		text := ofPrompt(strings.TrimSpace(m.Content))
		if !m.user || m.kind == ToolOutput || m.kind == Summary || text == "" {
			continue
		}
		said, length = append([]string{text}, said...), length+len(text)
		if m.essential == "" {
			m.essential = "what the user said last"
		}
	}
	t.prompt = ofPrompt(strings.Join(said, "\n"))
}

// ofPrompt returns the beginning and the end of a text that is too long for a prompt,
// because its subject may be in either.
func ofPrompt(text string) string {
	if len(text) <= promptMost {
		return text
	}
	const half = promptMost / 2
	return cutAtWord(head(text, half)) + "\n" + tail(text, half)
}

// tail returns the last n bytes of text or fewer, cut between characters.
func tail(text string, n int) string {
	return strings.ToValidUTF8(text[max(0, len(text)-n):], "")
}

// judge compares the messages with the prompt, and sets their scores.
func (t *talk) judge() {
	compare := t.o.Compare
	if compare == nil {
		compare = relevance.Compare
	}
	var texts []relevance.Text
	var judged []*message
	for i := range t.messages {
		m := &t.messages[i]
		if m.kind == Summary {
			continue
		}
		at, _ := schema.ParseTime(m.Timestamp)
		texts = append(texts, relevance.Text{Content: m.voiced(), Role: m.Role, Session: m.Session, Time: at})
		judged = append(judged, m)
	}
	for i, match := range compare(t.prompt, texts) {
		m := judged[i]
		parts := relevance.Score(t.o.Knobs, match.Similarity, t.age(m), m.important() || m.pinned)
		m.parts = &parts
	}
}

// voiced returns the text of a message with the name of its speaker, if it has one.
func (m *message) voiced() string {
	text := head(m.Content, judgedMost)
	switch name := speaker(m.Message); name {
	case "", m.Role, strings.ToLower(m.ToolName), "user", "assistant":
		return text
	}
	return m.Agent + ": " + text
}

// age returns the age of a message in hours. A message without a time counts as new. A
// time derived from the message before it would change when that message is removed.
func (t *talk) age(m *message) float64 {
	at, err := schema.ParseTime(m.Timestamp)
	if err != nil {
		return 0
	}
	return t.now.Sub(at).Hours()
}

// present returns the time in Options, else that of the last message.
func (t *talk) present() (now time.Time) {
	if !t.o.Now.IsZero() {
		return t.o.Now
	}
	for _, m := range t.messages {
		if at, err := schema.ParseTime(m.Timestamp); err == nil && at.After(now) {
			now = at
		}
	}
	return now
}
