//go:build linux

package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/tokens"
	"github.com/forgemind/forgemind/schema"
)

// compact measures whether the time of a compaction grows as the conversation
// does, and no faster: two conversations, one ten times as long as the other.
func (b *bench) compact() error {
	var took []float64
	lengths := []int{b.tenth(10_000), b.tenth(100_000)}
	for _, n := range lengths {
		var samples []float64
		for i := range min(b.runs, 3) {
			dir := filepath.Join(b.dir, fmt.Sprintf("talk-%d-%d", n, i))
			if _, err := putStates(dir, "", 0, 1); err != nil {
				return err
			}
			if err := putMessages(dir, n); err != nil {
				return err
			}
			u, err := must(0, dir, b.binary, "compact", "--now", "--strategy", "psd")
			if err != nil {
				return err
			}
			samples = append(samples, ms(u.wall))
		}
		b.addAll("compact", fmt.Sprintf("%d messages: compact --strategy psd", n), samples, "ms", "", "")
		took = append(took, quantile(samples, 0.5))
	}
	grown := took[1] / took[0]
	b.add("compact", "ten times the messages: times the time", grown, "x", "<= 12", "")
	return nil
}

// putMessages writes a conversation as forgemind stores it: each message with
// its tokens.
func putMessages(dir string, n int) error {
	counter, err := tokens.New("")
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for i := range n {
		a := newAuthor(i)
		m := schema.Message{
			ID:        fmt.Sprintf("msg-%06d", i),
			Timestamp: schema.FormatTime(time.Date(2025, 1, 1, 0, 0, i, 0, time.UTC)),
			Agent:     "Facilitator Agent", Role: "assistant", Content: a.words(30), Counter: counter.Name(),
		}
		switch i % 10 {
		case 0:
			m.Agent, m.Role, m.Content = "user", "user", a.words(12)
		case 3, 6:
			m.Agent, m.Role, m.Kind, m.ToolName, m.Content = "Read", "tool", "tool_output", "Read", a.words(60)
		}
		if i%500 == 250 {
			m.Agent, m.Role, m.Content = "user", "user", "Decision: "+a.words(8)
		}
		m.Tokens = schema.Int(counter.Count(m.Content))
		line, err := jsonedit.Value(m)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	return put(dir, fs.Messages, text.Bytes())
}
