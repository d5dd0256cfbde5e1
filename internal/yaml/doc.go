// Package yaml is YAML knobs and front matter, read and edited without losing
// comments.
//
// So far it reads: [Split] parts a markdown text from its front matter, and
// [Decode] decodes YAML.
//
// # Promises
//
//   - What a text may cost is bounded: its size, how deep it goes, and how much
//     its aliases make of it.
//   - An error says where.
package yaml
