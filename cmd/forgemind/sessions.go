package main

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) sessionsCommand() *cli.Command {
	return &cli.Command{
		Name:  "sessions",
		Usage: "Start, restore and archive sessions",
		Subcommands: []*cli.Command{
			{
				Name:   "list",
				Usage:  "List the sessions, latest activity first",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 0, p.listSessions),
			},
			{
				Name:      "show",
				Usage:     "Show the active session, or another one",
				ArgsUsage: "[ID]",
				Description: "Shows the tiers of the session with their tokens, its goals as a tree, its decisions by time, and what\n" +
					"else its hot context has. Decisions that were only detected in messages are listed apart.",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 1, p.showSession),
			},
			{
				Name:  "new",
				Usage: "Start a session",
				Description: "The session that was active stays as it is. With --from the new session gets all messages of a transcript\n" +
					"but those that another session has; see 'forgemind message import'.\n" +
					"\nExample:\n" +
					"  forgemind sessions new --title \"JWT authentication\"",
				Flags: append(transcriptFlags(),
					&cli.StringFlag{Name: "from", Usage: "begin it with an agent's transcript (`FILE`, - for standard input)"},
					&cli.StringFlag{Name: "title", Usage: "what it is about (`TEXT`); from its first goal by default"},
					&cli.StringFlag{Name: "agent", Usage: "who begins it (`NAME`)"},
					formatFlag(), dryRunFlag()),
				Action: takes(0, 0, p.newSession),
			},
			{
				Name:      "restore",
				Usage:     "Make an earlier session the active one",
				ArgsUsage: "ID",
				Flags:     []cli.Flag{formatFlag(), dryRunFlag()},
				Action:    takes(1, 1, p.restoreSession),
			},
			{
				Name:  "archive",
				Usage: "Archive the active session and continue in a new one",
				Description: "The new session takes over what is open. Nothing is deleted: 'forgemind sessions restore' goes back.\n" +
					"\nExample:\n" +
					"  forgemind sessions archive --title \"JWT with RS256\"",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "title", Usage: "the fragment's title (`TEXT`); the session's by default"},
					formatFlag(), dryRunFlag(),
				},
				Action: takes(0, 0, p.archiveSession),
			},
			{
				Name:        "clear",
				Usage:       "Archive the active session and start an empty one",
				Description: "Nothing is deleted: 'forgemind sessions restore' goes back.",
				Flags:       []cli.Flag{formatFlag(), dryRunFlag()},
				Action:      takes(0, 0, p.clearSession),
			},
			{
				Name:   "summary",
				Usage:  "Update and print the active session's summary",
				Flags:  []cli.Flag{formatFlag(), dryRunFlag()},
				Action: takes(0, 0, p.summariseSession),
			},
		},
	}
}

// A listedSession is a session as JSON for programs.
type listedSession struct {
	ID string `json:"id"`
	schema.SessionMetadata
	Active bool   `json:"active"`          // in this working copy
	Fault  string `json:"fault,omitempty"` // why its metadata could not be read
}

func listSession(l session.Listed) listedSession {
	s := listedSession{ID: l.SessionID, SessionMetadata: l.SessionMetadata, Active: l.Live}
	if l.Err != nil {
		s.Fault = l.Err.Error()
	}
	return s
}

func (p *program) listSessions(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	all, err := session.List(tree)
	if err != nil {
		return err
	}
	for _, l := range all {
		if l.Err != nil {
			p.note("forgemind: warning: the metadata of %s cannot be read: %s", short(l.SessionID, 80), inline(l.Err.Error()))
		}
	}
	if wantsJSON(c) {
		list := make([]listedSession, len(all))
		for i, l := range all {
			list[i] = listSession(l)
			list[i].Completed = nil // show tells
		}
		return p.printJSON(struct {
			Version  int             `json:"version"`
			Sessions []listedSession `json:"sessions"`
		}{1, list})
	}
	p.printLines(sessionLines(all, p.Now()))
	return nil
}

// sessionLines is a list of sessions as the Quaid document prints it.
func sessionLines(all []session.Listed, now time.Time) string {
	const most, gap = 60, 3
	ids, titles, idWidth, titleWidth := make([]string, len(all)), make([]string, len(all)), 0, 0
	for i, l := range all {
		ids[i], titles[i] = short(l.SessionID, 80), `"`+short(l.Title, most)+`"`
		if l.Title == "" {
			titles[i] = untitled
		}
		idWidth = max(idWidth, utf8.RuneCountInString(ids[i]))
		titleWidth = max(titleWidth, utf8.RuneCountInString(titles[i]))
	}
	var lines strings.Builder
	for i, l := range all {
		fmt.Fprintf(&lines, "%s  %s(%s, %s)%s\n", padded(ids[i], idWidth), padded(titles[i], titleWidth+gap),
			age(l.LastActivity, now), count(int(l.MessageCount), "message"), sessionMarks(l))
	}
	return lines.String()
}

// sessionMarks is what a list says of a session beside its figures.
func sessionMarks(l session.Listed) string {
	var marks []string
	if l.Live {
		marks = append(marks, "active")
	}
	if l.Status == session.Archived {
		marks = append(marks, "archived")
	}
	if l.Err != nil {
		marks = append(marks, "metadata unreadable")
	}
	if len(marks) == 0 {
		return ""
	}
	return "  " + strings.Join(marks, ", ")
}

// untitled is what a session without a title is shown as.
const untitled = "(untitled)"

// titleOf is what people call a session: its title, or else its id.
func titleOf(m schema.SessionMetadata) string {
	if m.Title == "" {
		return m.SessionID
	}
	return m.Title
}

// padded is text with blanks behind it, at least width characters.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

// age is how long ago a document's time was: "2h ago", "1d ago".
func age(timestamp string, now time.Time) string {
	at, err := schema.ParseTime(timestamp)
	if err != nil {
		return "at no known time"
	}
	switch d := now.Sub(at); {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh ago", int(d.Hours()))
	default:
		return fmt.Sprintf("%dd ago", int(d.Hours()/24))
	}
}

// sessionError says what to do about an error with a session.
func sessionError(err error) error {
	var unknown *engine.UnknownSession
	switch {
	case errors.As(err, &unknown):
		return withHint(&unmetError{err.Error()}, "%s", didYouMean(unknown.ID, unknown.Known, "'forgemind sessions list' shows those there are"))
	case errors.Is(err, engine.ErrNoSession):
		return withHint(&unmetError{err.Error()}, "'forgemind sessions new' begins one, 'forgemind sessions restore ID' goes back to one")
	}
	return err
}
