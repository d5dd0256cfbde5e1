// Package engine changes a tree: a change, what it fires, and the effects are one
// transaction.
//
// [Open] returns a writable [Tree]. [Tree.Do] reads back what people edited in views,
// makes a change, fires the triggers that it fires, renders the views, and publishes all
// of that with the memory of it, or nothing.
//
// Exactly once: what was last acted on is remembered under `.local/`, in the same
// transaction as the effects. Whoever takes the lock first acts; everyone else finds it
// done.
package engine
