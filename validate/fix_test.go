package validate

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

func TestFix(t *testing.T) {
	for _, c := range []struct {
		name, document, before, after string
		did                           []string
	}{
		{
			"tokens that nothing accounts for", fs.State,
			change(t, state, `"total_tokens": 1000, "used_tokens": 350`, `"total_tokens": 10000, "used_tokens": 3500`),
			change(t, state, `"total_tokens": 1000, "used_tokens": 350, "usage_percent": 35`, `"total_tokens": 10000, "used_tokens": 3500, "usage_percent": 35, "other_tokens": {"unattributed": 3500}`),
			[]string{`.forgemind/context/current-context.json:6:120: error: recorded 3,500 tokens as other_tokens.unattributed [token-mismatch]`},
		},
		{
			"more of them", fs.State,
			change(t, state, `"used_tokens": 350`, `"used_tokens": 3500, "other_tokens": {"unattributed": 500, "tools": 900}`, `"total_tokens": 1000`, `"total_tokens": 10000`),
			change(t, state, `"used_tokens": 350`, `"used_tokens": 3500, "other_tokens": {"unattributed": 2600, "tools": 900}`, `"total_tokens": 1000`, `"total_tokens": 10000`),
			[]string{`.forgemind/context/current-context.json:6:99: error: recorded 2,600 tokens as other_tokens.unattributed [token-mismatch]`},
		},
		{
			"more tokens loaded than used: which figure is wrong is for people to say", fs.State,
			change(t, state, `"recent_decisions"`, `"loaded_artifacts": [{"id": "a", "loaded": true, "tokens": 9000}], "recent_decisions"`), "", nil,
		},
		{
			"figures that follow from others", fs.State,
			change(t, state, `"usage_percent": 35`, `"usage_percent":  7, "available_tokens": 0, "needs_compaction": false, "compaction_threshold_percent": 30`),
			change(t, state, `"usage_percent": 35`, `"usage_percent":  35, "available_tokens": 650, "needs_compaction": true, "compaction_threshold_percent": 30`),
			[]string{
				`.forgemind/context/current-context.json:6:105: warning: set available_tokens to 650 [window-arithmetic]`,
				`.forgemind/context/current-context.json:6:82: warning: set usage_percent to 35 [window-arithmetic]`,
				`.forgemind/context/current-context.json:6:131: warning: set needs_compaction to true [window-arithmetic]`,
			},
		},
		{"a byte order mark", fs.Config, "\ufeff{}\n", "{}\n", []string{`.forgemind/config.json:1:1: error: removed the byte order mark [encoding]`}},
		{"a newline behind the last record", messages, record, record + "\n", []string{`.forgemind/context/messages.jsonl:1:1: warning: added the missing newline behind the last record [jsonl-torn]`}},
		{
			"a hot context gets its lists, laid out like their siblings", hot,
			"{\"active_goals\":[],\r\n  \"pending_actions\":[],\r\n  \"mine\":{}}", "{\"active_goals\":[],\r\n  \"pending_actions\":[],\r\n  \"mine\":{},\r\n  \"key_decisions\":[],\r\n  \"important_constraints\":[]}",
			[]string{
				hot + `:4:19: error: added the empty list key_decisions [missing-section]`,
				hot + `:5:27: error: added the empty list important_constraints [missing-section]`,
			},
		},
		{
			"metadata of two sides: what was later, what was more, what either lists", meta,
			"{\"session_id\": \"c-1\",\n<<<<<<< HEAD\n\"last_activity\": \"2025-11-09T05:00:00Z\", \"message_count\": 9, \"tags\": [\"a\"]\n=======\n\"last_activity\": \"2025-11-09T08:00:00+02:00\", \"message_count\": 7, \"tags\": [\"b\", \"a\"], \"fragment\": \"f\"\n>>>>>>> b\n}\n",
			"{\"session_id\": \"c-1\",\n\"last_activity\": \"2025-11-09T08:00:00+02:00\", \"message_count\": 9, \"tags\": [\"a\", \"b\"], \"fragment\": \"f\"\n}\n",
			[]string{meta + `:1:1: error: joined both sides of the conflict: the later activity, the greater count, the lists of both [conflict-marker]`},
		},
		{"metadata of two sides that say what can't both be true", meta, "{\n<<<<<<< HEAD\n\"status\": \"active\"\n=======\n\"status\": \"archived\"\n>>>>>>> b\n}\n", "", nil},
		{"a torn record is left for the next append", messages, record + "\n{\"msg", "", nil},
		{"what is no JSON", fs.State, "{", "", nil},
		{"a layer that has another's name", fs.State, change(t, state, `"MODULE"`, `"CODE"`), "", nil},
		{"markdown", notes, "\ufeffa", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.after == "" {
				c.after = c.before
			}
			after, did := Fix(c.document, []byte(c.before))
			if string(after) != c.after {
				t.Errorf("got\n%s\nwant\n%s", after, c.after)
			}
			expect(t, "did", did, c.did...)
			for _, f := range Bytes(c.document, after, Options{}) {
				if len(c.did) > 0 && strings.Contains(c.did[0], f.Rule) {
					t.Errorf("it is still there: %s", asText([]Finding{f}))
				}
			}
		})
	}
}
