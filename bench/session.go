//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/tokens"
	"github.com/forgemind/forgemind/schema"
)

// assemble measures the context of a prompt over 100,000 archived messages, in a
// cold process whose tokenizer and index are on disk: once in one session, once
// in a thousand.
func (b *bench) assemble() error {
	messages := b.tenth(100_000)
	for _, sessions := range []int{1, b.tenth(1000)} {
		dir := filepath.Join(b.dir, fmt.Sprintf("sessions-%d", sessions))
		if err := putSessions(dir, sessions, messages/sessions); err != nil {
			return err
		}
		var took, theirs []float64
		for i := range b.runs + 1 {
			query := newAuthor(1000 + i).words(6)
			u, err := must(0, dir, b.binary, "assemble", "--query", query)
			if err != nil {
				return err
			}
			v, err := must(0, dir, b.binary, "version")
			if err != nil {
				return err
			}
			name := fmt.Sprintf("%d messages in %d sessions", messages, sessions)
			if i == 0 { // which made the index
				b.add("assemble", name+": index made", ms(u.wall), "ms", "", "")
				continue
			}
			took, theirs = append(took, ms(u.wall)), append(theirs, ms(v.wall))
		}
		b.addAll("assemble", fmt.Sprintf("%d messages in %d sessions: assemble --query", messages, sessions), took, "ms", "<= 50",
			fmt.Sprintf("%.1f x forgemind version", quantile(ratios(took, theirs), 0.5)))
	}
	return nil
}

// putSessions writes sessions of archived messages, the last of them active.
func putSessions(dir string, sessions, each int) error {
	counter, err := tokens.New("")
	if err != nil {
		return err
	}
	at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for s := range sessions {
		id := fmt.Sprintf("conv-2025-01-01-%06d", s)
		var archive, window bytes.Buffer
		for i := range each {
			at = at.Add(time.Second)
			m := chat(s*each+i, at)
			m.Tokens, m.Counter = schema.Int(counter.Count(m.Content)), counter.Name()
			line, err := jsonedit.Value(m)
			if err != nil {
				return err
			}
			to := &archive
			if i >= each-20 {
				to = &window
			}
			to.Write(append(line, '\n'))
		}
		hot, err := jsonedit.Marshal(schema.HotContext{Version: 1, ConversationID: id, SessionStarted: schema.FormatTime(at)})
		if err != nil {
			return err
		}
		status := "archived"
		if s == sessions-1 {
			status = "active"
		}
		about, err := jsonedit.Marshal(schema.SessionMetadata{
			SessionID: id, Started: schema.FormatTime(at), LastActivity: schema.FormatTime(at), MessageCount: schema.Int(each), Status: status,
		})
		if err != nil {
			return err
		}
		for name, text := range map[string][]byte{
			"hot_context.json": hot, "metadata.json": about, "archive.jsonl": archive.Bytes(), "recent_history.jsonl": window.Bytes(),
		} {
			if err := put(dir, fs.Sessions+"/"+id+"/"+name, text); err != nil {
				return err
			}
		}
		if err := put(dir, fs.ActiveSession, []byte(id+"\n")); err != nil {
			return err
		}
	}
	return nil
}

// chat is the n-th message of a conversation, as both sides of one write them.
func chat(n int, at time.Time) schema.Message {
	a := newAuthor(n)
	m := schema.Message{ID: fmt.Sprintf("msg-%06d", n), Timestamp: schema.FormatTime(at), Agent: "user", Role: "user", Content: a.words(30)}
	if n%2 == 1 {
		m.Agent, m.Role, m.Content = "quaid", "assistant", a.words(90)
	}
	return m
}

// prompts measures what is sent with each prompt of a session of 100 messages: by
// assemble, and by the one markdown file that grows with them.
func (b *bench) prompts() error {
	const messages = 100
	dir := filepath.Join(b.dir, "prompts")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if _, err := must(0, dir, b.binary, "init", "--layout", "quaid"); err != nil {
		return err
	}
	counter, err := tokens.New("")
	if err != nil {
		return err
	}
	file := "# Current Conversation Context\n"
	sent, whole := map[int]float64{}, 0.0 // tokens of all prompts, by budget; of the file
	budgets := []int{1000, 2000, 3000}
	for n := range messages {
		said, err := b.sayNext(dir, n)
		if err != nil {
			return err
		}
		file += said
		whole += float64(counter.Count(file))
		for _, budget := range budgets {
			assemble := exec.Command(b.binary, "assemble", "--query", newAuthor(n).words(6), "--max-tokens", fmt.Sprint(budget))
			assemble.Dir = dir
			text, err := assemble.Output()
			if err != nil {
				return err
			}
			sent[budget] += float64(counter.Count(string(text)))
		}
	}
	b.add("prompts", "one growing markdown file: tokens of a prompt", whole/messages, "tokens", "", fmt.Sprintf("the last %d", counter.Count(file)))
	for _, budget := range budgets {
		b.add("prompts", fmt.Sprintf("assemble --max-tokens %d: tokens of a prompt", budget), sent[budget]/messages, "tokens", "",
			fmt.Sprintf("%.2f x the file", sent[budget]/whole))
	}
	return nil
}

// sayNext lets the n-th thing happen in a session, and returns what somebody who
// keeps one markdown file would add to it.
func (b *bench) sayNext(dir string, n int) (file string, err error) {
	m := chat(n, time.Time{})
	switch n % 20 {
	case 0:
		goal := newAuthor(n).words(6)
		file = "\n## Active Goals\n- " + goal + "\n"
		_, err = must(0, dir, b.binary, "goal", "add", goal)
	case 10:
		decision := newAuthor(n).words(8)
		file = "\n## Key Decisions Made\n- " + decision + "\n"
		_, err = must(0, dir, b.binary, "decision", "add", decision)
	}
	if err != nil {
		return "", err
	}
	_, err = must(0, dir, b.binary, "message", "add", m.Content, "--agent", m.Agent)
	return file + "\n**" + m.Agent + "**: " + m.Content + "\n", err
}
