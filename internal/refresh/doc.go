// Package refresh is the watcher: event → read → validate → trigger → action → write.
//
// [Watch] hears of changes that others make, judges them, and has package engine do what
// follows from them. A watcher makes that prompt. It is not needed for it: the next
// command does the same.
package refresh
