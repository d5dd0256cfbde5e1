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

func (p *program) sessionCommand() *cli.Command {
	return &cli.Command{
		Name:    "session",
		Aliases: []string{"sessions"},
		Usage:   "List, start, restore and archive conversations",
		Subcommands: []*cli.Command{
			{
				Name:   "list",
				Usage:  "List the sessions, latest activity first",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 0, p.listSessions),
			},
			{
				Name:      "show",
				Usage:     "Show a session; default: the active one",
				ArgsUsage: "[ID]",
				Description: "Shows the tiers with their tokens, the goals as a tree, the decisions in order of time, and what else " +
					"the hot context has. Decisions that were only detected in messages are listed separately.",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 1, p.showSession),
			},
			{
				Name:  "new",
				Usage: "Start a session and make it active",
				Description: "The session that was active stays as it is. With --from, the new session has the messages of a " +
					"transcript, except those that another session has; see 'forgemind message import'.\n'forgemind session " +
					"new --title \"JWT authentication\"'",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "from", Usage: "start with an agent's transcript (`FILE`; '-' is standard input)"}, fromFormatFlag(),
					&cli.StringFlag{Name: "title", Usage: "title (`TEXT`); default: the first goal"},
					&cli.StringFlag{Name: "agent", Usage: "who starts it (`NAME`)"},
					formatFlag(), dryRunFlag(),
				},
				Action: takes(0, 0, p.newSession),
			},
			{
				Name:      "restore",
				Usage:     "Make a session active again",
				ArgsUsage: "ID",
				Flags:     []cli.Flag{formatFlag(), dryRunFlag()},
				Action:    takes(1, 1, p.restoreSession),
			},
			{
				Name:  "archive",
				Usage: "Archive the active session and continue in a new one",
				Description: "The new session carries over what is open. Nothing is deleted; 'forgemind session restore' goes " +
					"back.\n'forgemind session archive --title \"JWT with RS256\"'",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "title", Usage: "title of the fragment (`TEXT`); default: the session's"},
					formatFlag(), dryRunFlag(),
				},
				Action: takes(0, 0, p.archiveSession),
			},
			{
				Name:        "clear",
				Usage:       "Archive the active session and start an empty one",
				Description: "Nothing is deleted; 'forgemind session restore' goes back.",
				Flags:       []cli.Flag{formatFlag(), dryRunFlag()},
				Action:      takes(0, 0, p.clearSession),
			},
			{
				Name:   "summary",
				Usage:  "Update and print the summary of the active session",
				Flags:  []cli.Flag{formatFlag(), dryRunFlag()},
				Action: takes(0, 0, p.summariseSession),
			},
		},
	}
}

// A listedSession is a session in JSON output.
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
			list[i].Completed = nil // only show prints these
		}
		return p.printList("sessions", list)
	}
	p.printLines(sessionLines(all, p.Now()))
	return nil
}

// sessionLines returns a list of sessions in the form of the Quaid document.
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

// sessionMarks returns what a list shows of a session besides its figures.
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

// untitled is the title shown for a session without one.
const untitled = "(untitled)"

// titleOf returns the title of a session, or else its id.
func titleOf(m schema.SessionMetadata) string {
	if m.Title == "" {
		return m.SessionID
	}
	return m.Title
}

// padded returns text with blanks up to width characters.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

// age returns how long ago a document's time was: "2h ago", "1d ago".
func age(timestamp string, now time.Time) string {
	at, err := schema.ParseTime(timestamp)
	if err != nil {
		return "at an unknown time"
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

// sessionError adds a hint to an error about a session.
func sessionError(err error) error {
	var unknown *engine.UnknownSessionError
	switch {
	case errors.As(err, &unknown):
		return withHint(missing(err.Error()), "%s", didYouMean(unknown.ID, unknown.Known, "'forgemind session list' lists them"))
	case errors.Is(err, engine.ErrNoSession):
		return withHint(&unmetError{err.Error()}, "'forgemind session new' begins one, 'forgemind session restore ID' goes back to one")
	}
	return err
}
