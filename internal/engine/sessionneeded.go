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
	"github.com/forgemind/forgemind/validate"
)

// withSessions is do for a change of the sessions. It makes the folder of sessions if
// the tree has none.
func (t *Tree) withSessions(ctx context.Context, change func(*WorkingSet) error) (Outcome, error) {
	if !t.DryRun {
		if err := t.needQuaid(); err != nil {
			return Outcome{}, err
		}
	}
	return t.do(ctx, change)
}

// needQuaid makes the folder of sessions if the tree has none.
func (t *Tree) needQuaid() error {
	if _, err := t.Look(fs.Quaid); isMissing(err) {
		return t.Create(fs.Quaid)
	}
	return nil
}

// doInSession is withSessions for a change that needs an active session. It begins one
// if none is active.
func (t *Tree) doInSession(ctx context.Context, agent string, change func(*WorkingSet) error) (Outcome, error) {
	return t.withSessions(ctx, func(r *WorkingSet) error {
		r.event.Agent = agent
		if _, err := r.needSession(); err != nil {
			return err
		}
		return change(r)
	})
}

// keepConversation moves the conversation in fs.Messages, if there is one and no
// session is active, to a session of its own before another session begins.
func (r *WorkingSet) keepConversation() error {
	id, err := r.liveSessionID()
	if err != nil || id != "" {
		return err
	}
	if said, err := r.readIfExists(fs.Messages); err != nil || len(said) == 0 {
		return err
	}
	_, err = r.needSession()
	return err
}

// needSession returns the active session. If none is active, it begins one and moves
// the conversation in fs.Messages to it, if there is one.
func (r *WorkingSet) needSession() (string, error) {
	id, err := r.activeSession()
	if err != nil || id != "" {
		return id, err
	}
	if id, err = r.liveSessionID(); err != nil {
		return "", err
	}
	if id != "" { // only its hot context is missing
		return id, r.renewHot(id)
	}
	ignore := fs.GitIgnore(fs.Quaid)
	if r.config.Records() && r.config.Views != schema.TrackedViews {
		ignore = fs.GitIgnoreViews(fs.Quaid)
	}
	for name, text := range map[string][]byte{".gitignore": ignore, ".gitattributes": templates.GitAttributes(fs.Quaid)} {
		if src, err := r.readIfExists(fs.Quaid + "/" + name); err != nil {
			return "", err
		} else if src == nil {
			r.tx.Write(fs.Quaid+"/"+name, text)
		}
	}
	said, err := r.readIfExists(fs.Messages)
	if err != nil {
		return "", err
	}
	reported := health.ReadReported(r.tx, r.conversationNow())
	l, err := r.begin("", "", nil)
	if err != nil {
		return "", err
	}
	if len(said) > 0 {
		if l, err = r.moveConversation(l.id, said, reported); err != nil {
			return "", err
		}
	}
	if err := r.closeLive(l); err != nil {
		return "", err
	}
	return l.id, r.renderHot(l.id)
}

// moveConversation moves the conversation of fs.Messages to the session id, byte for
// byte, with the usage that an agent reported for it. Git goes on to ignore it. Its
// compactions keep their place in cold storage, because each names it.
func (r *WorkingSet) moveConversation(id string, said []byte, reported *health.Reported) (*liveSession, error) {
	r.tx.Restore(session.Window(id), said) // including its errors
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
	r.addNote(fmt.Sprintf("the conversation moved from %s to %s", fs.Messages, session.Window(id)))
	return r.openLive()
}

// ignoreConversations makes git ignore the conversations of sessions.
func (r *WorkingSet) ignoreConversations() error {
	const name, line = fs.Quaid + "/.gitignore", "/context/sessions/*/*.jsonl"
	src, err := r.readIfExists(name)
	if err != nil || slices.Contains(strings.Split(string(src), "\n"), line) {
		return err
	}
	if len(src) > 0 && src[len(src)-1] != '\n' {
		src = append(slices.Clip(src), '\n')
	}
	r.tx.Write(name, append(slices.Clip(src), line+"\n"...))
	return nil
}

// countCompactedBefore returns the number of messages that compactions took out of a
// conversation before it moved to the session id. Cold storage has them under the
// former owner.
func (r *WorkingSet) countCompactedBefore(id string, lines []session.Line) (messages int) {
	seen := map[string]bool{}
	for {
		last, ok := session.LastCompaction(lines)
		if !ok || seen[last.ID] {
			return messages
		}
		seen[last.ID] = true
		chunks, err := cold.CompactionChunks(r.tx, last.Session, last.ID)
		if err != nil { // it expired
			return messages
		}
		if last.Session != id {
			messages += session.TookOut(chunks)
		}
		lines = nil
		for _, chunk := range chunks { // a chunk may be the summary line of the compaction before
			if m, ok := session.MessageOfChunk(chunk); ok && chunk.Line == 0 {
				lines = []session.Line{{Message: &m}}
			}
		}
	}
}

// renewHot makes the missing hot context of a session.
func (r *WorkingSet) renewHot(id string) error {
	r.addNote(fmt.Sprintf("%s was missing; an empty one was made", session.HotContext(id)))
	from, _, err := session.InForce(r.tx)
	if err != nil {
		return err
	}
	begun, err := session.NewDocuments(id, "", r.at, "", nil)
	if err != nil {
		return err
	}
	r.tx.Write(session.HotContext(id), begun[session.HotContext(id)])
	return r.recordShown(from)
}

// recordShown makes records of goals and constraints that only the hot contexts of the
// sessions ids show. They belong to the project, and other sessions show records only.
// Those that the sessions list as completed or removed get that status.
func (r *WorkingSet) recordShown(ids ...string) error {
	closed, err := session.ClosedItems(r.tx)
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
		src, err := r.readIfExists(name)
		if err != nil {
			return err
		}
		if src == nil {
			continue
		}
		if validate.Unreadable(name, src) {
			r.addNote(name + " cannot be read; its goals and constraints were not taken over")
			continue
		}
		shown := views.ReadItems([]views.Document{{Name: name, After: src}})
		for _, k := range []records.Kind{records.Goal, records.Constraint} {
			alone := slices.DeleteFunc(facts.Items(k, shown), func(it views.Item) bool {
				return it.Record.ID != "" || it.Members.Text("status") == session.Complete
			})
			if len(alone) > maxEdits {
				r.addNote(fmt.Sprintf("%s shows %d %ss without a record, of which none is taken over: more than %d at once", name, len(alone), k.Name, maxEdits))
				continue
			}
			for _, it := range alone {
				if closed[it.Name] {
					err = r.Close(k, it, records.Removed, closing(k))
				} else {
					_, err = r.RecordOf(k, it)
				}
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// ownGoals returns the goals that a session did not take over from the project.
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
