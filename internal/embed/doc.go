// Package embed asks a server of the user's for embeddings: numbers by which texts
// that mean the same are near each other.
//
// Which server is named in the user's own configuration only, never in a tree, and
// without it nobody is asked. docs/embeddings.md says what leaves the machine.
//
// # Promises
//
//   - An answer is read strictly: a vector for each text, all of one length, all
//     of finite numbers, or none at all.
//   - What is sent is bounded, and so is what an answer may cost.
package embed
