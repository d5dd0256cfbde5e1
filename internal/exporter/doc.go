// Package exporter renders a tree for readers that do not have forgemind: its files as
// lines of JSON, its decisions as decision records in markdown, a report, and a page in
// HTML.
//
// [JSON], [ADRs], [Report] and [Page] read a tree and return bytes. [Plan] compares files
// with those of a directory, and [Write] writes them.
//
// # Promises
//
//   - The same records give the same bytes. No output has the time of its making.
//   - Secrets are masked. Characters that a terminal or a browser hides are spelled out
//     in markdown and in HTML.
//   - A page loads nothing, and runs no script but its own. No text of a tree is markup.
//   - A file that forgemind did not write, or that was changed since, is overwritten only
//     if the caller asks for it.
//
// # Limits
//
//   - Settings, conversations, snapshots and other data of one working copy are not
//     exported.
//   - What stands only in views of a former tree is in a report and a page, but not among
//     the lines of JSON, which are files of records.
package exporter
