// Package jsonedit reads and edits JSON documents as text.
//
// It keeps what a decoder discards: the offset of every value, duplicate member
// names, and the layout of the text. [Parse] returns a [Doc], a flat list of values
// with their byte offsets. [Set], [Insert], [Append] and [Delete] change one value by
// its JSON pointer (RFC 6901) and leave every other byte unchanged.
package jsonedit
