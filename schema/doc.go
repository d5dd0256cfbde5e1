// Package schema defines the shape of every document, in JSON Schema and in Go.
//
// Each document has a Go file and a `<name>.schema.json` beside it; a test checks that
// the two agree. A Go type has fields for the members that forgemind uses. A document
// may have any others, so an existing document is changed by editing its text, never by
// writing a decoded value back.
//
// A document that satisfies its schema decodes into its type. The reverse is not true:
// decoding is lenient where that does no harm, and the schema decides what is valid.
// Null decodes as absent. Times keep the text of the document; [ParseTime] reads them.
package schema
