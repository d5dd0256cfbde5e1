// Package engine changes a tree: a change, the triggers it fires, and their effects are
// one transaction.
//
// [Open] returns a writable [Tree]. [Tree.Do] reads back what people edited in views,
// makes a change, runs the triggers that it fires, renders the views, and publishes all
// of that, and a record of the triggers that ran, or nothing.
//
// A transaction has stages; each is a function of the result of the one before. load
// reads the tree, apply makes the change, fire runs the triggers, and render renders
// the views from the records. Then judge refuses documents that would add an error, and
// publish does what follows once the documents are written. [Tree.Change] gives a
// change of package operation a [WorkingSet].
//
// Effects happen exactly once: the values that triggers last acted on are stored under
// `.local/`, in the same transaction as the effects. The process that takes the lock
// first acts; the others find the work done.
package engine
