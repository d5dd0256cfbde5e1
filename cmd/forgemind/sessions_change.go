package main

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// onSessions is onTree for a change of sessions.
func (p *program) onSessions(c *cli.Context, do func(*engine.Tree) error) error {
	return p.onTree(c, func(tree *engine.Tree) error { return sessionError(do(tree)) })
}

func (p *program) newSession(c *cli.Context) error {
	if c.String("from") != "" {
		return p.newSessionFrom(c)
	}
	for _, flag := range transcriptFlags() {
		if name := flag.Names()[0]; c.IsSet(name) {
			return &usageError{c.Command.HelpName + ": --" + name + " needs --from", usageLine(c.Command)}
		}
	}
	return p.onSessions(c, func(tree *engine.Tree) error {
		m, out, err := tree.NewSession(c.Context, strings.TrimSpace(c.String("title")), c.String("agent"))
		if err != nil {
			return err
		}
		headline := "began session " + m.SessionID
		if title := short(m.Title, 80); title != "" {
			headline += ": " + title
		}
		return p.changed(c, out, headline, listedSession{ID: m.SessionID, SessionMetadata: m, Active: true})
	})
}

// newSessionFrom begins a session with what a transcript says.
func (p *program) newSessionFrom(c *cli.Context) error {
	path := c.String("from")
	im, err := p.readTranscript(c, path)
	if err != nil {
		return err
	}
	return p.onSessions(c, func(tree *engine.Tree) error {
		stop := p.busy("counting the tokens of " + count(len(im.Messages), "message"))
		m, said, out, err := tree.NewSessionFrom(c.Context, strings.TrimSpace(c.String("title")), c.String("agent"), im)
		stop()
		if err != nil {
			return err
		}
		report := struct {
			listedSession
			From transcriptReport `json:"from"`
		}{listedSession{ID: m.SessionID, SessionMetadata: m, Active: m.SessionID != ""}, reportTranscript(im, said)}
		headline := report.From.headline(path)
		if m.SessionID == "" && !wantsJSON(c) {
			p.printf("%s\nno session was begun: it would say nothing new\n", headline)
			return nil
		}
		headline += "\nbegan session " + m.SessionID
		if title := short(m.Title, 80); title != "" {
			headline += ": " + title
		}
		return p.changed(c, out, headline, report)
	})
}

// A restoredSession is what `sessions restore --format json` prints.
type restoredSession struct {
	listedSession
	Goals []schema.Goal `json:"goals"`
	Last  string        `json:"last_worked_on"` // "" where nothing says
	Next  []string      `json:"next_steps"`
}

func (p *program) restoreSession(c *cli.Context) error {
	return p.onSessions(c, func(tree *engine.Tree) error {
		r, out, err := tree.RestoreSession(c.Context, c.Args().First())
		if err != nil {
			return err
		}
		p.warn(out)
		if wantsJSON(c) {
			return p.printJSON(restoredSession{
				listedSession{ID: r.SessionID, SessionMetadata: r.SessionMetadata, Active: true}, append([]schema.Goal{}, r.Goals...), r.Last, orEmpty(r.Next),
			})
		}
		last := short(capitalised(strings.TrimPrefix(r.Last, "Currently ")), 160)
		switch {
		case last == "":
			last = age(r.LastActivity, p.Now())
		case slices.Contains(r.PrimaryFiles, r.Last):
			last = "Working on " + short(r.Last, 160)
		}
		p.printf("✓ Restored session: %s\n📊 Active goals: %d\n📁 Last activity: %s\n💡 Next steps: %s\n",
			short(titleOf(r.SessionMetadata), 160), len(r.Goals), last, steps(r.Next))
		if c.Bool("dry-run") {
			p.outcome(engine.Outcome{Changes: out.Changes, Fired: out.Fired}, "", true)
		}
		return nil
	})
}

// capitalised is a text with a capital first.
func capitalised(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// steps tells of what is to be done next as one sentence does.
func steps(next []string) string {
	const most = 5
	if len(next) == 0 {
		return "none"
	}
	var texts []string
	for i, step := range next[:min(len(next), most)] {
		first, size := utf8.DecodeRuneInString(step)
		second, _ := utf8.DecodeRuneInString(step[size:])
		if i > 0 && unicode.IsLower(second) {
			step = string(unicode.ToLower(first)) + step[size:]
		}
		texts = append(texts, short(strings.TrimRight(step, "."), 120))
	}
	if len(next) > most {
		texts = append(texts, count(len(next)-most, "more step"))
	}
	return strings.Join(texts, ", ")
}

// An archivedSession is what `sessions archive` and `clear` print as JSON.
type archivedSession struct {
	ID       string `json:"id"`
	Fragment string `json:"fragment,omitempty"` // name of the one that was made of it
	Next     string `json:"next"`               // the session that is active now
}

func (p *program) archiveSession(c *cli.Context) error {
	return p.onSessions(c, func(tree *engine.Tree) error {
		a, out, err := tree.ArchiveSession(c.Context, strings.TrimSpace(c.String("title")))
		if err != nil {
			return err
		}
		return p.archived(c, out, a, "continues it")
	})
}

// archived tells that a session was archived, and what the next one does.
func (p *program) archived(c *cli.Context, out engine.Outcome, a engine.Archived, next string) error {
	headline := "archived session " + a.Session
	if a.Fragment != "" {
		headline += " as " + inline(a.Fragment)
	}
	return p.changed(c, out, headline+"; "+a.Next+" "+next, archivedSession{a.Session, a.Fragment, a.Next})
}

func (p *program) clearSession(c *cli.Context) error {
	return p.onSessions(c, func(tree *engine.Tree) error {
		a, out, err := tree.ClearSession(c.Context)
		if err != nil {
			return err
		}
		return p.archived(c, out, a, "begins with nothing")
	})
}

func (p *program) summariseSession(c *cli.Context) error {
	return p.onSessions(c, func(tree *engine.Tree) error {
		text, out, err := tree.SummariseSession(c.Context)
		if err != nil {
			return err
		}
		id, err := session.Active(tree)
		if err != nil {
			return err
		}
		p.warn(out)
		if wantsJSON(c) {
			return p.printJSON(struct {
				ID      string `json:"id"`
				Name    string `json:"name"`
				Changed bool   `json:"changed"`
				Summary string `json:"summary"`
			}{id, session.SummaryFile(id), len(out.Changes) > 0, strings.ToValidUTF8(string(text), "\ufffd")})
		}
		return p.verbatim([]byte(sanitize.Text(string(text))))
	})
}
