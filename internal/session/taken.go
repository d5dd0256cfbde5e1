package session

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// takenBackMember is the member of a message's metadata that lists the ids of messages
// that the user took back.
const takenBackMember = "taken_back"

// TakenBack returns the message that notes at time at that the user took messages back,
// of those with the given ids that conversation holds and that no message of it notes;
// false where there are none. They stay in the conversation.
func TakenBack(conversation []byte, ids []string, at string) (m schema.Message, ok bool) {
	noted := takenBack(Messages(linesWith(conversation, takenBackMember)))
	var news []string
	for _, id := range ids {
		if !noted[id] && bytes.Contains(conversation, []byte(`"`+id+`"`)) {
			noted[id] = true
			news = append(news, id)
		}
	}
	if len(news) == 0 {
		return m, false
	}
	list, err := jsonedit.Value(map[string][]string{takenBackMember: news})
	if err != nil {
		return m, false
	}
	content := fmt.Sprintf("The user took back %d messages, %s to %s: they no longer hold.", len(news), news[0], news[len(news)-1])
	if len(news) == 1 {
		content = fmt.Sprintf("The user took back message %s: it no longer holds.", news[0])
	}
	return schema.Message{
		ID: schema.DerivedID("msg-", list), Timestamp: at, Agent: "forgemind", Role: "system", Kind: "message",
		Content: content, Metadata: list,
	}, true
}

// Standing returns messages without those that one of them notes as taken back.
func Standing(messages []schema.Message) []schema.Message {
	gone := takenBack(messages)
	if len(gone) == 0 {
		return messages
	}
	var stand []schema.Message
	for _, m := range messages {
		var l link
		if len(m.Metadata) > 0 {
			_ = jsonedit.Decode(m.Metadata, &l) // else it is no part of another
		}
		if !gone[m.ID] && !gone[l.Of] {
			stand = append(stand, m)
		}
	}
	return stand
}

// takenBack returns the ids of the messages that messages note as taken back.
func takenBack(messages []schema.Message) map[string]bool {
	gone := map[string]bool{}
	for _, m := range messages {
		if !bytes.Contains(m.Metadata, []byte(takenBackMember)) {
			continue
		}
		var notes map[string]json.RawMessage
		var ids []string
		if jsonedit.Decode(m.Metadata, &notes) == nil && jsonedit.Decode(notes[takenBackMember], &ids) == nil {
			for _, id := range ids {
				gone[id] = id != ""
			}
		}
	}
	return gone
}

// linesWith reads the lines of a conversation that contain text.
func linesWith(conversation []byte, text string) (lines []Line) {
	if !bytes.Contains(conversation, []byte(text)) {
		return nil
	}
	for raw := range bytes.Lines(conversation) {
		if bytes.Contains(raw, []byte(text)) {
			lines = append(lines, Read(raw)...)
		}
	}
	return lines
}
