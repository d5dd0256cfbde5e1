package condense

import "time"

// IdleDays is after how many days without a word a thread is put away.
const IdleDays = 7

// Due returns the threads that inactivity archives: those that idle reports to be idle,
// and that are active, or resolved and condensed. One that came to a conclusion stays
// until that is condensed.
func Due(threads []Thread, idle func(Thread) bool) (due []Thread) {
	for _, t := range threads {
		if (t.Status == Active || t.Status == Resolved && t.Condensation != "") && idle(t) {
			due = append(due, t)
		}
	}
	return due
}

// IdleFor returns how many days nothing has happened in t; 0 where nothing says when
// something did.
func (t Thread) IdleFor(now time.Time) float64 {
	if t.Last.IsZero() {
		return 0
	}
	return max(0, now.Sub(t.Last).Hours()/24)
}

// Uncondensed are the threads that came to a conclusion of which nothing was
// written down.
func Uncondensed(threads []Thread) (open []Thread) {
	for _, t := range threads {
		if t.Condensation == "" && (t.Status == Resolved || t.Status == Archived && t.Resolved != "") {
			open = append(open, t)
		}
	}
	return open
}
