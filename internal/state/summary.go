package state

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// SummaryName returns the name of the session's summary, as the CMS document defines it:
// `<date>-session-<last part of the id>-summary.md`. The date is that of the session's start, or of
// the last checkpoint if the start is unknown.
func SummaryName(s schema.State) (string, error) {
	if s.Metadata == nil || !schema.ValidID(s.Metadata.SessionID) {
		return "", fmt.Errorf("session summary: the State has no metadata.session_id that is an id")
	}
	at, err := schema.ParseTime(s.Metadata.SessionStart)
	if err != nil {
		if at, err = schema.ParseTime(s.Metadata.Timestamp); err != nil {
			return "", fmt.Errorf("session summary: metadata.timestamp: %w", err)
		}
	}
	id := s.Metadata.SessionID
	last := id[strings.LastIndexByte(id, '-')+1:]
	return fmt.Sprintf("%s/%s-session-%s-summary.md", fs.Summaries, at.UTC().Format("2006-01-02"), last), nil
}
