package forgemind_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/forgemind/forgemind"
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
)

// An agent is a program with a context window, as far as a Window knows it.
type agent struct {
	mu       sync.Mutex
	messages []forgemind.Message
	context  string
	tokens   int
	said     int                 // messages, ever
	set      []forgemind.Context // what SetContext was given
	replaces func(*agent, forgemind.Context)
	fails    string // the callback that fails
}

var errAgent = errors.New("the agent is out of order")

func (a *agent) failing(what string) error {
	if a.fails == what {
		return errAgent
	}
	return nil
}

func (a *agent) callbacks() forgemind.Callbacks {
	return forgemind.Callbacks{
		GetContext: func(context.Context) (string, error) { return a.context, a.failing("get") },
		SetContext: func(_ context.Context, c forgemind.Context) error {
			a.mu.Lock()
			defer a.mu.Unlock()
			if err := a.failing("set"); err != nil {
				return err
			}
			a.set = append(a.set, c)
			if a.replaces != nil {
				a.replaces(a, c)
			}
			return nil
		},
		CountTokens: func(context.Context) (int, error) { return a.tokens, a.failing("count") },
		Messages: func(_ context.Context, n int) ([]forgemind.Message, error) {
			a.mu.Lock()
			defer a.mu.Unlock()
			return slices.Clone(a.messages[max(0, len(a.messages)-n):]), a.failing("messages")
		},
	}
}

// say lets the agent's conversation have n more messages, the last of them about.
func (a *agent) say(n int, about string, with func(*forgemind.Message, int)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range n {
		role, text := "user", about
		if i%2 == 1 {
			role = "assistant"
		}
		if i < n-1 {
			text = fmt.Sprintf("message %d of %d, which is about the orchard and what is to be done with row %d of it before the frost comes", i, n, i)
		}
		m := forgemind.Message{Role: role, Content: text}
		if with != nil {
			with(&m, a.said)
		}
		a.said++
		a.messages = append(a.messages, m)
	}
}

// numbered gives messages ids; timed gives them times.
func numbered(m *forgemind.Message, i int) { m.ID = fmt.Sprintf("m-%04d", i) }

func timed(m *forgemind.Message, i int) {
	m.Timestamp = start.Add(time.Duration(i) * time.Minute).Format(time.RFC3339)
}

var start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// newProject makes a project directory with a State.
func newProject(t testing.TB) (root string) {
	t.Helper()
	root = t.TempDir()
	text, err := state.New("orchard", "session-2026-03-02-aaaaaa", start)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, filepath.FromSlash(fs.State))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, text, 0o644)); err != nil {
		t.Fatal(err)
	}
	return root
}

// stored are the contents of a tree's live conversation, in order.
func stored(t testing.TB, root string) []string {
	t.Helper()
	tree, err := fs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	name, err := session.LiveName(tree)
	if err != nil {
		t.Fatal(err)
	}
	src, _ := tree.Read(name)
	var all []string
	for _, m := range session.Messages(session.Read(src)) {
		all = append(all, m.Content)
	}
	return all
}

// times counts how often a text stands in list.
func times(list []string, text string) (n int) {
	for _, s := range list {
		if strings.Contains(s, text) {
			n++
		}
	}
	return n
}
