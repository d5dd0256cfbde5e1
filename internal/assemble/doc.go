// Package assemble puts the context of a prompt together, within a budget.
//
// It is pure: what there is and a budget go in, a text comes out, and the same
// input gives the same bytes.
package assemble
