// Package state changes the State, snapshots it and goes back.
//
// The State is the content of current-context.json. Every function takes the
// document's bytes and returns new ones in which only the values concerned
// differ; bytes that need no change come back as they are, so that nothing is
// written. No function reads a clock: times come in, or are the State's own.
package state
