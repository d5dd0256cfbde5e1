// Package summarizer asks a program or a model of the user's for a summary.
//
// Which one is named in the user's own configuration only, never in a tree.
// docs/summarizer.md says what leaves the machine.
//
// # Promises
//
//   - Nothing of a tree chooses what runs or who is asked; a program runs without
//     a shell, in the directory of the configuration.
//   - The API key goes to the host that the configuration names, and nowhere else:
//     into no message, no summary, no redirect.
//   - An answer is plain text, whatever was said. Whether it is true nobody checks:
//     it is labelled.
//   - What an answer may cost is bounded, in time and in bytes.
package summarizer
