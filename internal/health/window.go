package health

import (
	"cmp"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Window is the context window as it is just now, and what is done when it
// fills.
type Window struct {
	UsedTokens   int     `json:"used_tokens"`
	TotalTokens  int     `json:"total_tokens"`
	UsagePercent float64 `json:"usage_percent"`
	Policy       string  `json:"policy"` // of compaction
	Marks        []Mark  `json:"thresholds"`
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

// window judges how full the context window is.
func (r *Report) window(f fs.Reader, w *schema.Window, used int, percent float64, now time.Time) {
	m := &r.Monitoring
	m.Context.WindowUsage = percent
	first, emergency := cmp.Or(w.CompactionThreshold, compactionPercent), cmp.Or(w.EmergencyThreshold, emergencyPercent)
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
		m.Context.LastCompaction = span(now.Sub(at)) + " ago"
	}
	r.Window = &Window{UsedTokens: used, TotalTokens: int(w.TotalTokens), UsagePercent: percent}
	r.Window.Policy, r.Window.Marks = thresholds(f)
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

// thresholds are the policy's, as config.json has them or by default.
func thresholds(r fs.Reader) (policy string, marks []Mark) {
	policy, t := compaction(r).Resolve()
	return policy, marksOf(t)
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
