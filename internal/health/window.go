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

// A Window is the context window as it is just now, and what is done when it
// fills.
type Window struct {
	UsedTokens   int       `json:"used_tokens"`
	TotalTokens  int       `json:"total_tokens"` // 0: nobody says
	UsagePercent float64   `json:"usage_percent"`
	Policy       string    `json:"policy"` // of compaction
	Marks        []Mark    `json:"thresholds"`
	Parts        []Part    `json:"parts"`
	Chunks       int       `json:"chunks"`                    // messages of the live conversation
	Reported     *Reported `json:"reported,omitempty"`        // nil: all of it is counted
	Next         *Next     `json:"next_compaction,omitempty"` // nil where it cannot be said
}

// A Next is when the policy compacts next.
type Next struct {
	Percent float64 `json:"percent"` // of the window
	Tokens  int     `json:"tokens"`  // in the window
	Left    int     `json:"left"`    // tokens until then; 0: it is due
}

// A Mark is a threshold of a Window.
type Mark struct {
	Name    string  `json:"name"`
	Percent float64 `json:"percent"`
}

// Thresholds of the CMS document, percent, for a State that names none.
const (
	compactionPercent = 70
	emergencyPercent  = 90
)

// window judges how full the State's window is.
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
	last := lastCompactions(f)
	if at, err := schema.ParseTime(w.LastCompaction); err == nil && at.After(last.At) {
		last.At = at
	}
	m.Context.compacted(last.At, now)
	r.Window = windowOf(live, policy, t, last.Floor)
	r.Window.Parts, r.Window.Chunks = parts(s, talk, live.Used), talk.Messages
}

// windowOf is the Window of a Live by a policy whose last compaction ended at
// floor percent.
func windowOf(live Live, policy string, t schema.Thresholds, floor float64) *Window {
	w := &Window{
		UsedTokens: live.Used, TotalTokens: live.Total, UsagePercent: live.Percent,
		Policy: policy, Marks: marksOf(t), Reported: live.Reported,
	}
	if due, _ := t.Window(); due > 0 && live.Total > 0 {
		const above = 5 // percent that have to come on top of what a compaction left
		if floor > 0 {
			due = max(due, floor+above)
		}
		w.Next = &Next{Percent: due, Tokens: int(math.Ceil(due * float64(live.Total) / 100))}
		w.Next.Left = max(0, w.Next.Tokens-live.Used)
	}
	return w
}

// A compactions tells of the last compactions of a working copy.
type compactions struct {
	Floor     float64   `json:"floor"`      // at how many percent of the window that of the window ended; 0: none holds
	TalkFloor float64   `json:"talk_floor"` // likewise that of the session
	At        time.Time `json:"compacted"`  // UTC; zero: there was none
}

func lastCompactions(r fs.Reader) compactions {
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		var last compactions
		src, err := r.Read(fs.LocalName(folder, fs.ActedFile))
		if err == nil && jsonedit.Decode(src, &last) == nil {
			return last
		}
	}
	return compactions{}
}

// compacted says when the conversation was compacted last, if it was.
func (c *Context) compacted(at, now time.Time) {
	if !at.IsZero() {
		c.LastCompaction = span(now.Sub(at)) + " ago"
	}
}

// compaction is what config.json says of compaction; nil where it says nothing.
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

// policyOf is the policy of compaction and its thresholds, as config.json and
// the knobs have them or by default.
func policyOf(r fs.Reader, c *schema.Compaction) (policy string, t schema.Thresholds) {
	set, err := knobs.Read(r)
	if err != nil {
		set = knobs.Set{Knobs: schema.DefaultKnobs()}
	}
	return set.Resolve(c)
}

// Knobs are those of the tree as they hold beside config.json.
func Knobs(r fs.Reader) (schema.Knobs, error) {
	set, err := knobs.Read(r)
	return set.Under(compaction(r)), err
}

// marksOf are those thresholds that are a part of the window, lowest first as the
// policies name them.
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
