// Package text has the functions that make text fit for a line, a message or a
// table: cutting, quoting, one line, counts, sentences, similar words, and
// characters that are not visible.
//
// # Promises
//
//   - All functions are pure and safe for concurrent use.
//   - A character is never cut in two, except by [QuoteBytes] and [QuoteASCII], which
//     escape the rest.
//
// # Limits
//
//   - A character is a Unicode code point, not a grapheme and not a column.
package text
