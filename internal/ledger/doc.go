// Package ledger is decisions: recorded once, never changed, superseded only.
//
// Each decision is one file below decisions/, written with the first and only
// write that file ever sees. recent_decisions in the State and key_decisions
// in a session are views of it, kept by their own rooms.
package ledger
