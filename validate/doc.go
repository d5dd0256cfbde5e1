// Package validate says what is wrong with a document, and where.
//
// Bytes come in and [Finding] values come out. A Finding is data: something
// wrong in a document. A Go error means that this package could not do its
// work.
//
// [Bytes] judges one document by itself and [Files] many, [In] one with the
// settings of its tree, [Tree] all documents of a tree, also against each other
// and the disk. [Gate] is the check before a write, [Against] compares with what
// was there before, [Fix] mends what can be mended without losing anything,
// [FixTree] what only shows beside other documents, and [FixLost] and [FixRecords] what
// git has as it was recorded.
//
// A document is judged by its place in the tree (see fs.Place). A JSON file in
// a place that no document has is judged for its syntax only; markdown and YAML
// for their encoding, conflict markers, size and mojibake, and context-config.yaml
// for its knobs.
//
// Whether a document meets its JSON Schema is decided by package jsonschema, which
// passes over the text once. Of a document that does not meet its schema it also
// returns each keyword that is not met.
//
// Limits: 8 MiB for a JSON or text document and for one line of JSONL, numbers
// of at most 100 characters and a power of ten of at most 308, 500 triggers of a
// config, and the first 1,000 findings of a document.
package validate
