// Package validate finds problems in documents, with their places.
//
// Its input is bytes and its output [Finding] values. A Finding is data: a problem in a
// document. A Go error means that this package could not do its work.
//
// [Bytes] validates one document by itself and [Files] many, [In] one with the settings
// of its tree, [Tree] all documents of a tree, also against each other and the disk.
// [Gate] is the check before a write, and [Against] compares with an earlier state.
// [Fix] repairs one document without loss, [FixTree] problems that show only beside
// other documents, and [FixLost] and [FixRecords] restore recorded content from git.
//
// The kind of a document follows from its place in the tree (see fs.Place). Of a JSON
// file at another place only the syntax is checked; of markdown and YAML the encoding,
// conflict markers, size and mojibake, and of context-config.yaml the knobs.
//
// A checker compiled from the embedded schema decides whether a document satisfies its
// JSON Schema, in one pass over the text. It supports the keywords in use and no
// others, and reports each keyword that the document violates. Tests compare it with a
// library for JSON Schema.
//
// # Limits
//
// 8 MiB for a JSON or text document and for one line of JSONL, numbers of at most 100
// characters and a power of ten of at most 308, 500 triggers of a config, and the first
// 1,000 findings of a document.
package validate
