// Package recall searches long-term memory: fragments, and the messages of every session.
//
// The index of words is one file below `.local/index/`. It is derived: without it, or with a
// damaged one, the results are the same, but a search takes longer.
package recall
