package state_test

import (
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/validate"
)

func TestStartSession(t *testing.T) {
	src := example(t)
	if state.IsFresh(decoded(t, []byte(src))) {
		t.Error("a session of an hour is fresh")
	}
	got, err := state.StartSession([]byte(src), "session-2026-11-20-7f3k2q", morning)
	want := src
	for old, new := range map[string]string{
		`"timestamp": "2025-10-27T10:00:00Z"`:     `"timestamp": "2026-11-20T08:00:00.000Z"`,
		`"session-2025-10-27-01"`:                 `"session-2026-11-20-7f3k2q"`,
		`"session_start": "2025-10-27T09:00:00Z"`: `"session_start": "2026-11-20T08:00:00.000Z"`,
		`_minutes": 60`:                           `_minutes": 0`,
		`_session": 1`:                            `_session": 0`,
		`"messages_exchanged": 42`:                `"messages_exchanged": 0`,
		`"clarifications_made": 8`:                `"clarifications_made": 0`,
		`"decisions_recorded": 3`:                 `"decisions_recorded": 0`,
		`"files_updated": 5`:                      `"files_updated": 0`,
		`"git_commits": 2`:                        `"git_commits": 0`,
		`"commands_executed": 12`:                 `"commands_executed": 0`,
	} {
		want = change(t, want, old, new)
	}
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	if findings := validate.Bytes(fs.State, got, validate.Options{}); len(findings) > 0 {
		t.Errorf("%+v", findings)
	}
	if !state.IsFresh(decoded(t, got)) {
		t.Error("a session that has just begun is not fresh")
	}
	for what, spend := range map[string]edit{
		"a checkpoint": func(src []byte) ([]byte, error) {
			return state.Checkpoint(src, state.Counters{}, morning.Add(1e9), "")
		},
		"a commit by hand": func(src []byte) ([]byte, error) { return state.Set(src, "/session_stats/git_commits", "1") },
		"a compaction":     func(src []byte) ([]byte, error) { return state.Compacted(src, morning, 1, "") },
	} {
		if spent, err := spend(got); err != nil || state.IsFresh(decoded(t, spent)) {
			t.Errorf("%s, yet fresh: %v", what, err)
		}
	}
	// What was not counted is not counted now.
	if got, err := state.StartSession([]byte(`{"metadata": {"session_id": "a", "timestamp": "", "session_start": ""}}`), "b", morning); err != nil ||
		string(got) != `{"metadata": {"session_id": "b", "timestamp": "2026-11-20T08:00:00.000Z", "session_start": "2026-11-20T08:00:00.000Z"}}` {
		t.Errorf("%v\n%s", err, got)
	}
	if got, err := state.StartSession([]byte(src), "../x", morning); err == nil {
		t.Errorf("no id, yet %s", got)
	}
}
