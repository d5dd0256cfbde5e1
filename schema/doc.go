// Package schema is the shape of every document, in JSON Schema and in Go.
//
// Each document has a Go file and a `<name>.schema.json` beside it; a test
// holds the two to each other. A Go type names the members that forgemind works
// with. Documents may hold any others, so an existing document is changed by
// editing its text, never by writing a decoded value back.
//
// Whatever satisfies its schema decodes into its type. The opposite does not
// hold: decoding is lenient where that does no harm, and the schema is the
// judge. Null decodes as absent. Times are kept as the document wrote them and
// are read with [ParseTime].
package schema
