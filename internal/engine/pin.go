package engine

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// An UnknownMessageError reports that no message of the conversation has the id.
type UnknownMessageError struct{ ID, Conversation string }

func (e *UnknownMessageError) Error() string {
	return fmt.Sprintf("there is no message %.60q in %s", e.ID, e.Conversation)
}

// PinMessage sets or removes the pin of a message in the conversation. No compaction moves
// a pinned message. The error is an *UnknownMessageError for an id that the conversation
// does not have.
func (t *Tree) PinMessage(ctx context.Context, id string, pinned bool) (m schema.Message, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) (err error) {
		m, err = r.pinMessage(id, pinned)
		return err
	})
	return m, out, err
}

func (r *WorkingSet) pinMessage(id string, pinned bool) (schema.Message, error) {
	name, src, err := r.conversation()
	if err != nil {
		return schema.Message{}, err
	}
	for _, line := range session.Read(src) {
		if line.Err != nil || line.Message.ID != id {
			continue
		}
		if compact.Pinned(*line.Message) == pinned {
			return *line.Message, nil
		}
		raw, err := setPin(line.Raw, *line.Message, pinned)
		if err != nil {
			return schema.Message{}, wrapName(name, err)
		}
		r.tx.Write(name, bytes.Replace(src, line.Raw, raw, 1))
		changed := session.Read(raw)[0]
		return *changed.Message, changed.Err
	}
	return schema.Message{}, &UnknownMessageError{id, name}
}

// setPin returns the line of a message with or without a pin.
func setPin(raw []byte, m schema.Message, pinned bool) ([]byte, error) {
	if len(m.Metadata) > 0 {
		return jsonedit.Set(raw, "/metadata/pinned", strconv.AppendBool(nil, pinned))
	}
	return jsonedit.Set(raw, "/metadata", []byte(`{"pinned": true}`))
}

// BringBack adds chunks of cold storage to the conversation, as messages that name the
// chunk and its author. A chunk that is in the conversation already is left out.
// BringBack returns the added messages.
func (t *Tree) BringBack(ctx context.Context, found []cold.Found) (added []schema.Message, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) error {
		_, src, err := r.conversation()
		if err != nil {
			return err
		}
		here := map[string]bool{}
		for _, m := range session.Messages(session.Read(src)) {
			here[m.ID], here[recoveredChunk(m)] = true, true
		}
		here[""] = false
		var messages []schema.Message
		for _, f := range found {
			if !here[f.ChunkID] && !here[f.MessageID] {
				messages = append(messages, r.recoveredMessage(f))
			}
		}
		added, err = r.say(messages)
		return err
	})
	return added, out, err
}
