package dash

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/schema"
)

// A logged holds the contents of the logs of a tree, and figures computed from them.
type logged struct {
	health.Logs
	tuning health.Tuning
}

// logged returns the logs, and reads them again if they changed.
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

// passedOver returns a fault for each invalid line of the logs.
func passedOver(lines []health.LogFault) []fault {
	var list []fault
	for _, f := range lines {
		list = append(list, fault{f.Name, clip(f.Msg, shortText)})
	}
	return list
}

// A measured is a measurement of the window's usage, or the largest of several.
type measured struct {
	At    string  `json:"at"`
	Ratio float64 `json:"ratio"` // usage of the window
	Used  int     `json:"tokens"`
	Limit int     `json:"limit"`
}

// mostMeasured is the largest number of points in a history of the window.
const mostMeasured = 240

// historyOf returns the usage of the window, oldest first. If there are too many measurements, it
// returns the largest of each interval.
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
		points = append(points, measured{l.Timestamp, l.PctUsed, int(l.CurrentTokens), int(l.Limit)})
	}
	return points
}

// health answers /api/health with the report that `status` prints, the state of the project, the
// numbers of items in the other views, and the history of the window.
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
		Tree    string     `json:"tree"` // name of its directory
		Stands  *standing  `json:"stands,omitempty"`
		Counts  counted    `json:"counts"`
		At      string     `json:"at"`
		History []measured `json:"history"`
		Looks   int        `json:"looks"` // number of measurements in the log
		Events  []event    `json:"events"`
	}{report, treeName(s.Tree.Root()), s.stands(), s.counted(), schema.FormatTime(s.Now()), historyOf(logs.Health), len(logs.Health), eventsOf(logs.Logs)}, nil
}

// treeName returns the last element of a path.
func treeName(root string) string {
	root = strings.TrimRight(root, `/\`)
	return clip(root[strings.LastIndexAny(root, `/\`)+1:], 200)
}

// An event is something that a trigger or a person did to the conversation.
type event struct {
	At      string `json:"at"`
	Event   string `json:"event"` // compaction, curation or recovery
	Trigger string `json:"trigger,omitempty"`
	Before  int    `json:"tokens_before"`
	After   int    `json:"tokens_after"`
	Saved   int    `json:"tokens_saved"`
	Dropped int    `json:"dropped"`
}

// eventsOf returns the newest events, newest first.
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

// listDrops answers /api/drops, newest first, with figures of all drops. The parameters q (chunk),
// reason and session filter the list.
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
	Score     *float64 `json:"relevance_score,omitzero"` // absent if the line has none
	Recovered bool     `json:"recovered"`
}

// listTriggers answers /api/triggers like the command `triggers`, with the last firing of each.
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
