package validate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

const (
	history  = fs.Forgemind + "/context/context-history/s-1.json"
	messages = fs.Forgemind + "/context/messages.jsonl"
	ledger1  = fs.Forgemind + "/decisions/DEC-001.json"
	ledger2  = fs.Forgemind + "/decisions/DEC-002.json"
	notes    = fs.Forgemind + "/memory/facilitator-notes.md"
	hot      = fs.Quaid + "/context/sessions/c-1/hot_context.json"
	meta     = fs.Quaid + "/context/sessions/c-1/metadata.json"
)

const (
	decision1 = `{"id": "DEC-001", "timestamp": "2025-10-26T15:00:00Z", "decision": "Keep six layers", "immutable": true}` + "\n"
	decision2 = `{"id": "DEC-002", "timestamp": "2025-10-26T15:00:00Z", "decision": "Use Go", "immutable": true}` + "\n"
	metadata1 = `{"session_id": "c-1", "status": "active", "message_count": 0}` + "\n"
	hot1      = `{"key_decisions": [], "active_goals": [], "pending_actions": [], "important_constraints": []}` + "\n"
	record    = `{"msg_id": "m-1", "timestamp": "2025-10-27T10:00:00Z", "content": "a"}`
)

// TestRules judges, for every rule that looks at a tree, the smallest change that
// breaks it, with the exact finding, and the nearest text that does not.
func TestRules(t *testing.T) {
	edit := func(pairs ...string) string { return change(t, state, pairs...) }
	edited := func(text string, pairs ...string) string { return change(t, text, pairs...) }
	for _, c := range []struct {
		name         string
		wrong, right pages
		want         []string
	}{
		{
			"json-syntax",
			pages{fs.State: edit(`"clarity": 85}`, `"clarity": 85,}`)}, pages{fs.State: state},
			[]string{`.forgemind/context/current-context.json:5:86: error: expected a member name in double quotes after ',', found '}': JSON allows no ',' after the last member [json-syntax]`},
		},
		{
			"json-syntax of an empty file",
			pages{fs.State: " \n"}, pages{},
			[]string{`.forgemind/context/current-context.json:1:1: error: expected a value, found an empty text [json-syntax]`},
		},
		{
			"json-syntax is all that is judged where no document has a place",
			pages{".forgemind/scratch/x.json": `[1, 2`}, pages{".forgemind/scratch/x.json": `{"id": [7], "clarity": "x"}`},
			[]string{`.forgemind/scratch/x.json:1:6: error: expected ',' or ']' after element 2, found the end of the text; the array that begins on line 1 is not closed [json-syntax]`},
		},
		{
			"json-duplicate-key",
			pages{fs.State: edit(`"clarity": 85`, `"clarity": 85, "cl\u0061rity": 90`)}, pages{fs.State: edit(`"clarity": 85`, `"clarity": 85, "Clarity": 90`)},
			[]string{`.forgemind/context/current-context.json:5:87: error: member "clarity" stands twice in this object [json-duplicate-key]`},
		},
		{
			"encoding",
			pages{fs.State: edit(`"P"`, "\"Caf\xe9\""), notes: "ok\nCaf\xe9\n"}, pages{fs.State: edit(`"P"`, `"Café"`), notes: "\ufeffCafé\n"},
			[]string{
				`.forgemind/context/current-context.json:5:27: error: the byte 0xE9 is not UTF-8 [encoding]`,
				`.forgemind/memory/facilitator-notes.md:2:4: error: the text is not UTF-8: byte 0xe9 [encoding]`,
			},
		},
		{
			"encoding: a byte order mark before JSON",
			pages{fs.State: "\ufeff" + state, messages: "\ufeff" + record + "\n"}, pages{fs.State: state},
			[]string{
				`.forgemind/context/current-context.json:1:1: error: JSON begins with a byte order mark [encoding]`,
				`.forgemind/context/messages.jsonl:1:1: error: JSON begins with a byte order mark [encoding]`,
			},
		},
		{
			"conflict-marker",
			pages{
				fs.State: edit(`"schema": "forgemind-context-v1",`, "\n<<<<<<< HEAD\n\"a\": 1,\n=======\n\"a\": 2,\n>>>>>>> b\n"),
				messages: record + "\n<<<<<<< HEAD\n" + strings.Replace(record, "m-1", "m-2", 1) + "\n=======\n>>>>>>> b\n",
				notes:    "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> b\n",
			},
			pages{notes: "A heading\n=======\n>>>>>>> quoted\n\n    <<<<<<< HEAD\n\n<<<<<<< alone\n"},
			[]string{
				`.forgemind/context/current-context.json:3:1: error: merge conflict marker "<<<<<<< HEAD" [conflict-marker]`,
				`.forgemind/context/messages.jsonl:2:1: error: merge conflict marker "<<<<<<< HEAD" [conflict-marker]`,
				`.forgemind/memory/facilitator-notes.md:2:1: error: merge conflict marker "<<<<<<< HEAD" [conflict-marker]`,
			},
		},
		{
			"too-large: a number, which is then not computed with",
			pages{fs.State: edit(`"clarity": 85`, `"clarity": 1e3000000`)}, pages{fs.State: edit(`"clarity": 85`, `"clarity": 8.5e1`)},
			[]string{`.forgemind/context/current-context.json:5:83: error: the number 1e3000000 is too large or too small for other programs to hold [too-large]`},
		},
		{
			"too-large: a document",
			pages{notes: strings.Repeat("x", maxSize+1)}, pages{notes: strings.Repeat("x", maxSize)},
			[]string{`.forgemind/memory/facilitator-notes.md:1:1: error: the document is larger than the 8 MiB that are read [too-large]`},
		},
		{
			"too-deep",
			pages{".forgemind/scratch/x.json": strings.Repeat("[", 10000)}, pages{".forgemind/scratch/x.json": strings.Repeat("[", 100) + strings.Repeat("]", 100)},
			[]string{`.forgemind/scratch/x.json:1:129: error: arrays and objects are nested more than 128 deep [too-deep]`},
		},
		{
			"missing-section, and not its fields",
			pages{fs.State: edit(`"role"`, `"roll"`)}, pages{fs.State: state},
			[]string{`.forgemind/context/current-context.json:1:1: error: Missing section: role [missing-section]`},
		},
		{
			"missing-field",
			pages{fs.State: edit(`, "mode": "Boss Mode"`, ``), history: edit(`"name": "P", `, ``)}, pages{fs.State: state, history: state},
			[]string{
				`.forgemind/context/context-history/s-1.json:5:14: error: Missing field: project.name [missing-field]`,
				`.forgemind/context/current-context.json:4:11: error: Missing field: role.mode [missing-field]`,
			},
		},
		{
			"schema",
			pages{fs.State: edit(`"clarity": 85`, `"clarity": "85"`, `"2025-10-27T10:00:00Z"`, `"2025-10-27T10:00"`, `"DEC-001"`, `"a/b"`)}, pages{fs.State: edit(`"clarity": 85`, `"clarity": 85.5`)},
			[]string{
				`.forgemind/context/current-context.json:3:29: error: metadata.timestamp must be an RFC 3339 time such as 2025-10-27T10:00:00Z, found the string "2025-10-27T10:00" [schema]`,
				`.forgemind/context/current-context.json:5:83: error: project.clarity must be a number, found the string "85" [schema]`,
				`.forgemind/context/current-context.json:7:31: error: recent_decisions[0].id must have the form ^[A-Za-z0-9_][A-Za-z0-9._-]*$, found the string "a/b" [schema]`,
			},
		},
		{
			"schema: a missing member, and a choice",
			pages{ledger1: `{"id": "DEC-001", "timestamp": "2025-10-26T15:00:00Z"}`, messages: `{"msg_id": "m-1", "content": "a"}` + "\n"},
			pages{ledger1: decision1, messages: record + "\n"},
			[]string{
				`.forgemind/context/messages.jsonl:1:1: error: the document must have msg_id and timestamp, or msg_id and ts, or id and timestamp, or id and ts [schema]`,
				`.forgemind/decisions/DEC-001.json:1:1: error: missing member decision [schema]`,
			},
		},
		{
			"layer-mismatch",
			pages{fs.State: edit(`"MODULE"`, `"DOMAIN"`)}, pages{fs.State: edit(`"MODULE"`, `"M\u004fDULE"`)},
			[]string{`.forgemind/context/current-context.json:5:62: error: Layer mismatch: 1 != DOMAIN (layer 1 is MODULE) [layer-mismatch]`},
		},
		{
			"layer-mismatch has nothing to say of what is no layer",
			pages{fs.State: edit(`"current_layer": 1`, `"current_layer": "1"`)}, pages{fs.State: edit(`, "layer_name": "MODULE"`, ``)},
			[]string{`.forgemind/context/current-context.json:5:45: error: project.current_layer must be an integer, found the string "1" [schema]`},
		},
		{
			"token-mismatch",
			pages{fs.State: edit(`1000, "used_tokens": 350`, `10000, "used_tokens": 3500, "other_tokens": {"messages": 2499}`)},
			pages{fs.State: edit(`1000, "used_tokens": 350`, `10000, "used_tokens": 3500, "other_tokens": {"messages": 2500}`)},
			[]string{`.forgemind/context/current-context.json:6:60: error: Token count mismatch: used_tokens is 3,500, but loaded artifacts have 0 and other_tokens 2,499, together 2,499 (tolerance 1,000) [token-mismatch]`},
		},
		{
			"token-mismatch counts loaded artifacts only, and says nothing about figures that are none",
			pages{fs.State: edit(`"recent_decisions"`, `"loaded_artifacts": [{"id": "a", "loaded": true, "tokens": 900}, {"id": "b", "loaded": true, "tokens": 900}, {"id": "c", "loaded": false, "tokens": 9}], "recent_decisions"`)},
			pages{fs.State: edit(`"recent_decisions"`, `"loaded_artifacts": [{"id": "a", "loaded": true, "tokens": 900}, {"id": "b", "loaded": false, "tokens": 9000}], "recent_decisions"`)},
			[]string{`.forgemind/context/current-context.json:6:59: error: Token count mismatch: used_tokens is 350, but loaded artifacts have 1,800 (tolerance 1,000) [token-mismatch]`},
		},
		{
			"token-mismatch leaves a figure that is against the schema to it",
			pages{fs.State: edit(`"used_tokens": 350`, `"used_tokens": -35000`)}, pages{fs.State: state},
			[]string{`.forgemind/context/current-context.json:6:59: error: context_window.used_tokens must be at least 0, found -35000 [schema]`},
		},
		{
			"window-arithmetic",
			pages{fs.State: edit(`"usage_percent": 35`, `"usage_percent": 36, "available_tokens": 651, "compaction_threshold_percent": 35, "needs_compaction": false`)},
			pages{fs.State: edit(`"usage_percent": 35`, `"usage_percent": 35.04, "available_tokens": 650, "compaction_threshold_percent": 35.1, "needs_compaction": false`)},
			[]string{
				`.forgemind/context/current-context.json:6:81: warning: usage_percent is 36, but 100 x used_tokens / total_tokens is 35 [window-arithmetic]`,
				`.forgemind/context/current-context.json:6:105: warning: available_tokens is 651, but total_tokens - used_tokens is 650 [window-arithmetic]`,
				`.forgemind/context/current-context.json:6:166: warning: needs_compaction is false, but usage is 35 % and the threshold 35 % [window-arithmetic]`,
			},
		},
		{
			"window-arithmetic: a whole percentage may be rounded, another is taken at its word",
			pages{fs.State: edit(`"usage_percent": 35`, `"usage_percent": 35.3`)}, pages{fs.State: edit(`"used_tokens": 350`, `"used_tokens": 357`)},
			[]string{`.forgemind/context/current-context.json:6:81: warning: usage_percent is 35.3, but 100 x used_tokens / total_tokens is 35 [window-arithmetic]`},
		},
		{
			"time-order",
			pages{fs.State: edit(`"due": "2025-10-27T12:00:00Z"`, `"due": "2025-10-27T10:00:00+02:00"`, `"session_start": "2025-10-27T09:00:00Z"`, `"session_start": "2025-10-27T10:00:01Z"`)},
			pages{fs.State: edit(`"due": "2025-10-27T12:00:00Z"`, `"due": "2025-10-27T08:00:00-02:00"`, `"session_start": "2025-10-27T09:00:00Z"`, `"session_start": "2025-10-27T10:00:00Z"`)},
			[]string{
				`.forgemind/context/current-context.json:3:29: warning: timestamp (2025-10-27T10:00:00Z) is before session_start (2025-10-27T10:00:01Z) [time-order]`,
				`.forgemind/context/current-context.json:8:102: warning: due (2025-10-27T10:00:00+02:00) is before created (2025-10-27T09:00:00Z) [time-order]`,
			},
		},
		{
			"time-order of times without a zone, which are not compared",
			pages{
				fs.State: edit(`"due": "2025-10-27T12:00:00Z"`, `"due": "2025-10-27 08:00:00"`, `"session_start": "2025-10-27T09:00:00Z"`, `"session_start": "2025-10-27T10:00:01Z"`),
				messages: strings.Join([]string{aMessage("m-1", "a"), strings.Replace(aMessage("m-2", "b"), "2025-11-09T04:30:15Z", "2025-11-09T01:30:15", 1)}, ""),
			},
			pages{fs.State: edit(`"session_start": "2025-10-27T09:00:00Z"`, `"session_start": "2025-10-27T12:00:00"`)},
			[]string{`.forgemind/context/current-context.json:3:29: warning: timestamp (2025-10-27T10:00:00Z) is before session_start (2025-10-27T10:00:01Z) [time-order]`},
		},
		{
			"duplicate-id in a list, a JSONL document and the Ledger",
			pages{
				fs.State: edit(`[{"id": "ACT-001"`, `["free", {"id": "ACT-001", "action": "a"}, {"id": "ACT-001"`),
				messages: record + "\n\n" + strings.Replace(record, `"a"`, `"b"`, 1) + "\n", ledger1: decision1, ".quaid/decisions/DEC-001.json": decision1,
			},
			pages{messages: record + "\n" + strings.Replace(record, "m-1", "m-2", 1) + "\n", ledger1: decision1},
			[]string{
				`.forgemind/context/current-context.json:8:72: error: id ACT-001 stands twice in pending_actions [duplicate-id]`,
				`.forgemind/context/messages.jsonl:3:12: error: the id m-1 stands in line 1 already [duplicate-id]`,
				`.quaid/decisions/DEC-001.json:1:1: error: the decision DEC-001 stands in .forgemind/decisions/DEC-001.json already [duplicate-id]`,
			},
		},
		{
			"duplicate-id: ids and names that differ in letter case only",
			pages{
				fs.State: edit(`"pending_actions": [`, `"pending_actions": [{"id": "act-001", "action": "a"}, `),
				ledger1:  decision1, fs.Forgemind + "/decisions/dec-001.json": edited(decision1, "DEC-001", "dec-001"),
				meta: metadata1, hot: edited(hot1, `"active_goals": []`, `"active_goals": [{"id": "g-a", "goal": "a"}, {"id": "G-A", "goal": "b"}]`),
			},
			pages{fs.State: state, ledger1: decision1, ledger2: decision2},
			[]string{
				`.forgemind/context/current-context.json:8:64: error: the ids ACT-001 and act-001 differ only in letter case or Unicode form [duplicate-id]`,
				`.forgemind/decisions/dec-001.json:1:1: error: its name and .forgemind/decisions/DEC-001.json differ only in letter case or Unicode form: on macOS and Windows they are one file [duplicate-id]`,
				`.quaid/context/sessions/c-1/hot_context.json:1:75: error: the ids G-A and g-a differ only in letter case or Unicode form [duplicate-id]`,
			},
		},
		{
			"duplicate-id: fragments whose names and ids differ in Unicode form only",
			pages{
				fs.Quaid + "/memory/fragments/" + "cafe\u0301.md": edited(fragment1, "frag-rs256", "frag-e\u0301", "session: c-1\n", ""),
				fs.Quaid + "/memory/fragments/" + "caf\u00e9.md":  edited(fragment1, "frag-rs256", "frag-\u00e9", "session: c-1\n", ""),
			},
			pages{
				fs.Quaid + "/memory/fragments/" + "cafe.md":      edited(fragment1, "frag-rs256", "frag-e", "session: c-1\n", ""),
				fs.Quaid + "/memory/fragments/" + "caf\u00e9.md": edited(fragment1, "frag-rs256", "frag-\u00e9", "session: c-1\n", ""),
			},
			[]string{
				".quaid/memory/fragments/caf\u00e9.md:1:1: error: its name and \".quaid/memory/fragments/cafe\u0301.md\" differ only in letter case or Unicode form: on macOS and Windows they are one file [duplicate-id]",
				".quaid/memory/fragments/caf\u00e9.md:2:1: error: the ids \"frag-\u00e9\" and \"frag-e\u0301\" differ only in letter case or Unicode form; the other is in \".quaid/memory/fragments/cafe\u0301.md\" [duplicate-id]",
			},
		},
		{
			"changed-decision: a view with other words than the Ledger",
			pages{fs.State: state, ledger1: strings.Replace(decision1, "six", "five", 1)}, pages{fs.State: state, ledger1: decision1},
			[]string{`.forgemind/context/current-context.json:7:54: error: Changed decision: DEC-001 says otherwise here than in .forgemind/decisions/DEC-001.json: decision [changed-decision]`},
		},
		{
			"changed-decision: a session's view, in the other spelling",
			pages{hot: edited(hot1, `"key_decisions": [`, `"key_decisions": [{"decision_id": "DEC-001", "description": "Keep two"}`), meta: metadata1, ledger1: decision1},
			pages{hot: edited(hot1, `"key_decisions": [`, `"key_decisions": [{"decision_id": "DEC-001", "description": "Keep six layers"}`), meta: metadata1, ledger1: decision1},
			[]string{`.quaid/context/sessions/c-1/hot_context.json:1:62: error: Changed decision: DEC-001 says otherwise here than in .forgemind/decisions/DEC-001.json: decision [changed-decision]`},
		},
		{
			"changed-decision: a program that takes the id again says another time",
			pages{hot: edited(hot1, `"key_decisions": [`, `"key_decisions": [{"decision_id": "DEC-001", "description": "Keep two", "timestamp": "2025-10-26 15:00:00"}`), meta: metadata1, ledger1: decision1},
			pages{hot: edited(hot1, `"key_decisions": [`, `"key_decisions": [{"decision_id": "DEC-001", "description": "Keep two", "timestamp": "2025-10-27 15:00:00"}`), meta: metadata1, ledger1: decision1},
			[]string{`.quaid/context/sessions/c-1/hot_context.json:1:62: error: Changed decision: DEC-001 says otherwise here than in .forgemind/decisions/DEC-001.json: decision [changed-decision]`},
		},
		{
			"duplicate-id: a program that takes the id of a message again says another time",
			pages{fs.Messages: `{"msg_id": "m-1", "timestamp": "2025-10-27 09:00:00.25", "agent": "user", "content": "a"}` + "\n" +
				`{"msg_id": "m-1", "timestamp": "2025-10-27T09:00:00.250Z", "agent": "user", "content": "b"}` + "\n"},
			pages{fs.Messages: `{"msg_id": "m-1", "timestamp": "2025-10-27 09:00:00.25", "agent": "user", "content": "a"}` + "\n" +
				`{"msg_id": "m-1", "timestamp": "2025-10-27T09:00:00.750Z", "agent": "user", "content": "b"}` + "\n" +
				`{"msg_id": "m-1", "timestamp": "2025-10-27T09:00:05Z", "agent": "user", "content": "a"}` + "\n"},
			[]string{`.forgemind/context/messages.jsonl:2:12: error: the id m-1 stands in line 1 already [duplicate-id]`},
		},
		{
			"changed-decision: an id that no program counted is not taken again",
			pages{hot: edited(hot1, `"key_decisions": [`, `"key_decisions": [{"id": "DEC-001", "decision": "Keep two", "timestamp": "2025-10-27T15:00:00Z"}`), meta: metadata1, ledger1: decision1},
			pages{hot: edited(hot1, `"key_decisions": [`, `"key_decisions": [{"decision_id": "DEC-001", "description": "Keep six layers", "timestamp": "2025-10-27T15:00:00Z"}`), meta: metadata1, ledger1: decision1},
			[]string{`.quaid/context/sessions/c-1/hot_context.json:1:50: error: Changed decision: DEC-001 says otherwise here than in .forgemind/decisions/DEC-001.json: decision, timestamp [changed-decision]`},
		},
		{
			"duplicate-id: in a long list",
			pages{meta: metadata1, hot: edited(hot1, `"important_constraints": [`, `"important_constraints": [`+many(300)+`, {"id": "c-7", "constraint": "again"}`)},
			pages{meta: metadata1, hot: edited(hot1, `"important_constraints": [`, `"important_constraints": [`+many(300)+`, {"id": "c-1000", "constraint": "again"}`)},
			[]string{`.quaid/context/sessions/c-1/hot_context.json:1:11279: error: id c-7 stands twice in important_constraints [duplicate-id]`},
		},
		{
			"duplicate-id: a decision that no program counted",
			pages{meta: metadata1, hot: edited(hot1, `"key_decisions": [`, `"key_decisions": [{"id": "dec-0", "decision": "a", "timestamp": "2025-10-26T15:00:00Z"}, {"id": "dec-0", "decision": "b", "timestamp": "2025-10-27T15:00:00Z"}`)},
			pages{meta: metadata1, hot: edited(hot1, `"key_decisions": [`, `"key_decisions": [{"decision_id": "dec-0", "description": "a", "timestamp": "2025-10-26T15:00:00Z"}, {"decision_id": "dec-0", "description": "b", "timestamp": "2025-10-27T15:00:00Z"}`)},
			[]string{`.quaid/context/sessions/c-1/hot_context.json:1:98: error: id dec-0 stands twice in key_decisions [duplicate-id]`},
		},
		{
			"duplicate-id: a program that takes the id again says another time",
			pages{meta: metadata1, hot: edited(hot1, `"active_goals": []`, `"active_goals": [{"goal_id": "g-1", "goal": "a", "created": "2025-10-26T15:00:00Z"}, {"goal_id": "g-1", "goal": "b", "created": "2025-10-26 15:00:00"}]`)},
			pages{meta: metadata1, hot: edited(hot1, `"active_goals": []`, `"active_goals": [{"goal_id": "g-1", "goal": "a", "created": "2025-10-26T15:00:00Z"}, {"goal_id": "g-1", "goal": "b", "created": "2025-10-26 15:00:01"}]`)},
			[]string{`.quaid/context/sessions/c-1/hot_context.json:1:120: error: id g-1 stands twice in active_goals [duplicate-id]`},
		},
		{
			"changed-decision: a view shows another rationale, and more than the Ledger",
			pages{fs.State: edit(`"id": "DEC-001",`, `"id": "DEC-001", "rationale": "it fits", "impact": ["none"],`), ledger1: strings.Replace(decision1, `"id"`, `"rationale": "they fit", "id"`, 1)},
			pages{
				fs.State: edit(`"id": "DEC-001",`, `"id": "DEC-001", "rationale": "they fit", "impact": [], "superseded_by": "DEC-002", "weather": "fine",`),
				ledger1:  strings.Replace(decision1, `"id"`, `"rationale": "they fit", "project": "api", "id"`, 1), ledger2: strings.Replace(decision2, `"id"`, `"supersedes": "DEC-001", "id"`, 1),
			},
			[]string{`.forgemind/context/current-context.json:7:55: error: Changed decision: DEC-001 says otherwise here than in .forgemind/decisions/DEC-001.json: rationale, impact [changed-decision]`},
		},
		{
			"lost-decision: forgemind recorded what the State shows",
			pages{fs.State: edit(`"id": "DEC-001",`, `"id": "DEC-001", "origin": "explicit",`)},
			pages{fs.State: edit(`"id": "DEC-001",`, `"id": "DEC-001", "origin": "imported",`)},
			[]string{`.forgemind/decisions/DEC-001.json:1:1: error: Lost decisions: DEC-001 [lost-decision]`},
		},
		{
			"lost-decision: forgemind recorded what a session shows",
			pages{meta: metadata1, hot: edited(hot1, `"key_decisions": [`, `"key_decisions": [{"id": "DEC-7F3K2Q", "decision": "Keep two", "timestamp": "2026-03-01T10:00:00.000Z"}, {"id": "DEC-7F3K2R", "decision": "Keep three"}`)},
			pages{meta: metadata1, hot: edited(hot1, `"key_decisions": [`, `"key_decisions": [{"id": "DEC-000002", "decision": "Keep two", "timestamp": "2026-03-01T10:00:00.000Z"}, {"id": "DEC-7F3K2R", "decision": "Keep three"}`)},
			[]string{`.quaid/decisions/DEC-7F3K2Q.json:1:1: error: Lost decisions: DEC-7F3K2Q [lost-decision]`},
		},
		{
			"dangling-reference in a State",
			pages{fs.State: edit(`"action": "write"`, `"action": "write", "blocked_by": ["DEC-009", "Q-001", "the boss"]`, `"id": "DEC-001",`, `"id": "DEC-001", "supersedes": "DEC-000",`)},
			pages{
				fs.State: edit(`"action": "write"`, `"action": "write", "blocked_by": ["DEC-002", "DEC-001", "ACT-001", "JIRA-7"]`, `"id": "DEC-001",`, `"id": "DEC-001", "supersedes": "DEC-002",`),
				ledger2:  decision2,
			},
			[]string{
				`.forgemind/context/current-context.json:7:56: warning: there is no decision DEC-000 [dangling-reference]`,
				`.forgemind/context/current-context.json:8:75: warning: there is no action, question or decision DEC-009 [dangling-reference]`,
				`.forgemind/context/current-context.json:8:86: warning: there is no action, question or decision Q-001 [dangling-reference]`,
			},
		},
		{
			"dangling-reference elsewhere",
			pages{
				fs.Config:                           `{"validation": {"severity": {"tokn-mismatch": "off"}}}`,
				".forgemind/channels/dev/pins.json": `{"pins": [{"condensation": "2025-10-27-layers"}]}`,
				hot:                                 edited(hot1, `"active_goals": [`, `"active_goals": [{"goal_id": "goal-1", "goal": "a", "parent_goal_id": "goal-9"}`),
				meta:                                `{"session_id": "c-1", "continues": "c-0"}`,
				ledger2:                             decision1,
			},
			pages{
				fs.Config:                                       `{"validation": {"severity": {"token-mismatch": "off"}}}`,
				".forgemind/channels/dev/pins.json":             `{"pins": [{"condensation": "2025-10-27-layers"}]}`,
				".forgemind/channels/ops/pins.json":             `{"pins": [{"condensation": ".forgemind/condensations/2025-10-27-layers.md"}]}`,
				".forgemind/condensations/2025-10-27-layers.md": "# Layers\n",
				hot:                                     edited(hot1, `"active_goals": [`, `"active_goals": [{"goal_id": "goal-1", "goal": "a"}, {"goal": "b", "parent_goal_id": "goal-1"}`),
				meta:                                    `{"session_id": "c-1", "continues": "c-2"}`,
				".quaid/context/sessions/c-2/notes.txt": "",
				ledger1:                                 decision1,
			},
			[]string{
				`.forgemind/channels/dev/pins.json:1:28: warning: there is no condensation 2025-10-27-layers [dangling-reference]`,
				`.forgemind/config.json:1:47: warning: no rule is called tokn-mismatch [dangling-reference]`,
				`.forgemind/decisions/DEC-002.json:1:8: error: the decision DEC-001 stands in a file named DEC-002.json [misnamed-record]`,
				`.quaid/context/sessions/c-1/hot_context.json:1:93: warning: there is no goal goal-9 [dangling-reference]`,
				`.quaid/context/sessions/c-1/metadata.json:1:36: warning: there is no session c-0 [dangling-reference]`,
			},
		},
		{
			"decision-count",
			pages{fs.State: edit(`"recent_decisions"`, `"session_stats": {"decisions_recorded": 3}, "recent_decisions"`), ledger2: decision2},
			pages{fs.State: edit(`"recent_decisions"`, `"session_stats": {"decisions_recorded": 2}, "recent_decisions"`), ledger2: decision2, ledger1: decision1},
			[]string{`.forgemind/context/current-context.json:7:43: warning: decisions_recorded is 3, but Ledger and views hold 2 [decision-count]`},
		},
		{
			"artifact-path",
			pages{fs.State: edit(`"recent_decisions"`, `"loaded_artifacts": [{"id": "a", "path": "../x.md"}, {"id": "b", "path": "docs/../../x.md"}, {"id": "c", "path": "C:/x.md"}, {"id": "d", "path": "~/x.md"}], "recent_decisions"`)},
			pages{fs.State: edit(`"recent_decisions"`, `"loaded_artifacts": [{"id": "a", "path": ".dev/x.md"}, {"id": "b", "path": "docs/../x y.md"}, {"id": "c", "path": null}], "recent_decisions"`)},
			[]string{
				`.forgemind/context/current-context.json:7:44: error: the path "../x.md" leads out of the project directory [artifact-path]`,
				`.forgemind/context/current-context.json:7:76: error: the path "docs/../../x.md" leads out of the project directory [artifact-path]`,
				`.forgemind/context/current-context.json:7:116: error: the path "C:/x.md" is absolute [artifact-path]`,
				`.forgemind/context/current-context.json:7:148: error: the path "~/x.md" begins with a home directory [artifact-path]`,
			},
		},
		{
			"artifact-missing, which a snapshot does not ask",
			pages{fs.State: edit(`"recent_decisions"`, `"loaded_artifacts": [{"id": "IDEA-1", "path": "docs/a.md", "available": true}], "recent_decisions"`)},
			pages{
				fs.State:    edit(`"recent_decisions"`, `"loaded_artifacts": [{"id": "a", "path": "docs/a.md", "available": true}, {"id": "b", "path": "docs/b.md"}], "recent_decisions"`),
				history:     edit(`"recent_decisions"`, `"loaded_artifacts": [{"id": "a", "path": "docs/gone.md", "loaded": true}], "recent_decisions"`),
				"docs/a.md": "x",
			},
			[]string{`.forgemind/context/current-context.json:7:49: warning: the artifact IDEA-1 is not there: no file "docs/a.md" [artifact-missing]`},
		},
		{
			"trigger-condition",
			pages{fs.Config: `{"refresh_triggers": [{"name": "t", "condition": "current_layer > lyer", "actions": []}]}`},
			pages{fs.Config: `{"refresh_triggers": [{"name": "t", "condition": "current_layer > previous_layer", "actions": []}]}`},
			[]string{`.forgemind/config.json:1:67: error: unknown name "lyer" [trigger-condition]`},
		},
		{
			"trigger-action",
			pages{fs.Config: `{"refresh_triggers": [{"name": "t", "condition": "current_layer > 1", "actions": ["run_script", "save_to_memori"]}]}`},
			pages{fs.Config: `{"refresh_triggers": [{"name": "t", "condition": "current_layer > 1", "actions": ["save_to_memory"]}]}`},
			[]string{
				`.forgemind/config.json:1:83: error: no action is called run_script [trigger-action]`,
				`.forgemind/config.json:1:97: error: no action is called save_to_memori [trigger-action]`,
			},
		},
		{
			"jsonl-line",
			pages{messages: record + record + "\n[1]\n" + strings.Replace(record, "m-1", "m-2", 1) + "\n"}, pages{messages: record + "\r\n\r\n" + strings.Replace(record, "m-1", "m-2", 1) + "\r\n"},
			[]string{
				`.forgemind/context/messages.jsonl:1:71: error: the line is not one JSON object: expected the end of the text after its value, found '{' [jsonl-line]`,
				`.forgemind/context/messages.jsonl:2:1: error: the line is not one JSON object, but an array [jsonl-line]`,
			},
		},
		{
			"jsonl-torn",
			pages{messages: record + "\n" + `{"msg_id": "m-2", "cont`, ".forgemind/context/clarifications.jsonl": `{"question": "a"}` + "\n\x00\x00\x00"},
			pages{messages: record + "\n" + strings.Replace(record, "m-1", "m-2", 1)},
			[]string{
				`.forgemind/context/clarifications.jsonl:2:1: warning: the document ends in zero bytes: a write was interrupted [jsonl-torn]`,
				`.forgemind/context/messages.jsonl:2:1: warning: the last line is torn: expected '"' to close the string, found the end of the text [jsonl-torn]`,
			},
		},
		{
			"session-index",
			pages{meta: metadata1, hot: hot1, ".quaid/context/sessions/c-2/metadata.json": `{"session_id": "c-2"}`, ".quaid/context/sessions/c-2/hot_context.json": hot1, fs.SessionIndex: `{"session_id": "c-1", "status": "archived"}` + "\n" + `{"session_id": "c-0"}` + "\n"},
			pages{meta: metadata1, hot: hot1, fs.SessionIndex: `{"session_id": "c-1", "status": "active", "message_count": 0}` + "\n"},
			[]string{
				`.quaid/context/sessions.jsonl:1:1: warning: the metadata of c-1 says otherwise: status is "archived" here and "active" there [session-index]`,
				`.quaid/context/sessions.jsonl:1:1: warning: the session c-2 is not in the index [session-index]`,
				`.quaid/context/sessions.jsonl:2:1: warning: there is no session c-0 [session-index]`,
			},
		},
		{
			"session-index: none is no fault, for it is derived",
			pages{meta: metadata1, hot: hot1, fs.SessionIndex: ""}, pages{meta: metadata1, hot: hot1},
			[]string{`.quaid/context/sessions.jsonl:1:1: warning: the session c-1 is not in the index [session-index]`},
		},
		{
			"session-active",
			pages{meta: metadata1, hot: hot1, fs.ActiveSession: "c-2\n"}, pages{meta: metadata1, hot: hot1, fs.ActiveSession: "c-1\n"},
			[]string{`.quaid/context/active_session.txt:1:1: error: the active session c-2 does not exist [session-active]`},
		},
		{
			"session-active holds an id",
			pages{fs.ActiveSession: "../c-2\n"}, pages{},
			[]string{`.quaid/context/active_session.txt:1:1: error: "../c-2" is not the id of a session [session-active]`},
		},
		{
			"uncondensed-thread",
			pages{
				fs.Forgemind + "/threads/c/a.json": `{"id": "a", "status": "resolved"}`,
				fs.Forgemind + "/threads/c/b.json": `{"id": "b", "status": "archived", "resolved": "2026-02-15T10:00:00Z", "condensation": ""}`,
			},
			pages{
				fs.Forgemind + "/threads/c/a.json":           `{"id": "a", "status": "active", "resolved": null}`,
				fs.Forgemind + "/threads/c/b.json":           `{"id": "b", "status": "archived"}`,
				fs.Forgemind + "/threads/c/d.json":           `{"id": "d", "status": "resolved", "resolved": "2026-02-15T10:00:00Z", "condensation": "d.md"}`,
				fs.Forgemind + "/condensations/d.md":         "## 📝 Condensation: D\n",
				fs.Forgemind + "/handoffs/not-a-thread.json": `{"id": "e", "task": "t", "status": "resolved"}`,
			},
			[]string{
				`.forgemind/threads/c/a.json:1:23: warning: the thread was resolved and never condensed [uncondensed-thread]`,
				`.forgemind/threads/c/b.json:1:23: warning: the thread was resolved and never condensed [uncondensed-thread]`,
			},
		},
		{
			"mojibake",
			pages{fs.State: edit(`"P"`, `"CafÃ© â€™n ðŸ˜€"`)}, pages{fs.State: edit(`"P"`, `"Café ’n 😀 « voilà » É… naïve Ångström Ã Â"`), notes: "Déjà vu, arrivé »\nSEÑORÃO\n"},
			[]string{`.forgemind/context/current-context.json:5:27: warning: "Ã©" looks like text that was encoded twice: "é" was meant [mojibake]`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, "wrong", judgeTree(t, c.wrong), c.want...)
			expect(t, "right", judgeTree(t, c.right))
		})
	}
}

// TestEveryRuleExplainsItself holds the texts that people read together.
func TestEveryRuleExplainsItself(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Rules() {
		lines := strings.Count(r.Help, "\n")
		if seen[r.Name] || r.Summary == "" || lines < 8 || lines > 32 || !strings.Contains(r.Help, "To mend it") || !strings.Contains(r.Help, "Wrong") {
			t.Errorf("%s: named twice, or its text lacks something (%d lines)", r.Name, lines)
		}
		if r.Severity != Error && r.Severity != Warning {
			t.Errorf("%s has the severity %q", r.Name, r.Severity)
		}
		seen[r.Name] = true
		got, ok := Lookup(r.Name)
		if !ok || got.Name != r.Name {
			t.Errorf("%s is not found by its name", r.Name)
		}
	}
	if _, ok := Lookup("no-such-rule"); ok {
		t.Error("a rule is found that does not exist")
	}
}

// many returns n constraints.
func many(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`{"id": "c-%d", "constraint": "%d"}`, i, i))
	}
	return strings.Join(all, ", ")
}
