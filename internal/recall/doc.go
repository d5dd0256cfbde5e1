// Package recall is long-term memory: fragments, and what was said in every
// session, found by their words.
//
// An index of the words is kept in one file below `.local/index/`. It is believed
// in nothing that the documents do not bear out: without it, or with a damaged
// one, the answers are the same, they only take longer.
package recall
