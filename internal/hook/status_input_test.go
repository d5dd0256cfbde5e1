package hook

import (
	"reflect"
	"testing"
)

// claude is what Claude Code gives to a status line, by its documentation.
const claude = `{
  "cwd": "/home/user/project", "session_id": "abc123", "transcript_path": "/home/user/t.jsonl", "version": "2.1.277",
  "model": {"id": "claude-opus-4-8", "display_name": "Opus 4.8"},
  "workspace": {"current_dir": "/home/user/project/sub", "project_dir": "/home/user/project"},
  "cost": {"total_cost_usd": 0.01234, "total_duration_ms": 45000},
  "context_window": {
    "total_input_tokens": 915234, "total_output_tokens": 4521, "context_window_size": 200000, "used_percentage": 42, "remaining_percentage": 58,
    "current_usage": {"input_tokens": 8500, "output_tokens": 1200, "cache_creation_input_tokens": 5000, "cache_read_input_tokens": 70000}},
  "exceeds_200k_tokens": false, "rate_limits": {"five_hour": {"used_percentage": 12.5}}}`

func TestReadStatus(t *testing.T) {
	for name, test := range map[string]struct {
		src  string
		want StatusInput
	}{
		"Claude Code": {claude, StatusInput{
			Model: "Opus 4.8", Session: "abc123", Dirs: []string{"/home/user/project/sub", "/home/user/project", "/home/user/project"}, Used: 83500, Limit: 200000,
		}},
		"before the first request": {
			`{"model": {"id": "m"}, "context_window": {"context_window_size": 200000, "used_percentage": null, "current_usage": null}}`,
			StatusInput{Model: "m", Limit: 200000, Empty: true},
		},
		"a percentage alone":   {`{"context_window": {"context_window_size": 1000000, "used_percentage": 7.5}}`, StatusInput{Used: 75000, Limit: 1000000}},
		"a total that agrees":  {`{"context_window": {"total_input_tokens": 118695, "context_window_size": 1000000, "used_percentage": 12}}`, StatusInput{Used: 118695, Limit: 1000000}},
		"a total of all":       {`{"context_window": {"total_input_tokens": 999999, "context_window_size": 1000000, "used_percentage": 12}}`, StatusInput{Used: 120000, Limit: 1000000}},
		"a window too small":   {`{"context_window": {"context_window_size": 200000, "used_percentage": 100, "current_usage": {"input_tokens": 486, "cache_read_input_tokens": 260014}}}`, StatusInput{Used: 260500, Limit: 1000000}},
		"no size":              {`{"context_window": {"used_percentage": 7.5}}`, StatusInput{}},
		"another agent":        {`{"model": "gpt-5", "conversation_id": "c1", "context_tokens": 1000, "context_window_size": 2000, "workspace_roots": ["/w"]}`, StatusInput{Model: "gpt-5", Session: "c1", Dirs: []string{"/w"}, Used: 1000, Limit: 2000}},
		"other types":          {`{"model": [1], "cwd": {}, "workspace": "here", "context_window": {"current_usage": {"input_tokens": "many", "cache_read_input_tokens": -5}, "context_window_size": true}}`, StatusInput{}},
		"a future version":     {`{"context_window": {"current_usage": {"input_tokens": 10, "quantum_tokens": 99}, "context_window_size": 20}, "new": [[{}]]}`, StatusInput{Used: 10, Limit: 20}},
		"more than there is":   {`{"context_window": {"current_usage": {"input_tokens": 1e30}, "context_window_size": 1e30}}`, StatusInput{}},
		"five times full":      {`{"context_window": {"context_window_size": 1e9, "used_percentage": 500}}`, StatusInput{Limit: 1_000_000_000}},
		"terminal escapes":     {`{"model": {"display_name": "\u001b[31mred\nline"}}`, StatusInput{Model: `\u001b[31mred line`}},
		"a list":               {`[1, 2]`, StatusInput{}},
		"empty":                {``, StatusInput{}},
		"said twice":           {`{"session_id": "a", "session_id": "b"}`, StatusInput{Session: "a"}},
		"not even its letters": {"{\"model\": \"\xff\"}", StatusInput{}},
	} {
		if got := ReadStatusInput([]byte(test.src)); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, not %+v", name, got, test.want)
		}
	}
	for n := range len(claude) {
		if got := ReadStatusInput([]byte(claude[:n])); !reflect.DeepEqual(got, StatusInput{}) {
			t.Fatalf("of the first %d bytes it reads %+v", n, got)
		}
	}
}
