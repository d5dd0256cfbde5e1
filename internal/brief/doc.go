// Package brief says what an agent must know at its start, on one screen.
//
// [Read] reads what there is, and [Make] makes a Brief of it: goals, constraints, the
// decisions that hold, open questions, what was tried and given up, what is next, and
// what went stale. [Record.Governs] says whether a record names a file.
//
// # Promises
//
//   - A Brief takes at most the tokens it is given, whatever counts them.
//   - The same documents give the same bytes: there are dates in it, but no ages.
//   - Each record stands on one line of its own, behind its id or its date. No
//     text of a tree begins a line, closes a block or reaches a terminal's controls.
//   - What cannot be read is named, and the rest is told.
//
// # Limits
//
//   - Long texts are cut; the id beside them leads to the whole.
package brief
