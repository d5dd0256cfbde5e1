package dash

import (
	"net/http"
	"strings"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A listedSession is a session in a list.
type listedSession struct {
	ID string `json:"id"`
	schema.SessionMetadata
	Active bool   `json:"active"`
	Fault  string `json:"fault,omitempty"` // why its metadata cannot be read
}

// listSessions answers /api/sessions, latest activity first. The parameters q and status (active,
// archived) filter them.
func (s *Server) listSessions(r *http.Request) (any, error) {
	all, err := session.List(s.Tree)
	if err != nil {
		return nil, err
	}
	words, status := soughtIn(r), r.URL.Query().Get("status")
	var matched []listedSession
	for _, l := range all {
		text := strings.ToLower(strings.Join(append([]string{l.SessionID, l.Title}, append(l.Tags, l.Agents...)...), "\n"))
		if !words.in(text) || status != "" && l.Status != status {
			continue
		}
		one := listedSession{ID: l.SessionID, SessionMetadata: l.SessionMetadata, Active: l.Live}
		one.Title, one.Completed = clip(l.Title, shortText), nil
		if l.Err != nil {
			one.Fault = clip(l.Err.Error(), shortText)
		}
		matched = append(matched, one)
	}
	p, list, err := pageOf(r, len(all), matched)
	if err != nil {
		return nil, err
	}
	return struct {
		page
		Sessions []listedSession `json:"sessions"`
	}{p, list}, nil
}

// showSession answers /api/sessions/{id} like `sessions show`.
func (s *Server) showSession(r *http.Request) (any, error) {
	if s.Session == nil {
		return nil, errMissing
	}
	return s.Session(s.Tree, r.PathValue("id"))
}
