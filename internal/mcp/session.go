package mcp

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
)

func sessionTool() tool {
	return tool{
		name: "session", title: "Restore, begin, summarise, archive or clear a session",
		about: "restore makes an earlier session the active one again and returns its state; new begins one; summary updates the active one's summary; archive keeps the active one in long-term memory and continues in a new one; clear is archive without carrying anything over. Nothing is ever deleted, and restore goes back.",
		members: []member{
			{name: "action", kind: text, must: true, words: []string{"restore", "new", "summary", "archive", "clear"}, about: "what to do"},
			{name: "id", kind: text, most: 200, about: "to restore: the session's id; session_list gives ids"},
			{name: "title", kind: text, most: 200, about: "to begin or archive: what it is about"},
		},
		writes: true,
		run:    (*call).session,
	}
}

// A sessionNow is the result of the tool session.
type sessionNow struct {
	Version int `json:"version"`
	listedSession
	Goals    []string `json:"goals,omitempty"`
	Last     string   `json:"last_worked_on,omitempty"`
	Next     []string `json:"next_steps,omitempty"`
	Archived string   `json:"archived,omitempty"` // session that was active before
	Fragment string   `json:"fragment,omitempty"` // fragment made from it
}

func (c *call) session() (answer, error) {
	action := c.text("action")
	if action == "restore" && c.text("id") == "" {
		return answer{}, misused("action restore needs id; session_list gives ids")
	}
	return c.change(func(tree *engine.Tree) (string, any, engine.Outcome, error) {
		switch action {
		case "restore":
			return c.restore(tree)
		case "new":
			m, out, err := tree.NewSession(c.ctx, c.text("title"), c.agent)
			return "began session " + m.SessionID, sessionNow{Version: 1, listedSession: listSession(session.Listed{SessionMetadata: m, Live: true})}, out, err
		case "summary":
			text, out, err := tree.SummariseSession(c.ctx)
			if err != nil {
				return "", nil, out, err
			}
			id, err := session.Active(tree)
			now := sessionNow{Version: 1, listedSession: listedSession{ID: id, Active: true}}
			now.Summary = shorten(string(text), 2000, "session_list with the id, or the resource forgemind://session/"+id+", has more")
			return "the summary of session " + id + ":\n" + setIn(now.Summary), now, out, err
		}
		var a engine.Archived
		var out engine.Outcome
		var err error
		next := "begins empty"
		if action == "archive" {
			next = "continues it"
			a, out, err = tree.ArchiveSession(c.ctx, c.text("title"))
		} else {
			a, out, err = tree.ClearSession(c.ctx)
		}
		headline := fmt.Sprintf("archived session %s; %s %s", a.Session, a.Next, next)
		return headline, sessionNow{Version: 1, listedSession: listedSession{ID: a.Next, Active: true}, Archived: a.Session, Fragment: a.Fragment}, out, err
	})
}

// restore makes a session the active one again.
func (c *call) restore(tree *engine.Tree) (string, any, engine.Outcome, error) {
	r, out, err := tree.RestoreSession(c.ctx, c.text("id"))
	now := sessionNow{Version: 1, listedSession: listSession(session.Listed{SessionMetadata: r.SessionMetadata, Live: true}), Last: inline(r.Last, 200)}
	var b strings.Builder
	fmt.Fprintf(&b, "restored session %s: %s\n", now.ID, now.Title)
	const most = 10
	for _, g := range r.Goals[:min(len(r.Goals), most)] {
		now.Goals = append(now.Goals, inline(g.ID+": "+g.Goal, 120))
	}
	for _, step := range r.Next[:min(len(r.Next), most)] {
		now.Next = append(now.Next, inline(step, 120))
	}
	for _, part := range []struct {
		word string
		all  []string
	}{{"goals", now.Goals}, {"next steps", now.Next}} {
		if len(part.all) > 0 {
			b.WriteString(part.word + ":\n- " + strings.Join(part.all, "\n- ") + "\n")
		}
	}
	if now.Last != "" {
		b.WriteString("last worked on: " + now.Last + "\n")
	}
	b.WriteString("brief tells more")
	return b.String(), now, out, err
}
