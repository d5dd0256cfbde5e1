package hook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// record does what is due behind the answer: files, messages, figures, a snapshot, a look
// at the tree, each by itself: that one fails keeps nothing else from being done. changes
// are what is to be remembered; nil is nothing.
func (r *running) record(ctx context.Context, tree *engine.Tree, m *memory, changes ...func(*memory)) {
	changes = append(changes, r.tells())
	changes = slices.DeleteFunc(changes, func(change func(*memory)) bool { return change == nil })
	p := r.payload
	if files := r.touched(tree.Tree); len(files) > 0 {
		changes = append(changes, func(m *memory) { m.Files = again(m.Files, files...) })
		r.fail(tree.TouchFiles(ctx, r.call.Agent, files))
	}
	if said := r.utterance(); said != nil {
		var h hearing
		if r.at == worked { // an answer decides
			h.hear([]schema.Message{*said})
		}
		changes = append(changes, func(m *memory) {
			m.Unsaid = append(m.Unsaid, *said)
			m.Decided = again(m.Decided, h.decided...)
		})
		m.Unsaid = append(m.Unsaid, *said)
	}
	switch r.at {
	case compacts, answered, broken, ends:
		m.expect(r)
		changes = append(changes, func(m *memory) {
			if m.expect(r); p.stamp(r.at) == "" { // what came in before it comes in anew
				m.Last.Stamp, m.Before = "", arrival{}
			}
		})
		changes = append(changes, r.speak(ctx, tree, m)...)
		if len(m.Unsaid) > 0 { // the transcript says it again, and would not be known again
			break
		}
		t := r.takeIn(ctx, tree, m, time.Now().Add(r.call.Within/3))
		r.fail(t.faults...)
		changes = append(changes, r.follow(t, m.progress))
	case prompted, worked:
		if len(m.Unsaid) > 1 { // the last turn had no end, or the user answered in this one
			changes = append(changes, r.speak(ctx, tree, m)...)
		}
	}
	switch r.at {
	case begins, prompted, answered:
		_, err := tree.LookIfNew(ctx)
		r.fail(err)
	}
	if p.used > 0 && p.subagent == "" {
		_, err := tree.ReportUsage(ctx, r.call.Agent, p.used, p.limit)
		r.fail(err)
	}
	switch r.at {
	case compacts:
		_, err := tree.KeepState(ctx, r.call.Agent, "agent_compaction")
		r.fail(err)
		changes = append(changes, func(m *memory) { m.PutBack, m.Compacts = false, true })
		if !announces(r.call.Agent) {
			changes = append(changes, r.lost)
		}
	case compacted:
		changes = append(changes, func(m *memory) {
			if m.PutBack { // some say so only when the session went on
				m.PutBack = false
				return
			}
			r.lost(m)
		})
	case ends:
		_, err := tree.KeepState(ctx, r.call.Agent, "agent_session_end")
		r.fail(err)
		changes = append(changes, func(m *memory) { m.Ended, m.Failed = true, nil })
	}
	if len(changes) > 0 {
		err := r.memories.remember(ctx, p.session, func(m *memory) {
			for _, change := range changes {
				change(m)
			}
		})
		if err != nil && len(m.Unsaid) > 0 { // it stands nowhere else
			r.speak(ctx, tree, m)
		}
		if !errors.Is(err, errForgetful) {
			r.fail(err)
		}
	}
	if r.at == answered || r.at == ends { // last, for it may take long
		r.check(tree.Tree, m)
	}
}

// lost notes that the agent compacted its window.
func (r *running) lost(m *memory) {
	m.Lost, m.Putting, m.CompactedAt = true, arrival{}, schema.FormatTime(r.call.Edge.Now())
	m.Given = nil
}

// announces says whether an agent tells when its compaction is done.
func announces(agent string) bool {
	return agent == "claude" || agent == "codex" || agent == "opencode"
}

// touched are the files of the project that a tool changed.
func (r *running) touched(tree *fs.Tree) (files []string) {
	if r.at != worked || !changes(r.payload.tool) {
		return nil
	}
	for _, file := range r.payload.files {
		if name, _ := r.place(tree, file); name != "" {
			files = again(files, name)
		}
	}
	return files
}

// utterance is what the event itself says, where the agent does not write it down
// for us; nil for nothing.
func (r *running) utterance() *schema.Message {
	m := schema.Message{Session: r.payload.session, Role: "user", Agent: "user", Content: r.payload.prompt}
	var files []string
	switch r.at {
	case prompted:
		files = r.payload.context
	case answered:
		m.Role, m.Agent, m.Content = "assistant", r.call.Agent, r.payload.said
	case worked:
		m.ToolName, m.Content = r.payload.tool, r.payload.reply
	default:
		return nil
	}
	if strings.TrimSpace(m.Content) == "" || r.writes() || r.payload.called {
		return nil
	}
	text, _ := secret.Mask(clean(m.Content))
	if len(text) > longUnsaid {
		text = cut(text, longUnsaid/4)
	}
	if text == "" {
		return nil
	}
	m.Content, m.Timestamp = text, schema.FormatTime(r.call.Edge.Now())
	key := m.Timestamp
	if r.payload.turn != "" {
		key = r.payload.turn // the same event twice is one message
	}
	m.ID = schema.DerivedID("msg-", fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s", cmp.Or(r.payload.session, r.call.Agent), key, m.Role, text))
	session.Heard(&m, files)
	return &m
}

// speak takes what was not taken in into the conversation.
func (r *running) speak(ctx context.Context, tree *engine.Tree, m *memory) []func(*memory) {
	if len(m.Unsaid) == 0 {
		return nil
	}
	taken := r.sayAll(ctx, tree, m.Unsaid)
	m.forgetUnsaid(taken)
	return []func(*memory){func(m *memory) { m.forgetUnsaid(taken) }}
}
