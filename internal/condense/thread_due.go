package condense

import "time"

// IdleDays is the number of days without a message after which a thread is archived.
const IdleDays = 7

// IdleThreads returns the threads to archive because of inactivity. Those are threads for which idle
// returns true and that are active, or resolved and condensed. A resolved thread stays until it is
// condensed.
func IdleThreads(threads []Thread, idle func(Thread) bool) (due []Thread) {
	for _, t := range threads {
		if (t.Status == Active || t.Status == Resolved && t.Condensation != "") && idle(t) {
			due = append(due, t)
		}
	}
	return due
}

// IdleFor returns the number of days since the last activity in t, or 0 if that is unknown.
func (t Thread) IdleFor(now time.Time) float64 {
	if t.Last.IsZero() {
		return 0
	}
	return max(0, now.Sub(t.Last).Hours()/24)
}

// ResolvedUncondensed returns the resolved threads without a condensation.
func ResolvedUncondensed(threads []Thread) (open []Thread) {
	for _, t := range threads {
		if t.Condensation == "" && (t.Status == Resolved || t.Status == Archived && t.Resolved != "") {
			open = append(open, t)
		}
	}
	return open
}
