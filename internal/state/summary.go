package state

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// SummaryName names the session's summary, after the CMS document:
// `<date>-session-<the id's last part>-summary.md`. The date is that of the
// session's start, or of the last checkpoint where the start is not known.
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
