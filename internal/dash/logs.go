package dash

import (
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/schema"
)

// logged is what the logs of a tree hold and say.
type logged struct {
	health.Logs
	tuning health.Tuning
}

// logged reads the logs where they changed.
func (s *Server) logged() (logged, error) {
	return s.logs.get(s.news.of(ofLogs), func() (logged, error) {
		k, err := health.Knobs(s.Tree)
		if err != nil {
			return logged{}, err
		}
		logs, err := health.ReadLogs(s.Tree, time.Time{})
		if err != nil {
			return logged{}, err
		}
		return logged{logs, health.Tune(logs, k)}, nil
	})
}

// passedOver are lines of logs that are none.
func passedOver(lines []health.LogFault) []fault {
	var list []fault
	for _, f := range lines {
		list = append(list, fault{f.Name, clip(f.Msg, shortText)})
	}
	return list
}

// A measured is one look at the window, or the fullest of several.
type measured struct {
	At    string  `json:"at"`
	Ratio float64 `json:"ratio"` // how full it was
	Used  int     `json:"tokens"`
	Limit int     `json:"limit"`
}

// mostMeasured is how many points a history of the window has.
const mostMeasured = 240

// historyOf is how full the window was, oldest first. Of many looks in a stretch
// the fullest counts.
func historyOf(lines []schema.LogHealth) []measured {
	points := []measured{}
	if len(lines) == 0 {
		return points
	}
	step := (len(lines) + mostMeasured - 1) / mostMeasured
	for stretch := range slices.Chunk(lines, step) {
		l := slices.MaxFunc(stretch, func(a, b schema.LogHealth) int {
			switch {
			case a.PctUsed < b.PctUsed:
				return -1
			case a.PctUsed > b.PctUsed:
				return 1
			}
			return 0
		})
		m := measured{l.Timestamp, l.PctUsed, int(l.CurrentTokens), int(l.Limit)}
		if exact := float64(m.Used) / float64(m.Limit); math.Round(1e4*exact)/1e4 == m.Ratio {
			m.Ratio = exact // what is rounded twice may be another than the gauge says
		}
		points = append(points, m)
	}
	return points
}

// health answers /api/health: what `status` prints, with where
// the project stands, how much there is in the other views, and the window's
// history.
func (s *Server) health(*http.Request) (any, error) {
	report, err := s.Report(s.Tree)
	if err != nil {
		return nil, err
	}
	logs, err := s.logged()
	if err != nil {
		return nil, err
	}
	return struct {
		health.Report
		Tree    string     `json:"tree"` // the name of its directory
		Holds   holding    `json:"holds"`
		Stands  *standing  `json:"stands,omitempty"`
		Counts  counted    `json:"counts"`
		At      string     `json:"at"`
		History []measured `json:"history"`
		Looks   int        `json:"looks"` // lines of the log that History is of
		Events  []event    `json:"events"`
	}{report, treeName(s.Tree.Root()), s.held(), s.stands(), s.counted(), schema.FormatTime(s.Now()), historyOf(logs.Health), len(logs.Health), eventsOf(logs.Logs)}, nil
}

// treeName is the last part of a path.
func treeName(root string) string {
	root = strings.TrimRight(root, `/\`)
	return clip(root[strings.LastIndexAny(root, `/\`)+1:], 200)
}

// An event is something that a trigger, or a person, did to the conversation.
type event struct {
	At      string `json:"at"`
	Event   string `json:"event"` // compaction, curation, recovery
	Trigger string `json:"trigger,omitempty"`
	Before  int    `json:"tokens_before"`
	After   int    `json:"tokens_after"`
	Saved   int    `json:"tokens_saved"`
	Dropped int    `json:"dropped"`
}

// eventsOf are the newest events, newest first.
func eventsOf(logs health.Logs) []event {
	const most = 100
	list := []event{}
	for _, l := range logs.Compactions {
		list = append(list, event{l.Timestamp, "compaction", clip(l.Trigger, 100), int(l.TokensBefore), int(l.TokensAfter), int(l.TokensBefore - l.TokensAfter), int(l.ChunksDropped)})
	}
	for _, l := range logs.Curations {
		list = append(list, event{At: l.Timestamp, Event: "curation", Saved: int(l.TokenSavings), Dropped: int(l.DropsTriggered)})
	}
	for _, l := range logs.Recoveries {
		list = append(list, event{At: l.Timestamp, Event: "recovery", Trigger: clip(l.Trigger, 100)})
	}
	slices.SortStableFunc(list, func(a, b event) int { return strings.Compare(b.At, a.At) })
	return list[:min(len(list), most)]
}

// listDrops answers /api/drops: newest first, with what the logs say of all of
// them; q (chunk), reason and session narrow the list.
func (s *Server) listDrops(r *http.Request) (any, error) {
	logs, err := s.logged()
	if err != nil {
		return nil, err
	}
	words, reason, of := soughtIn(r), r.URL.Query().Get("reason"), r.URL.Query().Get("session")
	recovered := map[string]bool{}
	for _, l := range logs.Recoveries {
		recovered[l.ChunkID] = true
	}
	var matched []drop
	sessions := map[string]int{}
	for _, d := range slices.Backward(logs.Drops) {
		sessions[d.SessionID]++
		if (reason == "" || d.Reason == reason) && (of == "" || d.SessionID == of) && words.in(strings.ToLower(d.ChunkID+"\n"+d.SessionID)) {
			one := drop{ID: d.ChunkID, LogDrop: d, Recovered: recovered[d.ChunkID]}
			if d.RelevanceScore != health.NoScore {
				one.Score = &d.RelevanceScore
			}
			matched = append(matched, one)
		}
	}
	p, list, err := pageOf(r, len(logs.Drops), matched)
	if err != nil {
		return nil, err
	}
	return struct {
		page
		Tuning   health.Tuning `json:"tuning"`
		Sessions []facet       `json:"sessions"`
		Drops    []drop        `json:"drops"`
		Faults   []fault       `json:"faults,omitempty"`
	}{p, logs.tuning, facetsOf(sessions), list, firstFaults(passedOver(logs.Faults))}, nil
}

// A drop is a line of the log of drops.
type drop struct {
	ID string `json:"id"`
	schema.LogDrop
	Score     *float64 `json:"relevance_score,omitzero"` // absent where the line has none
	Recovered bool     `json:"recovered"`
}

// listTriggers answers /api/triggers, as `triggers` does, with what they did
// last.
func (s *Server) listTriggers(*http.Request) (any, error) {
	list := any([]any{})
	if s.Triggers != nil {
		var err error
		if list, err = s.Triggers(s.Tree); err != nil {
			return nil, err
		}
	}
	logs, err := s.logged()
	if err != nil {
		return nil, err
	}
	return struct {
		Version  int     `json:"version"`
		Triggers any     `json:"triggers"`
		Events   []event `json:"events"`
	}{1, list, eventsOf(logs.Logs)}, nil
}
