package fs

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// How long an editor may take for a save. Times are those of the kernel's file stamps,
// not of Tree.Now.
const (
	youth     = time.Second            // a broken file that is younger may be half of a save
	patience  = 2 * time.Second        // after this, the save is reported
	absence   = 250 * time.Millisecond // vim renames the old file away before it writes the new one
	lookAgain = 20 * time.Millisecond
	maxKnown  = 1 << 20 // larger text is not remembered
)

// unsettled reports whether v looks like the middle of a save: missing, empty, torn or
// cut, and changed just now.
func (t *Tree) unsettled(name string, v version) bool {
	if v.exists && !within(youth, v.changed) {
		return false
	}
	t.mu.Lock()
	known, ok := t.known[name]
	t.mu.Unlock()
	if !v.exists {
		return ok
	}
	switch {
	case len(v.data) == 0:
		return true
	case strings.HasSuffix(name, ".json"):
		return !parses(v.data)
	case isJSONL(name):
		return tornTail(v.data)
	}
	return len(v.data) < len(known) && bytes.HasPrefix(known, v.data)
}

// know remembers the last complete content of name.
func (t *Tree) know(name string, v version) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case !v.exists:
		delete(t.known, name)
	case strings.HasSuffix(name, ".json") || isJSONL(name) || len(v.data) > maxKnown:
		t.known[name] = nil
	default:
		t.known[name] = v.data
	}
}

// settle waits until name is no longer in the middle of a save, or until deadline.
func (t *Tree) settle(ctx context.Context, name string, deadline time.Time) (version, error) {
	start := time.Now()
	for {
		v, err := t.version(name)
		if err != nil {
			return v, err
		}
		if !v.exists && time.Since(start) >= absence {
			t.know(name, v) // the file was deleted
		}
		if !t.unsettled(name, v) {
			return v, nil
		}
		if time.Now().After(deadline) {
			return v, fmt.Errorf("%s: %w", name, ErrUnsettled)
		}
		select {
		case <-time.After(lookAgain):
		case <-ctx.Done():
			return v, ctx.Err()
		}
	}
}

// parses reports whether data is one JSON value.
func parses(data []byte) bool {
	_, err := jsonedit.Parse(data)
	return err == nil
}
