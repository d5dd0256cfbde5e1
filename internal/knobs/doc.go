// Package knobs reads the settings of context-config.yaml, and changes them.
//
// [Read] gives the knobs of a tree, [Write] sets one of them, [New] is the file
// that a new tree gets. What a knob is, which values it takes and which of them
// contradict each other says package schema.
//
// # Promises
//
//   - A file that is missing or wrong stops nothing: the defaults hold, value by
//     value, and a Fault says where.
//   - Writing changes one value, or adds one line. Comments, order, blanks and
//     line ends stay.
//   - Nothing is written that is out of range, or contradicts the rest.
package knobs
