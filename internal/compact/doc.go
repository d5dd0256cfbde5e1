// Package compact plans which messages to keep, summarize and drop.
//
// It is pure: it takes messages and figures and returns a Plan, and the same input gives the
// same Plan. Messages are not changed: a kept one stays byte for byte, and the others leave
// the conversation and are replaced by one summary.
package compact
