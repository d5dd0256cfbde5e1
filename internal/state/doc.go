// Package state changes the State, takes snapshots of it and goes back to them.
//
// The State is the content of current-context.json. Every function takes the document's bytes and
// returns bytes in which only the values concerned differ. Without a change a function returns its
// input, so that nothing is written. No function reads a clock: times are arguments, or come from
// the State.
package state
