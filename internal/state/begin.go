package state

import (
	"fmt"
	"time"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// StartSession begins the session with that id at the time now and resets its figures to zero. It
// adds no figures that the State lacks.
func StartSession(src []byte, id string, now time.Time) ([]byte, error) {
	if !schema.ValidID(id) {
		return nil, fmt.Errorf("start session: %s is no id", text.QuoteASCII(id))
	}
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	at := schema.FormatTime(now)
	changes := []member{
		{"/metadata/timestamp", at}, {"/metadata/session_id", id}, {"/metadata/session_start", at},
	}
	counted := []string{"/metadata/session_duration_minutes", window + "/compressions_this_session"}
	for _, name := range []string{
		"messages_exchanged", "clarifications_made", "decisions_recorded", "files_updated",
		"git_commits", "commands_executed", "errors_encountered",
	} {
		counted = append(counted, "/session_stats/"+name)
	}
	for _, pointer := range counted {
		if doc.Find(pointer) >= 0 {
			changes = append(changes, member{pointer, 0})
		}
	}
	return put(src, changes...)
}

// IsFresh reports whether the session has neither a checkpoint nor a compaction.
func IsFresh(s schema.State) bool {
	if s.Metadata == nil {
		return false
	}
	start, err := schema.ParseTime(s.Metadata.SessionStart)
	last, err2 := schema.ParseTime(s.Metadata.Timestamp)
	return err == nil && err2 == nil && start.Equal(last) &&
		(s.SessionStats == nil || *s.SessionStats == schema.SessionStats{}) &&
		(s.ContextWindow == nil || s.ContextWindow.CompressionsThisSession == 0)
}
