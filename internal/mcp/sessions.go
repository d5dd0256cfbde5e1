package mcp

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
)

func sessionListTool() tool {
	return tool{
		name: "session_list", title: "List sessions, or show one's summary",
		about: "The conversations that are kept, the latest first: what each was about, when, and whether it is the active one. With id one of them with its summary.",
		members: []member{
			{name: "id", kind: text, most: 200, about: "one session, with its summary"},
			limitMember(10, 50), offsetMember(),
		},
		plural: "sessions",
		run:    func(c *call) (answer, error) { return reading(c.server, c.listSessions) },
	}
}

// A listedSession is a session in a list.
type listedSession struct {
	ID       string `json:"id"`
	Title    string `json:"title,omitempty"`
	Status   string `json:"status,omitempty"`
	Active   bool   `json:"active"`
	Last     string `json:"last_activity,omitempty"`
	Messages int    `json:"messages"`
	Files    string `json:"primary_files,omitempty"`
	Summary  string `json:"summary,omitempty"`
}

func listSession(s session.Listed) listedSession {
	return listedSession{
		ID: s.SessionID, Title: inline(s.Title, 160), Status: inline(s.Status, 20), Active: s.Live, Last: inline(s.LastActivity, 40),
		Messages: int(s.MessageCount), Files: inline(strings.Join(s.PrimaryFiles, ", "), 200),
	}
}

func (s *listedSession) line() string {
	about := []string{}
	if s.Active {
		about = append(about, "active")
	}
	for _, part := range []string{s.Status, s.Last} {
		if part != "" && part != session.Open {
			about = append(about, part)
		}
	}
	line := fmt.Sprintf("%s (%s, %d messages): %s", s.ID, strings.Join(about, ", "), s.Messages, s.Title)
	if s.Files != "" {
		line += "\n  files: " + s.Files
	}
	if s.Summary != "" {
		line += "\n" + setIn(s.Summary)
	}
	return line
}

func (c *call) listSessions(tree *fs.Tree) (answer, error) {
	all, err := session.List(tree)
	if err != nil {
		return answer{}, err
	}
	l := list{plural: "sessions", offset: c.number("offset", 0)}
	if id := c.text("id"); id != "" {
		l.offset = 0
		one, err := sessionOf(tree, all, id)
		if err != nil {
			return answer{}, err
		}
		summary := one.Summary
		l.fit(4000, func(n int) (any, string) {
			one.Summary = shorten(summary, n, "the resource forgemind://session/"+id+" has more")
			return one, one.line()
		})
		return l.answer(1)
	}
	from, to := page(len(all), l.offset, c.number("limit", 10))
	l.offset = from
	for _, s := range all[from:to] {
		shown := listSession(s)
		if !l.add(shown, shown.line()) {
			break
		}
	}
	return l.answer(len(all))
}

// sessionOf returns one of the sessions with its summary.
func sessionOf(tree *fs.Tree, all []session.Listed, id string) (listedSession, error) {
	var known []string
	for _, s := range all {
		if known = append(known, s.SessionID); s.SessionID != id {
			continue
		}
		shown := listSession(s)
		src, err := tree.Read(session.SummaryFile(id))
		if err != nil && !errors.Is(err, iofs.ErrNotExist) {
			return shown, err
		}
		shown.Summary = engine.StandingOf(tree).Mark(string(src))
		return shown, nil
	}
	return listedSession{}, &engine.UnknownSessionError{ID: id, Known: known}
}
