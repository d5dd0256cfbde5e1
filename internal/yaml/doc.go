// Package yaml is YAML knobs and front matter, read and edited without losing
// comments.
//
// [Split] parts a markdown text from its front matter, and [Decode] decodes YAML.
// [Pairs] are the names and values of a text with their places, [Set] changes one
// of them.
//
// # Promises
//
//   - What a text may cost is bounded: its size, how deep it goes, and how much
//     its aliases make of it.
//   - An error says where.
//   - Set changes one value or adds one line. Every other byte stays: comments,
//     order, blanks, line ends, a missing final newline. What it wrote was read
//     back before it is returned.
//
// # Limits
//
// Set edits plain and quoted values of one line, in a mapping at the top of the
// text. Values in blocks, lists, mappings and references, and new names among
// braces, are left to people: it refuses them.
package yaml
