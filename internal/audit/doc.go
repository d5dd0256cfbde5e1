// Package audit is staleness: what no longer holds, and the evidence.
//
// [Audit] reads a tree and what git knows of it, and says which of its documents
// are behind what was decided, answered, done or changed since. A document may be
// valid and stale: what is wrong with it in itself is for package validate.
//
// # Promises
//
//   - Nothing is changed, run or fetched; git is asked for its history once.
//   - Each Finding names a place, its evidence, how much it weighs and what to do.
//   - Same tree, same history, same moment: the same Report.
//   - Texts are quoted cut, on one line, with secrets masked.
//   - What is left out, for there is too much of it, is said: texts beyond 16 MiB, findings beyond 10,000.
//
// # Limits
//
//   - Of the files that a decision names, patterns other than dir/** are passed over.
//   - Comments and fenced code of markdown are not looked at.
//   - A restatement is found by its words: one that says the same in others is not.
//   - What cannot be read is passed over, and listed in the Report.
//   - History is read back to the oldest decision that names files, 20,000 commits at most.
package audit
