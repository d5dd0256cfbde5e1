// Package condense keeps discussions short: threads, condensations, CONTEXT.md,
// handoffs.
//
// A condensation is extractive: each of its sentences stands in a message. What
// a discussion does not say is shown as open, and is for a person to fill in.
package condense
