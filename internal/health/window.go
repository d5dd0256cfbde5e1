package health

import (
	"cmp"
	"math"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A Window is the context window now, with the thresholds of the compaction policy.
type Window struct {
	UsedTokens   int       `json:"used_tokens"`
	TotalTokens  int       `json:"total_tokens"` // 0: unknown
	UsagePercent float64   `json:"usage_percent"`
	Policy       string    `json:"policy"` // the policy of compaction
	Marks        []Mark    `json:"thresholds"`
	Parts        []Part    `json:"parts"`
	Chunks       int       `json:"chunks"`                    // messages of the live conversation
	Reported     *Reported `json:"reported,omitempty"`        // nil if everything is counted
	Next         *Next     `json:"next_compaction,omitempty"` // nil if unknown
}

// A Next is the point at which the policy compacts next.
type Next struct {
	Percent float64 `json:"percent"` // of the window
	Tokens  int     `json:"tokens"`  // in the window
	Left    int     `json:"left"`    // tokens until then; 0: compaction is due
}

// A Mark is a threshold of a Window.
type Mark struct {
	Name    string  `json:"name"`
	Percent float64 `json:"percent"`
}

// Thresholds of the CMS document, in percent, for a State without thresholds.
const (
	compactionPercent = 70
	emergencyPercent  = 90
)

// window computes the usage of the State's window.
func (r *Report) window(f fs.Reader, s schema.State, talk session.Tally, now time.Time) {
	m, w := &r.Monitoring, s.ContextWindow
	reported := ReadReported(f, talk)
	if w == nil {
		if reported == nil || reported.Limit == 0 {
			return
		}
		w = &schema.Window{}
	}
	live := LiveUsage(s, talk, reported)
	percent := live.Percent
	m.Context.WindowUsage = percent
	chosen := compaction(f)
	policy, t := policyOf(f, chosen)
	first, emergency := cmp.Or(w.CompactionThreshold, compactionPercent), cmp.Or(w.EmergencyThreshold, emergencyPercent)
	if chosen.Chosen() {
		first, emergency = t.Window()
	}
	switch {
	case percent >= emergency:
		m.Context.Status = Critical
		m.Alert("window-critical", "the context window is %v %% full, above the emergency threshold of %v %%", percent, emergency)
	case percent >= first:
		m.Context.Status = Warning
		m.Alert("window-warning", "the context window is %v %% full, above the compaction threshold of %v %%", percent, first)
	default:
		m.Context.Status = Healthy
	}
	if at, err := schema.ParseTime(w.LastCompaction); err == nil {
		m.Context.LastCompaction, m.Context.CompactionTime = span(now.Sub(at))+" ago", schema.FormatTime(at)
	}
	if was := readActed(f).Emergency; was != "" {
		m.Alert("emergency-compaction", "%s", was)
	}
	floor, _ := floors(f)
	r.Window = windowOf(live, policy, t, floor)
	r.Window.Parts, r.Window.Chunks = parts(s, talk, live.Used), talk.Messages
}

// windowOf returns the Window of live for a policy whose last compaction ended at floor
// percent.
func windowOf(live Live, policy string, t schema.Thresholds, floor float64) *Window {
	w := &Window{
		UsedTokens: live.Used, TotalTokens: live.Total, UsagePercent: live.Percent,
		Policy: policy, Marks: marksOf(t), Reported: live.Reported,
	}
	if due, _ := t.Window(); due > 0 && live.Total > 0 {
		const above = 5 // the minimum growth since the last compaction, in percent
		if floor > 0 {
			due = max(due, floor+above)
		}
		w.Next = &Next{Percent: due, Tokens: int(math.Ceil(due * float64(live.Total) / 100))}
		w.Next.Left = max(0, w.Next.Tokens-live.Used)
	}
	return w
}

// floors returns the usage of the window, in percent, after the last compaction of the
// window and of the session. A value is 0 if unknown.
func floors(r fs.Reader) (window, session float64) {
	a := readActed(r)
	return a.Floor, a.TalkFloor
}

// acted holds what the report needs of the memory of triggers.
type acted struct {
	Floor     float64 `json:"floor"`
	TalkFloor float64 `json:"talk_floor"`
	Emergency string  `json:"emergency"` // "" if no emergency compaction was needed in the State's session
}

// readActed reads the memory of triggers; nothing if there is none.
func readActed(r fs.Reader) acted {
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		var a acted
		src, err := r.Read(fs.LocalName(folder, fs.ActedFile))
		if err == nil && jsonedit.Decode(src, &a) == nil {
			return a
		}
	}
	return acted{}
}

// compaction returns the section compaction of config.json, nil if there is none.
func compaction(r fs.Reader) *schema.Compaction {
	for _, name := range []string{fs.Config, fs.QuaidConfig} {
		var config struct {
			Compaction *schema.Compaction `json:"compaction"`
		}
		src, err := r.Read(name)
		if err != nil {
			continue
		}
		if _, err = jsonedit.Parse(src); err == nil && jsonedit.Decode(src, &config) == nil && config.Compaction != nil {
			return config.Compaction
		}
	}
	return nil
}

// policyOf returns the compaction policy and its thresholds, from config.json, the
// knobs or the defaults.
func policyOf(r fs.Reader, c *schema.Compaction) (policy string, t schema.Thresholds) {
	set, err := knobs.Read(r)
	if err != nil {
		set = knobs.Set{Knobs: schema.DefaultKnobs()}
	}
	return set.Resolve(c)
}

// Knobs returns the knobs of the tree that apply together with config.json.
func Knobs(r fs.Reader) (schema.Knobs, error) {
	set, err := knobs.Read(r)
	return set.Under(compaction(r)), err
}

// marksOf returns the thresholds that are ratios of the window, lowest first.
func marksOf(t schema.Thresholds) []Mark {
	marks := []Mark{}
	for _, mark := range []Mark{
		{"curation", t.Curation}, {"compaction", t.Compaction}, {"hard limit", t.HardLimit},
		{"light", t.Light}, {"medium", t.Medium}, {"aggressive", t.Aggressive}, {"emergency", t.Emergency},
	} {
		if mark.Percent > 0 {
			marks = append(marks, mark)
		}
	}
	return marks
}
