// Package brief renders what an agent needs at its start on one screen.
//
// [Read] reads the records of a tree, and [Make] makes a Brief of them: goals, constraints,
// decisions in force, open questions, dead ends, next actions, and stale references.
// [Record.Governs] reports whether a record names a file.
//
// # Promises
//
//   - A Brief takes at most the tokens of its budget, by any counter.
//   - The same documents give the same bytes: a Brief has dates, but no ages.
//   - Each record has a line of its own, which begins with its id or its date. No text of
//     a tree begins a line, closes a block or reaches a terminal's controls.
//   - A document that cannot be read is named, and the others are used.
//
// # Limits
//
//   - Long texts are cut; 'forgemind show ID' prints the whole text.
package brief
