package hook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// record does the work after the answer: files, messages, figures, a snapshot, checks. It applies
// changes, which may be nil, to the memory. Each step is independent of the failures of others.
func (r *hookCall) record(ctx context.Context, tree *engine.Tree, m *memory, changes ...func(*memory)) {
	changes = slices.DeleteFunc(changes, func(change func(*memory)) bool { return change == nil })
	p := r.payload
	if files := r.touched(tree.Tree); len(files) > 0 {
		changes = append(changes, func(m *memory) { m.Files = again(m.Files, files...) })
		r.fail(operation.TouchFiles(ctx, tree, r.call.Agent, files))
	}
	if said := r.utterance(); said != nil {
		changes = append(changes, func(m *memory) { m.Unsaid = append(m.Unsaid, *said) })
		m.Unsaid = append(m.Unsaid, *said)
	}
	switch r.at {
	case compacts, answered, ends:
		changes = append(changes, r.addRemembered(ctx, tree, m)...)
		changes = append(changes, r.catchUp(ctx, tree, m)...)
	case prompted, begins:
		if len(m.Unsaid) > 1 || r.at == begins && len(m.Unsaid) > 0 { // the last turn had no end
			changes = append(changes, r.addRemembered(ctx, tree, m)...)
		}
		if r.at == begins {
			if p.transcript == "" {
				changes = append(changes, r.catchUp(ctx, tree, m)...)
			}
			r.catchUpLatest(ctx, tree)
			r.sweep(ctx, tree)
		}
	}
	if p.used > 0 {
		_, err := tree.ReportUsage(ctx, r.call.Agent, p.used, p.limit)
		r.fail(err)
	}
	switch r.at {
	case compacts:
		_, err := tree.KeepState(ctx, r.call.Agent, "agent_compaction")
		r.fail(err)
		changes = append(changes, func(m *memory) { m.PutBack, m.BegunAt = false, "" })
		if !announces(r.call.Agent) {
			changes = append(changes, r.lost)
		}
	case compacted:
		changes = append(changes, func(m *memory) {
			if m.PutBack { // some agents report the end only when the session continues
				m.PutBack = false
				return
			}
			r.lost(m)
		})
	case ends:
		_, err := tree.KeepState(ctx, r.call.Agent, "agent_session_end")
		r.fail(err)
		if r.call.Agent != lateAgent {
			r.archive(ctx, tree)
		}
		changes = append(changes, func(m *memory) { m.Ended = true })
	}
	if len(changes) > 0 {
		err := r.memories.remember(ctx, p.session, func(m *memory) {
			for _, change := range changes {
				change(m)
			}
		})
		if err != nil && len(m.Unsaid) > 0 { // it is stored nowhere else
			r.addRemembered(ctx, tree, m)
		}
		if !errors.Is(err, errForgetful) {
			r.fail(err)
		}
	}
	if r.at == answered || r.at == ends { // last, because it may take long
		r.check(tree.Tree, m)
	}
}

// catchUp imports what the transcript has since the last import. The Copilot CLI names its
// transcript when the agent stops, before it has written the end of the turn, and not when the
// session ends or is resumed. So the path is remembered.
func (r *hookCall) catchUp(ctx context.Context, tree *engine.Tree, m *memory) []func(*memory) {
	if len(m.Unsaid) > 0 { // the transcript has it as well under another id
		return nil
	}
	heard, faults := r.takeIn(ctx, tree, m, cmp.Or(r.payload.transcript, m.Transcript), r.call.Within/3)
	r.fail(faults...)
	changes := []func(*memory){r.follow(heard)}
	if at := m.progress; at.Transcript != "" {
		changes = append(changes, func(m *memory) { m.progress = at })
	}
	return changes
}

// catchUpLatest does the same for the session of the last request, if it ended and is not this one.
// Only the Copilot CLI needs it: it writes the end of a transcript after the end of the session.
func (r *hookCall) catchUpLatest(ctx context.Context, tree *engine.Tree) {
	l := r.memories.readLatest()
	if l.Agent != lateAgent || l.Session == r.payload.session {
		return
	}
	m, err := r.memories.recall(l.Session)
	if err != nil || !m.Ended || m.Transcript == "" || len(m.Unsaid) > 0 {
		return
	}
	heard, faults := r.takeIn(ctx, tree, &m, m.Transcript, r.call.Within/3)
	r.fail(faults...)
	r.fail(r.memories.remember(ctx, l.Session, func(kept *memory) {
		kept.progress = m.progress
		kept.addAgentText(heard.said, len(heard.said) > 0)
		kept.Decided = again(kept.Decided, heard.decided...)
	}))
	r.archive(ctx, tree)
}

// lateAgent is the agent that ends a session before it has written its transcript.
const lateAgent = "copilot"

// archive archives the conversation, because a session ended, unless another session is active.
func (r *hookCall) archive(ctx context.Context, tree *engine.Tree) {
	if r.othersWork(tree) {
		return
	}
	_, err := tree.ArchiveConversation(ctx, r.call.Agent)
	r.fail(err)
}

// lost records that the agent compacted its window.
func (r *hookCall) lost(m *memory) {
	m.Lost, m.CompactedAt = true, schema.FormatTime(r.call.Edge.Now())
	m.Given = nil
}

// announces reports whether an agent has an event for the end of a compaction.
func announces(agent string) bool { return agent == "claude" || agent == "codex" }

// touched returns the files of the project that a tool changed.
func (r *hookCall) touched(tree *fs.Tree) (files []string) {
	if r.at != worked {
		return nil
	}
	return r.changed(tree)
}

// changed returns the files of the project that the event's tool changes.
func (r *hookCall) changed(tree *fs.Tree) (files []string) {
	for _, file := range r.payload.files {
		if name, _ := r.place(tree, file); name != "" {
			files = again(files, name)
		}
	}
	return files
}

// utterance returns the message of the event itself if the agent has no transcript for us, or nil.
func (r *hookCall) utterance() *schema.Message {
	m := schema.Message{Session: r.payload.session, Role: "user", Agent: "user", Content: r.payload.prompt}
	switch r.at {
	case prompted:
	case answered:
		m.Role, m.Agent, m.Content = "assistant", r.call.Agent, r.payload.said
	default:
		return nil
	}
	if strings.TrimSpace(m.Content) == "" || r.writes() {
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
		key = r.payload.turn // a repeated event is one message
	}
	m.ID = schema.DerivedID("msg-", fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s", cmp.Or(r.payload.session, r.call.Agent), key, m.Role, text))
	session.MarkHookMessage(&m)
	return &m
}

// addRemembered adds the remembered messages to the conversation.
func (r *hookCall) addRemembered(ctx context.Context, tree *engine.Tree, m *memory) []func(*memory) {
	if len(m.Unsaid) == 0 {
		return nil
	}
	taken := r.sayAll(ctx, tree, m.Unsaid)
	m.forgetUnsaid(taken)
	return []func(*memory){func(m *memory) { m.forgetUnsaid(taken) }}
}
