package condense

import "time"

// IdleDays is after how many days without a word a thread is put away.
const IdleDays = 7

// Due are the threads that inactivity archives: nothing happened in them for
// IdleDays, and they are active, or resolved and condensed. One that came to a
// conclusion stays until that is condensed.
func Due(threads []Thread, now time.Time) (due []Thread) {
	for _, t := range threads {
		if t.idle(now) && (t.Status == Active || t.Status == Resolved && t.Condensation != "") {
			due = append(due, t)
		}
	}
	return due
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

// idle says whether nothing happened in t for IdleDays. Where nothing says when
// something did, nobody knows.
func (t Thread) idle(now time.Time) bool {
	return !t.Last.IsZero() && now.Sub(t.Last) >= IdleDays*24*time.Hour
}
