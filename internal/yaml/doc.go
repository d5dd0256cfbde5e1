// Package yaml reads YAML settings and front matter, and edits them without losing
// comments.
//
// [Split] separates a markdown text from its front matter, and [Decode] decodes YAML.
// [Pairs] returns the keys and values of a mapping with their offsets, and [Set]
// changes one value.
//
// # Promises
//
//   - Size, nesting and the expansion of aliases are limited.
//   - An error has a line, and a column if it is known.
//   - Set changes one value or adds one line. Every other byte stays: comments,
//     order, blanks, line endings, a missing final newline. Set reads its result
//     back before it returns it.
//
// # Limits
//
// Set edits plain and quoted values of one line, in a mapping at the top level of
// the text. It refuses values that are blocks, lists, mappings or aliases, and new
// keys in a mapping in braces.
package yaml
