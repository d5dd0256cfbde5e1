// Package refresh contains the watcher.
//
// [Watch] gets notifications of changes that others make, validates the changed documents, and has
// package engine run the triggers. A watcher makes this prompt. Without one the next command does
// the same.
package refresh
