// Package recall is long-term memory: fragments, and what was said in every
// session, found by their words.
package recall
