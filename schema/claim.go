package schema

import "time"

// A Claim is a lease of a record: it names the holder, and the time when it ends. A claim without a
// time, or of a time that is over, holds nothing.
type Claim struct {
	By    string `json:"by"`
	Copy  string `json:"copy,omitzero"`  // the working copy of the holder, if it is one of several
	Until string `json:"until,omitzero"` // UTC, by the clock of the holder
	Fence Int    `json:"fence"`          // the number of the claim, which only grows
	Local bool   `json:"local,omitzero"` // other working copies were not asked
}

// HeldAt reports whether the claim holds something at a time. It may be called on a nil Claim.
func (c *Claim) HeldAt(now time.Time) bool {
	if c == nil {
		return false
	}
	until, err := ParseTime(c.Until)
	return err == nil && now.Before(until)
}

// IsOf reports whether the claim is one of by in a working copy.
func (c *Claim) IsOf(by, workingCopy string) bool {
	return c != nil && c.By == by && c.Copy == workingCopy
}
