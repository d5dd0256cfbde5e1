// Package condense summarizes discussions: threads, condensations, CONTEXT.md and handoffs.
//
// A condensation is extractive: each of its sentences is in a message. Fields that the discussion
// does not answer are shown as open, for a person to fill in.
package condense
