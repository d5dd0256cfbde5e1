package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// withSessions is do for a change of the sessions. A tree without the folder for
// them gets it.
func (t *Tree) withSessions(ctx context.Context, change func(*round) error) (Outcome, error) {
	if !t.DryRun {
		if _, err := t.Look(fs.Quaid); missing(err) {
			err = t.Create(fs.Quaid)
			if err != nil {
				return Outcome{}, err
			}
		}
	}
	return t.do(ctx, change)
}

// doInSession is withSessions for what needs an active session: where none is
// active, one begins first.
func (t *Tree) doInSession(ctx context.Context, agent string, change func(*round) error) (Outcome, error) {
	return t.withSessions(ctx, func(r *round) error {
		r.event.Agent = agent
		if _, err := r.needSession(); err != nil {
			return err
		}
		return change(r)
	})
}

// keepConversation gives the conversation in fs.Messages, if there is one and no
// session is active, a session of its own before another one begins.
func (r *round) keepConversation() error {
	id, err := r.liveSession()
	if err != nil || id != "" {
		return err
	}
	if said, err := r.maybe(fs.Messages); err != nil || len(said) == 0 {
		return err
	}
	_, err = r.needSession()
	return err
}

// needSession returns the active session. Where none is active it begins one, to
// which the conversation in fs.Messages moves, if there is one.
func (r *round) needSession() (string, error) {
	id, err := r.activeSession()
	if err != nil || id != "" {
		return id, err
	}
	if id, err = r.liveSession(); err != nil {
		return "", err
	}
	if id != "" { // only its hot context is missing
		return id, r.renewHot(id)
	}
	said, err := r.maybe(fs.Messages)
	if err != nil {
		return "", err
	}
	reported := health.ReadReported(r.tx, r.conversationNow())
	l, err := r.begin("", "", nil)
	if err != nil {
		return "", err
	}
	if len(said) > 0 {
		if l, err = r.moveConversation(l.ID, said, reported); err != nil {
			return "", err
		}
	}
	if err := r.closeLive(l); err != nil {
		return "", err
	}
	return l.ID, r.renderHot(l.ID)
}

// tellGit gives the folder that sessions live in what git is to know of it, if that is missing. Git ignores the
// sessions of a tree that had none of them, and nothing else than .quaid.
func (r *round) tellGit() error {
	ignore := fs.GitIgnore(fs.Quaid)
	_, err := r.tree.Look(fs.Sessions)
	isNew := missing(err) && r.home == fs.Quaid
	if (r.config.Records() || isNew) && r.config.Views != schema.TrackedViews {
		ignore = fs.GitIgnoreViews(fs.Quaid)
	}
	for name, text := range map[string][]byte{".gitignore": ignore, ".gitattributes": templates.GitAttributes(fs.Quaid)} {
		if src, err := r.maybe(fs.Quaid + "/" + name); err != nil {
			return err
		} else if src == nil {
			r.tx.Write(fs.Quaid+"/"+name, text)
		}
	}
	return nil
}

// moveConversation makes the conversation of fs.Messages that of the session id,
// byte for byte, with what an agent reported of it. Git ignored it, and goes on to.
// Its compactions keep their place in cold storage: each names it.
func (r *round) moveConversation(id string, said []byte, reported *health.Reported) (*live, error) {
	r.tx.Restore(session.Window(id), said) // with the faults that it has
	r.tx.Remove(fs.Messages)
	if err := r.ignoreConversations(); err != nil {
		return nil, err
	}
	r.talk = nil
	if reported != nil {
		moved := *reported
		moved.Conversation = session.Window(id)
		if err := moved.Keep(r.tx, r.home); err != nil {
			return nil, err
		}
	}
	r.tell(fmt.Sprintf("the conversation moved from %s to %s", fs.Messages, session.Window(id)))
	return r.openLive()
}

// ignoreConversations has git ignore the conversations of sessions.
func (r *round) ignoreConversations() error {
	const name, line = fs.Quaid + "/.gitignore", "/context/sessions/*/*.jsonl"
	src, err := r.maybe(name)
	if err != nil || slices.Contains(strings.Split(string(src), "\n"), line) {
		return err
	}
	if len(src) > 0 && src[len(src)-1] != '\n' {
		src = append(slices.Clip(src), '\n')
	}
	r.tx.Write(name, append(slices.Clip(src), line+"\n"...))
	return nil
}

// takenOutElsewhere is how many messages compactions took out of a conversation
// before it moved to the session id: cold storage has them under its former owner.
func (r *round) takenOutElsewhere(id string, lines []session.Line) (messages int) {
	seen := map[string]bool{}
	for {
		last, ok := session.LastCompaction(lines)
		if !ok || seen[last.ID] {
			return messages
		}
		seen[last.ID] = true
		chunks, err := cold.Of(r.tx, last.Session, last.ID)
		if err != nil { // past its time
			return messages
		}
		if last.Session != id {
			messages += session.TookOut(chunks)
		}
		lines = nil
		for _, chunk := range chunks { // the line that told of the compaction before
			if m, ok := session.Left(chunk); ok && chunk.Line == 0 {
				lines = []session.Line{{Message: &m}}
			}
		}
	}
}

// renewHot writes the missing hot context of a session.
func (r *round) renewHot(id string) error {
	r.tell(fmt.Sprintf("%s was not there; an empty one is", session.HotContext(id)))
	from, _, err := session.InForce(r.tx)
	if err != nil {
		return err
	}
	if err := r.newHot(id); err != nil {
		return err
	}
	return r.recordShown(from)
}

// newHot writes the hot context of a session that just began.
func (r *round) newHot(id string) error {
	begun, err := session.Began(id, "", r.at, "", nil)
	if err == nil {
		r.tx.Write(session.HotContext(id), begun[session.HotContext(id)])
	}
	return err
}

// recordShown makes records of the goals and constraints that the hot contexts of sessions
// show without one: they belong to the project, and other sessions show records. Those
// that were completed or removed, as sessions say, are so.
func (r *round) recordShown(ids ...string) error {
	closed, err := session.Closed(r.tx)
	if err != nil {
		return err
	}
	facts, err := r.readFacts()
	if err != nil {
		return err
	}
	for _, id := range ids {
		if id == "" {
			continue
		}
		name := session.HotContext(id)
		src, err := r.maybe(name)
		if err != nil {
			return err
		}
		if src == nil {
			continue
		}
		if !views.Readable(name, src) {
			r.tell(name + " cannot be read, so that no goals and constraints were taken over")
			continue
		}
		shown := views.ReadItems([]views.Document{{Name: name, After: src}})
		for _, k := range []records.Kind{records.Goal, records.Constraint} {
			alone := slices.DeleteFunc(facts.Items(k, shown), func(it views.Item) bool {
				return it.Record.ID != "" || it.Members.Text("status") == session.Complete
			})
			if len(alone) > maxEdits {
				r.tell(fmt.Sprintf("%s shows %d %ss without a record, of which none is taken over: more than %d at once", name, len(alone), k.Name, maxEdits))
				continue
			}
			for _, it := range alone {
				if closed[it.Name] {
					err = r.closeItem(k, it, records.Removed, closing(k))
				} else {
					_, err = r.recordOf(k, it)
				}
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// ownGoals are the goals of a session that it did not take over from the project.
func ownGoals(hot schema.HotContext, about schema.SessionMetadata) []schema.Goal {
	began, err := schema.ParseTime(about.Started)
	if err != nil || about.Continues != "" {
		return hot.ActiveGoals
	}
	return slices.DeleteFunc(slices.Clone(hot.ActiveGoals), func(g schema.Goal) bool {
		at, err := schema.ParseTime(g.Created)
		return err == nil && at.Before(began)
	})
}
