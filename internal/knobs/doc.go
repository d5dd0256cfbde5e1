// Package knobs reads and changes the settings of context-config.yaml.
//
// [Read] returns the knobs of a tree, [Write] sets one of them, [New] returns the file for a new
// tree. Package schema defines the knobs, their values, and the combinations that contradict each
// other.
//
// # Promises
//
//   - A missing or invalid file stops nothing. The default holds for each value
//     that cannot be used, and a Fault names its place.
//   - Writing changes one value, or adds one line. Comments, order, blanks and
//     line ends stay.
//   - Write refuses values that are out of range or contradict other values.
package knobs
