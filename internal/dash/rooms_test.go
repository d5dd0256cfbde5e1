package dash

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/schema"
)

func TestProjectsShowTheirContext(t *testing.T) {
	t.Parallel() // it waits
	s := open(t, map[string]string{
		".forgemind/projects/wall/project.json":    `{"id": "wall", "name": "South wall", "channels": ["proj-wall"], "phase": "Building", "constraints": ["No higher than two metres"]}`,
		".forgemind/projects/orchard/project.json": `{"name": "Orchard", "channels": [], "blocked": "Frost"}`,
		".forgemind/projects/orchard/CONTEXT.md":   "# Orchard\n\n<script>nobody runs this</script>\n",
		".forgemind/projects/torn/project.json":    `{"name": `,
	})
	for query, want := range map[string]string{"": "orchard wall", "?q=BUILDING": "wall", "?q=metres": "wall", "?q=frost": "orchard", "?q=nobody": ""} {
		if got := s.ids("/api/projects"+query, "projects"); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
	if faults := s.get("/api/projects")["faults"]; fmt.Sprint(faults) == "<nil>" || !strings.Contains(fmt.Sprint(faults), "torn/project.json") {
		t.Errorf("faults %v", faults)
	}
	orchard := s.get("/api/projects/orchard")
	if !strings.Contains(orchard["text"].(string), "<script>") || len(orchard["behind"].([]any)) == 0 {
		t.Errorf("%v", orchard)
	}
	if wall := s.get("/api/projects/wall"); wall["missing"] == nil || wall["phase"] != "Building" {
		t.Errorf("%v", wall)
	}
	s.write(".forgemind/projects/barn/project.json", `{"name": "Barn", "channels": []}`)
	s.server.Changed([]string{".forgemind/projects/barn/project.json"}, false)
	if got := s.ids("/api/projects", "projects"); got != "orchard barn wall" {
		t.Errorf("after a change: %q", got)
	}
	// A decision changes in what a CONTEXT.md is behind.
	before := len(orchard["behind"].([]any))
	s.write(".forgemind/decisions/DEC-1.json", `{"id": "DEC-1", "timestamp": "2026-11-01T10:00:00Z", "decision": "Plant quinces", "project": "orchard", "immutable": true}`)
	s.server.Changed([]string{".forgemind/decisions/DEC-1.json"}, false)
	if after := s.get("/api/projects/orchard")["behind"].([]any); len(after) < before || s.server.news.revision(ofProjects) != 3 {
		t.Errorf("behind %v", after)
	}
}

func TestChannelsShowTheirPins(t *testing.T) {
	pins := []string{`{"condensation": "2026-11-18-mortar.md", "pinned_by": "ann", "pinned_at": "2026-11-18T12:00:00Z"}`}
	for n := range 20 {
		pins = append(pins, fmt.Sprintf(`{"condensation": "gone-%d.md"}`, n))
	}
	s := open(t, map[string]string{
		".forgemind/condensations/2026-11-18-mortar.md": "## 📝 Condensation: Mortar\n\n**Date:** 2026-11-18\n**Channel:** #wall\n**Participants:** ann\n**Decision:** Lime mortar.\n",
		".forgemind/channels/wall/pins.json":            `{"channel": "wall", "pins": [` + strings.Join(pins, ",") + `]}`,
		".forgemind/channels/torn/pins.json":            `{"pins": 7}`,
		".forgemind/threads/garden/a.json":              `{"id": "a", "channel": "garden", "title": "Pears", "status": "resolved", "opened": "2026-11-01T10:00:00Z"}`,
		".forgemind/threads/wall/b.json":                `{"id": "b", "channel": "wall", "title": "Lime", "status": "active", "opened": "2026-11-01T10:00:00Z"}`,
	})
	for query, want := range map[string]string{"": "garden torn wall", "?q=gone-3": "wall", "?q=lime": "wall", "?q=nobody": ""} {
		if got := s.ids("/api/channels"+query, "channels"); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
	all := s.get("/api/channels")["channels"].([]any)
	garden, torn, wall := all[0].(map[string]any), all[1].(map[string]any), all[2].(map[string]any)
	if fmt.Sprint(garden["resolved"], garden["uncondensed"], wall["active"], wall["pinned"], len(wall["pins"].([]any))) != "1 1 1 21 6" || torn["fault"] == nil {
		t.Errorf("%v", all)
	}
	shown := s.get("/api/channels/wall")["pins"].([]any)
	last, first := shown[20].(map[string]any), shown[0].(map[string]any)
	if len(shown) != 21 || last["decision"] != "Lime mortar." || last["astray"] != false || first["id"] != "gone-19.md" || first["astray"] != true {
		t.Errorf("%v", shown)
	}
	if status, _, _ := s.ask("/api/channels/nowhere"); status != 404 {
		t.Errorf("an unknown channel: %d", status)
	}
}

func TestHandoffsAreListedOpenOnesFirst(t *testing.T) {
	t.Parallel() // it waits
	s := open(t, map[string]string{
		".forgemind/handoffs/one.json":   `{"id": "one", "task": "Find lime", "to": "ann", "created": "2026-11-10T12:00:00Z", "status": "archived"}`,
		".forgemind/handoffs/two.json":   `{"id": "two", "task": "Ask the quarry", "to": "ben", "created": "2026-11-01T12:00:00Z", "results": {"stones": [40]}}`,
		".forgemind/handoffs/three.json": `{"id": "three", "task": "Lay the first row", "to": "ann", "created": "2026-11-02T12:00:00Z"}`,
		".forgemind/handoffs/torn.json":  `{"id": `,
	})
	for query, want := range map[string]string{"": "three two one", "?status=archived": "one", "?to=ann": "three one", "?q=QUARRY": "two"} {
		if got := s.ids("/api/handoffs"+query, "handoffs"); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
	if s.get("/api/handoffs")["faults"] == nil {
		t.Error("the torn one is not told")
	}
	if got := s.get("/api/handoffs/two")["results"]; got != `{"stones": [40]}` {
		t.Errorf("results %v", got)
	}
	s.write(".forgemind/handoffs/four.json", `{"id": "four", "task": "Rest", "created": "2026-11-03T12:00:00Z"}`)
	s.server.Changed([]string{".forgemind/handoffs/four.json"}, false)
	if got := s.ids("/api/handoffs", "handoffs"); got != "four three two one" {
		t.Errorf("after a change: %q", got)
	}
}

// held returns the ids of the items of a section of the overview.
func held(health map[string]any, section string) string {
	ids := []any{}
	for _, item := range health["holds"].(map[string]any)[section].(map[string]any)["items"].([]any) {
		ids = append(ids, item.(map[string]any)["id"])
	}
	return fmt.Sprint(ids)
}

func TestTheOverviewCounts(t *testing.T) {
	t.Parallel() // it waits
	s := open(t, map[string]string{
		".forgemind/context/current-context.json": `{"project": {"name": "Garden", "current_layer": 2, "clarity": 35}, "open_questions": [{"id": "q1", "question": "Which pears?", "priority": "high"}], "pending_actions": [{"id": "a1", "action": "Order lime"}]}`,
		".forgemind/decisions/DEC-1.json":         `{"id": "DEC-1", "timestamp": "2026-11-01T10:00:00Z", "decision": "Brick", "immutable": true}`,
		".forgemind/decisions/DEC-2.json":         `{"id": "DEC-2", "timestamp": "2026-11-02T10:00:00Z", "decision": "Sandstone", "supersedes": "DEC-1", "immutable": true}`,
		".forgemind/threads/garden/a.json":        `{"id": "a", "channel": "garden", "title": "Pears", "status": "resolved", "opened": "2026-11-01T10:00:00Z"}`,
		".forgemind/handoffs/two.json":            `{"id": "two", "task": "Ask the quarry"}`,
	})
	h := s.get("/api/health")
	counts, stands := h["counts"].(map[string]any), h["stands"].(map[string]any)
	if got := fmt.Sprint(counts["decisions"], counts["decisions_current"], counts["threads_uncondensed"], counts["channels"], counts["handoffs_open"]); got != "2 1 1 1 1" {
		t.Errorf("counts %v", counts)
	}
	if got := fmt.Sprint(stands["layer"], stands["clarity"], len(stands["layers"].([]any))); got != "2 35 6" {
		t.Errorf("stands %v", stands)
	}
	if got := held(h, "open_questions") + held(h, "next") + held(h, "decisions") + held(h, "goals"); got != "[q1][a1][DEC-2][]" {
		t.Errorf("%s hold: %v", got, h["holds"])
	}
	s.write(".forgemind/context/current-context.json", `{"project": `)
	s.server.Changed([]string{".forgemind/context/current-context.json"}, false)
	if h := s.get("/api/health"); h["stands"] != nil || !strings.Contains(fmt.Sprint(h["monitoring"]), "state-unreadable") {
		t.Errorf("of a torn State: %v", h)
	}
}

func TestTheTimelineHasFewStretches(t *testing.T) {
	at := func(text string) decision {
		return decision{Decision: &schema.Decision{Timestamp: text}}
	}
	past := at("2026-11-02T23:59:59+02:00")
	past.SupersededBy = "DEC-9"
	for _, c := range []struct {
		name        string
		newest      []decision
		unit        string
		bins        int
		first, last stretch
	}{
		{name: "nothing"},
		{name: "without times", newest: []decision{at("soon"), at("")}},
		{"days", []decision{at("2026-11-04T10:00:00Z"), past, at("2026-11-02T08:00:00Z")}, "day", 3, stretch{"2026-11-02", 1, 1}, stretch{"2026-11-04", 1, 0}},
		{"months", []decision{at("2026-11-04T10:00:00Z"), at("2026-01-31T10:00:00Z")}, "month", 11, stretch{"2026-01-01", 1, 0}, stretch{"2026-11-01", 1, 0}},
		{"years", []decision{at("2026-11-04T10:00:00Z"), at("1999-12-31T10:00:00Z")}, "year", 28, stretch{"1999-01-01", 1, 0}, stretch{"2026-01-01", 1, 0}},
		{"ages", []decision{at("2026-11-04T10:00:00Z"), at("0001-01-01T10:00:00Z")}, "year", mostBins, stretch{"1967-01-01", 0, 0}, stretch{"2026-01-01", 1, 0}},
	} {
		got := timelineOf(c.newest)
		if got.Unit != c.unit || len(got.Bins) != c.bins {
			t.Errorf("%s: %d by %s", c.name, len(got.Bins), got.Unit)
			continue
		}
		if c.bins > 0 && (got.Bins[0] != c.first || got.Bins[c.bins-1] != c.last) {
			t.Errorf("%s: from %v to %v", c.name, got.Bins[0], got.Bins[c.bins-1])
		}
	}
}

// TestNoAnswerIsHuge asks for lists of documents in which everything is long.
func TestNoAnswerIsHuge(t *testing.T) {
	long := strings.Repeat("ä", 1500)
	list := `["` + strings.Repeat(long+`", "`, 120) + `end"]`
	files := map[string]string{}
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for n := range 12 {
		stem := fmt.Sprintf("%s-%d", day.AddDate(0, 0, n).Format(time.DateOnly), n)
		files[fmt.Sprintf(".forgemind/decisions/DEC-%d.json", n)] = fmt.Sprintf(`{"id": "DEC-%d", "timestamp": "2026-11-01T10:00:00Z", "decision": %q, "alternatives_rejected": %s, "supersedes": "DEC-%d", "immutable": true}`, n, long, list, n-1)
		files[".forgemind/condensations/"+stem+".md"] = "## 📝 Condensation: " + long + "\n\n**Date:** 2026-11-18\n**Participants:** " + strings.Repeat(long+", ", 100) + "\n**Decision:** " + long + "\n"
		files[fmt.Sprintf(".forgemind/handoffs/%d.json", n)] = fmt.Sprintf(`{"id": "h%d", "task": %q, "summary": %q, "results": %q, "files": %s}`, n, long, long, long, list)
		files[fmt.Sprintf(".forgemind/projects/%d/project.json", n)] = fmt.Sprintf(`{"name": %q, "channels": %s, "constraints": %s}`, long, list, list)
	}
	s := open(t, files)
	for _, path := range []string{"decisions", "condensations", "handoffs", "projects", "channels", "threads", "health"} {
		if _, _, text := s.ask("/api/" + path); len(text) > 12*8<<10 {
			t.Errorf("%s: %d bytes", path, len(text))
		}
	}
}
