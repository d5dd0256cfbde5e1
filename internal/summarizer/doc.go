// Package summarizer requests a summary from the user's program or model.
//
// Only the user's own configuration names it, never a tree. docs/summarizer.md
// describes the data that leaves the machine.
//
// # Promises
//
//   - Nothing in a tree chooses the program or the server. A program runs without a
//     shell, in the directory of the configuration.
//   - The API key is sent only to the host that the configuration names. It is in no
//     message and no summary, and follows no redirect.
//   - An answer is plain text. Nobody checks whether it is true, so it is labeled.
//   - The time and the size of an answer are limited.
package summarizer
