// Package operation holds the use cases that write records: one file for each, and each is
// one call of package engine.
//
// A function such as [AddGoal] takes the tree that it changes and returns the record as it
// was stored, and the outcome of the transaction. [Update] makes several steps in one
// transaction.
package operation
