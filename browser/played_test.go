package browser_test

import (
	"fmt"
	"strings"
	"time"
)

// play makes a tree and lets some things happen in it.
func (b *pageTest) play() {
	b.forgemind("init", "--layout", "both")
	b.past()
	b.forgemind("layer", "1")
	b.forgemind("clarity", "40")
	b.forgemind("goal", "add", "Plant the south wall", "--priority", "high")
	b.forgemind("constraint", "add", "No pear that needs a warm winter")
	var talk strings.Builder
	for n := range 40 {
		fmt.Fprintf(&talk, "{\"role\": \"assistant\", \"agent\": \"quaid\", \"timestamp\": \"2026-11-1%dT10:%02d:00Z\", \"content\": \"Step %d: mortar, stones, a dry week before the frost comes; row %d stands.\"}\n", n/10, n%10, n, n)
	}
	b.write("talk.jsonl", talk.String())
	b.forgemind("message", "import", "talk.jsonl")
	for _, tokens := range []string{"30000", "74000", "120000", "96000"} {
		b.forgemind("health", "--report", tokens, "--limit", "200000", "--agent", "claude")
		b.forgemind("health")
	}
	b.forgemind("compact", "--now", "--prompt", "which pears keep best")
	b.forgemind("health")
	b.write(".forgemind/decisions/DEC-WALL1.json", `{"id": "DEC-WALL1", "timestamp": "2026-10-02T09:00:00Z", "decision": "Build the wall of brick", "rationale": "There is a stack of it.", "supersedes": "DEC-WALL0", "decision_maker": "ann", "project": "south-wall", "immutable": true}`)
	b.write(".forgemind/decisions/DEC-WALL2.json", `{"id": "DEC-WALL2", "timestamp": "2026-11-18T11:00:00Z", "decision": "Build the wall of sandstone, in lime mortar", "rationale": "Brick takes the frost badly on that side.", "alternatives_rejected": ["Brick", "Concrete"], "impact": ["The quarry has to be asked"], "decision_maker": "ann", "recorded_by": "quaid", "supersedes": ["DEC-WALL1", "DEC-HEDGE"], "project": "south-wall", "channel": "proj-south", "files": ["walls/south.md"], "immutable": true}`)
	b.write(".forgemind/decisions/DEC-WALL0.json", `{"id": "DEC-WALL0", "timestamp": "2026-09-14T09:00:00Z", "decision": "Build the wall without mortar", "decision_maker": "ben", "project": "south-wall", "immutable": true}`)
	b.write(".forgemind/decisions/DEC-HEDGE.json", `{"id": "DEC-HEDGE", "timestamp": "2026-10-20T09:00:00Z", "decision": "Plant a hedge where the stack of brick ends", "decision_maker": "ben", "project": "south-wall", "immutable": true}`)
	b.write(".forgemind/decisions/DEC-GATE.json", `{"id": "DEC-GATE", "timestamp": "2026-11-19T15:30:00Z", "decision": "Hang the gate on oak posts", "decision_maker": "ben", "immutable": true}`)
	b.write(".forgemind/condensations/2026-11-18-mortar.md", condensation("Mortar for the south wall", "2026-11-18", "proj-south", "Lime mortar, two parts sand."))
	b.write(".forgemind/condensations/2026-11-12-pears.md", condensation("Which pears keep", "2026-11-12", "garden", "Conference, for the wedding in March."))
	b.write(".forgemind/channels/proj-south/pins.json", `{"channel": "proj-south", "pins": [{"condensation": "2026-11-18-mortar.md", "pinned_by": "ann", "pinned_at": "2026-11-18T12:00:00Z"}]}`)
	b.write(".forgemind/threads/proj-south/thread-mortar.json", `{"id": "thread-mortar", "channel": "proj-south", "title": "Mortar for the south wall", "status": "resolved", "participants": ["ann", "ben"], "opened": "2026-11-17T09:00:00Z", "resolved": "2026-11-18T11:00:00Z", "condensation": "2026-11-18-mortar.md"}`)
	b.write(".forgemind/threads/proj-south/thread-mortar.jsonl", `{"msg_id": "msg-a", "timestamp": "2026-11-17T09:00:00Z", "agent": "ann", "content": "Cement cracks when the stone moves."}
{"msg_id": "msg-b", "timestamp": "2026-11-17T09:10:00Z", "agent": "ben", "content": "Then lime mortar. We'll use two parts sand."}
`)
	b.write(".forgemind/threads/garden/thread-gate.json", `{"id": "thread-gate", "channel": "garden", "title": "Which posts for the gate?", "status": "resolved", "participants": ["ann", "ben"], "opened": "2026-11-19T09:00:00Z", "resolved": "2026-11-19T15:30:00Z"}`)
	b.forgemind("projects", "new", "South wall", "--phase", "Building", "--active", "The second row, of sandstone", "--blocked", "The quarry says nothing", "--constraint", "No higher than two metres")
	b.forgemind("projects", "new", "Orchard", "--phase", "Planning")
	b.forgemind("projects", "refresh")
	b.write(".forgemind/handoffs/handoff-quarry.json", `{"id": "handoff-quarry", "task": "Ask the quarry for sandstone", "from": "quaid", "to": "ann", "created": "2026-11-19T12:00:00Z", "status": "open", "summary": "Forty stones, in the second week of December.", "results": {"stones": 40, "week": 50}, "files": ["walls/south.md"]}`)
	b.write(".forgemind/handoffs/handoff-lime.json", `{"id": "handoff-lime", "task": "Find lime", "from": "ben", "to": "ann", "created": "2026-11-10T12:00:00Z", "status": "archived"}`)
	b.write(".forgemind/threads/garden/thread-old.json", `{"id": "thread-old", "channel": "garden", "title": "Apples or pears?", "status": "archived", "opened": "2026-10-01T09:00:00Z", "resolved": "2026-10-02T09:00:00Z", "archived": "2026-10-20T09:00:00Z", "condensation": "2026-11-12-pears.md"}`)
	b.write(".forgemind/threads/garden/thread-pears.json", `{"id": "thread-pears", "channel": "garden", "title": "Where do the pears go?", "status": "active", "participants": ["ann"], "opened": "2026-11-19T09:00:00Z"}`)
}

// past writes what was logged before that day.
func (b *pageTest) past() {
	var looks, drops, recoveries strings.Builder
	at := time.Now().AddDate(0, 0, -12).UTC().Truncate(time.Second)
	for n := range 96 {
		full := 0.18 + 0.52*float64(n%31)/31 + 0.03*float64(n*7%5)
		fmt.Fprintf(&looks, "{\"timestamp\": %q, \"current_tokens\": %d, \"limit\": 200000, \"pct_used\": %.4f}\n", at.Add(time.Duration(n)*3*time.Hour).Format(time.RFC3339), int(full*200_000), full)
		score := float64((n*n*13)%67) / 100
		fmt.Fprintf(&drops, "{\"timestamp\": %q, \"event\": \"drop\", \"chunk_id\": \"chunk-early%02d\", \"session_id\": \"conv-early\", \"reason\": %q, \"relevance_score\": %v, \"threshold_used\": 0.3, \"tokens\": %d}\n",
			at.Add(time.Duration(n)*3*time.Hour).Format(time.RFC3339), n, map[bool]string{true: "low_relevance", false: "medium_relevance"}[score < 0.3], score, 20+n%50)
		if n%9 == 0 {
			fmt.Fprintf(&recoveries, "{\"timestamp\": %q, \"event\": \"recovered\", \"chunk_id\": \"chunk-early%02d\", \"trigger\": \"manual\"}\n", at.Add(time.Duration(n+4)*3*time.Hour).Format(time.RFC3339), n)
		}
	}
	b.write(".forgemind/logs/context/context-health.jsonl", looks.String())
	b.write(".forgemind/logs/context/drops.jsonl", drops.String())
	b.write(".forgemind/logs/context/recovery.jsonl", recoveries.String())
}

// condensation returns a condensation in its form.
func condensation(topic, date, channel, decision string) string {
	return "## 📝 Condensation: " + topic + "\n\n**Date:** " + date + "\n**Channel:** #" + channel + "\n**Participants:** ann, ben\n" +
		"**Context:** It came up when the first frost was near.\n**Decision:** " + decision + "\n**Rationale:** _not found in the discussion_\n" +
		"**Action items:**\n- ann: I'll order it by Friday.\n**Supersedes:** _none named_\n"
}
