package fs

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

const (
	lookAgain = 20 * time.Millisecond
	maxKnown  = 1 << 20 // larger text is not remembered
)

// A saveTime holds the limits of the time that an editor takes over a save. They are
// measured by the clock that the kernel stamps files with, not by Tree.Now.
type saveTime struct {
	youth    time.Duration // younger than this, a broken file may be half of a save
	patience time.Duration // then the save is reported
	absence  time.Duration // vim renames the old file away before it writes the new one
	quiet    time.Duration // then a late write to a displaced file is complete
}

// unsettled reports whether v looks like the middle of a save: gone, empty, torn
// or cut, and only just now.
func (t *Tree) unsettled(name string, v version) bool {
	if v.exists && !within(t.saveTime.youth, v.changed) {
		return false
	}
	t.mu.Lock()
	known, ok := t.known[name]
	t.mu.Unlock()
	if !v.exists { // an editor that writes it anew has taken the old one away just now
		return ok && (t.changedLately(path.Dir(name)) || t.isExpected(name))
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

// know remembers what name held when it was last whole.
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

// settle waits until name is no longer in the middle of a save, until deadline
// at most.
func (t *Tree) settle(ctx context.Context, name string, deadline time.Time) (version, error) {
	start := time.Now()
	for {
		v, err := t.version(name)
		if err != nil {
			return v, err
		}
		if !v.exists && (time.Since(start) >= t.saveTime.absence || !t.unsettled(name, v)) {
			t.know(name, v) // it was deleted
		}
		if !t.unsettled(name, v) {
			return v, nil
		}
		if time.Now().After(deadline) {
			return v, fmt.Errorf("%s: %w", name, ErrUnsettled)
		}
		t.step("unsettled", name)
		select {
		case <-time.After(lookAgain):
		case <-ctx.Done():
			return v, ctx.Err()
		}
	}
}

// parses says whether data is one JSON text.
func parses(data []byte) bool {
	_, err := jsonedit.Parse(data)
	return err == nil
}
