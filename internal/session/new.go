package session

import (
	"fmt"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// New is the documents of a conversation of that id that starts now and is the
// working copy's active one: name → bytes. The index lists it alone, as is
// right for a tree without other conversations.
func New(id string, now time.Time) (map[string][]byte, error) {
	if !schema.ValidID(id) {
		return nil, fmt.Errorf("session %q: the id holds other characters than letters, digits, '-', '_' and '.'", id)
	}
	at := schema.FormatTime(now)
	hot, err := jsonedit.Marshal(schema.HotContext{
		Version: 1, ConversationID: id, SessionStarted: at, CurrentFileContext: &schema.FileContext{},
	})
	if err != nil {
		return nil, err
	}
	about := schema.SessionMetadata{SessionID: id, Started: at, LastActivity: at, Status: "active"}
	metadata, err := jsonedit.Marshal(about)
	if err != nil {
		return nil, err
	}
	line, err := jsonedit.Value(about)
	if err != nil {
		return nil, err
	}
	dir := fs.Sessions + "/" + id
	return map[string][]byte{
		HotContext(id):                hot,
		dir + "/metadata.json":        metadata,
		dir + "/recent_history.jsonl": {},
		fs.ActiveSession:              []byte(id + "\n"),
		fs.SessionIndex:               append(line, '\n'),
	}, nil
}
