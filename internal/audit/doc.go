// Package audit finds stale documents of a tree, with evidence.
//
// [Audit] reads a tree and its git history, and reports documents that do not reflect
// what was decided, answered, done or changed since. A valid document can be stale;
// package validate reports invalid ones.
//
// # Promises
//
//   - Audit changes, runs and fetches nothing. It reads git's history once.
//   - Each Finding has a place, its evidence, a score and a hint.
//   - The same tree, history and time give the same Report.
//   - Texts are quoted cut, on one line, with secrets masked.
//   - Limits are reported: texts beyond 16 MiB, findings beyond 10,000.
//
// # Limits
//
//   - In the file patterns of decisions, only dir/** is supported.
//   - Comments and fenced code of markdown are ignored.
//   - A restatement is found only if it uses the same words.
//   - Documents that cannot be read are skipped and listed in the Report.
//   - History is read back to the oldest decision that names files, at most 20,000 commits.
package audit
