// Package refresh is the loop: event → read → validate → trigger → action → write.
//
// It is the only place that knows the whole way of the data. [Open] gives a
// writable [Tree]; [Tree.Do] changes documents, fires what the change fires and
// publishes the change, its effects and the memory of it as one transaction;
// [Tree.Watch] does the same for changes that others make.
//
// Exactly once: what was last acted on is remembered under `.local/`, in the
// same transaction as the effects. Whoever takes the lock first acts; everyone
// else finds it done. A watcher makes that prompt, it is not needed for it.
package refresh
