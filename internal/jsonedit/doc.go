// Package jsonedit is a JSON document as text.
//
// It keeps what a decoder throws away: where every value stands, which member
// names are repeated, and how the author laid the text out. [Parse] gives a
// [Doc], a flat tape of values with their byte offsets; [Set], [Insert],
// [Append] and [Delete] change one value by its JSON pointer (RFC 6901) and
// leave every other byte as it was.
package jsonedit
