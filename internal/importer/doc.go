// Package importer reads what other programs and people wrote about a project: decision records,
// instruction files for agents, commits, and the stores of other memory tools.
//
// [Read] returns items, each with its kind, its text and the place that it came from. It writes
// nothing, and what it reads is data: nothing is executed, and sizes are limited.
//
// # Promises
//
//   - The same bytes give the same items. The key of an item depends only on its place in the source.
//   - What is not understood is returned as a problem with its file and its line.
//   - Known kinds of secrets are masked.
//
// # Limits
//
//   - Only Markdown, YAML front matter, JSON and JSON Lines are read. AsciiDoc and reStructuredText are
//     reported.
package importer
