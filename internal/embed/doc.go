// Package embed requests embeddings from the user's server: vectors that are near each
// other for texts with similar meanings.
//
// Only the user's own configuration names the server, never a tree. Without it no
// request is made. docs/embeddings.md describes the data that leaves the machine.
//
// # Promises
//
//   - An answer must contain one vector for each text, all of the same length and with
//     finite numbers; otherwise it is refused.
//   - The size of requests and the cost of answers are limited.
package embed
