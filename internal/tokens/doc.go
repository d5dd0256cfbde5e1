// Package tokens is what a text costs.
//
// A Counter has a name, and every stored count names its counter, so that a
// count by another one is never taken for the same.
package tokens
