package session

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// New returns the documents, by name, of a conversation with that id that starts now and is the
// active one. The index lists only this session, so New is for trees without other conversations.
func New(id string, now time.Time) (map[string][]byte, error) {
	documents, err := NewDocuments(id, "", now, "", nil)
	if err != nil {
		return nil, err
	}
	at := schema.FormatTime(now)
	line, err := indexLine(schema.SessionMetadata{SessionID: id, Started: at, LastActivity: at, Status: Open})
	if err != nil {
		return nil, err
	}
	maps.Copy(documents, map[string][]byte{
		fs.ActiveSession: []byte(id + "\n"),
		fs.SessionIndex:  append(line, '\n'),
	})
	return documents, nil
}

// NewDocuments returns the documents, by name, of a session with that id that starts now. The title may be
// empty. The argument carried is the hot context of the session that this one continues, or nil.
// Open goals, pending actions, constraints, notes, open questions, files, entities and the
// decisions in force are copied from it without a change of their bytes, and so is its version plus
// one. The index and the active session are not among the documents. The file of messages is
// created with the first message, because an empty file looks like an unfinished save.
func NewDocuments(id, title string, now time.Time, continues string, carried []byte) (map[string][]byte, error) {
	if !schema.ValidID(id) {
		return nil, fmt.Errorf("session %s: the id holds other characters than letters, digits, '-', '_' and '.'", text.Quote(id, maxQuoted))
	}
	at := schema.FormatTime(now)
	metadata, err := jsonedit.Marshal(fresh{
		SessionID: id, Started: at, LastActivity: at, Title: title, Status: Open, Tags: Tags(title), Continues: continues,
	})
	if err != nil {
		return nil, err
	}
	var hot []byte
	if carried == nil {
		hot, err = jsonedit.Marshal(schema.HotContext{
			Version: 1, ConversationID: id, SessionStarted: at, CurrentFileContext: &schema.FileContext{},
		})
	} else if hot, err = carry(carried, id, at); err != nil {
		err = fmt.Errorf("%s: %w", HotContext(continues), err)
	}
	if err != nil {
		return nil, err
	}
	return map[string][]byte{HotContext(id): hot, MetadataFile(id): metadata}, nil
}

// carry converts a hot context to that of the session id, which continues it.
func carry(src []byte, id, at string) ([]byte, error) {
	var was schema.HotContext
	if err := jsonedit.Decode(src, &was); err != nil {
		return nil, err
	}
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	e := editing{src: src}
	e.set("/version", max(was.Version, 0)+1)
	e.set("/conversation_id", id)
	e.set("/session_started", at)
	for i, goal := range slices.Backward(was.ActiveGoals) {
		if goal.Status == Complete {
			e.delete(fmt.Sprintf("/active_goals/%d", i))
		}
	}
	var records []schema.Decision
	for _, d := range was.KeyDecisions {
		records = append(records, d.Record())
	}
	standing := schema.Current(records)
	for i, d := range slices.Backward(was.KeyDecisions) {
		pointer := fmt.Sprintf("/key_decisions/%d", i)
		marked := doc.Find(pointer + "/superseded_by")
		by, named := standing.SupersededBy(d.ID)
		if marked >= 0 && doc.Nodes[marked].Kind == jsonedit.String || named && by != "" {
			e.delete(pointer)
		}
	}
	return e.src, e.err
}

func (e *editing) delete(pointer string) {
	if e.err == nil {
		src, err := jsonedit.Delete(e.src, pointer)
		if e.err = err; err == nil {
			e.src = src
		}
	}
}
