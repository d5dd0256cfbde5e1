package validate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

const (
	session1 = fs.Sessions + "/c-1/"
	session2 = fs.Sessions + "/c-2/"
	window1  = session1 + "recent_history.jsonl"
	archive1 = session1 + "archive.jsonl"
	summary1 = session1 + "summary.md"
	memory1  = fs.Quaid + "/memory/fragments/2025-11-09-rs256.md"
	memory2  = fs.Quaid + "/memory/fragments/2025-11-10-rs256.md"
)

const fragment1 = `---
id: frag-rs256
title: RS256 rather than HS256
type: decision
tags: [jwt]
importance: 0.9
created: 2025-11-09T04:45:00Z
session: c-1
---

Public keys may be handed to every service.
`

// aSession is a session without a fault, changed: pairs of a name and a text.
func aSession(changes ...string) pages {
	return pages{hot: hot1, meta: metadata1}.with(changes...)
}

// said is a message of a session.
func aMessage(id, content string) string {
	return fmt.Sprintf(`{"msg_id": "%s", "timestamp": "2025-11-09T04:30:15Z", "agent": "user", "content": "%s"}`+"\n", id, content)
}

func messagesFrom(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		b.WriteString(aMessage(fmt.Sprintf("m-%d", i), "a"))
	}
	return b.String()
}

// counting is metadata of so many messages.
func counting(n int, pairs ...string) string {
	return strings.NewReplacer(append(pairs, `"message_count": 0`, fmt.Sprintf(`"message_count": %d`, n))...).Replace(metadata1)
}

// TestQuaidRules judges what can be wrong with sessions and fragments, and the
// nearest text in which it is not.
func TestQuaidRules(t *testing.T) {
	goals := func(list string) string { return change(t, hot1, `"active_goals": []`, `"active_goals": [`+list+`]`) }
	const hotAt, metaAt = ".quaid/context/sessions/c-1/hot_context.json:", ".quaid/context/sessions/c-1/metadata.json:"
	for _, c := range []struct {
		name         string
		wrong, right pages
		want         []string
	}{
		{
			"missing-section of a hot context",
			aSession(hot, `{"active_goals": [], "key_decisions": []}`),
			aSession(hot, `{"active_goals": [{"goal_id": "goal-000", "description": "a"}, {"goal": "b", "id": "goal-1"}], "key_decisions": [{"decision": "x"}], "pending_actions": ["p", {"action": "q"}], "important_constraints": ["c", {"constraint": "d"}]}`),
			[]string{
				hotAt + "1:1: error: Missing list: important_constraints [missing-section]",
				hotAt + "1:1: error: Missing list: pending_actions [missing-section]",
			},
		},
		{
			"what a goal and a decision must have, in either shape",
			aSession(hot, `{"active_goals": [{"status": "pending"}], "key_decisions": [{"rationale": "why"}], "pending_actions": [], "important_constraints": [], "version": "4"}`), aSession(),
			[]string{
				hotAt + `1:19: error: active_goals[0] must have goal, or description [schema]`,
				hotAt + `1:61: error: key_decisions[0] must have decision, or description [schema]`,
				hotAt + `1:147: error: version must be an integer, found the string "4" [schema]`,
			},
		},
		{
			"what config.json says of entities and the window",
			pages{fs.QuaidConfig: `{"entities": {"people": "@john"}, "compaction": {"window_tokens": -1}}`},
			pages{fs.QuaidConfig: `{"entities": {"people": ["@john"], "files": [], "functions": [], "technologies": [], "concepts": []}, "compaction": {"window_tokens": 200000}}`},
			[]string{
				`.quaid/config.json:1:25: error: entities.people must be an array, found the string "@john" [schema]`,
				`.quaid/config.json:1:67: error: compaction.window_tokens must be at least 0, found -1 [schema]`,
			},
		},
		{
			"two-spellings",
			aSession(hot, goals(`{"goal": "a", "description": "b", "id": "goal-1", "goal_id": "goal-2"}`)),
			aSession(hot, goals(`{"goal": "a", "description": "\u0061", "id": "goal-1"}, {"goal_id": "goal-2", "description": "b"}`)),
			[]string{
				hotAt + `1:69: warning: description is "b", but goal is "a" [two-spellings]`,
				hotAt + `1:101: warning: goal_id is "goal-2", but id is "goal-1" [two-spellings]`,
			},
		},
		{
			"session-mismatch",
			aSession(hot, change(t, hot1, `{`, `{"conversation_id": "c-2", `), meta, change(t, metadata1, "c-1", "c-0"), summary1, "# Session Summary (c-7)\n"),
			aSession(hot, change(t, hot1, `{`, `{"conversation_id": "c-1", `), summary1, "# Session Summary (c-1)\n\n## Something else\n"),
			[]string{
				hotAt + `1:21: error: conversation_id is of the session c-2, but the folder is c-1 [session-mismatch]`,
				metaAt + `1:16: error: session_id is of the session c-0, but the folder is c-1 [session-mismatch]`,
				summary1 + `:1:1: error: the summary is of the session c-7, but the folder is c-1 [session-mismatch]`,
			},
		},
		{
			"unknown-word",
			aSession(hot, goals(`{"goal": "a", "status": "in progress", "priority": "P0"}`), meta, change(t, metadata1, `"active"`, `"open"`), memory1, change(t, fragment1, "decision\n", "decisions\n")),
			aSession(hot, goals(`{"goal": "a", "status": "in-progress", "priority": "low"}, {"goal": "b", "status": null}`), meta, change(t, metadata1, `"active"`, `null`), memory1, fragment1),
			[]string{
				hotAt + `1:64: warning: status is "in progress", none of pending, in-progress, complete [unknown-word]`,
				hotAt + `1:91: warning: priority is "P0", none of high, medium, low [unknown-word]`,
				metaAt + `1:33: warning: status is "open", none of active, archived [unknown-word]`,
				memory1 + `:4:1: warning: type is "decisions", none of concept, implementation, decision, reference, pattern, troubleshooting, api-doc [unknown-word]`,
			},
		},
		{
			"dangling-reference: a parent may be complete, in whatever session",
			aSession(hot, goals(`{"goal": "a", "parent_goal_id": "goal-9"}, {"goal": "b", "parent_goal_id": "write it"}`)),
			aSession(hot, goals(`{"goal": "a", "parent_goal_id": "goal-9"}, {"goal": "b", "parent_goal_id": "write it"}, {"goal": "c", "parent_goal_id": "b"}`),
				session2+"metadata.json", `{"session_id": "c-2", "completed": [{"id": "goal-9", "goal": "write it"}]}`, session2+"hot_context.json", hot1),
			[]string{
				hotAt + `1:72: warning: there is no goal goal-9 [dangling-reference]`,
				hotAt + `1:115: warning: there is no goal "write it" [dangling-reference]`,
			},
		},
		{
			"circular-reference",
			aSession(
				hot, goals(`{"id": "goal-1", "goal": "a", "parent_goal_id": "goal-3"}, {"goal": "b", "parent_goal_id": "goal-1"}, {"goal_id": "goal-3", "description": "c", "parent_goal_id": "b"}, {"goal": "d", "parent_goal_id": "d"}, {"goal": "e", "parent_goal_id": "a"}`),
				meta, `{"session_id": "c-1", "continues": "c-2"}`, session2+"metadata.json", `{"session_id": "c-2", "continues": "c-1"}`, session2+"hot_context.json", hot1),
			aSession(
				hot, goals(`{"id": "goal-1", "goal": "a"}, {"goal": "b", "parent_goal_id": "goal-1"}, {"goal_id": "goal-3", "description": "c", "parent_goal_id": "b"}`),
				meta, `{"session_id": "c-1", "continues": "c-2"}`, session2+"metadata.json", `{"session_id": "c-2", "continues": null}`, session2+"hot_context.json", hot1),
			[]string{
				hotAt + `1:88: error: the goals goal-1, goal-3, b are parts of one another [circular-reference]`,
				hotAt + `1:240: error: the goal d is a part of itself [circular-reference]`,
				metaAt + `1:36: error: the sessions c-1, c-2 continue one another in a circle [circular-reference]`,
			},
		},
		{
			"duplicate-id in one list of a hot context; records of two kinds may share one",
			aSession(hot, strings.Replace(goals(`{"goal": "a", "id": "X-1"}, {"goal_id": "X-1", "description": "b"}`), `"pending_actions": []`, `"pending_actions": [{"id": "X-1", "action": "c"}], "notes": [{"id": "N", "note": "n"}, {"id": "N", "note": "m"}]`, 1)),
			aSession(hot, goals(`{"goal": "a", "id": "X-1"}, {"goal_id": "X-2", "description": "b"}`)),
			[]string{
				hotAt + `1:80: error: id X-1 stands twice in active_goals [duplicate-id]`,
				hotAt + `1:203: error: id N stands twice in notes [duplicate-id]`,
			},
		},
		{
			"duplicate-id and duplicate-message in window and archive",
			aSession(meta, counting(8), window1, aMessage("m-1", "a")+aMessage("m-2", "b")+aMessage("m-2", "b")+aMessage("m-3", "c")+aMessage("m-4", "d"),
				archive1, aMessage("m-1", "other")+aMessage("m-3", `\u0063`)+aMessage("m-0", "z")),
			aSession(meta, counting(4), window1, aMessage("m-1", "a")+aMessage("m-2", "a"), archive1, aMessage("m-3", "a")+aMessage("m-4", "a")),
			[]string{
				window1 + `:1:12: error: the session's archive has another message of this id [duplicate-id]`,
				window1 + `:3:12: warning: the message m-2 stands in line 2 already [duplicate-message]`,
				window1 + `:4:12: warning: the message stands in the session's archive, too [duplicate-message]`,
			},
		},
		{
			"the order of messages is no fault, their importance may be",
			aSession(meta, counting(1), window1, change(t, aMessage("m-1", "a"), `"user"`, `"user", "importance": 1.2`)),
			aSession(meta, counting(2), window1, aMessage("m-2", "a")+change(t, aMessage("m-1", "a"), `:15Z`, `:14Z`, `"user"`, `"user", "importance": 1.0`)),
			[]string{window1 + `:1:87: error: importance must be at most 1, found 1.2 [schema]`},
		},
		{
			"window-size",
			aSession(meta, counting(21), window1, messagesFrom(0, 21)),
			aSession(meta, counting(40), window1, change(t, cluster("m"), "cluster", "compaction")+messagesFrom(0, 20), archive1, messagesFrom(20, 40)),
			[]string{window1 + `:21:12: warning: the window holds 21 messages, more than 20 [window-size]`},
		},
		{
			"unattributed: one finding for the whole document",
			aSession(meta, counting(2), window1, strings.ReplaceAll(aMessage("m-1", "a")+aMessage("m-2", "b"), `"agent": "user", `, "")),
			aSession(meta, counting(1), window1, aMessage("m-1", "a")),
			[]string{window1 + `:1:12: warning: the message does not say who spoke [unattributed]`},
		},
		{
			"session-metadata: summaries of clusters do not count",
			aSession(meta, counting(3, `{"s`, `{"agents": ["quaid"], "s`), window1, aMessage("m-1", "a"), archive1, aMessage("m-2", "a")+cluster("m-2")),
			aSession(meta, counting(2, `{"s`, `{"agents": ["quaid", "user"], "s`), window1, aMessage("m-1", "a"), archive1, aMessage("m-2", "a")+cluster("m-2")),
			[]string{
				metaAt + `1:12: warning: agents lacks who spoke: user [session-metadata]`,
				metaAt + `1:81: warning: message_count is 3, but window and archive hold 2 [session-metadata]`,
			},
		},
		{
			"session-metadata is not asked where not all messages are known",
			aSession(meta, counting(9), window1, aMessage("m-1", "a")+"no\n"),
			aSession(meta, counting(9), window1, change(t, cluster("m-9"), "cluster", "compaction")+aMessage("m-1", "a")),
			[]string{window1 + `:2:1: error: the line is not one JSON object: expected a value, found "no": JSON writes false [jsonl-line]`},
		},
		{
			"dangling-reference: what a cluster is made of",
			aSession(meta, counting(2), window1, aMessage("m-1", "a"), archive1, aMessage("m-2", "a")+cluster("m-1", "m-3", "m-2")),
			aSession(meta, counting(2), window1, aMessage("m-1", "a"), archive1, aMessage("m-2", "a")+cluster("m-1", "m-2")),
			[]string{archive1 + `:2:179: warning: there is no message m-3 [dangling-reference]`},
		},
		{
			"what a cluster is made of is not asked where not all messages are known",
			aSession(meta, counting(2), window1, change(t, aMessage("m-1", "a"), `"content"`, `"text"`), archive1, cluster("m-9")),
			aSession(meta, counting(2), window1, change(t, cluster("m-9"), "cluster", "compaction"), archive1, change(t, cluster("m-9"), "msg-sum", "msg-sum-2")),
			[]string{window1 + `:1:1: error: missing member content [schema]`},
		},
		{
			"time-order in metadata",
			aSession(meta, change(t, metadata1, `{`, `{"started": "2025-11-09T04:30:00Z", "last_activity": "2025-11-09T04:29:59Z", `)),
			aSession(meta, change(t, metadata1, `{`, `{"started": "2025-11-09T04:30:00Z", "last_activity": "2025-11-09T04:30:00Z", `)),
			[]string{metaAt + `1:54: warning: last_activity (2025-11-09T04:29:59Z) is before started (2025-11-09T04:30:00Z) [time-order]`},
		},
		{
			"session-incomplete",
			pages{window1: "", session2 + "hot_context.json": hot1}, aSession(session2+"notes.txt", "not a session's"),
			[]string{
				hotAt + `1:1: warning: the session c-1 has no hot_context.json [session-incomplete]`,
				metaAt + `1:1: warning: the session c-1 has no metadata.json [session-incomplete]`,
				session2 + `metadata.json:1:1: warning: the session c-2 has no metadata.json [session-incomplete]`,
			},
		},
		{
			"session-archived",
			aSession(meta, change(t, metadata1, `"active"`, `"archived"`), fs.ActiveSession, "c-1\n"), aSession(meta, change(t, metadata1, `"active"`, `"archived"`)),
			[]string{fs.ActiveSession + `:1:1: warning: the active session c-1 is archived [session-archived]`},
		},
		{
			"hot-context-size, and only of what is worked in",
			aSession(hot, goals(`{"goal": "`+strings.Repeat("é", 3950)+`", "status": "complete"}`)),
			aSession(hot, goals(`{"goal": "`+strings.Repeat("é", 3900)+`"}`),
				session2+"hot_context.json", goals(`{"goal": "`+strings.Repeat("x", 9000)+`"}`), session2+"metadata.json", `{"session_id": "c-2", "status": "archived"}`),
			[]string{hotAt + `1:1: warning: a prompt is given about 1,006 tokens of it, more than 1,000: active_goals about 992 [hot-context-size]`},
		},
		{
			"front-matter",
			aSession(memory1, "# No front matter\n", memory2, change(t, fragment1, "frag-rs256", `"frag: rs`)),
			aSession(memory1, fragment1, memory2, "\ufeff"+change(t, fragment1, "frag-rs256", "frag-2", "0.9", "1", "2025-11-09T04:45:00Z", "2025-11-09")),
			[]string{
				memory1 + `:1:1: warning: there is no front matter [front-matter]`,
				memory2 + `:9:1: warning: the front matter can't be read: found unexpected end of stream [front-matter]`,
			},
		},
		{
			"what stands in front matter",
			aSession(memory1, change(t, fragment1, "title: RS256 rather than HS256\n", "", "0.9", "1.5", "2025-11-09T04:45:00Z", "yesterday", "c-1", "c-9"), memory2, fragment1),
			aSession(memory1, fragment1),
			[]string{
				memory1 + `:1:1: warning: the front matter has no title [front-matter]`,
				memory1 + `:5:1: warning: importance is "1.5", no number from 0 to 1 [front-matter]`,
				memory1 + `:6:1: warning: created is "yesterday", no time [front-matter]`,
				memory1 + `:7:1: warning: there is no session c-9 [dangling-reference]`,
				memory2 + `:2:1: error: the fragment frag-rs256 stands in ` + memory1 + ` already [duplicate-id]`,
			},
		},
		{
			"dangling-reference: the fragment of a session",
			aSession(meta, change(t, metadata1, `{`, `{"fragment": "2025-11-08-none.md", `)),
			aSession(meta, change(t, metadata1, `{`, `{"fragment": ".quaid/memory/fragments/2025-11-09-rs256.md", `), memory1, fragment1),
			[]string{metaAt + `1:14: warning: there is no fragment 2025-11-08-none.md [dangling-reference]`},
		},
		{
			"fragment-mismatch: the fragment is another session's, the session another fragment's",
			aSession(meta, change(t, metadata1, `{`, `{"fragment": "2025-11-09-rs256", `), memory1, change(t, fragment1, "c-1", "c-2"), memory2, change(t, fragment1, "frag-rs256", "frag-2"),
				session2+"metadata.json", `{"session_id": "c-2", "fragment": "frag-rs256"}`, session2+"hot_context.json", hot1),
			aSession(meta, change(t, metadata1, `{`, `{"fragment": "frag-rs256", `), memory1, fragment1, memory2, change(t, fragment1, "frag-rs256", "frag-2", "session: c-1\n", ""),
				session2+"metadata.json", `{"session_id": "c-2", "fragment": null}`, session2+"hot_context.json", hot1),
			[]string{
				metaAt + `1:14: warning: the fragment 2025-11-09-rs256 is of the session c-2 [fragment-mismatch]`,
				memory2 + `:8:1: warning: the session c-1 names another fragment: 2025-11-09-rs256 [fragment-mismatch]`,
			},
		},
		{
			"fragment-mismatch: two that were exchanged are told once each",
			aSession(meta, change(t, metadata1, `{`, `{"fragment": "frag-rs256", `), memory1, change(t, fragment1, "c-1", "c-2"), memory2, change(t, fragment1, "frag-rs256", "frag-2"),
				session2+"metadata.json", `{"session_id": "c-2", "fragment": "frag-2"}`, session2+"hot_context.json", hot1),
			aSession(meta, change(t, metadata1, `{`, `{"fragment": "frag-2", `), memory1, change(t, fragment1, "c-1", "c-2"), memory2, change(t, fragment1, "frag-rs256", "frag-2"),
				session2+"metadata.json", `{"session_id": "c-2", "fragment": "frag-rs256"}`, session2+"hot_context.json", hot1),
			[]string{
				metaAt + `1:14: warning: the fragment frag-rs256 is of the session c-2 [fragment-mismatch]`,
				session2 + `metadata.json:1:35: warning: the fragment frag-2 is of the session c-1 [fragment-mismatch]`,
			},
		},
		{
			"ignored-setting",
			pages{fs.QuaidConfig: `{"summarizer": {"kind": "command"}, "SUMMARY_MODEL": null}`},
			pages{fs.QuaidConfig: `{"agents": {"summarizer": 5}, "model": "x"}`},
			[]string{
				`.quaid/config.json:1:16: warning: a tree cannot name a summarizer; it is ignored [ignored-setting]`,
				`.quaid/config.json:1:54: warning: a tree cannot name a summarizer; it is ignored [ignored-setting]`,
			},
		},
		{
			"ignored-setting: a server for embeddings",
			pages{fs.Config: `{"embeddings": {"model": "m", "url": "http://localhost/v1"}}`},
			pages{fs.Config: `{"embeddings": {"kept": true}}`},
			[]string{`.forgemind/config.json:1:16: warning: a tree cannot name a server for embeddings; it is ignored [ignored-setting]`},
		},
		{
			"unknown-word: a kind of entities",
			pages{fs.Config: `{"entities": {"persons": ["@john"]}}`},
			pages{fs.Config: `{"entities": {"people": ["@john"], "concepts": []}}`},
			[]string{`.forgemind/config.json:1:26: warning: a kind of entities is "persons", none of files, functions, technologies, people, concepts [unknown-word]`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, "wrong", judgeTree(t, c.wrong), c.want...)
			expect(t, "right", judgeTree(t, c.right))
		})
	}
}

// cluster is a message that sums up others.
func cluster(members ...string) string {
	return fmt.Sprintf(`{"msg_id": "msg-sum", "timestamp": "2025-11-09T04:30:15Z", "agent": "forgemind", "role": "system", "kind": "summary", "content": "s", "metadata": {"cluster": {"members": ["%s"]}}}`+"\n",
		strings.Join(members, `", "`))
}
